import type { Line } from '../lines';
import type { FileIndex } from '../place/fileIndex';
import type { Snippet } from '../snippet/sections';

/**
 * Whether a snippet without a marker has only lines of the file, which may be a quotation of some of them instead of the
 * deletion of the others. A whole block is none: what it does not show is gone.
 */
export const isQuotation = ({ sections, markers }: Snippet, file: FileIndex): boolean =>
  markers === 0 &&
  sections.every(
    ({ lines }) =>
      !isOneBlock(lines, file) &&
      lines.every(line => line.trimmed === '' || file.hasLine(file.idOf(line))),
  );

/** Whether all lines are indented below the first one, but for the one that closes it. */
function isOneBlock(lines: readonly Line[], file: FileIndex): boolean {
  const [first, ...others] = lines;
  const closer = others.at(-1);
  return (
    first !== undefined &&
    others.length > 0 &&
    others.every(
      line =>
        line.indent < 0 ||
        line.indent > first.indent ||
        (line === closer && line.indent === first.indent && file.isFiller(file.idOf(line))),
    )
  );
}
