import { splitLines } from '../../base/text/textLines';
import { repairCharacters } from '../repair/characters';
import type { CharacterDamage } from '../repair/damageKinds';
import type { SearchReplaceBlock } from './read/searchReplace';

/** The blocks with the characters that the file has, where its lines prove that the others are damage. */
export function repairedBlocks(
  original: string,
  blocks: readonly SearchReplaceBlock[],
  path?: string,
): { blocks: readonly SearchReplaceBlock[]; repairs: readonly CharacterDamage[] } {
  const all = blocks.flatMap(({ search, replace }) => [search, replace]).join('\n');
  const { text, repairs } = repairCharacters(all, original, path);
  if (repairs.length === 0) return { blocks, repairs };
  const lines = splitLines(text);
  let at = 0;
  // No repair adds or removes a line.
  const next = (side: string): string => {
    const from = at;
    at += splitLines(side).length;
    return lines.slice(from, at).join('\n');
  };
  const repaired = blocks.map(block => {
    const search = next(block.search);
    return { ...block, search, replace: next(block.replace) };
  });
  return { blocks: repaired, repairs };
}
