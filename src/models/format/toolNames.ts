import { createHash } from 'node:crypto';
import { trimEndOf, trimStartOf } from '../../base/text/scan';

const wireName = /^[A-Za-z0-9_-]{1,64}$/;
const maxNameLength = 64;
/** Length of the hash in an alias, in hexadecimal digits. */
const hashLength = 16;
/** Real names of this form get an alias too, so that an alias never equals the name of another tool. */
const aliasForm = new RegExp(`_h[0-9a-f]{${hashLength}}$`);

/**
 * Maps tool names to wire names (1 to 64 letters, digits, `_` and `-`) and back. An alias depends only on
 * the name, so it is the same in every request and the prompt cache stays valid.
 */
export class ToolNames {
  readonly #hash: (text: string) => string;
  readonly #wire = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** @param hash returns at least 16 hexadecimal digits */
  constructor(hash: (text: string) => string = nameHash) {
    this.#hash = hash;
  }

  toWire(name: string): string {
    const known = this.#wire.get(name);
    if (known !== undefined) return known;
    let wire = needsAlias(name) ? aliasOf(name, this.#hash(name)) : name;
    for (let n = 2; this.#names.has(wire); n++) wire = aliasOf(name, this.#hash(`${n} ${name}`));
    this.#wire.set(name, wire);
    this.#names.set(wire, name);
    return wire;
  }

  /** A name that was never sent (models may invent one) is returned unchanged. */
  fromWire(name: string): string {
    return this.#names.get(name) ?? name;
  }
}

/** A call id in wire form; an id that does not fit is replaced by its hash. */
export function wireCallId(id: string): string {
  return wireName.test(id) ? id : `call_h${nameHash(id).slice(0, hashLength)}`;
}

/** SHA-256 in hexadecimal, over UTF-16 because UTF-8 would encode all lone surrogates alike. */
export function nameHash(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex');
}

function needsAlias(name: string): boolean {
  return !wireName.test(name) || aliasForm.test(name);
}

function aliasOf(name: string, hash: string): string {
  const readable = trimEndOf(trimStartOf(name.replace(/[^A-Za-z0-9_-]+/g, '_'), '_'), '_');
  const room = maxNameLength - hashLength - 2;
  return `${readable.slice(0, room) || 'tool'}_h${hash.slice(0, hashLength)}`;
}
