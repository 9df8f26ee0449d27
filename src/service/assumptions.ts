import { isRecord, textOf } from '../base/typeGuards';

/**
 * Every detail of the protocol that the service document calls "not shown", with our assumption and the
 * reason for it. Where the service turns out to differ, this is the only file to change.
 */

/** Request id headers. The document names none; these two are in common use. */
export const requestIdHeaders = ['x-request-id', 'request-id'] as const;

/** Sent with every POST. The document shows it for batch uploads only; elsewhere an unknown header is ignored. */
export const idempotencyHeader = 'idempotency-key';

/** `x-should-retry: true | false`. Not in the document; used by services with this wire format. */
export const shouldRetryHeader = 'x-should-retry';

const delay = /\b(?:retry|try again)\b[^\d\n]{0,40}(\d+(?:\.\d+)?)\s*(ms|milli|s|m|h)?/i;
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  milli: 1,
  s: 1000,
  m: 60_000,
  h: 3600_000,
};

/**
 * "The message gives a retry delay" (service document, Errors), in a form that is not shown.
 * Accepted: "retry after 12 seconds", "Please try again in 1.5s", "retry in 300 ms"; no unit means seconds.
 */
export function delayMsInMessage(message: string): number | undefined {
  const match = delay.exec(message);
  const factor = unitMs[(match?.[2] ?? 's').toLowerCase()];
  return match?.[1] === undefined || factor === undefined ? undefined : Number(match[1]) * factor;
}

/** Error codes of the document (Errors) and of services with the same wire format, as kinds. */
export const errorCodes: Readonly<
  Record<string, 'badRequest' | 'unauthorized' | 'rateLimited' | 'server'>
> = {
  invalid_request_error: 'badRequest',
  unauthorized: 'unauthorized',
  rate_limited: 'rateLimited',
  rate_limit_error: 'rateLimited',
  resource_unavailable: 'rateLimited',
  internal_error: 'server',
  overloaded: 'server',
  overloaded_error: 'server',
};

/**
 * Values of `finish_reason`. Only `stop` is shown; the others are those of the chat-completions format.
 * Any other value, and none at all, means that the service aborted: `error` and `abort` are in use.
 */
export const finishReasons = {
  /** The whole answer. */
  whole: 'stop',
  /** The answer ends with tool calls, whose results are to be sent. */
  calls: new Set(['tool_calls', 'function_call']),
  /** A limit or a filter stopped it. */
  cut: new Set(['length', 'content_filter']),
} as const;

/**
 * How `<code>` inside the code is distinguished from the tag of the message. Not shown, so the parts are
 * assumed to be separated by the bare tag names. Where a text contains such a tag, its name gets a suffix
 * (`</code>` becomes `</code_s0>`), which is removed from the answer. The suffix is visible, because models
 * drop or "repair" invisible characters and entities; its number is the first one that does not occur in
 * the texts, which makes the escape reversible.
 */
export const tagSuffix = (n: number): string => `_s${n}`;
/** Suffixes of seven or more digits in a lower-case text, up to the ninth digit; no text can contain all of them. */
export const tagSuffixPattern = /_s\d{7,9}/g;

/**
 * The predictions of a request with several reflexes, as pairs of the reflex's name (where the shape
 * gives it) and the prediction. Not shown; a public SDK for a service of this shape reads a list under
 * `predictions`. Also accepted: `results` or `data`, and an object with the names of the reflexes as keys.
 */
export function predictionLists(answer: unknown): [string | undefined, unknown][] | undefined {
  if (!isRecord(answer)) return undefined;
  for (const name of ['predictions', 'results', 'data']) {
    const list = answer[name];
    if (Array.isArray(list)) return list.map(item => [undefined, item]);
    if (isRecord(list)) return Object.entries(list);
  }
  return undefined;
}

/** Public page of the site with the catalogue; needs no key. Without a site address, that of the service is used. */
export const cataloguePath = '/api/models/json';

/**
 * First and last line, 1-based and inclusive, of an element of `compacted_line_ranges`. Not shown; a public
 * SDK for a service of this shape has `{start, end}`. Also accepted: `[1, 5]` and `"1-5"`.
 */
export function lineRange(value: unknown): readonly [unknown, unknown] | undefined {
  if (isRecord(value)) return [value['start'], value['end']];
  if (Array.isArray(value)) return value.length === 2 ? [value[0], value[1]] : undefined;
  const [, first, last] = /^\s*(\d+)\s*-\s*(\d+)\s*$/.exec(textOf(value) ?? '') ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
}

/** A field of the answer of Compact: at the top level or, as in a public SDK, in the first of `messages`. */
export function compactField(answer: Readonly<Record<string, unknown>>, name: string): unknown {
  const top = answer[name];
  if (top !== undefined && top !== null) return top;
  const messages = answer['messages'];
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  return isRecord(first) ? (first[name] ?? undefined) : undefined;
}

/**
 * The text of an answer in the responses format, which the document names but does not show. As in other
 * services: `output_text`, else the texts of the messages in `output`, without reasoning.
 */
export function responsesText(answer: Readonly<Record<string, unknown>>): string | undefined {
  const whole = textOf(answer['output_text']);
  if (whole !== undefined) return whole;
  const output = answer['output'];
  if (!Array.isArray(output)) return textOf(output);
  const items: unknown[] = output;
  return textParts(
    items
      .filter(isRecord)
      .filter(item => item['type'] === undefined || item['type'] === 'message')
      .map(item => item['content']),
  );
}

/** Joins texts and lists of `{text}`; `undefined` where there are none. */
export function textParts(contents: readonly unknown[]): string | undefined {
  const texts = contents
    .flat()
    .map(part => textOf(part) ?? (isRecord(part) ? textOf(part['text']) : undefined))
    .filter(text => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('');
}

/**
 * Value of `status` in the responses format for a whole answer. Not shown; `incomplete`, `failed` and
 * `cancelled` are in use for others.
 */
export const completeResponse = 'completed';

/** The path of the results of a reflex batch, which the document mentions but does not show; modelled on that of the status. */
export const batchResultsPath = (id: string): string =>
  `/v1/reflex/asynchronous_batches/${id}/results`;

/** Names that the list of rows may have in the results of a batch; without one the answer is JSON lines. */
export const batchResultLists: readonly string[] = ['results', 'data', 'rows'];

/**
 * The predictions in one row of a batch's results, in the form of {@link predictionLists}. Not shown.
 * Accepted: several under one of the names of `predictionLists`, one under `result`, `response` or
 * `prediction`, and one that is the row itself.
 */
export function rowPredictions(
  row: Readonly<Record<string, unknown>>,
): [string | undefined, unknown][] {
  const inner = ['result', 'response', 'prediction'].map(name => row[name]).find(isRecord) ?? row;
  return predictionLists(inner) ?? (Array.isArray(inner['classes']) ? [[undefined, inner]] : []);
}

/** Not shown; the path of services with the same wire format. */
export const embeddingsPath = '/v1/embeddings';

/**
 * A vector of an embeddings answer. The document says "the vector"; services with this wire format give
 * a list of numbers or, in base64, little-endian 32-bit floats.
 */
export function vectorOf(value: unknown): Float32Array | undefined {
  if (Array.isArray(value)) {
    return value.every(part => typeof part === 'number') ? Float32Array.from(value) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const bytes = new Uint8Array(Buffer.from(value, 'base64'));
  return bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}

/** Query parameter of the list of fine-tuning jobs for "the last job id seen". Not shown; `after` is common for lists of this shape. */
export const fineTuningPageQuery = 'after';

/** Asks for the usage of a streamed chat completion, which is not shown; services with this wire format then send it in the last event. */
export const streamUsage = { stream_options: { include_usage: true } } as const;

/** A 400 that names the field means that the service does not know {@link streamUsage}. */
export function refusesStreamUsage(serverText: string | undefined): boolean {
  return serverText?.includes('stream_options') ?? false;
}

/** The reasoning of a `message` or a `delta` of a chat completion. Not shown; both names are in use. */
export function reasoningIn(part: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(part['reasoning_content']) ?? textOf(part['reasoning']);
}

/** The tier that served a request. The document does not name the field, so it has the name of the request. */
export function tierIn(answer: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(answer['service_tier']);
}

/**
 * Tool calls of a chat completion. Only the name `tool_calls` is shown; the rest is read as services with
 * this wire format send it: `{id, function: {name, arguments}}`, in a stream as pieces by `index`. Missing
 * ids get this one; `arguments` may be missing, or an object instead of a text.
 */
export const assumedCallId = (place: number): string => `call_${place}`;

/** Fields of a chat completion request whose shape is not shown; as in other services with this wire format. */
export const chatFields = {
  image: (url: string) => ({ type: 'image_url', image_url: { url } }),
  jsonMode: { type: 'json_object' },
  jsonSchema: (name: string, schema: object) => ({
    type: 'json_schema',
    json_schema: { name, schema, strict: true },
  }),
  logprobs: (top: number) => ({ logprobs: true, ...(top > 0 ? { top_logprobs: top } : {}) }),
} as const;

/** Name of the version header of the messages endpoints, of which only the value is shown; the usual one for this format. */
export const formatVersionHeader = 'anthropic-version';

/** "Under 8k" and "under 24k" of a thinking budget (service document, POST /v1/messages), read as multiples of 1,000. */
export const effortBudgets = { low: 8000, medium: 24_000 } as const;

/** Values of `stop_reason`, as {@link finishReasons}. None is shown; these are those of the messages format. */
export const stopReasons = {
  whole: new Set(['end_turn', 'stop_sequence', 'tool_use']),
  cut: new Set(['max_tokens', 'model_context_window_exceeded', 'refusal', 'pause_turn']),
} as const;

/**
 * Usage in the messages format, where cached input is counted in addition to `input_tokens`. Not
 * shown; a stream reports the input at its beginning and the output at its end.
 */
export function messageUsage(wire: Readonly<Record<string, unknown>>): {
  prompt: number | undefined;
  cached: number | undefined;
  completion: number | undefined;
} {
  const count = (name: string): number | undefined => {
    const value = wire[name];
    return typeof value === 'number' && value >= 0 ? value : undefined;
  };
  const input = count('input_tokens');
  const cached = count('cache_read_input_tokens');
  const written = count('cache_creation_input_tokens') ?? 0;
  const prompt = input === undefined ? undefined : input + (cached ?? 0) + written;
  return { prompt, cached, completion: count('output_tokens') };
}

/** The answer of count_tokens, which is not shown: `input_tokens` as in the messages format, or a similar name. */
export function countedTokens(answer: Readonly<Record<string, unknown>>): number | undefined {
  for (const name of ['input_tokens', 'tokens', 'token_count', 'total_tokens', 'count']) {
    const value = answer[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return isRecord(answer['usage']) ? countedTokens(answer['usage']) : undefined;
}

/**
 * The models of the public catalogue, as pairs of the id (where the shape gives it) and the model. Not
 * shown. Accepted: a list at the top level, and a list or an object with the ids as keys under `data` or `models`.
 */
export function catalogueItems(page: unknown): [string | undefined, unknown][] {
  const held = isRecord(page) ? (page['data'] ?? page['models']) : page;
  if (Array.isArray(held)) return held.map((item: unknown) => [undefined, item]);
  return isRecord(held) ? Object.entries(held) : [];
}

/** Names of the fields with the context window and the longest answer of a model, in tokens. Not shown. */
export const contextNames = [
  'context_length',
  'max_model_len',
  'context_window',
  'contextWindow',
] as const;
export const maxOutputNames = ['max_output_length', 'max_output_tokens'] as const;

/**
 * Names of the fields with the rates of a model. Not shown; `perMillion`, at the top or under `pricing`,
 * are those of a dedicated endpoint's connection; `open`, under `pricing`, are rates of {@link perMillion}.
 */
export const rateNames = {
  input: { perMillion: 'inputPricePerM', open: ['prompt', 'input'] },
  output: { perMillion: 'outputPricePerM', open: ['completion', 'output'] },
  cachedInput: { perMillion: 'cachedInputPricePerM', open: ['input_cache_read', 'cached_input'] },
} as const;

/**
 * USD per million tokens. Public catalogues give the rate of a token, others that of a million; no model
 * costs 1,000 USD per million tokens, and none but a free one less than a tenth of a cent.
 */
export function perMillion(rate: number): number {
  // Without the rounding 0.0000029 becomes 2.9000000000000004.
  return rate < 0.001 ? Math.round(rate * 1e12) / 1e6 : rate;
}

/**
 * "262k" may mean 262,000 or 262,144 tokens, "1M" 1,000,000 or 1,048,576: not shown. The lower
 * one is used: too low a window warns early, too high a one loses a request.
 */
export function windowTokens(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?([km]?)$/i.exec(text.trim());
  const factor = { '': 1, k: 1000, m: 1_000_000 }[(match?.[2] ?? '').toLowerCase()];
  return match?.[1] === undefined || factor === undefined
    ? undefined
    : Math.round(Number(match[1]) * factor);
}

/**
 * The first message to the search model. The service document names two blocks but not their tags;
 * these, the counter and the budget line are those of public clients for a model of this shape.
 */
export const searchTags = {
  structure: 'repo_structure',
  local: 'local_results',
  query: 'search_string',
} as const;

/**
 * Introduces what the local search found. The service document has no such block; a model that does not
 * know it reads it as plain text, and may finish in its first turn.
 */
export const searchKnownNote =
  'A search by words found these places, best first; some may be wrong and others missing. Check what matters, and look for what is missing. When they answer the question already, finish at once.';

/** The number of turns announced to the search model. The document says "typically 3 to 6". */
export const searchTurns = 6;

/** Limit of a conversation with the search model in characters, as in its public clients. */
export const searchConversationChars = 321_600;

/** Tells the search model how many turns are left. @param used turns so far. */
export function searchTurnNote(
  used: number,
  turns: number,
  chars: number,
  maxChars: number,
): string {
  const left = turns - used;
  const share = Math.min(100, Math.round((100 * chars) / maxChars));
  const budget = `<context_budget>${share}% (${thousands(chars)}/${thousands(maxChars)} chars)</context_budget>`;
  const counter =
    left > 1
      ? `You have used ${used} turns and have ${left} remaining`
      : `You have used ${used} turns, you only have 1 turn remaining. You have run out of turns to explore the code base and MUST call the finish tool now`;
  return `${counter}\n${budget}`;
}

function thousands(count: number): string {
  return `${Math.round(count / 1000)}K`;
}

/** Reasoning of an earlier answer in a chat completion request. Not shown; the same field as in answers ({@link reasoningIn}). */
export const sentReasoning = (text: string) => ({ reasoning_content: text });

/** `tool_choice` in the messages format, which the document does not list; as in other services with this format. */
export const messagesToolChoice = (type: 'any') => ({ type });
