import { parseJson, textOf } from '../../base/typeGuards';

/** Offsets in the source text, in UTF-16 units; `keyStart` is -1 outside of objects. */
interface NodePosition {
  start: number;
  end: number;
  keyStart: number;
  /** Changed since parsing, so the source text is out of date. */
  isChanged?: true;
}

export interface JsonString extends NodePosition {
  type: 'string';
  value: string;
}

export interface JsonList extends NodePosition {
  type: 'list';
  items: JsonNode[];
}

export interface JsonObject extends NodePosition {
  type: 'object';
  /** The last of duplicate keys wins. A map, because `__proto__` is an ordinary key here. */
  members: Map<string, JsonNode>;
}

interface JsonPlain extends NodePosition {
  type: 'plain';
  value: number | boolean | null;
}

/** A JSON value with its position, so that parts of a text can be rewritten without touching the rest. */
export type JsonNode = JsonString | JsonList | JsonObject | JsonPlain;

/** No chat is nested deeper; a text that is would only exhaust the stack. */
const maxDepth = 1000;

const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- JSON allows them in strings only as escapes
const control = /[\u0000-\u001f]/;

/** `undefined` when `text` from `start` to `end` is not exactly one JSON value. */
export function parseJsonNode(text: string, start = 0, end = text.length): JsonNode | undefined {
  const reader = new Reader(text, start, end);
  const node = reader.value(0);
  return node && reader.isAtEnd() ? node : undefined;
}

/** Keys by hash; a later one takes the place of an earlier one. */
const sharedKeys: string[] = Array.from({ length: 1024 }, () => '');
const maxSharedChars = 40;

class Reader {
  readonly #text: string;
  readonly #end: number;
  #at: number;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
  }

  isAtEnd(): boolean {
    return Number.isNaN(this.#peek());
  }

  value(depth: number): JsonNode | undefined {
    const code = this.#peek();
    if (code === 0x22) return this.#string();
    if (code === 0x7b) return depth < maxDepth ? this.#object(depth + 1) : undefined;
    if (code === 0x5b) return depth < maxDepth ? this.#list(depth + 1) : undefined;
    return this.#plain();
  }

  /** The code of the next character that is no white space; NaN at the end. */
  #peek(): number {
    for (; this.#at < this.#end; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
    }
    return Number.NaN;
  }

  #object(depth: number): JsonObject | undefined {
    const start = this.#at++;
    const members = new Map<string, JsonNode>();
    if (this.#peek() !== 0x7d) {
      for (;;) {
        if (this.#peek() !== 0x22) return undefined;
        const keyStart = this.#at;
        const key = this.#key();
        if (key === undefined || this.#peek() !== 0x3a) return undefined;
        this.#at++;
        const node = this.value(depth);
        if (!node) return undefined;
        node.keyStart = keyStart;
        // Keeps members in the order of their positions when a key occurs twice.
        if (members.has(key)) members.delete(key);
        members.set(key, node);
        if (this.#peek() !== 0x2c) break;
        this.#at++;
      }
    }
    if (this.#peek() !== 0x7d) return undefined;
    return { type: 'object', start, end: ++this.#at, keyStart: -1, members };
  }

  #list(depth: number): JsonList | undefined {
    const start = this.#at++;
    const items: JsonNode[] = [];
    if (this.#peek() !== 0x5d) {
      for (;;) {
        const node = this.value(depth);
        if (!node) return undefined;
        items.push(node);
        if (this.#peek() !== 0x2c) break;
        this.#at++;
      }
    }
    if (this.#peek() !== 0x5d) return undefined;
    return { type: 'list', start, end: ++this.#at, keyStart: -1, items };
  }

  /** A key. Files repeat a few keys many times, so each is one string in memory. */
  #key(): string | undefined {
    const text = this.#text;
    let hash = 0;
    let at = this.#at + 1;
    const end = Math.min(this.#end, at + maxSharedChars);
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        const slot = hash & (sharedKeys.length - 1);
        const size = at - this.#at - 1;
        const shared = sharedKeys[slot];
        if (shared?.length === size && text.startsWith(shared, this.#at + 1)) {
          this.#at = at + 1;
          return shared;
        }
        const key = this.#string()?.value;
        if (key !== undefined) sharedKeys[slot] = key;
        return key;
      }
      if (code === 0x5c || code < 0x20) break;
      hash = (hash * 31 + code) | 0;
    }
    return this.#string()?.value;
  }

  #string(): JsonString | undefined {
    const text = this.#text;
    const start = this.#at;
    let quote = start;
    for (;;) {
      quote = text.indexOf('"', quote + 1);
      if (quote < 0 || quote >= this.#end) return undefined;
      let before = quote - 1;
      while (text.charCodeAt(before) === 0x5c) before--;
      if ((quote - 1 - before) % 2 === 0) break;
    }
    const value = decode(text, start, quote);
    if (value === undefined) return undefined;
    this.#at = quote + 1;
    return { type: 'string', start, end: this.#at, keyStart: -1, value };
  }

  #plain(): JsonPlain | undefined {
    const start = this.#at;
    plain.lastIndex = start;
    const match = plain.exec(this.#text);
    if (!match || plain.lastIndex > this.#end) return undefined;
    this.#at = plain.lastIndex;
    const [word] = match;
    const value = word === 'null' ? null : word === 'true' || (word !== 'false' && Number(word));
    return { type: 'plain', start, end: this.#at, keyStart: -1, value };
  }
}

function decode(text: string, start: number, quote: number): string | undefined {
  const body = text.slice(start + 1, quote);
  if (!body.includes('\\')) return control.test(body) ? undefined : body;
  return textOf(parseJson(text.slice(start, quote + 1)));
}

export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.type === 'object' ? node.members.get(key) : undefined;
}

export function stringIn(node: JsonNode | undefined, key: string): string | undefined {
  const member = memberOf(node, key);
  return member?.type === 'string' ? member.value : undefined;
}

export function listIn(node: JsonNode | undefined, key: string): JsonList | undefined {
  const member = memberOf(node, key);
  return member?.type === 'list' ? member : undefined;
}

export function isTrueIn(node: JsonNode | undefined, key: string): boolean {
  const member = memberOf(node, key);
  return member?.type === 'plain' && member.value === true;
}

export function numberIn(node: JsonNode | undefined, key: string): number | undefined {
  const member = memberOf(node, key);
  return member?.type === 'plain' && typeof member.value === 'number' ? member.value : undefined;
}

/** The JSON text of a value: the source text where it is up to date. */
export function nodeText(node: JsonNode, text: string): string {
  if (!node.isChanged || node.type === 'string' || node.type === 'plain') {
    return text.slice(node.start, node.end);
  }
  if (node.type === 'list') return `[${node.items.map(item => nodeText(item, text)).join(',')}]`;
  const members = [...node.members].map(
    ([key, member]) => `${JSON.stringify(key)}:${nodeText(member, text)}`,
  );
  return `{${members.join(',')}}`;
}

/**
 * The literal of a string that lost lines. Kept lines keep their original escapes; a line that is not one
 * of the old ones, such as a note on what was left out, is serialized anew.
 */
export function writeLiteral(literal: string, old: string, text: string): string {
  const pieces = literalLines(literal);
  const oldLines = linesOf(old);
  if (pieces.length !== oldLines.length) return JSON.stringify(text);
  const kept: string[] = [];
  let at = 0;
  for (const line of linesOf(text)) {
    // The last line that stays may have lost its line end.
    let found = oldLines.indexOf(line, at);
    if (found < 0 && !line.endsWith('\n')) found = oldLines.indexOf(`${line}\n`, at);
    const piece = pieces[found];
    if (piece === undefined) {
      kept.push(JSON.stringify(line).slice(1, -1));
      continue;
    }
    kept.push(oldLines[found] === line ? piece : piece.replace(/\\(?:n|u000[aA])$/, ''));
    at = found + 1;
  }
  return `"${kept.join('')}"`;
}

/** Lines with their ends; an empty text is one empty line. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function literalLines(literal: string): string[] {
  const end = literal.length - 1;
  const pieces: string[] = [];
  let start = 1;
  for (let at = literal.indexOf('\\'); at >= 0 && at < end; at = literal.indexOf('\\', at)) {
    const isUnicode = literal.charCodeAt(at + 1) === 0x75;
    const escape = literal.slice(at + 1, isUnicode ? at + 6 : at + 2);
    at += escape.length + 1;
    if ((escape === 'n' || /^u000[aA]$/.test(escape)) && at < end) {
      pieces.push(literal.slice(start, at));
      start = at;
    }
  }
  if (start < end || pieces.length === 0) pieces.push(literal.slice(start, end));
  return pieces;
}
