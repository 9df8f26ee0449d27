import { createHash } from 'node:crypto';
import { trimEndOf, trimStartOf } from '../base/scan';

const wireName = /^[A-Za-z0-9_-]{1,64}$/;
const mostLetters = 64;
/** Hexadecimal digits of the hash in an alias. */
const hashLetters = 16;
/** Real names of this form get an alias as well, so an alias is never the name of another tool. */
const aliasForm = new RegExp(`_h[0-9a-f]{${hashLetters}}$`);

/**
 * Names as the wire takes them (letters, digits, `_` and `-`, 1 to 64) and back. An alias depends on
 * nothing but the name, so it is the same in every request and the prompt's prefix stays as it was.
 */
export class ToolNames {
  readonly #hash: (text: string) => string;
  readonly #wire = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** @param hash gives at least 16 hexadecimal digits */
  constructor(hash: (text: string) => string = hashOf) {
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

  /** A name that was never sent, as a model may make one up, comes back as it is. */
  fromWire(name: string): string {
    return this.#names.get(name) ?? name;
  }
}

/** A call id as the wire takes it; one that does not fit is named by its hash. */
export function wireCallId(id: string): string {
  return wireName.test(id) ? id : `call_h${hashOf(id).slice(0, hashLetters)}`;
}

/** SHA-256 in hexadecimal digits; of the UTF-16 units, since in UTF-8 all lone surrogates are alike. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex');
}

function needsAlias(name: string): boolean {
  return !wireName.test(name) || aliasForm.test(name);
}

function aliasOf(name: string, hash: string): string {
  const readable = trimEndOf(trimStartOf(name.replace(/[^A-Za-z0-9_-]+/g, '_'), '_'), '_');
  const room = mostLetters - hashLetters - 2;
  return `${readable.slice(0, room) || 'tool'}_h${hash.slice(0, hashLetters)}`;
}
