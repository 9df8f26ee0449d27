import { hasText, isChatter } from '../../snippet/chatter';
import { isFence } from '../../snippet/fences';
import type { KnownLines } from '../../snippet/knownLines';
import type { SearchReplaceBlock } from './searchReplace';

/** Search/replace blocks whose marks are words on lines of their own: `[SEARCH]`, `REPLACE:`, `### ORIGINAL ###`. */

type WordMark = 'old' | 'new' | 'endOfOld' | 'endOfNew' | 'end' | 'split';

const maxMark = 40;
const decorated =
  /^([^\w\s]{0,9}) ?(END ?)?(SEARCH|FIND|ORIGINAL|OLD|BEFORE|REPLACE|REPLACEMENT|UPDATED|NEW|AFTER)?(?: (?:BLOCK|CODE|WITH|TEXT))?(?: (END))? ?([^\w\s]{0,9})$/;
const oldWord = /^(?:SEARCH|FIND|ORIGINAL|OLD|BEFORE)$/;

function wordMarkIn(line: string, known: KnownLines): WordMark | undefined {
  const text = line.trim();
  if (text === '' || text.length > maxMark || known.has(text)) return undefined;
  if (/^={3,}$/.test(text)) return 'split';
  const [all, before = '', end, word, endBehind, behind = ''] = decorated.exec(text) ?? [];
  if (all === undefined || before + behind === '') return undefined;
  // A comment may be code of the edit.
  if (/^(?:\/\/|#|--|\/\*|\*|;|<!--)$/.test(before)) return undefined;
  const isEnd = end !== undefined || endBehind !== undefined || /[[({<]\/$/.test(before);
  if (word === undefined) return end === undefined ? undefined : 'end';
  if (oldWord.test(word)) return isEnd ? 'endOfOld' : 'old';
  return isEnd ? 'endOfNew' : 'new';
}

/**
 * Undefined when there are no such marks, or other code stands around them; `incomplete` when a block has only one
 * side.
 */
export function readWordMarks(
  lines: readonly string[],
  known: KnownLines,
): SearchReplaceBlock[] | 'incomplete' | undefined {
  const marks = lines.map(line => wordMarkIn(line, known));
  if (!marks.includes('old') || !marks.includes('new')) return undefined;
  const blocks: SearchReplaceBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (marks[at] === 'old') {
      const block = blockFrom(lines, marks, at);
      if (!block) return 'incomplete';
      const { end, ...sides } = block;
      blocks.push(sides);
      at = end;
    } else if (marks[at] || !hasText(line) || isFence(line) || isChatter(line, known)) at++;
    else return undefined;
  }
  return blocks;
}

function blockFrom(
  lines: readonly string[],
  marks: readonly (WordMark | undefined)[],
  start: number,
): (SearchReplaceBlock & { readonly end: number }) | undefined {
  const next = marks.findIndex((mark, at) => at > start && mark !== undefined);
  const [fresh, isSplit] =
    marks[next] === 'split'
      ? [next, true]
      : [marks.findIndex((mark, at) => at > start && mark === 'new'), false];
  const other = marks.findIndex((mark, at) => at > start && mark === 'old');
  if (next < 0 || fresh < 0 || (other >= 0 && other < fresh)) return undefined;
  const closing = marks.findIndex(
    (mark, at) =>
      at > fresh &&
      (mark === 'endOfNew' || mark === 'end' || mark === 'old' || (isSplit && mark === 'new')),
  );
  if (isSplit && closing < 0) return undefined;
  const end = closing < 0 ? lines.length : closing;
  // Without a mark at its end, the block ends with the fence around it.
  const isCode = (line: string): boolean => closing >= 0 || (hasText(line) && !isFence(line));
  const replace = lines.slice(fresh + 1, end);
  const last = replace.findLastIndex(isCode);
  return {
    search: lines.slice(start + 1, next).join('\n'),
    replace: replace.slice(0, last + 1).join('\n'),
    end: marks[end] === 'old' || closing < 0 ? end : end + 1,
  };
}
