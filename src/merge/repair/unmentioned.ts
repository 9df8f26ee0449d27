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
  const gone = goneDeclarations(parts, file);
  if (gone.size === 0) return false;
  // A line of the file may still use what is gone.
  const fresh = [...new Set(parts.flatMap(({ block }) => block.ids))]
    .filter(id => file.placesOf(id).length === 0)
    .map(id => file.textOf(id));
  const words = new Set(fresh.flatMap(text => text.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  const unmentioned = [...gone].filter(([name]) => !words.has(name));
  const declarations = fresh.filter(text => declaredName(text) !== undefined);
  return (
    unmentioned.length * declarations.length > maxComparisons ||
    unmentioned.some(([, text]) => !isRenamed(text, declarations))
  );
}

/** In a larger edit, every declaration that is gone counts as unmentioned. */
const maxComparisons = 20_000;
/** A declaration of another name is hardly alike; one that was renamed is. */
const minRenamed = 0.85;

/** The lines of the declarations that the parts replace and do not show, by name. */
function goneDeclarations(
  parts: readonly Replaced[],
  file: FileIndex,
): ReadonlyMap<string, string> {
  const gone = new Map<string, string>();
  let shown: ReadonlySet<number> | undefined;
  for (const { start, end } of parts) {
    if (end - start <= 1) continue;
    shown ??= new Set(parts.flatMap(({ block }) => block.ids));
    for (let at = start; at < end; at++) {
      const id = file.ids[at] ?? -1;
      const name = shown.has(id) ? undefined : declaredName(file.textOf(id));
      if (name !== undefined) gone.set(name, file.textOf(id));
    }
  }
  return gone;
}

function isRenamed(text: string, declarations: readonly string[]): boolean {
  const pattern = new LinePattern(text);
  return declarations.some(
    other =>
      other.length >= pattern.minLength &&
      other.length <= pattern.maxLength &&
      pattern.ratio(other) >= minRenamed,
  );
}
