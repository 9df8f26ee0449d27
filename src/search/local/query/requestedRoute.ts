import { elementIn, type PastedElement } from '../elements/pastedElement';
import { hasCodeExtension } from '../paths';
import type { UiText } from '../uiTexts/entries';
import { type Term, termsOf } from './terms';

/** A part of a requested path, between two slashes. */
export interface RouteSegment {
  /** In lower case. */
  readonly text: string;
  /** Whether it is a number or an identifier, for which code has a parameter. */
  readonly isValue: boolean;
  /** How much it says of the code, next to the others; 0 for a value. */
  readonly weight: number;
}

/** What an HTTP request in a query asks for, such as `GET /users/42` or a URL. */
export interface RequestedRoute {
  readonly segments: readonly RouteSegment[];
  /** In lower case; absent where the query has none. */
  readonly method?: string | undefined;
}

/** The words of a query, and the request in it. */
interface QueryRequest {
  /** The names in the path of a request, and the rest. */
  readonly words: string;
  /** Without the request. */
  readonly rest: string;
  /** The same with a path that may be that of a file. */
  readonly files: string;
  readonly route?: RequestedRoute;
  readonly element?: PastedElement;
}

/** What a query asks for. */
export interface ReadQuery extends QueryRequest {
  readonly terms: readonly Term[];
  /** The entries of the text of a user interface that the query is, once they are known. */
  readonly uiTexts?: readonly UiText[];
}

/** A longer query is the text of an issue, or a log with many requests; but for a command that has been copied. */
const maxChars = 400;
const maxSegments = 16;
/** What `api` and a version say. */
const weightOfPrefix = 0.2;

const withMethod =
  /(?<![\w/])(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)["'\]]{0,2} {1,3}["']?((?:https?:\/\/[^\s/"'`<>^]+)?\/(?:[^\s"'`<>^]|<[\w:]+>)*)/;
const url = /(?<!\w)https?:\/\/[^\s/"'`<>^]+\/[^\s"'`<>^]*/i;
const pieces = /[^\s"'`()]+/g;
/** Without a slash in front, a path is one of files, but for what only a route begins with. */
const beginsRoute = /^(?:\/[^/]|(?:api|rest|v\d{1,2})\/\w)/i;
const partOfRoute = /^[\w.:{}<>[\]$-]+$/;

/** As browsers copy a request. */
const command = /^\s*(?:\$ )?(?:curl|wget|(?:await )?fetch\()/;
const methodOfCommand = /(?:-X|--request|\bmethod["']?:) ?\^?["']?([A-Z]{3,7})\b/;
const bodyOfCommand = /\s(?:-d|--data(?:-raw|-binary)?|--json)\s/;

const host = /^[a-z]+:\/\/[^/]*/i;
const trailing = /[).,:;!?]{1,4}$/;
const prefix = /^(?:api|rest|v\d{1,3})$/;
const protocol = /\bHTTP\/\d(?:\.\d)?["']? ?(?:\d{3}\b)?/g;
/** Numbers, dates, and identifiers such as a UUID, an object's of MongoDB, or a ULID. */
const value =
  /^(?:\d[\d.,:_-]*|[\da-f]{8}-[\da-f-]{9,40}|(?=[a-f]*\d)[\da-f]{7,64}|(?=\D*\d)[\da-z]{20,64}|[^@]+@[^@.]+\.[^@]+)$/i;
/** As frameworks declare a parameter, which people type, too. */
const parameter = /^(?:[:$<{[(*]|%s$)/;

/** As a button or a heading has it, such as *Less than…* and *Don't allow*, which is not a question. */
const isLabel = /^\p{Lu}[\p{L}'’]+(?: [\p{L}'’]+){1,2}[.…:!]?$/u;

/** Reads a query, with the request in it. */
export function readQuery(query: string): ReadQuery {
  const read = readRequest(query);
  const terms = termsOf(read.words);
  if (terms.length > 0) return { ...read, terms };
  if (!read.route) return { ...read, terms: isLabel.test(query) ? literally(query) : [] };
  // Between slashes, `about` is the name of something.
  const names = read.route.segments.filter(({ isValue: none }) => !none).map(({ text }) => text);
  return { ...read, terms: literally(names.join(' ')) };
}

const literally = (text: string): Term[] =>
  termsOf(`\`${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()}\``);

/** The same without the terms, which take time. */
export function readRequest(query: string): QueryRequest {
  const element = elementIn(query);
  if (element) return { words: element.words, rest: element.words, files: '', element };
  const request = requestIn(query);
  const parts = request ? partsOf(request.path) : [];
  const names = parts.filter(part => !isValue(part));
  if (!request || names.length === 0 || parts.length > maxSegments) {
    return { words: query, rest: query, files: query };
  }
  const { before, isUrl, method } = request;
  const behind = request.behind.replaceAll(protocol, '');
  const rest = `${before} ${behind}`;
  return {
    words: `${before}${names.join(' ')}${behind}`,
    rest,
    files: isUrl ? rest : query,
    route: { segments: weighed(parts), method },
  };
}

/** A command that a browser has copied as a line without its headers, cookies and body; any other query as it is. */
export function withoutHeaders(query: string): string {
  const target = command.test(query) ? url.exec(query)?.[0] : undefined;
  if (target === undefined) return query;
  const method = methodOfCommand.exec(query)?.[1] ?? (bodyOfCommand.test(query) ? 'POST' : 'GET');
  return `${method} ${target}`;
}

interface FoundRequest {
  readonly path: string;
  readonly method?: string | undefined;
  /** Whether it has a host or a method. */
  readonly isUrl: boolean;
  /** The rest of the query. */
  readonly before: string;
  readonly behind: string;
}

function requestIn(given: string): FoundRequest | undefined {
  const query = withoutHeaders(given);
  if (query.length > maxChars) return undefined;
  const asked = withMethod.exec(query);
  if (asked) return placed(query, asked.index, asked[0], asked[2], asked[1]);
  const typed = url.exec(query);
  if (typed) return placed(query, typed.index, typed[0]);
  for (const { 0: piece, index } of query.matchAll(pieces)) {
    if (isRoute(piece)) return placed(query, index, piece);
  }
  return undefined;
}

/** Whether a piece of a query without a host and a method is a route: also one as it is declared, `users/{id}`. */
function isRoute(piece: string): boolean {
  if (beginsRoute.test(piece)) return true;
  const parts = piece.split('/');
  return (
    parts.length > 1 &&
    parts.every(part => partOfRoute.test(part)) &&
    parts.some(part => parameter.test(part))
  );
}

/**
 * Undefined for the path of a file.
 * @param whole as it stands in the query, with its method
 */
function placed(
  query: string,
  start: number,
  whole: string,
  typed = whole,
  method?: string,
): FoundRequest | undefined {
  const withoutHost = typed.replace(host, '');
  const [asked = ''] = withoutHost.split(/[?#]/);
  const path = asked.replace(trailing, '');
  if (method === undefined && hasCodeExtension(path)) return undefined;
  return {
    path,
    method: method?.toLowerCase(),
    isUrl: method !== undefined || withoutHost !== typed,
    before: query.slice(0, start),
    behind: query.slice(start + whole.length),
  };
}

const partsOf = (path: string): string[] =>
  path
    .split('/')
    .filter(part => part !== '')
    .map(decoded);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Such as `100%`.
    return part;
  }
}

const isValue = (part: string): boolean => value.test(part) || parameter.test(part);

function weighed(parts: readonly string[]): RouteSegment[] {
  const segments = parts.map(part => ({ text: part.toLowerCase(), isValue: isValue(part) }));
  const isPrefixOnly = segments.every(one => one.isValue || prefix.test(one.text));
  return segments.map(one => ({ ...one, weight: weightOf(one, isPrefixOnly) }));
}

function weightOf(
  { text, isValue: none }: Omit<RouteSegment, 'weight'>,
  isPrefixOnly: boolean,
): number {
  if (none) return 0;
  return prefix.test(text) && !isPrefixOnly ? weightOfPrefix : 1;
}
