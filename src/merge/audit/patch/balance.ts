import { type Sentence, sentence } from '../../../base/sentence';
import { diffLines } from '../../diff/lineDiff';
import type { PatchHunk } from '../../patch/hunks';
import { LinePattern } from '../../similarity';
import type { AuditReport } from '../auditReport';

/** How often a line stands in the file, in the result, and in the patch as a new and as an old line. */
interface Tally {
  before: number;
  after: number;
  added: number;
  removed: number;
}

/**
 * Counts lines apart from their blanks: one that a patch removes stands in the result once less, one that it adds once
 * more, and any other as often as before, with each byte and in the same order.
 */
export function checkBalance(
  before: readonly string[],
  hunks: readonly PatchHunk[],
  after: readonly string[],
  name: Sentence,
  report: AuditReport,
): void {
  const tallies = talliesOf(before, hunks, after);
  const missing: string[] = [];
  const gone = new Set<string>();
  const stays: string[] = [];
  const extra = new Set<string>();
  for (const [key, tally] of tallies) {
    if (key === '') continue;
    const surplus = tally.after - tally.before - (tally.added - tally.removed);
    if (surplus > 0 && tally.removed > 0) stays.push(key);
    else if (surplus > 0) extra.add(key);
    else if (surplus < 0 && tally.added > 0) missing.push(key);
    else if (surplus < 0) gone.add(key);
  }
  // An old line with a typo removes the line that it means.
  const meant = meantLines(stays, gone, tallies);
  for (const key of meant.lost) gone.delete(key);
  for (const key of missing) {
    report.error(
      'missingEdit',
      rowNear(key, before, after),
      sentence('A new line of the patch is not in the result.'),
    );
  }
  for (const key of meant.kept) {
    report.error(
      'missingEdit',
      rowOf(key, after),
      sentence('The patch removes this line, but it is still there.'),
    );
  }
  if (gone.size > 0) reportGone(gone, before, after, name, report);
  for (const key of extra) {
    report.error(
      'unexplainedChange',
      rowOf(key, after),
      sentence('This line stands in the result more often than the file and the patch say.'),
    );
  }
  if (report.isEmpty) checkOthers(before, tallies, new Set(meant.lost), after, report);
}

const keyOf = (line: string): string => line.replace(/[ \t]+/g, ' ').trim();

function talliesOf(
  before: readonly string[],
  hunks: readonly PatchHunk[],
  after: readonly string[],
): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  const count = (line: string, field: keyof Tally): void => {
    const key = keyOf(line);
    let tally = tallies.get(key);
    if (!tally) {
      tally = { before: 0, after: 0, added: 0, removed: 0 };
      tallies.set(key, tally);
    }
    tally[field]++;
  };
  for (const line of before) count(line, 'before');
  for (const line of after) count(line, 'after');
  for (const { lines } of hunks) {
    for (const { kind, text } of lines) {
      if (kind !== 'kept') count(text, kind);
    }
  }
  return tallies;
}

/** More pairs than that are not compared; a patch with that many typos is none. */
const maxPairs = 2000;

/** Pairs the old lines that the file does not have with lines that are gone and like them. */
function meantLines(
  stays: readonly string[],
  gone: ReadonlySet<string>,
  tallies: ReadonlyMap<string, Tally>,
): { kept: string[]; lost: string[] } {
  const left = new Set(gone);
  const kept: string[] = [];
  const lost: string[] = [];
  let compared = 0;
  for (const key of stays) {
    if ((tallies.get(key)?.before ?? 0) > 0) {
      kept.push(key);
      continue;
    }
    const pattern = new LinePattern(key);
    const like = [...left].find(
      line =>
        compared++ < maxPairs &&
        line.length >= pattern.minLength &&
        line.length <= pattern.maxLength &&
        pattern.ratio(line) > 0,
    );
    if (like === undefined) continue;
    left.delete(like);
    lost.push(like);
  }
  return { kept, lost };
}

const rowOf = (key: string, after: readonly string[]): number =>
  Math.max(
    0,
    after.findLastIndex(line => keyOf(line) === key),
  );

/** Where the first change is, for a line that is not there at all. */
function rowNear(key: string, before: readonly string[], after: readonly string[]): number {
  const own = after.findIndex(line => keyOf(line) === key);
  return own >= 0 ? own : (diffLines(before, after)[0]?.newStart ?? 0);
}

function reportGone(
  gone: ReadonlySet<string>,
  before: readonly string[],
  after: readonly string[],
  name: Sentence,
  report: AuditReport,
): void {
  for (const { oldStart, oldCount, newStart } of diffLines(before, after)) {
    const lost = before.slice(oldStart, oldStart + oldCount).filter(line => gone.has(keyOf(line)));
    if (lost.length > 0) {
      report.error(
        'droppedCode',
        newStart,
        lost.length === 1
          ? sentence('A line of {0} is gone here that the patch does not remove.', name)
          : sentence(
              '{0} lines of {1} are gone here that the patch does not remove.',
              lost.length,
              name,
            ),
      );
    }
  }
}

/** Lines that the patch does not change keep their bytes and their order. */
function checkOthers(
  before: readonly string[],
  tallies: ReadonlyMap<string, Tally>,
  meant: ReadonlySet<string>,
  after: readonly string[],
  report: AuditReport,
): void {
  const isOther = (line: string): boolean => {
    const key = keyOf(line);
    const tally = tallies.get(key);
    return key !== '' && tally?.added === 0 && tally.removed === 0 && !meant.has(key);
  };
  const others = before.filter(isOther);
  let next = 0;
  for (const [row, line] of after.entries()) {
    if (!isOther(line)) continue;
    if (line !== others[next]) {
      report.error(
        'unexplainedChange',
        row,
        sentence('The patch does not change this line, but it is not as it was.'),
      );
      return;
    }
    next++;
  }
}
