import { canClose, fenceAt, indentEnd, openingFenceAt } from '../../markdown';
import { tagSuffix, tagSuffixPattern } from '../assumptions';
import { ServiceError } from '../errors';
import type { CallOptions, Operation } from '../http/operation';
import { headersMs } from '../http/timeouts';
import type { Usage } from '../usage';
import { readCompletion, streamCompletion } from './chat/chat';

type ApplyModel = 'auto' | 'svc-v3-fast' | 'svc-v3-large';

export interface ApplyParts {
  /** The complete file before the edit. */
  readonly original: string;
  /** The changed code, with `// ... existing code ...` for the rest. */
  readonly update: string;
  /** Description of the change, in the first person. */
  readonly instruction?: string | undefined;
}

export interface ApplyRequest extends ApplyParts {
  /** `auto` when absent: the service picks. */
  readonly model?: ApplyModel | undefined;
}

export interface ApplyStreamOptions extends CallOptions {
  /** Streams the answer; a failure after its first part is then not retried. */
  readonly stream?: boolean | undefined;
  /** Called with the file so far; only with `stream`, at most once per network read. */
  readonly onText?: ((textSoFar: string) => void) | undefined;
}

export interface ApplyResult {
  /** The fully merged file. */
  readonly text: string;
  /** The model that answered, or the requested one when the service does not say. */
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
    async read(context) {
      const answer = stream
        ? await streamCompletion(context, onText && (text => onText(restore(text))))
        : await readCompletion(context);
      const text = stripFence(restore(answer.text), request);
      if (original.trim() !== '' && text.trim() === '') {
        throw new ServiceError('truncated', 'the merged file is empty', {
          requestId: context.requestId,
        });
      }
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
  /** Reverts in the answer what had to be escaped in the texts. */
  readonly restore: (answer: string) => string;
}

/**
 * The one user message of an Apply request: `<instruction>` (only when given), `<code>`, `<update>`.
 * Each text is placed directly between its tags, so that its line breaks are preserved.
 *
 * @see service document, Endpoints, "Apply"; {@link tagSuffix} for texts that contain these tags
 */
export function applyMessage({ original, update, instruction }: ApplyParts): ApplyMessage {
  const { escape, restore } = tagEscape([original, update, instruction ?? '']);
  const part = (tag: string, text: string): string => `<${tag}>${escape(text)}</${tag}>`;
  const parts = [part('code', original), part('update', update)];
  if (instruction) parts.unshift(part('instruction', instruction));
  return { content: parts.join('\n'), restore };
}

// Also at the end of a text, where the closing tag that follows would complete it.
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

/** Suffixes that are tried one by one; only a crafted text contains more of them. */
const fewSuffixes = 10;

function freeSuffix(texts: readonly string[]): string {
  const lower = texts.map(text => text.toLowerCase());
  for (let n = 0; n < fewSuffixes; n++) {
    // `_s1` is also found in `_s10`, which skips a usable number and does no harm.
    if (!lower.some(text => text.includes(tagSuffix(n)))) return tagSuffix(n);
  }
  // There are more numbers of this length than suffixes in the texts, so that one of them is free.
  const found = lower.flatMap(text => text.match(tagSuffixPattern) ?? []);
  const first = 10 ** Math.max(6, String(found.length).length);
  const { length } = tagSuffix(first);
  const taken = new Set(found.map(suffix => suffix.slice(0, length)));
  for (let n = first; ; n++) if (!taken.has(tagSuffix(n))) return tagSuffix(n);
}

/** The first line that consists of a closing fence for `opening`. */
function closingFence(text: string, opening: string): { start: number; end: number } | undefined {
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const fence = fenceAt(line, /^[ \t]*/.exec(line)?.[0].length ?? 0);
    if (fence?.info === '' && canClose(fence, opening)) return { start, end };
    start = end + 1;
  }
  return undefined;
}

/**
 * Removes a code fence that the model put around the whole file. Keeps it when a text given to the model
 * begins with one, because it then belongs to the file.
 */
export function stripFence(answer: string, { original, update }: ApplyParts): string {
  if ([original, update].some(text => /^\s*(`{3}|~{3})/.test(text))) return answer;
  const start = indentEnd(answer);
  const lineEnd = answer.indexOf('\n', start);
  const open = lineEnd < 0 ? undefined : openingFenceAt(answer.slice(0, lineEnd), start);
  if (!open) return answer;
  const rest = answer.slice(lineEnd + 1);
  const close = closingFence(rest, open.marks);
  // The first closing fence must be the end; otherwise the answer has several blocks.
  if (!close || rest.slice(close.end).trim() !== '') return answer;
  const inner = rest.slice(0, close.start);
  return original.endsWith('\n') || original === '' ? inner : inner.replace(/\r?\n$/, '');
}
