// Texts of Splice that are 40 % longer: the English text and a tail. A part of the English text is still found in it,
// and without the tails a text of a window is the English one again.
/** Whether the windows of this run have these texts. */
export const isLonger = process.env.TEST_LONGER_TEXTS === '1';

/**
 * In no text of Splice, of VS Code or of a test. A letter of usual width, so that no line ends inside a part of the tail,
 * and one that VS Code's editor does not mark as like another one.
 */
const letter = 'ə';
const letters = '[əƏ]'; // a style may show all of a text in capitals
const share = 0.4; // of the text
const most = 6; // letters without a blank, as in a long word

/** Placeholders, icons and the targets of links. */
const fixed = /\{\d+\}|\$\([\w~-]+\)|\]\([^)]*\)/g;

function tailOf(text) {
  const shown = text.replaceAll(fixed, '').trim();
  if (!/\p{L}/u.test(shown)) return '';
  const all = letter.repeat(Math.ceil(shown.length * share));
  return (all.match(new RegExp(`.{1,${most}}`, 'gu')) ?? []).join(' ');
}

/** A line that is nothing but a link is a button; what ends emphasis must follow a letter. */
const ends = /^(?<start>\[.*?|.*?)(?<end>\]\([^)]*\)|[*_]*)$/s;

const longerLine = line => {
  const { start, end } = ends.exec(line).groups;
  return start + tailOf(line) + end;
};

/** Each paragraph has a tail of its own. */
export const longerText = text => text.split('\n').map(longerLine).join('\n');

const tail = String.raw`${letters}+(?:\s${letters}+)*`;
const tails = new RegExp(tail, 'g');
export const withoutTail = text => text.replaceAll(tails, '');

/** The value with all of its texts, also those in lists and records, without their tails. */
export function withoutTails(value) {
  if (typeof value === 'string') return withoutTail(value);
  if (Array.isArray(value)) return value.map(withoutTails);
  if (value === null || typeof value !== 'object') return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutTails(one)]));
}

/** Matches the tail of a text, or nothing. */
export const maybeTail = `(?:${tail})?`;
