import { runLength, trimStartOf } from '../../../base/text/scan';

/** The lines that open, divide and close a search/replace block. */
export interface Mark {
  readonly kind: 'start' | 'split' | 'end';
  /** `<<<<<<< SEARCH` and `>>>>>>> REPLACE`, or `------- SEARCH` and `+++++++ REPLACE`; a separator may be in both. */
  readonly form: 'angle' | 'dash' | 'either';
  /** How often its character is repeated. */
  readonly run: number;
  /** Lower case; empty where there is none. */
  readonly word: string;
  /** A word that names one side of a block, as `SEARCH` does. */
  readonly isNamed: boolean;
  /** Nothing but the mark of a block looks like this. */
  readonly isSure: boolean;
  /** Short marks are at least not a comment when their word is in capitals. */
  readonly isCapital: boolean;
  /** `&lt;&lt;&lt;`: the block was copied from the source of a page. */
  readonly isEscaped: boolean;
}

const oldWords = new Set(['search', 'original', 'old', 'before', 'find']);
const newWords = new Set([
  'replace',
  'replaced',
  'replacement',
  'updated',
  'update',
  'new',
  'after',
  'modified',
]);
const maxMarkLength = 200;
const minRun = 3;
/** Shorter runs are also operators, heredocs and prompts. */
const minSureRun = 5;
/** Comments of SQL and Lua start with two dashes. */
const minDashes = 2;
/** Names of branches and files, as they stand in the marks of a conflict. */
const label = /^[\w./@:#+~^-]{1,80}$/;
const wordAtStart = /^[A-Za-z]+\b/;

/** Reads a line as the mark of a search/replace block; undefined when it is none. */
export function markIn(line: string): Mark | undefined {
  if (line.length > maxMarkLength) return undefined;
  const given = line.trim();
  if (!mayBeMark(given)) return undefined;
  const isEscaped = given.includes('&');
  const text = plain(given);
  return splitIn(text) ?? startIn(text, isEscaped) ?? endIn(text, isEscaped);
}

const mayBeMark = (text: string): boolean =>
  /^[-<=>+＜＝＞&]/.test(text) || /^[A-Z]{3,11} ?(?:>|＞|&gt;)/i.test(text);

function plain(text: string): string {
  const ascii = /[＜＝＞]/.test(text)
    ? text.replaceAll('＜', '<').replaceAll('＞', '>').replaceAll('＝', '=')
    : text;
  return ascii.includes('&') ? ascii.replaceAll('&lt;', '<').replaceAll('&gt;', '>') : ascii;
}

function splitIn(text: string): Mark | undefined {
  const run = text.startsWith('=') ? runLength(text, 0) : 0;
  if (run < minRun || run < text.length) return undefined;
  return {
    kind: 'split',
    form: 'either',
    run,
    word: '',
    isNamed: false,
    isSure: false,
    isCapital: false,
    isEscaped: false,
  };
}

function startIn(text: string, isEscaped: boolean): Mark | undefined {
  const form = text.startsWith('<') ? 'angle' : text.startsWith('-') ? 'dash' : undefined;
  if (form === undefined) return undefined;
  const run = runLength(text, 0);
  if (run < (form === 'dash' ? minDashes : minRun)) return undefined;
  const behind = trimStartOf(text.slice(run), ' \t');
  const named = namedBy(behind, oldWords);
  if (named === undefined && (form === 'dash' || (behind !== '' && !label.test(behind)))) {
    return undefined;
  }
  const isAlone = behind.length === (named ?? '').length;
  // Shorter marks hold nothing else; long ones may name the file.
  if (named !== undefined && run < minSureRun && !isAlone) return undefined;
  return {
    kind: 'start',
    form,
    run,
    word: named?.toLowerCase() ?? '',
    isNamed: named !== undefined,
    isSure: named !== undefined && run >= minSureRun,
    isCapital: named !== undefined && named === named.toUpperCase(),
    isEscaped,
  };
}

function endIn(text: string, isEscaped: boolean): Mark | undefined {
  const form = text.startsWith('+') ? 'dash' : 'angle';
  const isTurned = form === 'angle' && !text.startsWith('>');
  const found = isTurned ? turned(text) : turnedBack(text);
  if (!found || found.run < (form === 'dash' ? minDashes : minRun)) return undefined;
  const named = namedBy(found.behind, newWords);
  if (
    named === undefined &&
    (form === 'dash' || isTurned || (found.behind !== '' && !label.test(found.behind)))
  ) {
    return undefined;
  }
  return {
    kind: 'end',
    form,
    run: found.run,
    word: named?.toLowerCase() ?? '',
    isNamed: named !== undefined,
    isSure: named !== undefined && found.run >= minSureRun,
    isCapital: named !== undefined && named === named.toUpperCase(),
    isEscaped,
  };
}

function turnedBack(text: string): { run: number; behind: string } | undefined {
  if (!text.startsWith('>') && !text.startsWith('+')) return undefined;
  const run = runLength(text, 0);
  return { run, behind: trimStartOf(text.slice(run), ' \t') };
}

/** `REPLACE>>>`, with the word in front. */
function turned(text: string): { run: number; behind: string } | undefined {
  const word = wordAtStart.exec(text)?.[0] ?? '';
  const rest = trimStartOf(text.slice(word.length), ' \t');
  const run = rest.startsWith('>') ? runLength(rest, 0) : 0;
  return run > 0 && run === rest.length ? { run, behind: word } : undefined;
}

function namedBy(text: string, words: ReadonlySet<string>): string | undefined {
  const word = wordAtStart.exec(text)?.[0];
  return word !== undefined && words.has(word.toLowerCase()) ? word : undefined;
}

/** Whether a mark can close what another one opened. */
export function closes(start: Mark, end: Mark): boolean {
  if (end.kind !== 'end') return false;
  if (start.form === 'dash') return end.form === 'dash' && end.isNamed;
  // Marks of unlike length are text of the block: `>>>` is a prompt of Python.
  if (start.run >= minSureRun !== end.run >= minSureRun) return false;
  if (end.form === 'dash') return start.isSure && end.isSure;
  return start.isNamed ? end.isNamed : start.run === end.run;
}

/** Whether a mark can divide what another one opened. */
export function divides(start: Mark, split: Mark): boolean {
  const least = start.form === 'angle' && start.run >= minSureRun ? minSureRun : minRun;
  return split.kind === 'split' && split.run >= least;
}
