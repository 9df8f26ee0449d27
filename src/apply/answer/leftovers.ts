import { splitLines } from '../../base/text/textLines';
import { isStatement, looseCode } from './looseCode';
import type { EditOperation, EditPart } from './operations';

/**
 * Code in the texts of parts that their operations do not take, as where an answer breaks off in the middle of one
 * part and goes on with another.
 */
export function leftovers(parts: readonly EditPart[]): EditPart[] {
  const taken = new Set<string>();
  for (const { operation } of parts) {
    for (const text of textsOf(operation))
      for (const line of splitLines(text)) taken.add(line.trim());
  }
  return parts.flatMap(({ source, operation }) => {
    // A list of calls in JSON has its texts in strings; the other two are named whole or take code away.
    if (operation.kind === 'none' || operation.kind === 'delete' || /^\s*[[{]/.test(source))
      return [];
    const lines = operation.kind === 'diff' ? unmarked(source) : splitLines(source);
    const left = lines.filter(
      line => isStatement(line) && !spellings(line).some(one => taken.has(one)),
    );
    return looseCode(left, true);
  });
}

/**
 * Code that is in the text of no part, as of a block in a block that nothing closes.
 *
 * @param outside lines that were read as prose.
 */
export function unread(
  lines: readonly string[],
  parts: readonly EditPart[],
  outside: readonly string[],
): EditPart[] {
  const texts = [...outside, ...parts.flatMap(({ source }) => splitLines(source))];
  const read = new Set(texts.map(line => line.trim()));
  return looseCode(
    lines.filter(
      line =>
        isStatement(line) &&
        !read.has(line.trim()) &&
        !isJson.test(line) &&
        !/^\s*(?:```|~~~)/.test(line),
    ),
    true,
  );
}

/** The calls of tools in a line are read one by one. */
const isJson = /^\s*(?:\{\s*"|\[\s*[{"])/;

/** The texts that an operation puts into its file, or looks for there. */
function textsOf(operation: EditOperation): string[] {
  const texts = Object.values(operation).filter(value => typeof value === 'string');
  const blocks = operation.kind === 'blocks' ? operation.blocks : [];
  const diff =
    'diff' in operation && operation.diff !== undefined ? unmarkedToo(operation.diff) : '';
  return [...texts, diff, ...blocks.flatMap(({ search, replace }) => [search, replace])];
}

const unmarkedToo = (diff: string): string =>
  splitLines(diff)
    .map(line => line.slice(1))
    .join('\n');

/** Lines behind the first hunk of a diff that have no mark. */
function unmarked(diff: string): string[] {
  const lines = splitLines(diff);
  const first = lines.findIndex(line => line.startsWith('@@'));
  return lines
    .slice(first < 0 ? lines.length : first)
    .filter(line => !/^(?:[-+ \\\t]|@@)/.test(line));
}

/** What a line of the source may be in the text: without a mark, the number of the line, or tags in front. */
function spellings(line: string): string[] {
  const text = line.trim();
  return [
    text,
    text.slice(1).trim(),
    text.replace(/^\d{1,9}\s?[|:]?/, '').trim(),
    text.replace(/^\d{1,9} ?\+/, '').trim(),
    text.replace(/^(?:<!\[CDATA\[|<[^<>]*>\s?){1,9}/, '').trim(),
    text.replace(/(?:\]\]>|<\/[\w:-]{1,40}>){1,9}$/, '').trim(),
  ];
}
