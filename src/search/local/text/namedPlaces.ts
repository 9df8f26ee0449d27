import type { Phrase } from '../query/phrases';
import { isCompound, type QuerySymbol } from '../query/querySymbols';
import { maxDeclarationChars } from './declarations';
import { declaredIn } from './heads';
import type { LanguageHeads } from './languages';
import { isInType, memberNames } from './members';

/**
 * A line of a text that declares a name of the query, has words of it as they stand there, declares, calls or handles
 * the route that it asks for, or is the entry for the text of the user interface in it, or shows that.
 */
export interface NamedPlace {
  readonly kind:
    | 'declaration'
    | 'phrase'
    | 'route'
    | 'call'
    | 'handler'
    | 'literal'
    | 'uiText'
    | 'textUse';
  /** The name, or the words. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** Log odds that it adds to its file, if no other one has the same. */
  readonly worth: number;
}

/** Log odds for what is no member of anything: methods of many classes have the name of a type. */
const worthAtMargin = 1;
/** Log odds for a field whose name is written in another way: words such as `time window` are mostly about more. */
const worthOfPart = 1;
/** `LIMIT = 3` and `Handler: TypeAlias = ...` at the margin, in a language without a keyword for it. */
const constant = /^([\p{L}_][\p{L}\p{N}_]*)\s*(?::[^=]+)?=(?![=>~])/u;

const capitals = /(?<![\w.])[A-Z][A-Z\d_]{2,}(?!\w)/g;
/** With a space, which a shell does not write. */
const isGiven = /^(?: +|:[^=]+)=(?![=>~])/;
/** With types in them. */
const modifiers = /^[\w\s<>[\],?.]*$/;

/** Finds what a query names in the texts of files. */
export class NamedPlaceFinder {
  readonly #phrases: readonly Phrase[];
  readonly #keys: readonly string[];
  /** By the key of the name. */
  readonly #symbols: ReadonlyMap<string, QuerySymbol>;

  /** @param phrases the one that is worth most first */
  constructor(symbols: readonly QuerySymbol[], phrases: readonly Phrase[]) {
    this.#phrases = phrases;
    this.#symbols = new Map(symbols.map(symbol => [keyOf(symbol.name), symbol]));
    this.#keys = [...this.#symbols.keys()];
  }

  /**
   * The declaration of a name of the query that a line is.
   * @param line its number, 1-based
   * @param above the lines above it, the nearest first
   */
  declaredBy(
    text: string,
    line: number,
    language?: LanguageHeads,
    above: Iterable<string> = [],
  ): NamedPlace | undefined {
    if (text.length > maxDeclarationChars || !this.#mentionsAny(text)) return undefined;
    const ofConstant = constant.exec(text)?.[1] ?? constantIn(text);
    const head = ofConstant === undefined ? declaredIn(text, language) : undefined;
    const names = ofConstant === undefined ? (head?.names ?? []) : [ofConstant];
    const isMember = names.length > 1 || /^\s/.test(text);
    const found = this.#declared(names.at(-1) ?? '', line, isMember, head?.isPart);
    return found ?? this.#memberIn(text, line, above);
  }

  #declared(name: string, line: number, isMember: boolean, isPart = false): NamedPlace | undefined {
    const symbol = this.#symbols.get(keyOf(name));
    if (!symbol) return undefined;
    // Users often type a name without its capitals.
    const isSpelled = symbol.name.toLowerCase() === name.toLowerCase();
    const isMeant =
      symbol.name === name || (isSpelled && isCompound(name) && symbol.worthInOtherCase > 0);
    const own = isMeant ? symbol.worth : symbol.worthInOtherCase;
    const worth = isPart ? partWorth(symbol, name, own) : own;
    if (worth === 0) return undefined;
    return { kind: 'declaration', text: name, line, worth: worth + (isMember ? 0 : worthAtMargin) };
  }

  /** A field, or a constant of an enumeration, which only the lines above tell. */
  #memberIn(text: string, line: number, above: Iterable<string>): NamedPlace | undefined {
    const name = memberNames(text).find(one => this.#symbols.has(keyOf(one)));
    if (name === undefined || !isInType(text, above)) return undefined;
    return this.#declared(name, line, true, true);
  }

  #mentionsAny(text: string): boolean {
    // Most queries name nothing, and each line with a hit is asked.
    if (this.#keys.length === 0) return false;
    const key = keyOf(text);
    return this.#keys.some(name => key.includes(name));
  }

  /** The phrase in a text that is worth most. */
  phraseIn(text: string): NamedPlace | undefined {
    for (const phrase of this.#phrases) {
      const at = placeOf(phrase, text);
      if (at < 0) continue;
      return {
        kind: 'phrase',
        text: phrase.text,
        line: lineNumberAt(text, at),
        worth: phrase.worth,
      };
    }
    return undefined;
  }
}

/** Log odds for a field: 0 among other words, which are about its uses more than about its declaration. */
function partWorth(symbol: QuerySymbol, name: string, worth: number): number {
  if (symbol.worthInOtherCase === 0) return 0;
  return symbol.name === name ? worth : Math.min(worth, worthOfPart);
}

/** Where a phrase is in a text first; -1 if it is not. */
function placeOf({ text: phrase, isWhole = false }: Phrase, text: string): number {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!isWhole || isWholeAt(text, at, at + phrase.length)) return at;
  }
  return -1;
}

/** `no-ignore` is whole in `--no-ignore`, but not in `no-ignore-global`. */
const isWholeAt = (text: string, start: number, end: number): boolean =>
  !/[\p{L}\p{N}_]-?$/u.test(text.slice(Math.max(0, start - 2), start)) &&
  !/^-?[\p{L}\p{N}_]/u.test(text.slice(end, end + 2));

/** The name in capitals that a line of a class or of an enumeration gives a value. */
function constantIn(text: string): string | undefined {
  for (const { 0: name, index } of text.matchAll(capitals)) {
    if (!isGiven.test(text.slice(index + name.length))) continue;
    return modifiers.test(text.slice(0, index)) ? name : undefined;
  }
  return undefined;
}

/** The same for all ways to write the words of a name; `_name` is another name. */
const keyOf = (name: string): string =>
  name.toLowerCase().replaceAll(/(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu, '');

/** The line of a position, 1-based. */
export function lineNumberAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1))
    line++;
  return line;
}
