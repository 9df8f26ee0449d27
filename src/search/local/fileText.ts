import { maxTerms, type Term } from './query';
import type { Meaning, TermFinder } from './spellings';
import { stemOf } from './words';

/** A place in a text that has a term. */
export interface Hit {
  /** 1-based. */
  readonly line: number;
  /** 1 for a form of the word; less for a word that only begins or contains it. */
  readonly quality: number;
  readonly meanings: readonly Meaning[];
  /** Whether the hit is in a name that its line declares. */
  readonly isDeclared: boolean;
}

export interface FileText {
  /** Hits per term, by quality. */
  readonly counts: Float32Array;
  /** The same for hits in declared names, and for lines that declare. */
  readonly declared: Float32Array;
  readonly declaring: Float32Array;
  /** The first ones, of very many. */
  readonly hits: readonly Hit[];
  /** How often two terms stand next to each other as in the query, by `first * maxTerms + second`. */
  readonly pairs: ReadonlyMap<number, number>;
  /** In characters. */
  readonly length: number;
}

const modifiers =
  'export|default|public|private|protected|internal|static|final|abstract|async|override|virtual|inline|unsafe|extern|open|sealed|partial|readonly|declare|suspend|data|pub(?:\\([^)]*\\))?|const|local';
const keywords =
  'class|interface|struct|enum|trait|impl|type|typedef|union|def|defp|defmodule|defmacro|fn|func|fun|function|module|namespace|package|record|protocol|extension|macro_rules!|object|sub|val|var|let|const|#\\s*define|macro';
const keywordDeclaration = new RegExp(`^\\s*(?:(?:${modifiers})\\s+)*(?:${keywords})\\b`);
/** A function of C, its type before it. */
const cFunction = /^[A-Za-z_][\w\s*&:<>,]*[\s*&:<>,]\w+\s*\([^;{}]*(?:\{\s*)?$/;
/** A method of Java or C#, its type before it. */
const typedMethod =
  /^\s+(?:public|private|protected|internal|static|final|abstract|async|override|virtual|synchronized)\s[\w<>[\],.?\s]+\([^;]*$/;
/** A method of a class, as far as its parameters. */
const method =
  /^\s+(?:(?:public|private|protected|static|async|get|set|override|readonly)\s+)*[A-Za-z_$][\w$]*\s*\(/;

/** The parameters end at the brace, or at the type before it. */
function isMethod(line: string): boolean {
  const head = method.exec(line)?.[0];
  const rest = head === undefined ? '' : line.slice(head.length).trimEnd();
  if (!rest.endsWith('{') || rest.includes(';')) return false;
  const inner = rest.slice(0, -1);
  return inner.trimEnd().endsWith(')') || /\)\s*:[^]/.test(inner.slice(inner.lastIndexOf('{') + 1));
}

const statement = /^\s*(?:if|for|while|switch|return|else|catch|do|try|with)\b/;
const longestDeclaration = 300;

export const isDeclaration = (line: string): boolean =>
  line.length < longestDeclaration &&
  (keywordDeclaration.test(line) ||
    // Looked at last and seldom: on prose it is slow.
    (line.includes('(') &&
      !statement.test(line) &&
      (cFunction.test(line) || isMethod(line) || typedMethod.test(line))));

/** Where the name that a line declares ends: before its parameters, its value or its type. */
export function endOfDeclaredName(line: string): number {
  const receiver = /^\s*func\s*\([^)]*\)/.exec(line)?.[0].length ?? 0;
  const end = line.slice(receiver).search(/[(={]|:(?!:)/);
  return end < 0 ? line.length : receiver + end;
}

const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;

const farthestNeighbour = 6;
/** More places than these say nothing about which part of a file is meant. */
const mostHits = 10_000;
/** Endings after which a word is still the same. */
const ending = /^(?:|e|s|es|ed|d|er|ers|or|ors|ing|ings|y|ie|ies|ion|ions|able|al|ly|ment|ments)$/;

/** Reads a text once for the terms of a query. */
export class TextReader {
  readonly #finder: TermFinder;
  readonly #regex: RegExp;
  readonly #positions: readonly (readonly number[])[];
  readonly #sameWord = new Map<string, boolean>();

  constructor(terms: readonly Term[], finder: TermFinder) {
    this.#finder = finder;
    this.#regex = finder.regex();
    this.#positions = terms.map(({ positions }) => positions);
  }

  read(text: string): FileText {
    const counts = new Float32Array(this.#positions.length);
    const declared = new Float32Array(counts.length);
    const declaring = new Float32Array(counts.length);
    const hits: Hit[] = [];
    const pairs = new Map<number, number>();
    const regex = this.#regex;
    regex.lastIndex = 0;

    let line = 1;
    let lineStart = 0;
    let lineEnd = text.indexOf('\n');
    let looked = 0;
    let nameEnd = -1;
    let previousEnd = -1 - farthestNeighbour;
    let previous: readonly Meaning[] = [];
    for (let match = regex.exec(text); match; match = regex.exec(text)) {
      const at = match.index;
      const end = at + match[0].length;
      while (lineEnd >= 0 && lineEnd < at) {
        line++;
        lineStart = lineEnd + 1;
        lineEnd = text.indexOf('\n', lineStart);
      }
      const quality = this.#quality(text, at, end, match[0]);
      if (quality === 0) continue;
      if (looked !== line) {
        looked = line;
        const whole = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
        nameEnd = isDeclaration(whole) ? lineStart + endOfDeclaredName(whole) : -1;
      }
      const isDeclared = at < nameEnd;
      const meanings = this.#finder.meaningsOf(match[0]);
      for (const { term, factor } of meanings) {
        counts[term]! += factor * quality;
        declared[term]! += isDeclared ? factor * quality : 0;
        declaring[term]! += nameEnd >= 0 ? factor * quality : 0;
      }
      if (hits.length < mostHits) hits.push({ line, quality, meanings, isDeclared });
      if (at - previousEnd <= farthestNeighbour) this.#countPairs(pairs, previous, meanings);
      previousEnd = end;
      previous = meanings;
    }
    return { counts, declared, declaring, hits, pairs, length: text.length };
  }

  /** A form should begin a word or a part of one, and the rest of it should be an ending. */
  #quality(text: string, at: number, end: number, match: string): number {
    const before = text.charCodeAt(at - 1);
    const first = text.charCodeAt(at);
    const begins =
      !(isLower(before) || isUpper(before)) ||
      (isLower(before) && isUpper(first)) ||
      (isUpper(before) && isUpper(first) && isLower(text.charCodeAt(at + 1)));
    if (!begins) return match.length >= 6 ? 0.5 : match.length >= 5 ? 0.25 : 0;
    const last = text.charCodeAt(end - 1);
    const continues = isUpper(last) ? isUpper : isLower;
    let wordEnd = end;
    while (continues(text.charCodeAt(wordEnd))) wordEnd++;
    if (wordEnd > end && isUpper(last) && isLower(text.charCodeAt(wordEnd))) {
      // The last capital of HTTPServer begins the next word.
      wordEnd--;
    }
    return wordEnd === end || this.#isSameWord(match, text.slice(end, wordEnd)) ? 1 : 0.4;
  }

  #isSameWord(match: string, rest: string): boolean {
    const key = `${match} ${rest}`.toLowerCase();
    let same = this.#sameWord.get(key);
    if (same === undefined) {
      const form = match.toLowerCase();
      same = ending.test(rest.toLowerCase()) || stemOf(form + rest) === form;
      this.#sameWord.set(key, same);
    }
    return same;
  }

  #countPairs(
    pairs: Map<number, number>,
    before: readonly Meaning[],
    after: readonly Meaning[],
  ): void {
    for (const { term: first } of before) {
      for (const { term: second } of after) {
        if (first !== second && this.#followInQuery(first, second)) {
          const key = first * maxTerms + second;
          pairs.set(key, (pairs.get(key) ?? 0) + 1);
        }
      }
    }
  }

  #followInQuery(first: number, second: number): boolean {
    const seconds = this.#positions[second] ?? [];
    return (this.#positions[first] ?? []).some(a => seconds.some(b => b > a && b - a <= 2));
  }
}
