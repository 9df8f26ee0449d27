import { toLine } from '../../../../src/merge/lines';
import { type Block, blockOf } from '../../../../src/merge/place/block';
import { FileIndex } from '../../../../src/merge/place/fileIndex';
import { Source } from '../../../../src/merge/source';

export const indexOf = (text: string): FileIndex => new FileIndex(new Source(text));

/** A section of a snippet with these lines; `above` and `below` are the columns of the markers around it. */
export function sectionOf(
  text: string,
  file: FileIndex,
  { above, below }: { above?: number; below?: number } = {},
): Block {
  const lines = text.replace(/\n$/, '').split('\n').map(toLine);
  return blockOf({ lines, markerAbove: above, markerBelow: below }, file);
}
