import type { GatedClient } from '../host/egress/gatedClient';
import { withholdSecrets } from '../host/egress/withhold';
import type { Cost } from '../service/operation';
import { estimateTokens } from '../service/tokens';
import type { CompactRoute } from '../service/wire/compact';
import type { Chat } from './chat';
import { compactMessages, compactText } from './compactor';
import { type Proof, proveKeptSpans, proveOutput, rebuildOutput } from './proof';
import { linesIn, lineStartsOf, type LineRange } from './ranges';
import {
  fromWire,
  lineCountOf,
  lineOf,
  lockedLines,
  pinnedLines,
  type Sheet,
  wireText,
} from './sheet';

export type CompactEngine = 'local' | 'service';

/** What a person chooses. */
export interface CompactPlan {
  readonly engine: CompactEngine;
  /** Of the service; only `compact` takes what stands below. */
  readonly route: CompactRoute;
  /** Share to keep, above 0 to 1. */
  readonly ratio: number;
  /** What matters next; '' means the last message of the user. */
  readonly query: string;
  /** Turns at the end to keep whole. */
  readonly keepRecent: number;
  /** Lines with one of these texts stay. */
  readonly pins: readonly string[];
}

/** Entries per line of the sheet. */
export interface Compaction {
  /** 1 for lines that stay. */
  readonly kept: Uint8Array;
  /** 1 for lines that cannot go. */
  readonly locked: Uint8Array;
  readonly tokens: Int32Array;
  readonly engine: CompactEngine;
  readonly ms: number;
  /** What must stay is more than was asked for. */
  readonly isOverBudget: boolean;
  readonly cost?: Cost;
}

/** The part of the service that a compaction uses. */
export type CompactService = Pick<GatedClient, 'compact'>;

/** The answer of the service is not made of lines of the text; it is not used. */
export class ProofFailed extends Error {
  override readonly name = 'ProofFailed';

  constructor(
    /** 1-based, of the answer or, where `reason` speaks of ranges or of a span, of what was sent. */
    readonly line: number,
    readonly reason: string,
    /** The lines around it. */
    readonly excerpt: string,
  ) {
    super(`line ${line} ${reason}`);
  }
}

/** Compacts on this machine. */
export function compactLocally(
  chat: Chat,
  sheet: Sheet,
  plan: CompactPlan,
  now: () => number,
): Compaction {
  const started = now();
  const locked = lockedLines(sheet);
  const pinned = pinnedLines(sheet, plan.pins);
  const options = {
    query: plan.query,
    ratio: ratioBeside(sheet, pinned, plan.ratio),
    preserveRecent: plan.keepRecent,
  };
  const kept = new Uint8Array(lineCountOf(sheet));
  let isOverBudget: boolean;
  if (chat.isTranscript) {
    const done = compactText(sheet.text, options);
    for (const [start, end] of done.keptRanges) kept.fill(1, start - 1, end);
    ({ isOverBudget } = done);
  } else {
    const done = compactMessages(chat.messages, options);
    for (const { message, part, firstLine } of sheet.parts)
      for (const [start, end] of done.messages[message]?.[part]?.keptRanges ?? [])
        kept.fill(1, firstLine + start - 1, firstLine + end);
    ({ isOverBudget } = done);
  }
  keepAll(kept, locked, pinned);
  return {
    kept,
    locked,
    tokens: tokensOf(sheet),
    engine: 'local',
    ms: now() - started,
    isOverBudget,
  };
}

/** What is left of the share when the pinned lines have taken theirs; a thousandth at least. */
function ratioBeside(sheet: Sheet, pinned: Uint8Array, ratio: number): number {
  let chars = 0;
  for (let line = 0; line < pinned.length; line++)
    if (pinned[line] === 1) chars += (sheet.starts[line + 1] ?? 0) - (sheet.starts[line] ?? 0);
  if (ratio >= 1 || chars === 0) return ratio;
  return Math.max(0.001, ratio - chars / sheet.text.length);
}

function keepAll(kept: Uint8Array, ...others: readonly Uint8Array[]): void {
  for (const other of others)
    for (let line = 0; line < kept.length; line++) if (other[line] === 1) kept[line] = 1;
}

/** Estimated tokens of each line. */
export function tokensOf(sheet: Sheet): Int32Array {
  const tokens = new Int32Array(lineCountOf(sheet));
  for (let line = 0; line < tokens.length; line++)
    tokens[line] = estimateTokens(lineOf(sheet, line));
  return tokens;
}

/**
 * Compacts with the service, and proves what it answers against what it was sent.
 * @throws {ProofFailed}
 * @throws {ServiceError}
 */
export async function compactByService(
  chat: Chat,
  sheet: Sheet,
  plan: CompactPlan,
  service: CompactService,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<Compaction> {
  const started = now();
  const pinned = pinnedLines(sheet, plan.pins);
  const wire = wireText(chat, sheet, pinned);
  // Each line of a secret is a line of its own in what is sent too, so that the ranges still fit.
  const { text: sent, count: withheld } = withholdSecrets(wire.text);
  const { route, ratio, query, keepRecent } = plan;
  const options =
    route === 'compact'
      ? { ratio, preserveRecent: keepRecent, ...(query === '' ? {} : { query }) }
      : {};
  const answer = await service.compact(
    { input: sent, route, ...options },
    { signal, sending: { purpose: 'compact', secrets: 'withhold', withheld } },
  );
  const ranges = proveAnswer(sent, answer.text, answer.removedRanges);
  const spans = proveKeptSpans(sent, ranges);
  if (spans.kind === 'denied') throw failed(spans, sent);
  const kept = fromWire(wire, ranges, lineCountOf(sheet));
  const locked = lockedLines(sheet);
  // Tags around them can only be left out where a line holds tags of its own.
  keepAll(kept, locked, pinned);
  return {
    kept,
    locked,
    tokens: tokensOf(sheet),
    engine: 'service',
    ms: now() - started,
    isOverBudget: false,
    ...(answer.cost ? { cost: answer.cost } : {}),
  };
}

/**
 * The lines of `input` that an answer of the service consists of. Where it says which lines it
 * removed and its text agrees, the output is rebuilt from them; fillers in the text do not count. No
 * ranges at all may also mean that none could be read, and do not speak against a text.
 * @throws {ProofFailed}
 */
export function proveAnswer(
  input: string,
  output: string,
  removed: readonly (readonly [first: number, last: number])[] | undefined,
): LineRange[] {
  const ranges = removed?.map(([first, last]): LineRange => [first, last]);
  const rebuilt = ranges && rebuildOutput(input, ranges);
  if (rebuilt?.kind === 'rebuilt' && saysTheSame(rebuilt.output, output)) return rebuilt.keptRanges;
  const rules = { allowsFillers: true, allowsLostLineEnd: true };
  const proof = proveOutput(input, output, rules);
  if (proof.kind === 'denied') throw failed(proof, output);
  if (rebuilt?.kind !== 'rebuilt' || ranges?.length === 0) return proof.keptRanges;
  // Each line is one of the input, but not one that the service says it kept.
  const own = linesIn(input, lineStartsOf(input), proof.keptRanges);
  const line = firstDifference(own, rebuilt.output);
  throw failed({ kind: 'denied', line, reason: 'is not the line that the ranges say' }, output);
}

const filler = /^(?:\(filtered \d{1,9} lines?\))?\r?$/;

/** The same lines, apart from empty ones, fillers, and the line end of the last. */
function saysTheSame(rebuilt: string, output: string): boolean {
  if (rebuilt === output) return true;
  return spoken(rebuilt) === spoken(output);
}

function spoken(text: string): string {
  return text
    .split('\n')
    .filter(line => !filler.test(line))
    .join('\n');
}

function firstDifference(left: string, right: string): number {
  let line = 1;
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at))
    if (left.charCodeAt(at++) === 10) line++;
  return line;
}

const excerptLines = 3;

function failed({ line, reason }: Proof & { kind: 'denied' }, text: string): ProofFailed {
  const lines = text.split('\n');
  const first = Math.max(0, line - 1 - excerptLines);
  const excerpt = lines
    .slice(first, line + excerptLines)
    .map((content, at) => {
      const number = first + at + 1;
      return `${number === line ? '→' : ' '} ${number}  ${content.slice(0, 300)}`;
    })
    .join('\n');
  return new ProofFailed(line, reason, excerpt);
}
