import * as z from 'zod';
import { sentence } from '../../base/sentence';
import { textOf } from '../../base/typeGuards';
import {
  compactField,
  completeResponse,
  finishReasons,
  lineRange,
  responsesText,
  textParts,
} from '../assumptions';
import { ServiceError } from '../errors';
import type { Operation } from '../http/operation';
import { type ResponseContext, readJsonObject } from '../http/responseContext';
import { headersMs, sizeLimits } from '../http/timeouts';
import { checkRange, checkRatio, checkTokens, limitError, serviceLimits } from '../limits';
import { parseObject, unexpectedShape } from '../schema';
import { truncatedError } from '../stream/answerStream';
import { readUsage, type Usage } from '../usage';
import { readCompletion } from './chat/chat';

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
type CompactRange = readonly [first: number, last: number];

export interface CompactResult {
  /** Every line is a line of the input. */
  readonly text: string;
  /** In order, without overlaps, within the input; absent where the service gave none. */
  readonly removedRanges: readonly CompactRange[] | undefined;
  /** Lines that `<keepContext>` preserved, in the same form. */
  readonly keptRanges: readonly CompactRange[] | undefined;
  readonly usage?: Usage | undefined;
}

type CompactAnswer = Pick<CompactResult, 'text' | 'usage'> & Partial<CompactResult>;

/**
 * @throws {ServiceError} `limit`, and `truncated` when nothing is left of a text that was not empty.
 * @see service document, Endpoints, "POST /v1/compact" and "Compact via chat completions"
 */
export function compactOperation(request: CompactRequest): Operation<CompactResult> {
  const { input, route = 'compact' } = request;
  checkTokens(input, serviceLimits.compactTokens, sentence('The text to compact'));
  const format = routes[route];
  return {
    name: 'compact',
    model,
    callClass: 'compute',
    method: 'POST',
    path: format.path,
    accept: 'application/json',
    timeouts: { headersMs: headersMs.generation },
    body: format.body(request),
    async read(context) {
      const answer = await format.read(context, input);
      if (input.trim() !== '' && answer.text.trim() === '') {
        throw new ServiceError('truncated', 'the compacted text is empty', {
          requestId: context.requestId,
        });
      }
      return { removedRanges: undefined, keptRanges: undefined, ...answer };
    },
    charge: ({ text, usage }) => ({ kind: 'tokens', model, usage, answerChars: text.length }),
  };
}

const model = 'svc-compactor';

interface RouteFormat {
  readonly path: string;
  body(request: CompactRequest): object;
  read(context: ResponseContext, input: string): Promise<CompactAnswer>;
}

const routes: Readonly<Record<CompactRoute, RouteFormat>> = {
  compact: {
    path: '/v1/compact',
    body({ input, query, ratio, preserveRecent }) {
      if (ratio !== undefined) checkRatio(ratio, sentence('The compression ratio'));
      if (preserveRecent !== undefined) {
        checkRange(preserveRecent, 0, Number.MAX_SAFE_INTEGER, sentence('What to preserve'));
      }
      return { input, query, compression_ratio: ratio, preserve_recent: preserveRecent };
    },
    read: readCompact,
  },
  chat: {
    path: '/v1/chat/completions',
    body: request => ({ model, messages: [{ role: 'user', content: inputOnly(request) }] }),
    async read(context, input) {
      const { text, usage } = await readCompletion(context, maxBytes(input));
      return { text, usage };
    },
  },
  responses: {
    path: '/v1/responses',
    body: request => ({ model, input: inputOnly(request) }),
    read: readResponse,
  },
};

/** Refuses options that only the compact endpoint supports, rather than ignoring them. */
function inputOnly({ input, query, ratio, preserveRecent }: CompactRequest): string {
  if (query === undefined && ratio === undefined && preserveRecent === undefined) return input;
  throw limitError(
    'A query, a ratio and what to preserve can only be sent to the compact endpoint.',
  );
}

/**
 * The answer may contain the text twice, with each character escaped to six bytes, and a range for every
 * second character.
 */
function maxBytes(input: string): number {
  return Math.max(sizeLimits.jsonBody, 32 * input.length);
}

const some = z.unknown().optional();

/** Only to detect new fields; each is read separately, because most shapes are not shown. */
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

async function readCompact(context: ResponseContext, input: string): Promise<CompactAnswer> {
  const json = await readJsonObject(context, maxBytes(input));
  const answer = parseObject(context, compactSchema, 'compacted text', json);
  const text = textOf(answer.output) ?? textParts([compactField(answer, 'content')]);
  if (text === undefined) throw unexpectedShape('compacted text', context);
  // Not in the document; where the service sends it, it must be the natural end.
  const reason = compactField(answer, 'finish_reason');
  if (reason !== undefined && reason !== finishReasons.whole) {
    throw truncatedError(context, text, textOf(reason));
  }
  const lines = countLines(input);
  const ranges = (name: string) => readRanges(context, compactField(answer, name), lines);
  return {
    text,
    removedRanges: ranges('compacted_line_ranges'),
    keptRanges: ranges('kept_line_ranges'),
    usage: readUsage(answer.usage),
  };
}

async function readResponse(context: ResponseContext, input: string): Promise<CompactAnswer> {
  const answer = await readJsonObject(context, maxBytes(input));
  const text = responsesText(answer);
  const { status } = answer as { status?: unknown };
  if (text === undefined && status === undefined) throw unexpectedShape('response', context);
  if (status !== completeResponse) throw truncatedError(context, text ?? '', textOf(status));
  if (text === undefined) throw unexpectedShape('response', context);
  return { text, usage: readUsage(answer['usage']) };
}

function readRanges(
  context: ResponseContext,
  value: unknown,
  lines: number,
): CompactRange[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ranges: CompactRange[] = [];
  let end = 0;
  for (const item of value) {
    const [first, last] = lineRange(item) ?? [];
    if (isLine(first) && isLine(last) && first > end && last >= first && last <= lines) {
      ranges.push([first, last]);
      end = last;
    } else context.warn('a line range of a compacted text could not be used');
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
