import { isForeignOmission } from './foreignOmission';

export interface Dots {
  leading: boolean;
  trailing: boolean;
}

/** Words that say by themselves that code is omitted. */
const omissionWords = words(
  'unchanged unmodified untouched unaltered omitted snip snipped truncated elided skipped preserved collapsed intact',
);
/** Words that say so when the other words are about code. */
const keptWords = words(
  'existing rest remaining remainder remain remains same previous prior original other others keep kept retain ' +
    'retained stay stays leave left more additional identical continue continues change changes changed modified',
);
/** Things that can be omitted. */
const codeWords = words(
  'code file function method class content component implementation module body script document logic import export ' +
    'test case config configuration style stylesheet page template field prop property attribute rule markup jsx ' +
    'html css element hook handler route endpoint constant variable type interface struct enum member definition ' +
    'declaration statement section part block line entry item option setting column table key value helper util ' +
    'utility setup query dependency package step job service text paragraph parameter param argument arg include ' +
    'header footer constructor loop everything stuff',
);
/** Words without a bearing on the question. */
const neutralWords = words(
  'the a an all any of your my our this that these those it its is are was were be been as and or with within in ' +
    'inside on to for from by up until through here there above below before after goes go else no not nothing ' +
    'exactly brevity clarity simplicity now still etc',
);
const maxWords = 10;
/** Other words, such as names and adjectives: "rest of the `UserService` class". */
const maxOtherWords = 3;

/** True when the words say that the code here is unchanged and was omitted. */
export function isOmissionText(plain: string, dots: Dots, isComment: boolean): boolean {
  const dotted = dots.leading || dots.trailing;
  if (plain === '') {
    return isComment && dotted;
  }
  const lower = plain.toLowerCase();
  const said = wordsIn(lower);
  if (said.length === 0 || said.length > maxWords) {
    return false;
  }
  if (dots.leading && dots.trailing && isComment) {
    return true;
  }
  const tally = count(said);
  return (
    (dotted
      ? isDottedOmission(tally, dots, isComment)
      : isPlainOmission(tally, lower, isComment)) || isForeignOmission(lower, dots, isComment)
  );
}

/** The words of a text; none if it contains characters that a marker does not have. */
function wordsIn(lower: string): readonly string[] {
  // A fast path for most texts, without Unicode classes.
  if (/^[a-z]+(?: [a-z]+)*$/.test(lower)) {
    return lower.split(' ');
  }
  if (!/^[\p{L}\p{N}\p{M}\s,.:;()'"`’/&+<>_–—-]+$/u.test(lower)) {
    return [];
  }
  return lower.match(/[\p{L}\p{N}\p{M}_]+(?:['’.-][\p{L}\p{N}\p{M}_]+)*/gu) ?? [];
}

interface Tally {
  total: number;
  leftOut: number;
  kept: number;
  code: number;
  others: number;
  /** False when the first word is unknown: usually the verb of an ordinary comment. */
  opens: boolean;
  closesWithCode: boolean;
  /** False when the last word that bears on the question is unknown: `existing code style`. */
  closes: boolean;
}

function count(said: readonly string[]): Tally {
  const first = kindOf(said[0] ?? '');
  const tally = {
    total: said.length,
    leftOut: 0,
    kept: 0,
    code: 0,
    others: 0,
    opens: first !== 'other',
    closesWithCode: false,
    closes: true,
  };
  let last = first;
  for (const word of said) {
    last = kindOf(word);
    if (last !== 'glue') tally.closes = last !== 'other';
    if (last === 'leftOut') {
      tally.leftOut++;
    } else if (last === 'kept') {
      tally.kept++;
    } else if (last === 'code') {
      tally.code++;
    } else if (last === 'other') {
      tally.others++;
    }
  }
  tally.closesWithCode = last === 'code';
  return tally;
}

type Kind = 'leftOut' | 'kept' | 'code' | 'glue' | 'other';

/** For a word in several lists, the last list below counts. */
const kinds = new Map<string, Kind>(
  (
    [
      ['glue', neutralWords],
      ['code', codeWords],
      ['kept', keptWords],
      ['leftOut', omissionWords],
    ] as const
  ).flatMap(([kind, list]) => [...list].map(word => [word, kind] as const)),
);

function kindOf(word: string): Kind {
  const known = kinds.get(word);
  if (known !== undefined) {
    return known;
  }
  if (word.endsWith('s') && codeWords.has(singular(word))) {
    return 'code';
  }
  return /^l?\d+(?:-l?\d+)?$/.test(word) ? 'glue' : 'other';
}

function singular(word: string): string {
  if (word.endsWith('ies')) {
    return `${word.slice(0, -3)}y`;
  }
  return word.replace(/(?<=s|x|ch)es$|s$/, '');
}

function isDottedOmission(tally: Tally, dots: Dots, isComment: boolean): boolean {
  const { total, leftOut, kept, code, others, opens, closesWithCode } = tally;
  if (!isComment) {
    const says = leftOut > 0 || (kept > 0 && (code > 0 || dots.trailing));
    const maxOthers = dots.leading && dots.trailing ? maxOtherWords : 1;
    return says && total > 1 && others <= maxOthers && (dots.leading || (opens && code > 0));
  }
  if (others > maxOtherWords || !(dots.leading || opens)) {
    return false;
  }
  if (leftOut + kept > 0) {
    return leftOut > 0 || code > 0 || others === 0;
  }
  return closesWithCode && total <= 2 && (dots.leading || others === 0);
}

const restOf = /^(?:(?:keep|and|the|all|your|leave) )*(?:rest|remainder) of\b/;
const nothingChanges =
  /\b(?:no|not|without) (?:other |further |more )?(?:changes?|changed|modified)\b/;
const asBefore = /\b(?:same as|as (?:before|is|it was|they were|above)|the same)\b/;
/** "The same logic as in Printer" says what new code does. */
const sameAsOther =
  /\bsame\b.{0,60}\bas (?!before|above|is\b|it\b|they\b|your|the (?:original|existing|previous|file|code)|original|existing|previous|in the (?:original|existing|previous|file|code)|in (?:original|existing|your))/;
const earlier =
  /\b(?:existing|remaining|previous|prior|original|other|rest(?! (?:param|arg|element)))\b/;

/** Words that make something else of "code". */
const otherThanCode = /\bcode (?:style|path|point|page|base|coverage)/;

/** Without dots, a text is a marker only if it is about nothing else. */
function isPlainOmission(tally: Tally, plain: string, isComment: boolean): boolean {
  const { total, leftOut, kept, code, others, opens, closes } = tally;
  if (!opens || others > 2 || (leftOut === 0 && sameAsOther.test(plain))) {
    return false;
  }
  const states = leftOut > 0 || nothingChanges.test(plain) || asBefore.test(plain);
  if (!isComment) {
    return others === 0 && states && code > 0 && kept > 0 && total > 3;
  }
  if (restOf.test(plain)) {
    return leftOut > 0 || (code > 0 && (others <= 1 || kept > 1));
  }
  if (states) {
    return others === 0 || (code > 0 && others === 1);
  }
  const isEarlier = earlier.test(plain) && !otherThanCode.test(plain);
  const maxNames = closes && /\bexisting\b/.test(plain) ? 1 : 0;
  return isEarlier && code > 0 && others <= maxNames && total <= 6;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
