import { functionWordsOf } from './functionWords';
import { otherSpellingOf } from './spelling';
import { abbreviations, commonWords, shortStopWords, stopWords, vagueWords } from './vocabulary';
import { isShortWord, partsOf, stemOf, unspacedWords } from './words';

/** A way to write a term: one word, or the words of an identifier, in lower case. */
interface Form {
  readonly words: readonly string[];
  /** An identifier as it was typed, whose capitals its words do not tell. */
  readonly typed?: string;
  /** A synonym or abbreviation, such as `msg` for message. */
  readonly isSynonym: boolean;
  /** One word that may be several, such as `basecontextprovider`. */
  readonly isRunTogether?: boolean;
}

export interface Term {
  /** A word, a word that is common in code, or an identifier. */
  readonly kind: 'word' | 'common' | 'identifier';
  /** 1 at the start of the query, less further behind. */
  readonly weight: number;
  readonly forms: readonly Form[];
  /** Positions in the query, counted in words. */
  readonly positions: readonly number[];
}

/** More terms cost time without finding more. A pair of terms also has to fit into 10 bits. */
export const maxTerms = 24;

/** Longer queries are truncated, in characters, because their start says what is meant. */
export const maxQueryChars = 20_000;

/** A longer word is data, such as a key or an image in base 64. */
const maxWordChars = 80;

/** Maximum number of terms of a query whose words may each be several, because matching them takes time. */
const maxRunTogether = 3;
/** Without numbers or capitals, which would tell its parts. */
const runTogether = /^[a-z]{7,}$/;

type TermDraft = { kind: Term['kind']; weight: number; forms: Form[]; positions: number[] };

/** The terms of a query. The start of a long description weighs most; quoted words are taken literally. */
export function termsOf(given: string): Term[] {
  const query = causeFirst(given.slice(0, maxQueryChars));
  const drafts = new Map<string, TermDraft>();
  const quoted = quotedWords(query);
  const functionWords = functionWordsOf(query);
  const found = [...query.matchAll(tokens)];
  // Alone, they can be those of a name.
  const isVague = found.every(([token]) => vagueWords.has(token.toLowerCase()));
  let position = 0;

  const put = (key: string, form: Form, kind: Term['kind'], weight: number): void => {
    let draft = drafts.get(key);
    if (!draft) {
      drafts.set(key, (draft = { kind, weight, forms: [], positions: [] }));
    }
    if (kind === 'word' && draft.kind === 'common') draft.kind = 'word';
    draft.weight = Math.max(draft.weight, weight);
    const text = form.words.join(' ');
    if (!draft.forms.some(({ words }) => words.join(' ') === text)) draft.forms.push(form);
    const isCounted = form.isSynonym || kind === 'identifier' || draft.positions.includes(position);
    if (!isCounted) draft.positions.push(position);
  };
  const putWord = (word: string, kind: Term['kind'], weight: number): void => {
    const stem = stemOf(word);
    put(stem, { words: [stem], isSynonym: false }, kind, weight);
    const spelled = otherSpellingOf(word);
    if (spelled) put(stem, { words: [stemOf(spelled)], isSynonym: false }, kind, weight);
    for (const other of abbreviations.get(word) ?? []) {
      put(stem, { words: [other], isSynonym: true }, kind, weight);
    }
  };

  for (const [index, { 0: token, groups }] of found.entries()) {
    const weight = index < 16 ? 1 : index < 40 ? 0.6 : 0.35;
    if (token.length > maxWordChars) continue;
    const parts = partsOf(token).flatMap(unspacedWords);
    const words = parts.filter(part => /\D./u.test(part)).map(part => part.toLowerCase());
    const isQuoted = quoted.has(token);
    const isIdentifier = words.length > 1 || /_|^[A-Z0-9]{2,}$/.test(token) || isQuoted;
    const isEnd = groups?.['before'] !== undefined && token.length === 2;
    const isMixed = /(?<=.)\p{Lu}/u.test(token) && token !== token.toUpperCase();
    if (words.length <= 1 && !isMixed && /^[A-Za-z]+\d\w*$/.test(token) && !isEnd) {
      // ext4, utf8, s3: the number is part of the name.
      position++;
      const whole = token.toLowerCase();
      put(`=${whole}`, { words: [whole], isSynonym: false }, 'word', weight);
      const letters = /^[a-z]+/.exec(whole)?.[0] ?? '';
      if (letters.length > 3 && !stopWords.has(letters)) putWord(letters, 'word', weight);
      continue;
    }
    const isName = words.length <= 1 && isMixed && parts.length > 1;
    if (words.length > 1 || isName) {
      if (isName) position++;
      const form = { words: parts.map(part => part.toLowerCase()), typed: token, isSynonym: false };
      put(`=${token.toLowerCase()}`, form, isName ? 'word' : 'identifier', weight);
      // S3 of S3Backend.
      const numbered = /^\p{Lu}\d+(?=\p{Lu}\p{Ll})/u.exec(token)?.[0].toLowerCase();
      if (numbered) put(`=${numbered}`, { words: [numbered], isSynonym: false }, 'word', weight);
    }
    for (const word of words) {
      position++;
      // IntelliJ is one thing to look for.
      if (isName && word.length + 1 >= token.length) continue;
      // Na of NaN is no word either, nor is the short end of a contraction, of a number or of a file's name.
      const isRest = isShortWord(word) && (isEnd || word.length < token.length);
      if (!isIdentifier && (isRest || shortStopWords.has(word) || functionWords.has(word)))
        continue;
      if (stopWords.has(word) && !isQuoted && !isVague) continue;
      const kind = commonWords.has(word) && !isIdentifier ? 'common' : 'word';
      putWord(word, kind, isQuoted ? weight * 1.2 : weight);
    }
  }
  return withRunTogether(
    found.map(([token]) => token),
    [...drafts.values()],
  )
    .sort((a, b) => priority(b) - priority(a))
    .slice(0, maxTerms);
}

/** Marks the words of a short query that may be several, as they are typed into a search that ignores case. */
function withRunTogether(typed: readonly string[], drafts: TermDraft[]): TermDraft[] {
  if (drafts.length > maxRunTogether) return drafts;
  const stems = new Set(typed.filter(token => runTogether.test(token)).map(stemOf));
  return drafts.map(draft => ({
    ...draft,
    forms: draft.forms.map(form =>
      stems.has(form.words[0] ?? '') && form.words.length === 1 && !form.isSynonym
        ? { ...form, isRunTogether: true }
        : form,
    ),
  }));
}

/** Words and identifiers, with what they are the end of. */
const tokens = /(?<=(?<before>\p{L}['’]|[.\p{N}])?)[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;

const tracebackStart = /^[ \t]*Traceback \(most recent call last\):/;

/** The query with the error of a traceback of Python before its frames, which are many and say less. */
function causeFirst(query: string): string {
  if (!query.includes('Traceback (most recent')) return query;
  const lines = query.split('\n');
  const first = lines.findIndex(line => tracebackStart.test(line));
  // Where an error led to another one, each has a traceback.
  const last = lines.findLastIndex(line => tracebackStart.test(line));
  const indent = indentOf(lines[last] ?? '');
  const end = lines.findIndex(
    (line, at) => at > last && line.trim() !== '' && indentOf(line) <= indent,
  );
  if (first < 0 || end < 0) return query;
  lines.splice(first, 0, ...lines.splice(end, 1));
  return lines.join('\n');
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const priorities = { word: 1, common: 0.45, identifier: 1.5 };
const priority = ({ kind, weight }: TermDraft): number => weight * priorities[kind];

/** Words in quotes or backticks; an apostrophe inside a word opens nothing. */
function quotedWords(query: string): Set<string> {
  const words = new Set<string>();
  for (const [, inside = ''] of query.matchAll(
    /(?<![\p{L}\d])[`'"“]([^`'"“”\n]{2,60})[`'"”](?![\p{L}\d])/gu,
  )) {
    for (const word of inside.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []) words.add(word);
  }
  return words;
}
