import type { BlockPlace } from '../aligner';
import type { Block } from '../block';
import { margins } from '../costs';

/** Number of edges of the section that are no line of the file. */
export function looseEdges({ head, tail }: BlockPlace): number {
  return [head, tail].filter(fit => fit === 'similar' || fit === 'new').length;
}

/** The additional margin that a place needs to be certain if its edges say little. */
export function doubtOf(place: BlockPlace, block: Block | undefined): number {
  const { head, tail } = place;
  const isCommon = head === 'common' && tail === 'common' && (block?.ids.length ?? 0) > 1;
  return isCommon ? margins.common : margins.loose * looseEdges(place);
}
