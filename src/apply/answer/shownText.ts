import { splitLines } from '../../base/text/textLines';
import { hasMarkers, isMarkerLine } from '../../merge';
import type { TextOperation } from './mergeOperation';

/** What an edit shows of its file. */

/** Whether the first line of code begins with white space. */
function isIndented(text: string): boolean {
  const first = text.split('\n', maxBlank).find(line => line.trim() !== '') ?? '';
  return first !== first.trimStart();
}

/** Lines in which the first one with code is looked for. */
const maxBlank = 50;

/** The text of a file that does not exist yet; undefined when the edit shows only a part of one. */
export function textOfNewFile(operation: TextOperation): string | undefined {
  switch (operation.kind) {
    case 'write':
      return operation.text;
    case 'snippet':
      // A file does not begin with an indented line; what does is cut out of one.
      return hasMarkers(operation.text) || isIndented(operation.text) ? undefined : operation.text;
    case 'blocks': {
      const [block, second] = operation.blocks;
      return block && second === undefined && block.search.trim() === ''
        ? block.replace
        : undefined;
    }
    case 'diff': {
      const lines = operation.diff
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('@@'));
      const isNew = lines.length > 0 && lines.every(line => line.startsWith('+'));
      return isNew ? lines.map(line => `${line.slice(1)}\n`).join('') : undefined;
    }
    default:
      return undefined;
  }
}

/** The text of the file that an edit shows. */
function shownText(operation: TextOperation): string {
  switch (operation.kind) {
    case 'snippet':
    case 'write':
      return operation.text;
    case 'blocks':
      return operation.blocks.map(({ search }) => search).join('\n');
    case 'diff':
      return operation.diff
        .split('\n')
        .flatMap(line => (/^[- ]/.test(line) && !line.startsWith('--- ') ? [line.slice(1)] : []))
        .join('\n');
    default:
      return '';
  }
}

/** More lines than that tell nothing more about the file. */
const maxLines = 5000;

/** Lines of the file that an edit shows, in its order; some of them may be new. */
export function shownLines(operation: TextOperation): string[] {
  return splitLines(shownText(operation))
    .slice(0, maxLines)
    .filter(line => line.trim() !== '' && !isMarkerLine(line));
}
