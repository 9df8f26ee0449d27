import { columnsOf, type Line } from '../lines';
import type { Snippet } from '../snippet/sections';

export interface CutSnippet {
  readonly snippet: Snippet;
  /** The last line, which ends in the middle of a line of the original; undefined when the snippet is complete. */
  readonly cut?: string;
}

/**
 * Finds an answer that was cut off in the middle of its last line, and leaves that line out: what the snippet does not
 * show any more stays as it is.
 *
 * @param original the lines of the original.
 */
export function withoutCutEnd(snippet: Snippet, original: () => readonly string[]): CutSnippet {
  const section = snippet.sections.at(-1);
  const rows = section?.lines.filter(({ indent }) => indent >= 0) ?? [];
  const last = rows.at(-1);
  if (
    !section ||
    !last ||
    rows.length < 2 ||
    section.markerBelow !== undefined ||
    !/[\p{L}\p{N}_]/u.test(last.trimmed)
  ) {
    return { snippet };
  }
  const columns = continuation(rows, original());
  if (columns === undefined) return { snippet };
  const end = section.lines.lastIndexOf(last);
  const kept = section.lines.slice(0, end);
  const lines = kept.slice(0, kept.findLastIndex(({ indent }) => indent >= 0) + 1);
  const sections = [...snippet.sections.slice(0, -1), { ...section, lines, markerBelow: columns }];
  return { snippet: { ...snippet, sections, markers: snippet.markers + 1 }, cut: last.trimmed };
}

/** Changed lines above the cut. */
const maxChanged = 3;

/** The indentation of the line of the original that the last row starts with, near the line of a row above. */
function continuation(rows: readonly Line[], original: readonly string[]): number | undefined {
  const lines = original
    .map(text => ({ trimmed: text.trim(), text }))
    .filter(({ trimmed }) => trimmed !== '');
  const cut = rows.at(-1)?.trimmed ?? '';
  const texts = new Set(lines.map(({ trimmed }) => trimmed));
  const above = rows.slice(0, -1).findLastIndex(({ trimmed }) => texts.has(trimmed));
  const changed = rows.length - 2 - above;
  if (above < 0 || changed > maxChanged) return undefined;
  let found: number | undefined;
  lines.forEach(({ trimmed }, at) => {
    if (trimmed !== rows[above]?.trimmed) return;
    const near = lines.slice(at + 1, at + 2 + changed);
    if (near.some(line => line.trimmed === cut)) return;
    const whole = near.find(line => line.trimmed.startsWith(cut));
    if (whole) found ??= columnsOf(whole.text);
  });
  return found;
}
