import { sentence } from '../../../base/sentence';
import type { HunkLine, PatchHunk } from '../../patch/hunks';
import type { AuditReport } from '../auditReport';

/** Checks that new lines stand together, next to the unchanged line that the patch shows above or below them. */
export function checkNeighbors(
  hunks: readonly PatchHunk[],
  after: readonly string[],
  report: AuditReport,
): void {
  const rows = after.flatMap((line, row) => (line.trim() === '' ? [] : [row]));
  const keys = rows.map(row => keyOf(after[row] ?? ''));
  const places = new Map<string, number[]>();
  for (const [at, key] of keys.entries()) {
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  const removed = new Set(
    hunks.flatMap(({ lines }) =>
      lines.flatMap(({ kind, text }) => (kind === 'removed' ? [keyOf(text)] : [])),
    ),
  );
  for (const run of hunks.flatMap(({ lines }) => addedRuns(lines))) {
    const [first = ''] = run.added;
    const starts = (places.get(first) ?? []).slice(0, maxPlaces);
    // Lines that are missing are told by their count.
    const standing = starts.filter(at => run.added.every((key, k) => keys[at + k] === key));
    const [place = starts[0]] = standing;
    if (place === undefined) continue;
    const isNear = standing.some(
      at =>
        (run.above !== undefined && keys[at - 1] === run.above) ||
        (run.below !== undefined && keys[at + run.added.length] === run.below),
    );
    // Another hunk may have changed the line next to it.
    const hasNeighbors = [run.above, run.below].some(key => key !== undefined && !removed.has(key));
    if (standing.length === 0 || (hasNeighbors && !isNear)) {
      report.error(
        'wrongPlace',
        rows[place] ?? 0,
        sentence('These new lines are not next to the lines that the patch shows around them.'),
      );
    }
  }
}

/** More equal lines say nothing about a place. */
const maxPlaces = 200;

const keyOf = (line: string): string => line.replace(/[ \t]+/g, ' ').trim();

interface AddedRun {
  readonly added: readonly string[];
  /** The unchanged lines above and below; removed and blank lines are passed over. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

function addedRuns(lines: readonly HunkLine[]): AddedRun[] {
  const runs: { added: string[]; above: string | undefined; below: string | undefined }[] = [];
  let above: string | undefined;
  let isOpen = false;
  for (const { kind, text } of lines) {
    const key = keyOf(text);
    if (key === '' || kind === 'removed') continue;
    const last = runs.at(-1);
    if (kind === 'kept') {
      if (isOpen && last) last.below = key;
      isOpen = false;
      above = key;
    } else if (isOpen) last?.added.push(key);
    else {
      runs.push({ added: [key], above, below: undefined });
      isOpen = true;
    }
  }
  return runs;
}
