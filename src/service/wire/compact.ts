import { sentence } from '../../base/sentence';
import * as z from 'zod';
import {
  compactField,
  completeResponse,
  finishReasons,
  lineRange,
  responsesText,
  textParts,
} from '../assumptions';
import { ServiceError } from '../errors';
import { textOf } from '../guards';
import { checkRange, checkRatio, checkTokens, limitError, serviceLimits } from '../limits';
import type { Operation } from '../operation';
import { type Reply, readJson } from '../reply';
import { notThe, parseObject } from '../schema';
import { truncated } from '../stream';
import { headersMs, sizeLimits } from '../timeouts';
import { type Usage, readUsage } from '../usage';
import { readCompletion } from './chat';

/** The three ways to the same compression: an endpoint of its own, chat completions, the responses format. */
export type CompactRoute = 'compact' | 'chat' | 'responses';

export interface CompactRequest {
  /** At most 1M tokens. Text between `<keepContext>` and `</keepContext>` survives. */
  readonly input: string;
  /** `compact` when absent. Only that one takes the fields below and tells which lines it removed. */
  readonly route?: CompactRoute | undefined;
  /** What matters for the next model call; the service infers it from the last user message when absent. */
  readonly query?: string | undefined;
  /** Above 0, at most 1. */
  readonly ratio?: number | undefined;
  /** A whole number, 0 or more. */
  readonly preserveRecent?: number | undefined;
}

/** First and last line, 1-based and inclusive. */
export type LineRange = readonly [first: number, last: number];

export interface CompactResult {
  /** Every line of it is a line of the input. */
  readonly text: string;
  /** In order, without overlaps, within the input; absent where the service gave none. */
  readonly removedRanges: readonly LineRange[] | undefined;
  /** Lines that `<keepContext>` preserved, in the same form. */
  readonly keptRanges: readonly LineRange[] | undefined;
  readonly usage?: Usage | undefined;
}

type Answer = Pick<CompactResult, 'text' | 'usage'> & Partial<CompactResult>;

/**
 * @throws {ServiceError} `limit`, and `truncated` when nothing is left of a text that was not empty.
 * @see service document, Endpoints, "POST /v1/compact" and "Compact via chat completions"
 */
export function compactOperation(request: CompactRequest): Operation<CompactResult> {
  const { input, route = 'compact' } = request;
  checkTokens(input, serviceLimits.compactTokens, sentence('The text to compact'));
  const way = routes[route];
  return {
    name: 'compact',
    model,
    callClass: 'compute',
    method: 'POST',
    path: way.path,
    accept: 'application/json',
    timeouts: { headersMs: headersMs.generation },
    body: way.body(request),
    async read(reply) {
      const answer = await way.read(reply, input);
      if (input.trim() !== '' && answer.text.trim() === '')
        throw new ServiceError('truncated', 'the compacted text is empty', {
          requestId: reply.requestId,
        });
      return { removedRanges: undefined, keptRanges: undefined, ...answer };
    },
    charge: ({ text, usage }) => ({ kind: 'tokens', model, usage, answerChars: text.length }),
  };
}

const model = 'svc-compactor';

interface Route {
  readonly path: string;
  body(request: CompactRequest): object;
  read(reply: Reply, input: string): Promise<Answer>;
}

const routes: Readonly<Record<CompactRoute, Route>> = {
  compact: {
    path: '/v1/compact',
    body({ input, query, ratio, preserveRecent }) {
      if (ratio !== undefined) checkRatio(ratio, sentence('The compression ratio'));
      if (preserveRecent !== undefined)
        checkRange(preserveRecent, 0, Number.MAX_SAFE_INTEGER, sentence('What to preserve'));
      return { input, query, compression_ratio: ratio, preserve_recent: preserveRecent };
    },
    read: readCompact,
  },
  chat: {
    path: '/v1/chat/completions',
    body: request => ({ model, messages: [{ role: 'user', content: inputOnly(request) }] }),
    async read(reply, input) {
      const { text, usage } = await readCompletion(reply, maxBytes(input));
      return { text, usage };
    },
  },
  responses: {
    path: '/v1/responses',
    body: request => ({ model, input: inputOnly(request) }),
    read: readResponse,
  },
};

/** Rather an error than a text that was compacted otherwise than was asked for. */
function inputOnly({ input, query, ratio, preserveRecent }: CompactRequest): string {
  if (query === undefined && ratio === undefined && preserveRecent === undefined) return input;
  throw limitError(
    'A query, a ratio and what to preserve can only be sent to the compact endpoint.',
  );
}

/**
 * The answer may hold the text twice, each character escaped to six bytes, and for every second
 * character a range.
 */
function maxBytes(input: string): number {
  return Math.max(sizeLimits.jsonBody, 32 * input.length);
}

const some = z.unknown().optional();

/** Only to tell new fields; each is read on its own, since most of their shapes are not shown. */
const compactSchema = z.object({
  id: some,
  object: some,
  model: some,
  output: some,
  messages: some,
  compacted_line_ranges: some,
  kept_line_ranges: some,
  usage: some,
  finish_reason: some,
});

async function readCompact(reply: Reply, input: string): Promise<Answer> {
  const json = await readJson(reply, maxBytes(input));
  const answer = parseObject(reply, compactSchema, 'compacted text', json);
  const text = textOf(answer.output) ?? textParts([compactField(answer, 'content')]);
  if (text === undefined) throw notThe('compacted text', reply);
  // Not in the document; where the service gives it all the same, it must be the natural one.
  const reason = compactField(answer, 'finish_reason');
  if (reason !== undefined && reason !== finishReasons.whole)
    throw truncated(reply, text, textOf(reason));
  const lines = countLines(input);
  const ranges = (name: string) => readRanges(reply, compactField(answer, name), lines);
  return {
    text,
    removedRanges: ranges('compacted_line_ranges'),
    keptRanges: ranges('kept_line_ranges'),
    usage: readUsage(answer.usage),
  };
}

async function readResponse(reply: Reply, input: string): Promise<Answer> {
  const answer = await readJson(reply, maxBytes(input));
  const text = responsesText(answer);
  const { status } = answer as { status?: unknown };
  if (text === undefined && status === undefined) throw notThe('response', reply);
  if (status !== completeResponse) throw truncated(reply, text ?? '', textOf(status));
  if (text === undefined) throw notThe('response', reply);
  return { text, usage: readUsage(answer['usage']) };
}

function readRanges(reply: Reply, value: unknown, lines: number): LineRange[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ranges: LineRange[] = [];
  let end = 0;
  for (const item of value) {
    const [first, last] = lineRange(item) ?? [];
    if (isLine(first) && isLine(last) && first > end && last >= first && last <= lines) {
      ranges.push([first, last]);
      end = last;
    } else reply.note('a line range of a compacted text could not be used');
  }
  return ranges;
}

function isLine(value: unknown): value is number {
  return Number.isInteger(value);
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
