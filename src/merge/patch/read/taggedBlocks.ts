import { splitLines } from '../../../base/text/textLines';
import { isChatter } from '../../snippet/chatter';
import type { KnownLines } from '../../snippet/knownLines';
import type { SearchReplaceBlock } from './searchReplace';

/** The tag names that models use for the two sides. */
const tagPairs = [
  ['old_str', 'new_str'],
  ['old_string', 'new_string'],
  ['old_code', 'new_code'],
  ['search', 'replace'],
  ['find', 'replace'],
  ['original', 'updated'],
  ['before', 'after'],
  ['old', 'new'],
] as const;

const allPairs = tagPairs.flatMap(([old, fresh]) => [
  [old, fresh] as const,
  [old.toUpperCase(), fresh.toUpperCase()] as const,
]);

/**
 * Reads blocks of the form `<old_str>…</old_str><new_str>…</new_str>`; undefined when the tags are code, `incomplete`
 * when some stand on lines of their own, and others are missing.
 */
export function readTaggedBlocks(
  update: string,
  known: KnownLines,
): SearchReplaceBlock[] | 'incomplete' | undefined {
  return isIncomplete(update, known) ? 'incomplete' : readComplete(update, known);
}

/** Tags of both sides, of which the file has none, but not as often opened as closed; some are on lines of their own. */
function isIncomplete(update: string, known: KnownLines): boolean {
  if (!update.includes('</')) return false;
  const own = new Set(splitLines(update).map(line => line.trim()));
  const countOf = (tag: string): number => update.split(tag).length - 1;
  return allPairs.some(([old, fresh]) => {
    const sides = [
      [`<${old}>`, `</${old}>`],
      [`<${fresh}>`, `</${fresh}>`],
    ];
    const isOfBoth = sides.every(tags => tags.some(tag => own.has(tag)));
    if (!isOfBoth || sides.flat().some(tag => known.has(tag))) return false;
    const [first, ...others] = sides.flat().map(countOf);
    return others.some(count => count !== first);
  });
}

function readComplete(update: string, known: KnownLines): SearchReplaceBlock[] | undefined {
  const pair = allPairs.find(([old, fresh]) =>
    [`<${old}>`, `</${old}>`, `<${fresh}>`, `</${fresh}>`].every(tag => update.includes(tag)),
  );
  if (!pair) {
    return undefined;
  }
  const [old, fresh] = pair;
  const blocks: SearchReplaceBlock[] = [];
  let outside = '';
  let at = 0;
  for (let start = update.indexOf(`<${old}>`); start >= 0; start = update.indexOf(`<${old}>`, at)) {
    outside += update.slice(at, start);
    const search = between(update, old, start);
    const replace = search && between(update, fresh, search.end);
    if (!replace || update.slice(search.end, replace.start).trim() !== '') {
      return undefined;
    }
    blocks.push({ search: search.text, replace: replace.text });
    at = replace.end;
  }
  const rest = (outside + update.slice(at)).replaceAll(/<\/?\w+>/g, '').split('\n');
  const isCode = known.has(`<${old}>`) || !rest.every(line => isChatter(line, known));
  return blocks.length === 0 || isCode ? undefined : blocks;
}

/** The content of a tag, without the newlines next to the tags. */
function between(
  text: string,
  tag: string,
  from: number,
): { text: string; start: number; end: number } | undefined {
  const start = text.indexOf(`<${tag}>`, from);
  const close = start < 0 ? -1 : text.indexOf(`</${tag}>`, start);
  if (close < 0) {
    return undefined;
  }
  const inner = text.slice(start + tag.length + 2, close);
  return {
    text: inner.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, ''),
    start,
    end: close + tag.length + 3,
  };
}
