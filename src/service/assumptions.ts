import { isRecord } from './guards';

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
 * Values of `finish_reason` that mean "not the whole answer". Only `stop` is shown;
 * `length` and `content_filter` are those of the chat-completions format. Any other value counts as complete.
 */
export const incompleteFinishReasons: ReadonlySet<string> = new Set(['length', 'content_filter']);

/**
 * How `<code>` inside the code is told from the tag of the message. Not shown, so the parts are
 * assumed to be cut at the bare tag names. Where the texts hold such a tag, its name gets a suffix
 * (`</code>` becomes `</code_s0>`) and loses it again in the answer. A visible suffix of letters,
 * because models drop or "repair" invisible characters and entities; the number is the first one
 * that stands nowhere in the texts, which makes the step reversible.
 */
export const tagSuffix = (n: number): string => `_s${n}`;

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
  const k = (count: number): string => `${Math.round(count / 1000)}K`;
  const share = Math.min(100, Math.round((100 * chars) / mostChars));
  const budget = `<context_budget>${share}% (${k(chars)}/${k(mostChars)} chars)</context_budget>`;
  const counter =
    left > 1
      ? `You have used ${used} turns and have ${left} remaining`
      : `You have used ${used} turns, you only have 1 turn remaining. You have run out of turns to explore the code base and MUST call the finish tool now`;
  return `${counter}\n${budget}`;
}
