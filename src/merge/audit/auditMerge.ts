import { checkBrackets } from './brackets';
import { diagnose } from './diagnose';
import { explain } from './explain';
import { Fitter } from './fit';
import { checkForm, checkLeftovers } from './form';
import { checkIndentation, moveCost } from './indent';
import { checkKept } from './kept';
import { checkPlaces } from './places';
import { type AuditOptions, type Finding, Report } from './report';
import { checkSelection } from './selection';
import { type AuditText, equalRange, LineCodes, Postings } from './auditText';
import { readSnippet } from '../snippet/sections';

export type { Finding, FindingKind } from './report';

/**
 * Checks that every difference between the original and the merged text comes from the snippet.
 *
 * It knows nothing of how the merge was made: the sections of the snippet must stand in the merged text, all else there
 * must be the original's, and what each section replaced must fit it.
 */
export function auditMerge(
  original: string,
  update: string,
  merged: string,
  options: AuditOptions = {},
): Finding[] {
  if (original === merged && (update === '' || update === original)) {
    return [];
  }
  const codes = new LineCodes();
  const before = codes.read(original);
  const after = codes.read(merged);
  const snippet = readSnippet(update, new Set(before.trimmed));
  const sections = snippet.sections.map(({ lines }) => codes.ofLines(lines.map(line => line.text)));
  const inOriginal = new Postings(before.codes, codes.count);
  const inMerged = new Postings(after.codes, codes.count);
  const report = new Report(after.height);

  checkForm(original, merged, report);
  checkLeftovers(after, inOriginal, new Set(sections.flatMap(part => [...part.codes])), report);
  checkSelection(before, after, options, report);

  const fitter = new Fitter(before, inOriginal);
  const sides = { original: before, merged: after, inOriginal, inMerged };
  const placed = explain({
    ...sides,
    sections: sections.map(section => section.codes),
    cost: costOf(sections, before, fitter),
    moveCost: (nth, newStart) => {
      const section = sections[nth];
      return section ? moveCost(section, after, newStart) : 0;
    },
  });
  if (placed === 'tooLarge') {
    report.warning(
      'unexplainedChange',
      0,
      'The lines are too many and too alike to check this result. Compare it with the file before the edit.',
    );
  } else if (placed === 'none') {
    diagnose({ ...sides, sections }, options, report);
  } else {
    checkKept(placed, before, after, report);
    checkIndentation(placed, sections, before, after, report);
    const reading = { ...sides, texts: sections, placed, ...snippet };
    checkPlaces(reading, fitter, options, report);
    const changed = placed.filter(
      ({ section, oldStart, oldEnd }) =>
        !equalRange(sections[section]?.codes ?? new Int32Array(), before.codes, oldStart, oldEnd),
    );
    checkBrackets(changed, before, after, options.path, report);
  }
  return report.sorted;
}

/** Cost of an unlikely place, for tables too large to fill. */
const UNKNOWN = 5;

function costOf(
  sections: readonly AuditText[],
  original: AuditText,
  fitter: Fitter,
): (section: number, oldStart: number, oldEnd: number) => number {
  const known = new Map<string, number>();
  return (nth, oldStart, oldEnd) => {
    const section = sections[nth];
    if (!section || equalRange(section.codes, original.codes, oldStart, oldEnd)) {
      return 0;
    }
    const key = `${nth} ${oldStart} ${oldEnd}`;
    let cost = known.get(key);
    if (cost === undefined) {
      const fit = fitter.fit(section, oldStart, oldEnd, { top: true, bottom: true });
      cost = fit ? fitter.most(section) - fit.score : UNKNOWN;
      known.set(key, cost);
    }
    return cost;
  };
}
