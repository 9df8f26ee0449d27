import { Buffer } from 'node:buffer';
import { plain, scanJson, skipSpace, stringEnd } from '../../base/text/jsonSyntax';
import { parseJson, textOf } from '../../base/typeGuards';

/** Offsets in the source text, in UTF-16 units; `keyStart` is -1 outside of objects. */
interface NodePosition {
  readonly start: number;
  readonly end: number;
  readonly keyStart: number;
  /** Changed since parsing, so the source text is out of date. */
  isChanged?: true;
}

export interface JsonString extends NodePosition {
  readonly type: 'string';
  readonly value: string;
}

export interface JsonList extends NodePosition {
  readonly type: 'list';
  readonly items: JsonNode[];
}

export interface JsonObject extends NodePosition {
  readonly type: 'object';
  /** The last of duplicate keys wins. A map, because `__proto__` is an ordinary key here. */
  readonly members: Map<string, JsonNode>;
  /** The same as `members.get`, without reading the other members. */
  readonly member: (key: string) => JsonNode | undefined;
}

interface JsonPlain extends NodePosition {
  readonly type: 'plain';
  readonly value: number | boolean | null;
}

/** A JSON value with its position, so that parts of a text can be rewritten without touching the rest. */
export type JsonNode = JsonString | JsonList | JsonObject | JsonPlain;

/** No chat is nested deeper; a text that is would only exhaust the stack. */
const maxDepth = 1000;

/** `undefined` when `text` from `start` to `end` is not exactly one JSON value. */
export function parseJsonNode(text: string, start = 0, end = text.length): JsonNode | undefined {
  return new JsonText(text).parse(start, end);
}

/**
 * A text with JSON values. A value is checked as a whole, but its members, its items and the values of
 * strings are read on first use: most of a tool's file is never used.
 */
export class JsonText {
  /** See {@link scanJson}. */
  readonly containers: number[] = [];
  /**
   * For each member of the objects that were read: the positions of its key and its value, and the index
   * of the value in the containers. One list for all objects, because a file has thousands of them.
   */
  readonly places: number[] = [];
  /** The nodes of these members; `undefined` until a member is first read. */
  readonly nodes: (JsonNode | undefined)[] = [];

  constructor(
    readonly text: string,
    /** Each character is a byte of UTF-8, and positions are those of bytes. */
    readonly isBytes = false,
  ) {}

  /** `undefined` when the text from `start` to `end` is not exactly one value. */
  parse(start: number, end: number): JsonNode | undefined {
    const { length } = this.containers;
    if (scanJson(this.text, start, end, this.containers, maxDepth)) {
      return new Reader(this, start, length).node(-1);
    }
    this.containers.length = length;
    return undefined;
  }

  /** The value of the string from `start` to `end`, with its quotes. */
  decode(start: number, end: number): string {
    let literal = this.text.slice(start, end);
    if (this.isBytes && beyondAscii.test(literal)) {
      literal = Buffer.from(literal, 'latin1').toString('utf8');
    }
    return literal.includes('\\') ? (textOf(parseJson(literal)) ?? '') : literal.slice(1, -1);
  }
}

const beyondAscii = /[\u0080-\u00ff]/;

/** Keys by hash; a later one takes the place of an earlier one. */
const sharedKeys: string[] = Array.from({ length: 1024 }, () => '');
const maxSharedChars = 40;

/** Lists of the keys of an object, by hash. Most objects of a file have the same keys as an earlier one. */
const sharedLists: (readonly string[])[] = Array.from({ length: 256 }, () => []);

function sharedList(keys: readonly string[]): readonly string[] {
  const slot = (keys.length * 31 + (keys[0]?.length ?? 0) * 7 + (keys.at(-1)?.length ?? 0)) & 0xff;
  const shared = sharedLists[slot] ?? [];
  let same = 0;
  while (same < keys.length && shared[same] === keys[same]) same++;
  if (same === keys.length && same === shared.length) return shared;
  sharedLists[slot] = keys;
  return keys;
}

/** Reads values of a text that were checked before. */
class Reader {
  readonly #source: JsonText;
  readonly #text: string;
  #at: number;
  /** Index in the containers of the next one from here on. */
  #container: number;

  constructor(source: JsonText, at: number, container: number) {
    this.#source = source;
    this.#text = source.text;
    this.#at = at;
    this.#container = container;
  }

  /** The value here. */
  node(keyStart: number): JsonNode {
    const container = this.#container;
    const start = this.#skipSpace();
    const code = this.#text.charCodeAt(start);
    const end = this.#skipValue();
    const type =
      code === 0x22 ? 'string' : code === 0x7b ? 'object' : code === 0x5b ? 'list' : 'plain';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type decides which members are read
    return new LazyNode(type, this.#source, start, end, keyStart, container) as JsonNode;
  }

  /** Adds the members of an object, from behind its brace, to the places, and returns their keys. */
  keys(): readonly string[] {
    const { places, nodes } = this.#source;
    const keys: string[] = [];
    if (this.#text.charCodeAt(this.#skipSpace()) === 0x7d) return keys;
    do {
      const keyStart = this.#skipSpace();
      keys.push(this.#key());
      this.#at = this.#skipSpace() + 1;
      places.push(keyStart, this.#skipSpace(), this.#container);
      nodes.push(undefined);
      this.#skipValue();
    } while (this.#hasMore());
    return sharedList(keys);
  }

  /** The items of a list, from behind its bracket. */
  items(): JsonNode[] {
    const items: JsonNode[] = [];
    if (this.#text.charCodeAt(this.#skipSpace()) === 0x5d) return items;
    do items.push(this.node(-1));
    while (this.#hasMore());
    return items;
  }

  #skipSpace(): number {
    this.#at = skipSpace(this.#text, this.#at);
    return this.#at;
  }

  /** Returns the end of the value here. */
  #skipValue(): number {
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x22) {
      this.#at = stringEnd(this.#text, this.#at);
    } else if (code === 0x7b || code === 0x5b) {
      const { containers } = this.#source;
      this.#at = containers[this.#container] ?? 0;
      this.#container = containers[this.#container + 1] ?? 0;
    } else {
      plain.lastIndex = this.#at;
      plain.test(this.#text);
      this.#at = plain.lastIndex;
    }
    return this.#at;
  }

  #hasMore(): boolean {
    const isComma = this.#text.charCodeAt(this.#skipSpace()) === 0x2c;
    this.#at++;
    return isComma;
  }

  /** A key. Files repeat a few keys many times, so each is one string in memory. */
  #key(): string {
    const text = this.#text;
    const start = this.#at;
    let hash = 0;
    for (let at = start + 1; at - start <= maxSharedChars; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x5c || code >= 0x80) break;
      if (code !== 0x22) {
        hash = (hash * 31 + code) | 0;
        continue;
      }
      this.#at = at + 1;
      const slot = hash & (sharedKeys.length - 1);
      const shared = sharedKeys[slot];
      if (shared?.length === at - start - 1 && text.startsWith(shared, start + 1)) return shared;
      // A copy: a slice would keep the whole text in memory.
      const key = textOf(parseJson(text.slice(start, at + 1))) ?? '';
      sharedKeys[slot] = key;
      return key;
    }
    this.#at = stringEnd(text, start);
    return this.#source.decode(start, this.#at);
  }
}

const notRead: readonly string[] = [];

/**
 * All nodes are of one class, so that what reads them is compiled once. With a class for each kind, it took
 * a tenth longer to open a file of 20 MB.
 */
class LazyNode {
  declare isChanged?: true;
  /** The value, or the items. */
  #content: JsonPlain['value'] | string | JsonNode[] | undefined;
  #keys = notRead;
  /** Index of the first member in the nodes of the text. */
  #first = 0;
  #members: Map<string, JsonNode> | undefined;

  constructor(
    readonly type: JsonNode['type'],
    readonly source: JsonText,
    readonly start: number,
    readonly end: number,
    readonly keyStart: number,
    readonly container: number,
  ) {}

  get value(): unknown {
    this.#content ??= this.type === 'string' ? this.#string() : this.#plain();
    return this.#content;
  }

  #string(): string {
    return this.source.decode(this.start, this.end);
  }

  #plain(): JsonPlain['value'] {
    const word = this.source.text.slice(this.start, this.end);
    return word === 'null' ? null : word === 'true' || (word !== 'false' && Number(word));
  }

  get items(): unknown {
    this.#content ??= this.#reader().items();
    return this.#content;
  }

  get members(): Map<string, JsonNode> {
    this.#members ??= this.#allMembers();
    return this.#members;
  }

  member(key: string): JsonNode | undefined {
    if (this.#members) return this.#members.get(key);
    if (this.#keys === notRead) this.#readKeys();
    const at = this.#keys.lastIndexOf(key);
    return at < 0 ? undefined : this.#node(at);
  }

  /** At what this contains. */
  #reader(): Reader {
    return new Reader(this.source, this.start + 1, this.container + 2);
  }

  #readKeys(): void {
    this.#first = this.source.nodes.length;
    this.#keys = this.#reader().keys();
  }

  #node(at: number): JsonNode {
    const { nodes, places } = this.source;
    const index = this.#first + at;
    const known = nodes[index];
    if (known) return known;
    const reader = new Reader(this.source, places[3 * index + 1] ?? 0, places[3 * index + 2] ?? 0);
    const node = reader.node(places[3 * index] ?? -1);
    nodes[index] = node;
    return node;
  }

  #allMembers(): Map<string, JsonNode> {
    if (this.#keys === notRead) this.#readKeys();
    const members = new Map<string, JsonNode>();
    for (const [at, key] of this.#keys.entries()) {
      // Keeps members in the order of their positions when a key occurs twice.
      if (members.has(key)) members.delete(key);
      members.set(key, this.#node(at));
    }
    return members;
  }
}

export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.type === 'object' ? node.member(key) : undefined;
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
