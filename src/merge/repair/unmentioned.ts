import type { Block } from '../place/block';
import { declaredName } from '../place/declaredName';
import type { FileIndex } from '../place/fileIndex';
import { LinePattern } from '../similarity';

interface Replaced {
  readonly block: Pick<Block, 'ids'>;
  /** Half-open positions of the file. */
  readonly start: number;
  readonly end: number;
}

/** True when a declaration of the replaced lines is gone, and no new line renames or mentions it. */
export function dropsUnmentioned(parts: readonly Replaced[], file: FileIndex): boolean {
  let shown: Set<number> | undefined;
  const names = new Set<string>();
  for (const { block, start, end } of parts) {
    if (end - start <= 1) continue;
    shown ??= new Set(parts.flatMap(part => part.block.ids));
    for (let at = start; at < end; at++) {
      const id = file.ids[at] ?? -1;
      const name = shown.has(id) ? undefined : declaredName(file.textOf(id));
      if (name !== undefined && !isRenamed(id, block, file)) names.add(name);
    }
  }
  if (names.size === 0) return false;
  // A line of the file may still use what is gone.
  const fresh = [...(shown ?? [])].filter(id => file.placesOf(id).length === 0);
  const words = new Set(fresh.flatMap(id => file.textOf(id).match(/[\p{L}\p{N}_$]+/gu) ?? []));
  return [...names].some(name => !words.has(name));
}

/** A declaration of another name is hardly alike; one that was renamed is. */
const minRenamed = 0.85;

/** True when a new line of the block is the new form of the line. */
function isRenamed(id: number, { ids }: Pick<Block, 'ids'>, file: FileIndex): boolean {
  const pattern = new LinePattern(file.textOf(id));
  return ids.some(row => {
    const text = file.textOf(row);
    const isNew = file.placesOf(row).length === 0;
    return (
      isNew &&
      text.length >= pattern.minLength &&
      text.length <= pattern.maxLength &&
      pattern.ratio(text) >= minRenamed
    );
  });
}
