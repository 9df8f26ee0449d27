import { type Sentence, sentence, written } from '../../base/sentence';
import type { GatedClient } from '../../platform/egress/gatedClient';
import { withholdSecrets } from '../../platform/egress/secrets/withhold';
import type { CompactRoute, Cost } from '../../service';
import { compactText } from '../core/compactor';
import {
  lineOfDifference,
  type Proof,
  proveKeptSpans,
  proveOutput,
  rebuildOutput,
} from '../core/proof';
import { type LineRange, lineStartsOf, linesIn } from '../core/ranges';
import { chooseSessionLines, standingLines, tokensOf, typedLines } from '../session/compactSession';
import { markerShare } from '../session/gaps';
import { savesTokens } from '../session/keptText';
import { sessionParts, settleLines } from '../session/parts';
import type { Chat } from '../sessions/chat';
import {
  keptLinesOf,
  lineCountOf,
  lockedLines,
  pinnedLines,
  type SessionLineIndex,
  wireText,
} from './sessionLineIndex';

export type CompactEngine = 'local' | 'service';

/** The options that the user chooses. */
export interface CompactPlan {
  readonly engine: CompactEngine;
  /** Route of the service. Only `compact` accepts the options below. */
  readonly route: CompactRoute;
  /** Share of the text to keep: greater than 0, at most 1. */
  readonly ratio: number;
  /** What the next message is about; '' means the last message of the user. */
  readonly query: string;
  /** Number of turns at the end that are kept whole. */
  readonly keepRecent: number;
  /** Lines that contain one of these texts are kept. */
  readonly pins: readonly string[];
}

/** The result of a compaction. Arrays have one entry per line of the {@link SessionLineIndex}. */
export interface Compaction {
  /** 1 for each line that is kept. */
  readonly kept: Uint8Array;
  /** 1 for each line that cannot be left out. */
  readonly locked: Uint8Array;
  readonly tokens: Int32Array;
  readonly engine: CompactEngine;
  readonly ms: number;
  /** The lines that have to be kept exceed the requested share. */
  readonly isOverBudget: boolean;
  readonly cost?: Cost;
}

/** The part of the service that a compaction uses. */
export type CompactService = Pick<GatedClient, 'compact'>;

/** The answer of the service contains something other than lines of the text, and is not used. */
export class ProofFailed extends Error {
  override readonly name = 'ProofFailed';

  constructor(
    /** 1-based line of the answer, or of the sent text when `reason` is about ranges or a span. */
    readonly line: number,
    readonly reason: Sentence,
    /** The failing line with the lines around it. */
    readonly excerpt: string,
  ) {
    super(`line ${line} ${written(reason)}`);
  }
}

/** Compacts on this machine. */
export function compactLocally(
  chat: Chat,
  lineIndex: SessionLineIndex,
  plan: CompactPlan,
  now: () => number,
): Compaction {
  const started = now();
  const locked = lockedLines(lineIndex);
  const pinned = pinnedLines(lineIndex, plan.pins);
  const { tokens } = lineIndex;
  const forced = locked.slice();
  addLines(forced, pinned);
  const { kept, isOverBudget } = isPlainText(chat)
    ? chooseTextLines(chat, lineIndex, forced, plan)
    : chooseSessionLines(chat, lineIndex, forced, plan);
  if (!savesTokens(chat, lineIndex, kept)) kept.fill(1);
  return { kept, locked, tokens, engine: 'local', ms: now() - started, isOverBudget };
}

/** A text in which only speakers are known, and not what came from tools. */
function isPlainText({ isTranscript, messages }: Chat): boolean {
  return (
    isTranscript && messages.every(({ parts }) => parts.every(({ kind }) => kind !== 'tool_result'))
  );
}

/** Chooses lines of a plain text. What the user typed stays, as in a session; what was pasted competes with the rest. */
function chooseTextLines(
  chat: Chat,
  lineIndex: SessionLineIndex,
  forced: Uint8Array,
  { query, ratio, keepRecent }: CompactPlan,
): { kept: Uint8Array; isOverBudget: boolean } {
  const kept = forced.slice();
  const { tokens } = lineIndex;
  addLines(kept, typedLines(chat, lineIndex));
  const budget = ratio * tokensOf(tokens);
  const table = sessionParts(chat, lineIndex);
  const most = budget * (1 - markerShare);
  let share = ratio >= 1 ? ratio : ratio * (1 - markerShare);
  for (let attempt = 1; ; attempt++) {
    const own = kept.slice();
    const options = { query, ratio: share, preserveRecent: keepRecent, keep: own };
    const { keptRanges, isOverBudget } = compactText(lineIndex.text, options);
    for (const [start, end] of keptRanges) own.fill(1, start - 1, end);
    settleLines(table, own);
    const used = tokensOf(tokens, own);
    if (ratio >= 1 || isOverBudget || used <= most || attempt === maxAttempts)
      return { kept: own, isOverBudget };
    // The headers of messages that keep a line came on top of it.
    share *= most / used;
  }
}

/** How often a text is compacted at most, to a smaller share each time, until its headers fit as well. */
const maxAttempts = 3;

function addLines(kept: Uint8Array, ...others: readonly Uint8Array[]): void {
  for (const other of others) {
    for (let line = 0; line < kept.length; line++) if (other[line] === 1) kept[line] = 1;
  }
}

/**
 * Compacts with the service, and proves the answer against the text that was sent.
 * @throws {ProofFailed}
 * @throws {ServiceError}
 */
export async function compactByService(
  chat: Chat,
  lineIndex: SessionLineIndex,
  plan: CompactPlan,
  service: CompactService,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<Compaction> {
  const started = now();
  const { tokens } = lineIndex;
  const pinned = pinnedLines(lineIndex, plan.pins);
  if (!chat.isTranscript) addLines(pinned, standingLines(chat, lineIndex));
  const wire = wireText(chat, lineIndex, pinned);
  // Withholding keeps the number of lines, so line ranges of the answer still apply.
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
  if (spans.kind === 'denied') throw proofFailed(spans, sent);
  const kept = keptLinesOf(wire, ranges, lineCountOf(lineIndex));
  const locked = lockedLines(lineIndex);
  // `wireText` cannot tag lines that contain tags themselves, so they are added here.
  addLines(kept, locked, pinned);
  settleLines(sessionParts(chat, lineIndex), kept);
  return {
    kept,
    locked,
    tokens,
    engine: 'service',
    ms: now() - started,
    isOverBudget: false,
    ...(answer.cost ? { cost: answer.cost } : {}),
  };
}

/**
 * Returns the lines of `input` that an answer of the service consists of. When the answer lists removed
 * lines and its text agrees, apart from fillers, the ranges decide. An empty list may also mean that the
 * ranges could not be read, so it does not contradict the text.
 * @throws {ProofFailed}
 */
export function proveAnswer(
  input: string,
  output: string,
  removed: readonly (readonly [first: number, last: number])[] | undefined,
): LineRange[] {
  const ranges = removed?.map(([first, last]): LineRange => [first, last]);
  const rebuilt = ranges && rebuildOutput(input, ranges);
  if (rebuilt?.kind === 'rebuilt' && isSameText(rebuilt.output, output)) return rebuilt.keptRanges;
  const rules = { allowsFillers: true, allowsLostLineEnd: true };
  const proof = proveOutput(input, output, rules);
  if (proof.kind === 'denied') throw proofFailed(proof, output);
  if (rebuilt?.kind !== 'rebuilt' || ranges?.length === 0) return proof.keptRanges;
  // Each line is from the input, but not one that the ranges say was kept.
  const own = linesIn(input, lineStartsOf(input), proof.keptRanges);
  const line = lineOfDifference(own, rebuilt.output);
  throw proofFailed(
    { kind: 'denied', line, reason: sentence('is not the line that the ranges say') },
    output,
  );
}

const filler = /^(?:\(filtered \d{1,9} lines?\))?\r?$/;

/** Whether two texts are equal apart from empty lines, fillers, and the final line end. */
function isSameText(rebuilt: string, output: string): boolean {
  if (rebuilt === output) return true;
  return withoutFillers(rebuilt) === withoutFillers(output);
}

function withoutFillers(text: string): string {
  return text
    .split('\n')
    .filter(line => !filler.test(line))
    .join('\n');
}

const excerptLines = 3;

function proofFailed({ line, reason }: Proof & { kind: 'denied' }, text: string): ProofFailed {
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
