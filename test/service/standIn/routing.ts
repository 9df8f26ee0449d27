import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { estimateTokens } from '../../../src/service/tokens';
import { envelope } from '../wire';

/** What a resource gets of a request that has passed routing and authentication. */
export interface Call {
  readonly body: Readonly<Record<string, unknown>>;
  /** The parts of the path in braces. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
}

/** The JSON of an answer with status 200, or nothing when the handler wrote the answer itself. */
export type Answer = object | undefined;

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Parts in braces take one segment: `/v1/batches/{id}`. */
  readonly path: string;
  /** `keyHeader` also takes `x-api-key` (service document, Authentication, 2). */
  readonly auth?: 'keyHeader' | 'none';
  /** Errors are `{error: text}` (service document, Errors). */
  readonly isFlat?: boolean;
  handle(call: Call): Answer | Promise<Answer>;
}

/** An answer other than 200. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export function invalid(message: string): Refusal {
  return new Refusal(400, 'invalid_request_error', message);
}

export function notFound(message: string): Refusal {
  return new Refusal(404, 'not_found', message);
}

/** Finds the route of a path; the keys of the result's `params` are the names in braces. */
export class Router {
  readonly #routes: { route: Route; pattern: RegExp; rank: number }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes
      .map(route => ({
        route,
        pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
        // `/v1/router/raw` before `/v1/router/{provider}`
        rank: route.path.split('{').length,
      }))
      .sort((a, b) => a.rank - b.rank);
  }

  /** @throws {Refusal} 404 for an unknown path, 405 for another method. */
  find(method: string, path: string): { route: Route; params: Record<string, string> } {
    const matches = this.#routes.filter(({ pattern }) => pattern.test(path));
    const [best] = matches;
    if (!best) throw notFound('no such route');
    const match = matches.find(({ route, rank }) => rank === best.rank && route.method === method);
    if (!match)
      throw new Refusal(405, 'method_not_allowed', `${method} is not allowed here`, {
        allow: best.route.method,
      });
    return { route: match.route, params: { ...match.pattern.exec(path)?.groups } };
  }
}

/** @throws {Refusal} 401 unless the request carries `apiKey` in a way that the route takes. */
export function checkKey({ auth }: Route, headers: IncomingHttpHeaders, apiKey: string): void {
  if (auth === 'none' || headers.authorization === `Bearer ${apiKey}`) return;
  if (auth === 'keyHeader' && headers['x-api-key'] === apiKey) return;
  throw new Refusal(401, 'unauthorized', 'invalid API key');
}

export function writeRefusal(response: ServerResponse, refusal: Refusal, isFlat: boolean): void {
  const { status, code, message, headers } = refusal;
  const flat = { error: status === 401 ? 'Unauthorized' : message };
  writeJson(response, status, isFlat ? flat : envelope(code, message), headers);
}

export function writeJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The whole body; a value when it is JSON, else its text. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += String(piece);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === 'string';

const kinds = {
  string: isText,
  boolean: (value: unknown) => typeof value === 'boolean',
  number: (value: unknown) => typeof value === 'number',
  integer: (value: unknown) => Number.isInteger(value),
  object: isRecord,
  array: (value: unknown) => Array.isArray(value),
  strings: (value: unknown) => Array.isArray(value) && value.every(isText),
} satisfies Record<string, (value: unknown) => boolean>;

interface Kinds {
  string: string;
  boolean: boolean;
  number: number;
  integer: number;
  object: Record<string, unknown>;
  array: unknown[];
  strings: string[];
}

type Kind = keyof Kinds;
const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);

/** `string` must be there; `string?` may be missing or null. */
type Spec = Readonly<Record<string, Kind | `${Kind}?`>>;
type Read<S extends Spec> = {
  [K in keyof S]: S[K] extends Kind
    ? Kinds[S[K]]
    : S[K] extends `${infer T extends Kind}?`
      ? Kinds[T] | undefined
      : never;
};

/**
 * The fields of a request by name and kind; unknown fields are ignored.
 * @param where put before a field's name in a message: `messages[2].`
 * @throws {Refusal} 400 for a missing field or one of another type.
 */
export function readFields<const S extends Spec>(value: unknown, spec: S, where?: string): Read<S>;
export function readFields(value: unknown, spec: Spec, where = ''): Record<string, unknown> {
  if (!isRecord(value)) throw invalid(`${where.replace(/\.$/, '') || 'body'} must be an object`);
  const read: Record<string, unknown> = {};
  for (const [name, wanted] of Object.entries(spec)) {
    const isOptional = wanted.endsWith('?');
    const kind = isOptional ? wanted.slice(0, -1) : wanted;
    const field = value[name];
    if (field === undefined || field === null) {
      if (!isOptional) throw invalid(`missing field: ${where}${name}`);
    } else if (isKind(kind) && kinds[kind](field)) read[name] = field;
    else throw invalid(`${where}${name} must be of type ${kind}`);
  }
  return read;
}

/** @throws {Refusal} 400 unless `value` is missing or one of `allowed`. */
export function oneOf<const T extends string, V extends string | undefined>(
  name: string,
  value: V,
  allowed: readonly T[],
): T | Extract<V, undefined>;
export function oneOf(name: string, value: string | undefined, allowed: readonly string[]) {
  if (value === undefined || allowed.includes(value)) return value;
  throw invalid(`${name} must be one of ${allowed.join(', ')}`);
}

/** @throws {Refusal} 400 when `text` has more than `limit` tokens. */
export function checkLength(name: string, text: string, limit: number): void {
  // A token has at least one character.
  if (text.length > limit && estimateTokens(text) > limit)
    throw invalid(`${name} is longer than ${limit} tokens`);
}

/** A whole number of the query. @throws {Refusal} 400 outside of `least` to `most`. */
export function queryInteger(
  query: URLSearchParams,
  name: string,
  [least, most]: readonly [number, number],
  fallback: number,
): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalid(`${name} must be an integer from ${least} to ${most}`);
}
