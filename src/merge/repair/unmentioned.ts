import { type Block, equalEnds } from '../place/block';
import { declaredName } from '../place/declaredName';
import type { FileIndex } from '../place/fileIndex';
import { LinePattern } from '../similarity';

interface Replaced {
  readonly block: Pick<Block, 'ids'>;
  /** Half-open positions of the file. */
  readonly start: number;
  readonly end: number;
}

/**
 * True when a declaration of the replaced lines is gone, and no new line mentions it. It may have another name now, or one
 * of its siblings is taken for it: only a name that more lines use in its stead is a new name for sure.
 */
export function dropsUnmentioned(parts: readonly Replaced[], file: FileIndex): boolean {
  const gone = goneDeclarations(parts, file);
  if (gone.size === 0) return false;
  // A line of the file may still use what is gone.
  const fresh = [...new Set(parts.flatMap(({ block }) => block.ids))]
    .filter(id => file.placesOf(id).length === 0)
    .map(id => file.textOf(id));
  const declared = new Map(
    fresh.flatMap(text => {
      const name = declaredName(text);
      return name === undefined ? [] : [[name, text] as const];
    }),
  );
  const uses = new Map<string, number>();
  for (const text of fresh)
    for (const word of new Set(wordsOf(text))) uses.set(word, (uses.get(word) ?? 0) + 1);
  const unmentioned = [...gone].filter(([name]) => !declared.has(name) && !uses.has(name));
  const used = [...declared].flatMap(([name, text]) => ((uses.get(name) ?? 0) > 1 ? [text] : []));
  return (
    unmentioned.length * used.length > maxComparisons ||
    unmentioned.some(([, text]) => !isRenamed(text, used))
  );
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_$]+/gu) ?? [];

/** Limits the time for edits that drop and add many declarations; above it, a dropped one counts as unmentioned. */
const maxComparisons = 20_000;
/** A declaration of another name is hardly alike; one that was renamed is. */
const minRenamed = 0.85;

/** The lines of the declarations that the parts replace and do not show, by name. */
function goneDeclarations(
  parts: readonly Replaced[],
  file: FileIndex,
): ReadonlyMap<string, string> {
  const gone = new Map<string, string>();
  const cores = parts.map(part => coreOf(part, file));
  if (cores.every(({ start, end }) => start === end)) return gone;
  const shown = new Map<number, number>();
  for (const { ids } of cores) for (const id of ids) shown.set(id, (shown.get(id) ?? 0) + 1);
  for (const { start, end } of cores) {
    for (let at = start; at < end; at++) {
      const id = file.ids[at] ?? -1;
      // Overloads may have the same first line, and one of them may be gone.
      const left = shown.get(id) ?? 0;
      if (left > 0) shown.set(id, left - 1);
      const name = left > 0 ? undefined : declaredName(file.textOf(id));
      if (name !== undefined) gone.set(name, file.textOf(id));
    }
  }
  return gone;
}

/**
 * A part without the equal lines at both ends of its place, and with no place at all in a usual case: the section only
 * adds rows, or replaces one line, which is no declaration with a body.
 */
function coreOf(
  { block: { ids }, start, end }: Replaced,
  file: FileIndex,
): { readonly ids: readonly number[]; readonly start: number; readonly end: number } {
  if (end - start <= 1) return { ids, start, end: start };
  const { above, below } = equalEnds(ids, start, end, file);
  return {
    ids: ids.slice(above, ids.length - below),
    start: start + above,
    end: end - below,
  };
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
