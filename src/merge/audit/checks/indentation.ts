import { sentence } from '../../../base/sentence';
import { marginOf } from '../../../base/text/textLines';
import type { AuditReport } from '../auditReport';
import { type AuditText, indentAt } from '../auditText';
import type { SectionPlacement } from '../explainMerge';

/** A line of a section: its indentation in the snippet and in the merged text, in columns. */
interface IndentedRow {
  at: number;
  shown: number;
  got: number;
  /** True for the same number of columns in different whitespace. */
  isMixed: boolean;
  /** True when the same line is among the lines that the section replaced. */
  isOld: boolean;
}

/** Checks indentation. A section may be shifted as a whole, to where its unchanged lines are in the file. */
export function checkIndentation(
  placed: readonly SectionPlacement[],
  sections: readonly AuditText[],
  original: AuditText,
  merged: AuditText,
  report: AuditReport,
): void {
  const moved = placed.filter(place => isMoved(place, sections, merged));
  if (moved.length === 0) {
    return;
  }
  const blocks = placed.map(place => rowsOf(place, sections[place.section], original, merged));
  if (reportFlat(blocks, merged, report)) return;
  const common = new Set(blocks.flatMap(shiftsOfOld));
  // Tabs instead of spaces: columns differ by depth, so only the order of depths can be compared.
  const isRestyled = usesTabs([original]) !== usesTabs(sections);
  for (const rows of blocks) {
    const own = new Set(shiftsOfOld(rows));
    const shifts = own.size > 0 ? own : common.size > 0 ? common : new Set([0]);
    const usual = modeOf(rows.map(shiftOf));
    const columns = new Map(rows.filter(row => row.isOld).map(row => [row.shown, row.got]));
    const kept = isRestyled ? [] : rows.filter(row => row.isOld && shiftOf(row) !== usual);
    const [first] = kept;
    if (first) {
      const message =
        kept.length === 1
          ? sentence('This line kept its old indentation; the snippet shows another one.')
          : sentence(
              '{0} lines kept their old indentation; the snippet shows another one.',
              kept.length,
            );
      report.warning('lostIndentation', merged.rows[first.at] ?? 0, message);
    }
    rows.forEach((row, nth) => {
      const line = merged.rows[row.at] ?? 0;
      if (row.isOld) return;
      const known = columns.get(row.shown);
      const isComparable = !isRestyled || known === undefined;
      const fits =
        known === row.got ||
        (isComparable && shifts.has(shiftOf(row))) ||
        (isRestyled && keepsDepth(row, rows[nth - 1]));
      if (!fits || (row.isMixed && !isRestyled)) {
        report.error(
          'lostIndentation',
          line,
          sentence('The indentation differs from the snippet and the file.'),
        );
      }
    });
  }
}

const minFlatRows = 3;

/** Reports a snippet whose lines are all indented alike, though they are at several depths in the file. */
function reportFlat(
  blocks: readonly (readonly IndentedRow[])[],
  merged: AuditText,
  report: AuditReport,
): boolean {
  const rows = blocks.flat();
  const [first] = rows;
  const isFlat =
    rows.length >= minFlatRows &&
    rows.every(({ shown }) => shown === first?.shown) &&
    new Set(rows.filter(({ isOld }) => isOld).map(({ got }) => got)).size > 1;
  if (!isFlat) return false;
  const changed = rows.find(({ isOld }) => !isOld) ?? first;
  report.warning(
    'repaired',
    merged.rows[changed?.at ?? 0] ?? 0,
    sentence(
      'The answer had lost its indentation. Lines of the file keep theirs, and new lines are indented like the lines around them.',
    ),
  );
  return true;
}

/** The cost of a shifted section: the same shift for all lines is likelier than different ones. */
export function shiftCost(section: AuditText, merged: AuditText, newStart: number): number {
  if (section.texts.every((text, at) => text === merged.texts[newStart + at])) {
    return 0;
  }
  const shifts = section.texts.map(
    (_, at) => indentAt(merged, newStart + at) - indentAt(section, at),
  );
  const [first] = shifts;
  if (shifts.some(shift => shift !== first)) {
    return 0.5;
  }
  return first === 0 ? 0 : 0.1;
}

function isMoved(
  { section, newStart }: SectionPlacement,
  sections: readonly AuditText[],
  merged: AuditText,
): boolean {
  const shown = sections[section];
  return shown?.texts.some((text, at) => text !== merged.texts[newStart + at]) ?? false;
}

function shiftOf({ shown, got }: IndentedRow): number {
  return got - shown;
}

function shiftsOfOld(rows: readonly IndentedRow[]): number[] {
  return rows.filter(row => row.isOld).map(shiftOf);
}

function keepsDepth(row: IndentedRow, above: IndentedRow | undefined): boolean {
  return (
    above !== undefined && Math.sign(row.got - above.got) === Math.sign(row.shown - above.shown)
  );
}

function modeOf(values: readonly number[]): number {
  const tally = new Map<number, number>();
  let best = 0;
  for (const value of values) {
    const count = (tally.get(value) ?? 0) + 1;
    tally.set(value, count);
    if (count > (tally.get(best) ?? 0)) {
      best = value;
    }
  }
  return best;
}

function rowsOf(
  { newStart, newEnd, oldStart, oldEnd }: SectionPlacement,
  section: AuditText | undefined,
  original: AuditText,
  merged: AuditText,
): IndentedRow[] {
  const old = new Set(original.texts.slice(oldStart, oldEnd));
  const rows: IndentedRow[] = [];
  for (let at = newStart; at < newEnd; at++) {
    const shown = section ? indentAt(section, at - newStart) : 0;
    const got = indentAt(merged, at);
    rows.push({
      at,
      shown,
      got,
      isMixed:
        shown === got &&
        marginOf(section?.texts[at - newStart] ?? '') !== marginOf(merged.texts[at] ?? ''),
      isOld: old.has(merged.texts[at] ?? ''),
    });
  }
  return rows;
}

function usesTabs(texts: readonly AuditText[]): boolean {
  return texts.some(({ texts: lines }) => lines.some(line => line.startsWith('\t')));
}
