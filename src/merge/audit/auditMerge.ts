import { sentence } from '../../base/sentence';
import { splitLines } from '../../base/text/textLines';
import { FileIndex } from '../place/fileIndex';
import { differInCharacters, repairCharacters } from '../repair/characters';
import { withoutCutEnd } from '../repair/cutEnd';
import { withImpliedMarkers } from '../repair/impliedMarkers';
import { readSnippet } from '../snippet/sections';
import { Source } from '../source';
import { type AuditFinding, type AuditOptions, AuditReport } from './auditReport';
import { type AuditText, equalRange, LineCodes, Postings } from './auditText';
import { checkBrackets } from './checks/brackets';
import { checkCharacters } from './checks/characters';
import { checkDuplicates } from './checks/duplicates';
import { checkFileFormat, checkLeftovers } from './checks/fileFormat';
import { checkIndentation, shiftCost } from './checks/indentation';
import { checkMovedEnds } from './checks/movedEnds';
import { checkPlaces } from './checks/places';
import { reportCut, reportLiteral, reportRepairs } from './checks/repairs';
import { checkSelection } from './checks/selection';
import { checkSyntax } from './checks/syntax';
import { checkUnchangedLines } from './checks/unchangedLines';
import { diagnoseMerge } from './diagnoseMerge';
import { explainMerge } from './explainMerge';
import { Fitter } from './fitter';
import { auditPatch } from './patch/auditPatch';
import { checkUnreadPatch } from './patch/leftovers';
import { inOrderOfResult, type ShownSections } from './sectionOrder';

export type { AuditFinding as Finding, FindingKind } from './auditReport';

/**
 * Checks that every difference between the original and the merged text comes from the snippet.
 *
 * Independent of how the merge was made: the sections of the snippet must be in the merged text, the rest must come from
 * the original, and the lines that each section replaced must fit it.
 */
export function auditMerge(
  original: string,
  given: string,
  merged: string,
  options: AuditOptions = {},
): AuditFinding[] {
  if (original === merged && (given === '' || given === original)) {
    return [];
  }
  const repaired = repairCharacters(given, original, options.path);
  const isLiteral = repaired.repairs.length > 0 && differInCharacters(original, merged);
  const { text: update, repairs } = isLiteral ? { text: given, repairs: [] } : repaired;
  const patched = auditPatch(original, update, merged, { ...options, repairs });
  if (patched) return patched;
  const codes = new LineCodes();
  const before = codes.read(original);
  const after = codes.read(merged);
  const read = readSnippet(update, new Set(before.trimmed), options.path);
  let file: FileIndex | undefined;
  const index = (): FileIndex => (file ??= new FileIndex(new Source(original)));
  const { snippet: whole, cut } = withoutCutEnd(read, index);
  const snippet = withImpliedMarkers(whole, index);
  const sections = snippet.sections.map(({ lines }) => codes.ofLines(lines.map(line => line.text)));
  const inOriginal = new Postings(before.codes, codes.count);
  const inMerged = new Postings(after.codes, codes.count);
  const report = new AuditReport(after.height, options.t);

  reportRepairs(repairs, before, after, report);
  if (isLiteral) reportLiteral(before, after, report);
  if (cut !== undefined) reportCut(cut, sections, after, report);
  checkFileFormat(original, merged, report);
  if (!isLiteral) checkCharacters(original, merged, options.path, report);
  checkLeftovers(after, inOriginal, new Set(sections.flatMap(part => [...part.codes])), report);
  checkUnreadPatch(before.texts, splitLines(update), after, report);
  checkSelection(before, after, options, report);
  const isSyntaxKnown = checkSyntax(original, merged, options.path, report);

  const fitter = new Fitter(before, inOriginal);
  const sides = { original: before, merged: after, inOriginal, inMerged };
  const explain = ({ texts }: ShownSections): ReturnType<typeof explainMerge> =>
    explainMerge({
      ...sides,
      sections: texts.map(section => section.codes),
      cost: costOf(texts, before, fitter),
      shiftCost: (nth, newStart) => {
        const section = texts[nth];
        return section ? shiftCost(section, after, newStart) : 0;
      },
    });
  let shown: ShownSections = { texts: sections, sections: snippet.sections };
  let placed = explain(shown);
  const reordered = placed === 'none' ? inOrderOfResult(shown, after, inMerged) : undefined;
  const again = reordered && explain(reordered);
  if (reordered && Array.isArray(again)) {
    shown = reordered;
    placed = again;
  }
  if (placed === 'tooLarge') {
    report.warning(
      'unexplainedChange',
      0,
      sentence(
        'There are too many similar lines to check this result. Compare it with the file before the edit.',
      ),
    );
  } else if (placed === 'none') {
    diagnoseMerge({ ...sides, sections, isSyntaxKnown }, options, report);
  } else {
    checkUnchangedLines(placed, before, after, report);
    checkIndentation(placed, shown.texts, before, after, report);
    const aligned = { ...sides, ...shown, placed, markers: snippet.markers };
    checkPlaces(aligned, fitter, options, report);
    checkMovedEnds(aligned, fitter, report);
    const changed = placed.filter(
      ({ section, oldStart, oldEnd }) =>
        !equalRange(
          shown.texts[section]?.codes ?? new Int32Array(),
          before.codes,
          oldStart,
          oldEnd,
        ),
    );
    if (!isSyntaxKnown) checkBrackets(changed, before, after, options.path, report);
  }
  checkDuplicates(before, after, options.path, report);
  return report.sorted;
}

/** The cost of an unlikely place, used when the comparison would be too large. */
const unknownPlaceCost = 5;

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
      cost = fit ? fitter.maxScore(section) - fit.score : unknownPlaceCost;
      known.set(key, cost);
    }
    return cost;
  };
}
