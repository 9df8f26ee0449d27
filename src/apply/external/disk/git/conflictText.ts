const [start, base, middle, end] = ['<<<<<<<', '|||||||', '=======', '>>>>>>>'];

/**
 * Whether a text with conflict markers can be what git made of the versions that it merged: all other lines are
 * lines of these.
 */
export function isConflictText(now: string, versions: readonly string[]): boolean {
  const known = new Set(versions.flatMap(linesOf));
  let isOpen = false;
  let conflicts = 0;
  for (const line of linesOf(now)) {
    if (isMarker(line, start)) {
      if (isOpen) return false;
      isOpen = true;
    } else if (isOpen && isMarker(line, end)) {
      isOpen = false;
      conflicts++;
    } else if (!(isOpen && (isMarker(line, middle) || isMarker(line, base))) && !known.has(line)) {
      return false;
    }
  }
  return conflicts > 0 && !isOpen;
}

const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** Alone, or with a name after a blank. */
const isMarker = (line: string, marker: string | undefined): boolean =>
  marker !== undefined && line.startsWith(marker) && ['', ' '].includes(line.charAt(marker.length));
