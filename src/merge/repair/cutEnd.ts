import type { Line } from '../lines';
import type { FileIndex } from '../place/fileIndex';
import type { Snippet } from '../snippet/sections';

export interface CutSnippet {
  readonly snippet: Snippet;
  /** The last line, which ends in the middle of a line of the original; undefined when the snippet is complete. */
  readonly cut?: string;
}

/**
 * Finds an answer that was cut off in the middle of its last line, and leaves that line out: what the snippet does not
 * show any more stays as it is.
 */
export function withoutCutEnd(snippet: Snippet, file: () => FileIndex): CutSnippet {
  const section = snippet.sections.at(-1);
  if (!section || section.markerBelow !== undefined) return { snippet };
  const rows = section.lines.filter(({ indent }) => indent >= 0);
  const last = rows.at(-1);
  if (!last || rows.length < 2 || !/[\p{L}\p{N}_]/u.test(last.trimmed)) return { snippet };
  const columns = continuation(rows, file());
  if (columns === undefined) return { snippet };
  const end = section.lines.lastIndexOf(last);
  const kept = section.lines.slice(0, end);
  const lines = kept.slice(0, kept.findLastIndex(({ indent }) => indent >= 0) + 1);
  const sections = [...snippet.sections.slice(0, -1), { ...section, lines, markerBelow: columns }];
  return { snippet: { ...snippet, sections, markers: snippet.markers + 1 }, cut: last.trimmed };
}

/** Changed lines above the cut. */
const maxChanged = 3;

/** The indentation of the line of the file that the last row starts with, near the line of a row above. */
function continuation(rows: readonly Line[], file: FileIndex): number | undefined {
  const cut = rows.at(-1)?.trimmed ?? '';
  const above = rows.slice(0, -1).findLastIndex(({ trimmed }) => file.known.has(trimmed));
  const changed = rows.length - 2 - above;
  if (above < 0 || changed > maxChanged) return undefined;
  for (const place of file.placesOf(file.numberOf(rows[above]?.trimmed ?? ''))) {
    const near = file.ids.slice(place + 1, place + 2 + changed).map(id => file.textOf(id));
    const at = near.includes(cut) ? -1 : near.findIndex(text => text.startsWith(cut));
    if (at >= 0) return file.indents[place + 1 + at];
  }
  return undefined;
}
