import type { Buffer } from 'node:buffer';
import {
  entryKind,
  JsonTape,
  keyHash,
  scanJson,
  scanString,
  unhashed,
} from '../../base/text/jsonSyntax';

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

/** Characters of a text for each entry of its tape, at first. */
const charsPerEntry = 10;
/** A shorter slice is a copy. A longer one would keep the whole text in memory. */
const minSliceChars = 13;

/** Keys by hash; a later one takes the place of an earlier one. Files repeat a few keys many times. */
const sharedKeys: string[] = Array.from({ length: 1024 }, () => '');

/**
 * A text with JSON values. A value is checked as a whole, but its members, its items and the values of
 * strings are read on first use: most of a tool's file is never used.
 */
export class JsonText {
  readonly tape: JsonTape;
  readonly text: string;
  readonly #bytes: Buffer | undefined;

  /** @param content text, or UTF-8 of which each byte is a character here, so that positions are those of bytes. */
  constructor(content: string | Buffer) {
    this.#bytes = typeof content === 'string' ? undefined : content;
    this.text = typeof content === 'string' ? content : content.toString('latin1');
    this.tape = new JsonTape(Math.ceil(this.text.length / charsPerEntry));
  }

  get isBytes(): boolean {
    return this.#bytes !== undefined;
  }

  /** `undefined` when the text from `start` to `end` is not exactly one value. */
  parse(start: number, end: number): JsonNode | undefined {
    const { length } = this.tape;
    if (scanJson(this.text, start, end, this.tape, maxDepth)) return this.node(length, -1);
    this.tape.length = length;
    return undefined;
  }

  /** The value with this index in the tape. */
  node(index: number, keyStart: number): JsonNode {
    const { entries } = this.tape;
    const start = entries[index] ?? 0;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type decides which members are read
    return new LazyNode(
      this.#typeOf(start),
      this,
      start,
      (entries[index + 1] ?? 0) >> 2,
      keyStart,
      index,
    ) as JsonNode;
  }

  #typeOf(start: number): JsonNode['type'] {
    const code = this.text.charCodeAt(start);
    return code === 0x22 ? 'string' : code === 0x7b ? 'object' : code === 0x5b ? 'list' : 'plain';
  }

  /** The index behind a value. */
  after(index: number): number {
    const { entries } = this.tape;
    const isContainer = ((entries[index + 1] ?? 0) & 3) === entryKind.container;
    return isContainer ? (entries[index + 2] ?? 0) : index + 2;
  }

  /** The value of the string at `start`; `coded` is its second entry in the tape. */
  decode(start: number, coded: number): string {
    const end = coded >> 2;
    const isCopied = this.#bytes !== undefined && end - start >= minSliceChars;
    if ((coded & 3) === entryKind.string) {
      return isCopied && this.#bytes
        ? this.#bytes.toString('latin1', start + 1, end - 1)
        : this.text.slice(start + 1, end - 1);
    }
    const literal = this.#bytes?.toString('utf8', start, end) ?? this.text.slice(start, end);
    return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
  }

  /** The key whose quote is at `start`. */
  key(start: number, hash: number): string {
    const slot = hash & (sharedKeys.length - 1);
    const shared = sharedKeys[slot] ?? '';
    if (hash !== unhashed && this.#isKey(start, shared)) return shared;
    const key = this.decode(start, scanString(this.text, start, this.text.length));
    if (hash !== unhashed) sharedKeys[slot] = key;
    return key;
  }

  /** Whether the key with this place and hash in the tape is `key`, whose hash is `wanted`. */
  hasKey(start: number, hash: number, key: string, wanted: number): boolean {
    if (hash === unhashed) return this.key(start, hash) === key;
    return hash === wanted && this.#isKey(start, key);
  }

  #isKey(start: number, key: string): boolean {
    return (
      this.text.charCodeAt(start + 1 + key.length) === 0x22 && this.text.startsWith(key, start + 1)
    );
  }
}

/** A member or an item of a node. */
interface Child {
  readonly index: number;
  readonly node: JsonNode;
}

/**
 * All nodes are of one class, so that what reads them is compiled once. With a class for each kind, it took
 * a tenth longer to open a file of 20 MB.
 */
class LazyNode {
  declare isChanged?: true;
  /** The value, or the items. */
  #content: JsonPlain['value'] | string | JsonNode[] | undefined;
  /** The members that were read one by one: a few of many. */
  #children: Child[] | undefined;
  #members: Map<string, JsonNode> | undefined;

  constructor(
    readonly type: JsonNode['type'],
    readonly source: JsonText,
    readonly start: number,
    readonly end: number,
    readonly keyStart: number,
    /** In the tape. */
    readonly index: number,
  ) {}

  get value(): unknown {
    this.#content ??= this.type === 'string' ? this.#string() : this.#plain();
    return this.#content;
  }

  #string(): string {
    const { source, start, index } = this;
    return source.decode(start, source.tape.entries[index + 1] ?? 0);
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
      items.push(this.source.node(at, -1));
    }
    return items;
  }

  get members(): Map<string, JsonNode> {
    this.#members ??= this.#allMembers();
    return this.#members;
  }

  member(key: string): JsonNode | undefined {
    if (this.#members) return this.#members.get(key);
    const { source, index } = this;
    const { entries } = source.tape;
    const wanted = keyHash(key);
    const end = source.after(index);
    let found = -1;
    for (let at = index + 3; at < end; at = source.after(at + 2)) {
      const hash = entries[at + 1] ?? 0;
      if (hash !== wanted && hash !== unhashed) continue;
      if (source.hasKey(entries[at] ?? 0, hash, key, wanted)) found = at;
    }
    return found < 0 ? undefined : this.#child(found);
  }

  /** The member whose key is at this index. */
  #child(index: number): JsonNode {
    this.#children ??= [];
    for (const child of this.#children) if (child.index === index) return child.node;
    const node = this.source.node(index + 2, this.source.tape.entries[index] ?? 0);
    this.#children.push({ index, node });
    return node;
  }

  #allMembers(): Map<string, JsonNode> {
    const { source, index } = this;
    const { entries } = source.tape;
    const members = new Map<string, JsonNode>();
    const end = source.after(index);
    for (let at = index + 3; at < end; at = source.after(at + 2)) {
      const key = source.key(entries[at] ?? 0, entries[at + 1] ?? 0);
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
