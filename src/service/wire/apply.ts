import { fenceAt, fits, indentEnd, openingFenceAt } from '../../markdown/fence';
import { tagSuffix, tagSuffixPattern } from '../assumptions';
import { ServiceError } from '../errors';
import type { CallOptions, Operation } from '../operation';
import { headersMs } from '../timeouts';
import type { Usage } from '../usage';
import { readCompletion, streamCompletion } from './chat';

export type ApplyModel = 'auto' | 'svc-v3-fast' | 'svc-v3-large';

export interface ApplyParts {
  /** The complete file. */
  readonly original: string;
  /** The changed code, with `// ... existing code ...` for the rest. */
  readonly update: string;
  /** What the change is, in the first person. */
  readonly instruction?: string | undefined;
}

export interface ApplyRequest extends ApplyParts {
  /** `auto` when absent: the service picks. */
  readonly model?: ApplyModel | undefined;
}

export interface ApplyStreamOptions extends CallOptions {
  /** Read the answer while it is written; a failure after the first words is then not repeated. */
  readonly stream?: boolean | undefined;
  /** The file as far as it has come; only with `stream`, at most once per network read. */
  readonly onText?: ((textSoFar: string) => void) | undefined;
}

export interface ApplyResult {
  /** The fully merged file. */
  readonly text: string;
  /** The model that did it, or the one that was asked for when the service does not say. */
  readonly model: string;
  readonly usage?: Usage;
}

/** @see service document, Endpoints, "Apply" */
export function applyOperation(
  request: ApplyRequest,
  { stream = false, onText }: Pick<ApplyStreamOptions, 'stream' | 'onText'>,
): Operation<ApplyResult> {
  const { model = 'auto', original } = request;
  const { content, restore } = applyMessage(request);
  return {
    name: 'apply',
    model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/chat/completions',
    accept: stream ? 'text/event-stream' : 'application/json',
    timeouts: { headersMs: stream ? headersMs.stream : headersMs.generation },
    body: {
      model,
      messages: [{ role: 'user', content }],
      temperature: 0,
      ...(stream ? { stream } : {}),
    },
    async read(reply) {
      const answer = stream
        ? await streamCompletion(reply, onText && (text => onText(restore(text))))
        : await readCompletion(reply);
      const text = stripFence(restore(answer.text), request);
      if (original.trim() !== '' && text.trim() === '')
        throw new ServiceError('truncated', 'the merged file is empty', {
          requestId: reply.requestId,
        });
      const { usage } = answer;
      return { text, model: answer.model ?? model, ...(usage ? { usage } : {}) };
    },
    charge: ({ text, usage }) => ({
      kind: 'tokens',
      model,
      usage,
      answerChars: text.length,
    }),
  };
}

export interface ApplyMessage {
  readonly content: string;
  /** Takes back, in the answer, what had to be changed in the texts. */
  readonly restore: (answer: string) => string;
}

/**
 * The one user message of an Apply request: `<instruction>` (only when given), `<code>`, `<update>`.
 * Each text stands directly between its tags, so that its line ends survive.
 *
 * @see service document, Endpoints, "Apply"; {@link tagSuffix} for texts that hold these tags
 */
export function applyMessage({ original, update, instruction }: ApplyParts): ApplyMessage {
  const { escape, restore } = tagEscape([original, update, instruction ?? '']);
  const part = (tag: string, text: string): string => `<${tag}>${escape(text)}</${tag}>`;
  const parts = [part('code', original), part('update', update)];
  if (instruction) parts.unshift(part('instruction', instruction));
  return { content: parts.join('\n'), restore };
}

// Also at the end of a text, where our own closing tag follows and would complete it.
const ownTag = /(<\/?(?:instruction|code|update))(?=[\s>/]|$)/gi;

interface TagEscape {
  readonly escape: (text: string) => string;
  readonly restore: (text: string) => string;
}

const same = (text: string): string => text;

function tagEscape(texts: readonly string[]): TagEscape {
  if (!texts.some(text => text.search(ownTag) >= 0)) return { escape: same, restore: same };
  const suffix = freeSuffix(texts);
  const escaped = new RegExp(`(</?(?:instruction|code|update))${suffix}`, 'gi');
  return {
    escape: text => text.replace(ownTag, `$1${suffix}`),
    restore: text => text.replace(escaped, '$1'),
  };
}

/** Looked for one by one; a text with more of them was made for it. */
const fewSuffixes = 10;

function freeSuffix(texts: readonly string[]): string {
  const lower = texts.map(text => text.toLowerCase());
  for (let n = 0; n < fewSuffixes; n++)
    // With a non-digit after it `_s1` is also found in `_s10`; that costs a number, not the round trip.
    if (!lower.some(text => text.includes(tagSuffix(n)))) return tagSuffix(n);
  // More numbers than suffixes have so many digits, so that one of them is free.
  const found = lower.flatMap(text => text.match(tagSuffixPattern) ?? []);
  const first = 10 ** Math.max(6, String(found.length).length);
  const { length } = tagSuffix(first);
  const taken = new Set(found.map(suffix => suffix.slice(0, length)));
  for (let n = first; ; n++) if (!taken.has(tagSuffix(n))) return tagSuffix(n);
}

/** The first line with nothing but a fence as long as `opening`. */
function closingFence(text: string, opening: string): { start: number; end: number } | undefined {
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const fence = fenceAt(line, /^[ \t]*/.exec(line)?.[0].length ?? 0);
    if (fence?.info === '' && fits(fence, opening)) return { start, end };
    start = end + 1;
  }
  return undefined;
}

/**
 * Removes a code fence that the model put around the whole file. Keeps it when a text that the model
 * was given begins with one: then it belongs to the file.
 */
export function stripFence(answer: string, { original, update }: ApplyParts): string {
  if ([original, update].some(text => /^\s*(`{3}|~{3})/.test(text))) return answer;
  const start = indentEnd(answer);
  const lineEnd = answer.indexOf('\n', start);
  const open = lineEnd < 0 ? undefined : openingFenceAt(answer.slice(0, lineEnd), start);
  if (!open) return answer;
  const rest = answer.slice(lineEnd + 1);
  const close = closingFence(rest, open.marks);
  // The first closing fence must be the end: otherwise the answer is a text with several blocks.
  if (!close || rest.slice(close.end).trim() !== '') return answer;
  const inner = rest.slice(0, close.start);
  return original.endsWith('\n') || original === '' ? inner : inner.replace(/\r?\n$/, '');
}
