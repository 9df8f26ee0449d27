/** Term saturation and length normalization of BM25. */
const saturation = 1.2;
const lengthShare = 0.6;
/** Share of the relevance of a line that its neighbours get, by distance. */
const neighbourShares = [0.35, 0.15];

/** Words that say nothing about what is asked. */
const fillers = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how if in into is it its ' +
    'me my no not of on or our out should so than that the their them then there these they this those to ' +
    'up was we were what when where which who whom whose why will with would you your'
  ).split(' '),
);

/**
 * How relevant each line is to a query, by BM25 over words without their endings and over the words
 * within identifiers. Neighbours of a relevant line get a share. Undefined for a query without words.
 */
export function relevanceOf(
  text: string,
  starts: Int32Array,
  query: string,
): Float32Array | undefined {
  const terms = termsOf(query);
  if (terms.size === 0) return undefined;
  const count = starts.length - 1;
  const { lines, found, lengths } = findTerms(text, starts, terms);
  const lineCounts = new Float64Array(terms.size);
  for (let at = 0, last = -1; at < lines.length; at++) {
    // Hits of one line are consecutive, and sorted by term.
    const key = (lines[at] ?? 0) * terms.size + (found[at] ?? 0);
    if (key !== last) lineCounts[found[at] ?? 0] = (lineCounts[found[at] ?? 0] ?? 0) + 1;
    last = key;
  }
  let total = 0;
  for (let line = 0; line < count; line++) total += lengths[line] ?? 0;
  const mean = Math.max(1, total / Math.max(1, count));
  const own = new Float32Array(count);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? 0;
    const term = found[at] ?? 0;
    let times = 0;
    for (; lines[at] === line && found[at] === term; at++) times++;
    const lineCount = lineCounts[term] ?? 0;
    const rarity = Math.log(1 + (count - lineCount + 0.5) / (lineCount + 0.5));
    const length = 1 - lengthShare + (lengthShare * (lengths[line] ?? 0)) / mean;
    own[line] =
      (own[line] ?? 0) + (rarity * times * (saturation + 1)) / (times + saturation * length);
  }
  const relevance = own.slice();
  for (let line = 0; line < count; line++) {
    const value = own[line] ?? 0;
    if (value === 0) continue;
    for (const [at, share] of neighbourShares.entries()) {
      for (const other of [line - at - 1, line + at + 1]) {
        if (other >= 0 && other < count) relevance[other] = (relevance[other] ?? 0) + share * value;
      }
    }
  }
  return relevance;
}

/** The terms of a query: words without common endings. The value is the number of the term. */
function termsOf(query: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const [run] of query.slice(0, 20_000).matchAll(/[\p{L}\p{N}_]+/gu)) {
    for (const word of [run, ...wordsIn(run)]) {
      const lower = word.toLowerCase();
      if (lower.length < 2 || fillers.has(lower)) continue;
      const term = wordBaseOf(lower);
      if (!terms.has(term)) terms.set(term, terms.size);
    }
  }
  return terms;
}

/** `findSessionsFor_x` consists of `find`, `Sessions`, `For` and `x`; nothing for a plain word. */
function wordsIn(run: string): string[] {
  const words = run.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+/gu) ?? [];
  return words[0] === run ? [] : words;
}

/** Removes common endings of English words, so that `failed` and `fails` match `fail`. */
export function wordBaseOf(word: string): string {
  if (word.length < 4) return word;
  const base = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:ing|ed|(?<!e)es|s|er|ly|ion|ions)$/, '');
  if (base.length < 3) return word;
  const last = base.length - 1;
  // `stopp` of `stopped` is `stop`.
  const isDouble = base[last] === base[last - 1] && !'aeiouy'.includes(base[last] ?? '');
  const isSilent = base[last] === 'e' && base[last - 1] !== 'e'; // not that of `trees`
  return isDouble || isSilent ? base.slice(0, -1) : base;
}

interface Hits {
  /** Line of each hit, ascending, and the term that it contains. */
  readonly lines: readonly number[];
  readonly found: readonly number[];
  /** Number of words of each line. */
  readonly lengths: Uint16Array;
}

const wordChar = new Uint8Array(0x10000).fill(1, 128);
wordChar.fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123);
wordChar[95] = 1;

/** Characters of a line that are searched. */
const maxLineChars = 20_000;

function findTerms(text: string, starts: Int32Array, terms: ReadonlyMap<string, number>): Hits {
  const count = starts.length - 1;
  const lines: number[] = [];
  const found: number[] = [];
  const lengths = new Uint16Array(count);
  // Looking up a word costs a string, so only those that start like a term are.
  const firstPairs = new Uint8Array(0x10000);
  for (const term of terms.keys()) firstPairs[pairOf(term, 0)] = 1;
  let own: number[] = [];
  const look = (word: string): void => {
    const term = terms.get(word) ?? terms.get(wordBaseOf(word));
    if (term !== undefined) own.push(term);
  };
  for (let line = 0; line < count; line++) {
    const start = starts[line] ?? 0;
    const end = Math.min(starts[line + 1] ?? 0, start + maxLineChars);
    let words = 0;
    for (let at = start; at < end; ) {
      const code = text.charCodeAt(at);
      if (wordChar[code] === 0) {
        at++;
        continue;
      }
      const first = at;
      let hasHumps = code === 95;
      let isLower = false;
      let capitals = code >= 65 && code <= 90 ? 1 : 0;
      let isCandidate = firstPairs[pairOf(text, at)] === 1;
      if (hasHumps) isCandidate ||= firstPairs[pairOf(text, at + 1)] === 1;
      for (at++; at < end; at++) {
        const next = text.charCodeAt(at);
        if (wordChar[next] === 0) break;
        const isCapital = next >= 65 && next <= 90;
        // The last capital of `HTTPServer` begins a word.
        const endsAcronym = capitals > 1 && next >= 97;
        if (next === 95 || (isLower && isCapital) || endsAcronym) {
          hasHumps = true;
          const hump = next === 95 ? at + 1 : endsAcronym ? at - 1 : at;
          isCandidate ||= firstPairs[pairOf(text, hump)] === 1;
        }
        isLower = next >= 97;
        capitals = isCapital ? capitals + 1 : 0;
      }
      words++;
      if (!isCandidate || at - first > 80) continue;
      const run = text.slice(first, at);
      look(run.toLowerCase());
      if (hasHumps) for (const word of wordsIn(run)) look(word.toLowerCase());
    }
    lengths[line] = Math.min(words, 0xffff);
    if (own.length === 0) continue;
    own.sort((a, b) => a - b);
    for (const term of own) {
      lines.push(line);
      found.push(term);
    }
    own = [];
  }
  return { lines, found, lengths };
}

/** The first two characters of a word, ignoring the case of ASCII letters. */
function pairOf(text: string, at: number): number {
  return ((text.charCodeAt(at) | 32) * 251 + (text.charCodeAt(at + 1) | 32)) & 0xffff;
}
