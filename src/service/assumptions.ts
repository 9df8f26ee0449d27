import { isRecord, textOf } from './guards';

/**
 * Every detail of the wire that the service document calls "not shown", with what we assume and why.
 * When the service turns out to differ, this is the only file to change.
 */

/** Request id headers. The document names none; these are the two in common use. */
export const requestIdHeaders = ['x-request-id', 'request-id'] as const;

/** Sent with every POST. The document gives it for batch uploads only; elsewhere an unknown header is ignored. */
export const idempotencyHeader = 'idempotency-key';

/** `x-should-retry: true | false`. Not in the document; in use by services with this wire format. */
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
 * "The message gives a retry delay" (service document, Errors), in a form not shown.
 * Understood: "retry after 12 seconds", "Please try again in 1.5s", "retry in 300 ms"; no unit means seconds.
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
 * Any other value, and none at all, means that the service broke off: `error` and `abort` are in use.
 */
export const finishReasons = {
  /** The whole answer. */
  whole: 'stop',
  /** The answer ends here for now: its calls are to be answered. */
  calls: new Set(['tool_calls', 'function_call']),
  /** A limit or a filter stopped it. */
  cut: new Set(['length', 'content_filter']),
} as const;

/**
 * How `<code>` inside the code is told from the tag of the message. Not shown, so the parts are
 * assumed to be cut at the bare tag names. Where the texts hold such a tag, its name gets a suffix
 * (`</code>` becomes `</code_s0>`) and loses it again in the answer. A visible suffix of letters,
 * because models drop or "repair" invisible characters and entities; the number is the first one
 * that stands nowhere in the texts, which makes the step reversible.
 */
export const tagSuffix = (n: number): string => `_s${n}`;
/** Suffixes of seven digits or more in a text in lower case, as far as the ninth; no text has room for all of them. */
export const tagSuffixPattern = /_s\d{7,9}/g;

/**
 * The predictions of a request with several reflexes, as pairs of the reflex's name (where the shape
 * gives it) and the prediction. Not shown; a public SDK for a service of this shape reads a list under
 * `predictions`. Also understood: `results` or `data`, and an object with the reflexes' names as keys.
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

/** Public page of the site with the catalogue needs no key; where no site address is set, the service's own origin is asked. */
export const cataloguePath = '/api/models/json';

/**
 * First and last line, 1-based and inclusive, of an element of `compacted_line_ranges`. Not shown; a public
 * SDK for a service of this shape has `{start, end}`. Also understood: `[1, 5]` and `"1-5"`.
 */
export function lineRange(value: unknown): readonly [unknown, unknown] | undefined {
  if (isRecord(value)) return [value['start'], value['end']];
  if (Array.isArray(value)) return value.length === 2 ? [value[0], value[1]] : undefined;
  const [, first, last] = /^\s*(\d+)\s*-\s*(\d+)\s*$/.exec(textOf(value) ?? '') ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
}

/** One field of the answer of Compact: at its top or, as a public SDK has it too, in the first of `messages`. */
export function compactField(answer: Readonly<Record<string, unknown>>, name: string): unknown {
  const top = answer[name];
  if (top !== undefined && top !== null) return top;
  const messages = answer['messages'];
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  return isRecord(first) ? (first[name] ?? undefined) : undefined;
}

/**
 * The answer's text in the responses format, which the document names and does not show. As services
 * with it have it: `output_text`, else the texts of the messages in `output`; reasoning is none.
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

/** Texts, or lists of `{text}`, joined; `undefined` where there is none at all. */
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

/** The path of a reflex batch's results, which the document mentions and does not show; after that of the poll. */
export const batchResultsPath = (id: string): string =>
  `/v1/reflex/asynchronous_batches/${id}/results`;

/** Names that the list of a batch's rows may have in the answer; without one of them it is JSON lines. */
export const batchResultLists: readonly string[] = ['results', 'data', 'rows'];

/**
 * The predictions in one row of a batch's results, in the form of {@link predictionLists}. Not shown.
 * Understood: several under one of the names of `predictionLists`, one under `result`, `response` or
 * `prediction`, and one that is the row itself.
 */
export function rowPredictions(
  row: Readonly<Record<string, unknown>>,
): [string | undefined, unknown][] {
  const inner = ['result', 'response', 'prediction'].map(name => row[name]).find(isRecord) ?? row;
  return predictionLists(inner) ?? (Array.isArray(inner['classes']) ? [[undefined, inner]] : []);
}

/** Not shown; that of services with the same wire format. */
export const embeddingsPath = '/v1/embeddings';

/**
 * A vector of an embeddings answer. The document says "the vector"; services with this wire format give
 * a list of numbers or, in base64, little-endian 32-bit floats.
 */
export function vectorOf(value: unknown): Float32Array | undefined {
  if (Array.isArray(value))
    return value.every(part => typeof part === 'number') ? Float32Array.from(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const bytes = new Uint8Array(Buffer.from(value, 'base64'));
  return bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}

/** Query parameter of the list of fine-tuning jobs for "the last job id seen". Not shown; `after` is that of public lists of this shape. */
export const fineTuningPageQuery = 'after';

/** Asks for the usage of a streamed chat completion, which is not shown; services with this wire format then send it in a last event. */
export const streamUsage = { stream_options: { include_usage: true } } as const;

/** A 400 that names the field means that the service does not know {@link streamUsage}. */
export function refusesStreamUsage(serverText: string | undefined): boolean {
  return serverText?.includes('stream_options') ?? false;
}

/** Where a chat completion keeps its reasoning, in a `message` or a `delta`. Not shown; both names are in use. */
export function reasoningIn(part: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(part['reasoning_content']) ?? textOf(part['reasoning']);
}

/** The echo of the tier that served a request; the document gives the field no name, so that of the request. */
export function tierIn(answer: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(answer['service_tier']);
}

/**
 * Tool calls of a chat completion. Only the name `tool_calls` is shown; the rest is read as services with
 * this wire format send it: `{id, function: {name, arguments}}`, in a stream as pieces by `index`. Missing
 * ids get this one; `arguments` may be missing, or an object instead of a text.
 */
export const assumedCallId = (place: number): string => `call_${place}`;

/** Fields of a chat completion request whose inner shape is not shown; as in other services with this wire format. */
export const chatFields = {
  image: (url: string) => ({ type: 'image_url', image_url: { url } }),
  jsonMode: { type: 'json_object' },
  jsonSchema: (name: string, schema: object) => ({
    type: 'json_schema',
    json_schema: { name, schema, strict: true },
  }),
  logprobs: (top: number) => ({ logprobs: true, ...(top > 0 ? { top_logprobs: top } : {}) }),
} as const;

/** Name of the format-version header of the messages endpoints; only its value is shown. The name is the one in use for this format. */
export const formatVersionHeader = 'anthropic-version';

/** "Under 8k" and "under 24k" of a thinking budget (service document, POST /v1/messages): thousands, not 1,024s. */
export const effortBudgets = { low: 8000, medium: 24_000 } as const;

/** Values of `stop_reason`, as {@link finishReasons}. None is shown; these are those of the messages format. */
export const stopReasons = {
  whole: new Set(['end_turn', 'stop_sequence', 'tool_use']),
  cut: new Set(['max_tokens', 'model_context_window_exceeded', 'refusal', 'pause_turn']),
} as const;

/**
 * Usage in the messages format, where cached input is counted beside `input_tokens`, not in it. Not
 * shown; a stream gives the input at its beginning and the output at its end.
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

/** The answer of count_tokens, which is not shown: `input_tokens` as in the messages format, or a like name. */
export function countedTokens(answer: Readonly<Record<string, unknown>>): number | undefined {
  for (const name of ['input_tokens', 'tokens', 'token_count', 'total_tokens', 'count']) {
    const value = answer[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return isRecord(answer['usage']) ? countedTokens(answer['usage']) : undefined;
}

/**
 * The models of the public catalogue, as pairs of the id (where the shape gives it) and the model. Not
 * shown. Understood: a list at the top, and a list or an object with the ids as keys under `data` or `models`.
 */
export function catalogueItems(page: unknown): [string | undefined, unknown][] {
  const held = isRecord(page) ? (page['data'] ?? page['models']) : page;
  if (Array.isArray(held)) return held.map((item: unknown) => [undefined, item]);
  return isRecord(held) ? Object.entries(held) : [];
}

/** Names that a catalogue's model can give its context window and its longest answer, in tokens. Not shown. */
export const contextNames = [
  'context_length',
  'max_model_len',
  'context_window',
  'contextWindow',
] as const;
export const maxOutputNames = ['max_output_length', 'max_output_tokens'] as const;

/**
 * Names that a catalogue's model can give its rates. Not shown; `perMillion`, at the top or under `pricing`,
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
 * "262k" may mean 262,000 or 262,144 tokens, "1M" 1,000,000 or 1,048,576: not shown. The lower reading
 * counts. Too low a window sends an earlier warning; too high a one loses a request.
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
export const searchTags = { structure: 'repo_structure', query: 'search_string' } as const;

/** Turns that the search model is told it has. The document says "typically 3 to 6". */
export const searchTurns = 6;

/** Characters of a whole conversation with the search model, as its clients cap it. */
export const searchConversationChars = 321_600;

/** How the search model learns that it must come to an end. @param used turns so far. */
export function searchTurnNote(
  used: number,
  turns: number,
  chars: number,
  mostChars: number,
): string {
  const left = turns - used;
  const share = Math.min(100, Math.round((100 * chars) / mostChars));
  const budget = `<context_budget>${share}% (${thousands(chars)}/${thousands(mostChars)} chars)</context_budget>`;
  const counter =
    left > 1
      ? `You have used ${used} turns and have ${left} remaining`
      : `You have used ${used} turns, you only have 1 turn remaining. You have run out of turns to explore the code base and MUST call the finish tool now`;
  return `${counter}\n${budget}`;
}

function thousands(count: number): string {
  return `${Math.round(count / 1000)}K`;
}

/** Reasoning of an earlier answer in a chat completion request. Not shown; the field is the one that answers have it in ({@link reasoningIn}). */
export const sentReasoning = (text: string) => ({ reasoning_content: text });

/** `tool_choice` in the messages format, which the document does not list; as services with this format read it. */
export const messagesToolChoice = (type: 'any') => ({ type });
