import { joinedLanguages, spacedLanguages, type Vocabulary } from './languages';
import type { Dots } from './omissionText';

type Role = keyof Vocabulary;

const roles: readonly Role[] = [
  'rest',
  'other',
  'code',
  'omitted',
  'same',
  'no',
  'change',
  'as',
  'before',
  'glue',
];

/** How many words of a text have each role. A word may have several. */
interface Tally {
  readonly counts: Readonly<Record<Role, number>>;
  readonly total: number;
  readonly unknown: number;
  /** False when the first word is unknown: usually the verb of an ordinary comment. */
  readonly opens: boolean;
}

/** Names and adjectives in a text with dots. */
const maxUnknown = 2;
/** Without dots and a word such as "unchanged", a marker is short: "the existing code". */
const maxPlainWords = 6;

/** Made at the first use: most snippets need none. */
let dictionaries: { spaced: Dictionary[]; joined: Dictionary[] } | undefined;

/** True when the words say in a language other than English that code was left out. */
export function isForeignOmission(plain: string, dots: Dots, isComment: boolean): boolean {
  const folded = foldAccents(plain.toLowerCase());
  dictionaries ??= {
    spaced: Object.values(spacedLanguages).map(dictionaryOf),
    joined: Object.values(joinedLanguages).map(dictionaryOf),
  };
  const tallies = joinedScript.test(folded)
    ? dictionaries.joined.map(language => tallyOf(segments(folded, language), language))
    : dictionaries.spaced.map(language => tallyOf(wordsOf(folded), language));
  return tallies.some(tally => saysOmission(tally, dots, isComment));
}

function saysOmission({ counts, total, unknown, opens }: Tally, dots: Dots, isComment: boolean) {
  const isOmitted =
    counts.omitted > 0 ||
    (counts.no > 0 && counts.change > 0) ||
    (counts.as > 0 && counts.before > 0 && counts.rest + counts.other + counts.code > 0);
  const isRest = counts.rest > 0 && (counts.code > 0 || counts.same > 0);
  const isOther = counts.other > 0 && (counts.code > 0 || counts.same > 0);
  if (dots.leading || dots.trailing) {
    const says = isOmitted || counts.rest > 0 || isOther || (counts.same > 0 && counts.code > 0);
    return (
      says &&
      unknown <= (isComment ? maxUnknown : 0) &&
      (dots.leading || opens) &&
      (isComment || total > 1)
    );
  }
  if (unknown > 0) return false;
  const isAbout = counts.rest + counts.other > 0 && (isOmitted || counts.same > 0);
  if (!isComment) return isAbout && counts.code > 0;
  return isOmitted || isAbout || (isRest && total <= maxPlainWords);
}

/** The words of one language. */
interface Dictionary {
  readonly whole: ReadonlyMap<string, readonly Role[]>;
  /** Starts of words, by their first two characters. */
  readonly starts: ReadonlyMap<string, readonly (readonly [start: string, roles: Role[]])[]>;
  /** Characters of the longest entry. */
  readonly maxLength: number;
}

function dictionaryOf(vocabulary: Vocabulary): Dictionary {
  const whole = new Map<string, Role[]>();
  const starts = new Map<string, [string, Role[]][]>();
  let maxLength = 0;
  for (const role of roles) {
    for (const entry of vocabulary[role].split(' ').filter(word => word !== '')) {
      const word = foldAccents(entry.replace('*', ''));
      maxLength = Math.max(maxLength, word.length);
      if (entry.endsWith('*')) {
        const key = word.slice(0, 2);
        starts.set(key, [...(starts.get(key) ?? []), [word, [role]]]);
      } else {
        whole.set(word, [...(whole.get(word) ?? []), role]);
      }
    }
  }
  return { whole, starts, maxLength };
}

const joinedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function rolesOf(word: string, { whole, starts }: Dictionary): readonly Role[] {
  const exact = whole.get(word) ?? [];
  const open = (starts.get(word.slice(0, 2)) ?? []).filter(([start]) => word.startsWith(start));
  return open.length === 0 ? exact : [...exact, ...open.flatMap(([, found]) => found)];
}

function tallyOf(words: readonly string[], language: Dictionary): Tally {
  const counts: Record<Role, number> = {
    rest: 0,
    other: 0,
    code: 0,
    omitted: 0,
    same: 0,
    no: 0,
    change: 0,
    as: 0,
    before: 0,
    glue: 0,
  };
  let unknown = 0;
  let opens = true;
  words.forEach((word, at) => {
    const found = rolesOf(word, language);
    found.forEach(role => counts[role]++);
    if (found.length === 0 && !isNumber.test(word)) {
      unknown++;
      opens &&= at > 0;
    }
  });
  return { counts, total: words.length, unknown, opens };
}

const isNumber = /^\d+$/;

function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Splits at the longest known words; a run of unknown characters is one word. */
function segments(folded: string, { whole, maxLength }: Dictionary): string[] {
  const text = wordsOf(folded).join('');
  const found: string[] = [];
  let unknown = '';
  for (let at = 0; at < text.length; ) {
    let length = Math.min(maxLength, text.length - at);
    while (length > 0 && !whole.has(text.slice(at, at + length))) length--;
    if (length === 0) {
      unknown += text.charAt(at);
      at++;
      continue;
    }
    if (unknown !== '') found.push(unknown);
    unknown = '';
    found.push(text.slice(at, at + length));
    at += length;
  }
  return unknown === '' ? found : [...found, unknown];
}

/** Latin and Cyrillic letters without their accents; other scripts keep their marks. */
function foldAccents(text: string): string {
  return nonAscii.test(text)
    ? text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
    : text;
}

const nonAscii = /[^\0-\x7f]/;
