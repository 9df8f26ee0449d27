import type { Buffer } from 'node:buffer';
import { CodeReader } from '../../base/text/codes';
import { entryKind, JsonPlaces, keyHash, scanJson, unhashed } from '../../base/text/jsonSyntax';

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
  /** The same as `members`, without making a map of a few. */
  readonly entries: () => Iterable<readonly [string, JsonNode]>;
  /** The value of a member that is a string, without making a node of a short one. */
  readonly string: (key: string) => string | undefined;
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

/** Characters of a text for each of its places, at first. */
const charsPerEntry = 10;
/** A shorter slice is a copy. A longer one would keep the whole text in memory. */
const minSliceChars = 13;

/** Up to this many members are listed without a map. */
const maxListedKeys = 12;

/** Keys by hash; a later one takes the place of an earlier one. Files repeat a few keys many times. */
const sharedKeys: string[] = Array.from({ length: 1024 }, () => '');

const reader = new CodeReader();
/** The memory for a longer text is given back, in characters. */
const maxIdleChars = 1 << 20;

/**
 * A text with JSON values. A value is checked as a whole, but its members, its items and the values of
 * strings are read on first use: most of a tool's file is never used.
 */
export class JsonText {
  readonly places = new JsonPlaces(0);
  readonly text: string;
  readonly #bytes: Buffer | undefined;
  readonly #codes: Uint8Array | undefined;

  /** @param content text, or UTF-8 of which each byte is a character here, so that positions are those of bytes. */
  constructor(content: string | Buffer) {
    this.text = typeof content === 'string' ? content : content.toString('latin1');
    this.#bytes = typeof content === 'string' ? undefined : content;
    this.#codes =
      this.#bytes && new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  }

  get isBytes(): boolean {
    return this.#bytes !== undefined;
  }

  /** `undefined` when the text from `start` to `end` is not exactly one value. */
  parse(start: number, end: number): JsonNode | undefined {
    const { places } = this;
    const { length } = places;
    // Lines of a file share the places, so that the first one makes room for all.
    if (places.entries.length === 0) {
      places.grow((this.isBytes ? this.text.length : end - start) / charsPerEntry);
    }
    const isValid = this.#codes
      ? scanJson(this.#codes, start, end, places, 0, maxDepth)
      : scanJson(reader.read(this.text, start, end), 0, end - start, places, start, maxDepth);
    if (!this.#codes && end - start > maxIdleChars) reader.clear();
    if (isValid) return this.lazyNode(length, -1).asNode;
    places.length = length;
    return undefined;
  }

  lazyNode(index: number, keyStart: number): LazyNode {
    const { entries } = this.places;
    const kind = (entries[index + 1] ?? 0) & 3;
    const isObject = kind === entryKind.container && ((entries[index + 2] ?? 0) & 1) === 1;
    const type = isObject
      ? 'object'
      : kind === entryKind.container
        ? 'list'
        : kind === entryKind.plain
          ? 'plain'
          : 'string';
    return new LazyNode(type, this, index, keyStart);
  }

  /** The index behind a value. */
  after(index: number): number {
    const { entries } = this.places;
    const isContainer = ((entries[index + 1] ?? 0) & 3) === entryKind.container;
    return isContainer ? (entries[index + 2] ?? 0) >> 1 : index + 2;
  }

  /** The value of the string at `start`; `coded` is its second entry in the places. */
  decode(start: number, coded: number): string {
    const end = coded >> 2;
    if ((coded & 3) === entryKind.string) {
      return this.#bytes && end - start >= minSliceChars
        ? this.#bytes.toString('latin1', start + 1, end - 1)
        : this.text.slice(start + 1, end - 1);
    }
    const literal = this.#bytes?.toString('utf8', start, end) ?? this.text.slice(start, end);
    return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
  }

  /** The key with this index in the places. */
  key(index: number): string {
    const { entries } = this.places;
    const start = entries[index] ?? 0;
    const hash = entries[index + 1] ?? unhashed;
    const slot = hash & (sharedKeys.length - 1);
    const shared = sharedKeys[slot] ?? '';
    if (hash !== unhashed && this.#isKey(start, shared)) return shared;
    const end = this.text.lastIndexOf('"', (entries[index + 2] ?? 0) - 1) + 1;
    const key = this.decode(start, 4 * end + entryKind.encodedString);
    if (hash !== unhashed) sharedKeys[slot] = key;
    return key;
  }

  /** Whether the key with this index in the places is `key`, whose hash is `wanted`. */
  hasKey(index: number, key: string, wanted: number): boolean {
    const { entries } = this.places;
    const hash = entries[index + 1] ?? 0;
    if (hash === unhashed) return this.key(index) === key;
    return hash === wanted && this.#isKey(entries[index] ?? 0, key);
  }

  #isKey(start: number, key: string): boolean {
    return this.text.startsWith(key, start + 1) && this.text[start + 1 + key.length] === '"';
  }
}

/**
 * All nodes are of one class, so that what reads them is compiled once. With a class for each kind, it took
 * a tenth longer to open a file of 20 MB.
 */
class LazyNode {
  declare isChanged?: true;
  /** The value, the items or the members. Of an object of which few members were read, only those. */
  #content: JsonPlain['value'] | string | JsonNode[] | Map<string, JsonNode> | undefined;

  constructor(
    readonly type: JsonNode['type'],
    readonly source: JsonText,
    /** Index among the places. */
    readonly index: number,
    readonly keyStart: number,
  ) {}

  get start(): number {
    return this.source.places.entries[this.index] ?? 0;
  }

  get end(): number {
    return (this.source.places.entries[this.index + 1] ?? 0) >> 2;
  }

  get value(): unknown {
    this.#content ??= this.type === 'string' ? this.#string() : this.#plain();
    return this.#content;
  }

  #string(): string {
    const { source, index } = this;
    const { entries } = source.places;
    return source.decode(entries[index] ?? 0, entries[index + 1] ?? 0);
  }

  #plain(): JsonPlain['value'] {
    const word = this.source.text.slice(this.start, this.end);
    return word === 'null' ? null : word === 'true' || (word !== 'false' && Number(word));
  }

  get items(): unknown {
    this.#content ??= this.#items();
    return this.#content;
  }

  #items(): JsonNode[] {
    const items: JsonNode[] = [];
    const end = this.source.after(this.index);
    for (let at = this.index + 3; at < end; at = this.source.after(at)) {
      items.push(this.source.lazyNode(at, -1).asNode);
    }
    return items;
  }

  get members(): Map<string, JsonNode> {
    if (this.#content instanceof Map) return this.#content;
    const members = this.#allMembers();
    this.#content = members;
    return members;
  }

  member(key: string): JsonNode | undefined {
    if (this.#content instanceof Map) return this.#content.get(key);
    const found = this.#find(key);
    return found < 0 ? undefined : this.#child(found);
  }

  string(key: string): string | undefined {
    if (!(this.#content instanceof Map)) {
      const found = this.#find(key);
      if (found < 0) return undefined;
      const { entries } = this.source.places;
      const start = entries[found + 2] ?? 0;
      const coded = entries[found + 3] ?? 0;
      const kind = coded & 3;
      if (kind === entryKind.plain || kind === entryKind.container) return undefined;
      if ((coded >> 2) - start < minSliceChars) return this.source.decode(start, coded);
    }
    const member = this.member(key);
    return member?.type === 'string' ? member.value : undefined;
  }

  /** The index of a key in the places; -1 if there is none. */
  #find(key: string): number {
    const { source, index } = this;
    const wanted = keyHash(key);
    const end = source.after(index);
    let found = -1;
    for (let at = index + 3; at < end; at = source.after(at + 2)) {
      if (source.hasKey(at, key, wanted)) found = at;
    }
    return found;
  }

  /** The member whose key is at this index. */
  #child(key: number): JsonNode {
    const { source } = this;
    const { entries } = source.places;
    // What is only read needs no place for patches, and each node that is kept costs memory and time.
    if (source.isBytes) return source.lazyNode(key + 2, entries[key] ?? 0).asNode;
    const known = Array.isArray(this.#content) ? this.#content : [];
    this.#content = known;
    for (const child of known) if (child.start === entries[key + 2]) return child;
    const child = source.lazyNode(key + 2, entries[key] ?? 0).asNode;
    known.push(child);
    return child;
  }

  get asNode(): JsonNode {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type decides which members are read
    return this as unknown as JsonNode;
  }

  entries(): Iterable<readonly [string, JsonNode]> {
    if (this.#content instanceof Map) return this.#content;
    const { source, index } = this;
    const keys: string[] = [];
    const members: [string, JsonNode][] = [];
    const end = source.after(index);
    for (let at = index + 3; at < end; at = source.after(at + 2)) {
      const key = source.key(at);
      // A map knows which of two equal keys counts, and where many are.
      if (keys.includes(key) || keys.length === maxListedKeys) return this.members;
      keys.push(key);
      members.push([key, this.#child(at)]);
    }
    return members;
  }

  #allMembers(): Map<string, JsonNode> {
    const { source, index } = this;
    const members = new Map<string, JsonNode>();
    const end = source.after(index);
    for (let at = index + 3; at < end; at = source.after(at + 2)) {
      const key = source.key(at);
      // Keeps members in the order of their positions when a key occurs twice.
      if (members.has(key)) members.delete(key);
      members.set(key, this.#child(at));
    }
    return members;
  }
}

export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.type === 'object' ? node.member(key) : undefined;
}

export function stringIn(node: JsonNode | undefined, key: string): string | undefined {
  return node?.type === 'object' ? node.string(key) : undefined;
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
