import { sentence } from '../../../base/sentence';
import { splitLines } from '../../../base/text/textLines';
import { isChange, type PatchHunk } from '../../patch/hunks';
import type { SearchReplaceBlock } from '../../patch/read/searchReplace';
import { patchOfBlocks, patchOfDiff, type ReadPatch, readPatch } from '../../patch/readPatch';
import { repairedBlocks } from '../../patch/repairedBlocks';
import { repairCharacters } from '../../repair/characters';
import type { CharacterDamage } from '../../repair/damageKinds';
import { displayName } from '../../result';
import { type AuditFinding, type AuditOptions, AuditReport } from '../auditReport';
import { LineCodes } from '../auditText';
import { checkCharacters } from '../checks/characters';
import { checkDuplicates } from '../checks/duplicates';
import { checkFileFormat } from '../checks/fileFormat';
import { reportRepairs } from '../checks/repairs';
import { checkSelection } from '../checks/selection';
import { checkSyntax } from '../checks/syntax';
import { checkAnchors } from './anchors';
import { checkBalance } from './balance';
import { checkLeftoverSyntax, checkUnreadRows } from './leftovers';
import { checkNeighbors } from './neighbors';
import { linesAsSaid } from './strictPatch';

interface PatchAuditOptions extends AuditOptions {
  /** What was repaired in the patch before it was read. */
  readonly repairs?: readonly CharacterDamage[];
  /** The patch as it was given, where it is a diff. */
  readonly update?: string;
}

/** Checks that a merged text is the original with what a patch says; undefined when the update is no patch. */
export function auditPatch(
  original: string,
  update: string,
  merged: string,
  options: PatchAuditOptions,
): AuditFinding[] | undefined {
  const patch = readPatch(original, update);
  return patch?.kind === 'hunks' && !patch.isHalf
    ? auditHunks(original, patch.hunks, merged, { ...options, update })
    : undefined;
}

/** Checks that a merged text is the original with what a diff of one file says. */
export function auditDiff(
  original: string,
  diff: string,
  merged: string,
  options: AuditOptions = {},
): AuditFinding[] {
  const { text, repairs } = repairCharacters(diff, original, options.path);
  const read = { ...options, repairs, update: diff };
  return auditRead(original, patchOfDiff(original, text), merged, read);
}

/** Checks that a merged text is the original with what search/replace blocks say. */
export function auditBlocks(
  original: string,
  blocks: readonly SearchReplaceBlock[],
  merged: string,
  options: AuditOptions = {},
): AuditFinding[] {
  const repaired = repairedBlocks(original, blocks, options.path);
  const patch = patchOfBlocks(original, repaired.blocks);
  return auditRead(original, patch, merged, { ...options, repairs: repaired.repairs });
}

function auditRead(
  original: string,
  patch: ReadPatch,
  merged: string,
  options: PatchAuditOptions,
): AuditFinding[] {
  return patch.kind === 'hunks' ? auditHunks(original, patch.hunks, merged, options) : [];
}

/** Independent of how the patch was applied: the hunks are placed anew where they stand as they are, else counted. */
function auditHunks(
  original: string,
  hunks: readonly PatchHunk[],
  merged: string,
  options: PatchAuditOptions,
): AuditFinding[] {
  const [before, after] = [linesOf(original), linesOf(merged)];
  const report = new AuditReport(after.length, options.t);
  checkFormat(original, hunks, merged, report);
  checkCharacters(original, merged, options.path, report);
  const { range, repairs = [] } = options;
  const codes = new LineCodes();
  const [old, fresh] = [codes.read(original), codes.read(merged)];
  checkDuplicates(old, fresh, options.path, report);
  if (range || repairs.length > 0) {
    checkSelection(old, fresh, options, report);
    reportRepairs(repairs, old, fresh, report);
  }
  const changes = hunks.filter(({ lines }) => lines.some(isChange));
  const said = linesAsSaid(before, changes);
  const differs = said ? firstDifference(said, after) : undefined;
  if (differs !== undefined) {
    report.error(
      'unexplainedChange',
      differs,
      sentence('From this line on, the result is not what the patch makes of the file.'),
    );
  } else if (!said) {
    checkBalance(before, changes, after, displayName(options), report);
    checkNeighbors(changes, after, report);
  }
  checkSyntax(original, merged, options.path, report);
  checkAnchors(before, changes, after, report);
  checkLeftoverSyntax(before, changes, after, report);
  if (repairs.length === 0) checkUnreadRows(splitLines(options.update ?? ''), after, report);
  return report.sorted;
}

/** A patch may say that the file ends with a newline, or without. */
function checkFormat(
  original: string,
  hunks: readonly PatchHunk[],
  merged: string,
  report: AuditReport,
): void {
  const saysEnd = hunks.some(({ endsOpen }) => endsOpen !== undefined);
  checkFileFormat(original, saysEnd ? withEndOf(original, merged) : merged, report);
}

function withEndOf(original: string, merged: string): string {
  const end = /\r\n$|\n$|\r$/.exec(original)?.[0] ?? '';
  return merged.replace(/\r\n$|\n$|\r$/, '') + end;
}

/** Without byte order mark and the last line end. */
function linesOf(text: string): string[] {
  const lines = splitLines(text.replace(/^\uFEFF/, ''));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function firstDifference(one: readonly string[], other: readonly string[]): number | undefined {
  const at = other.findIndex((line, row) => line !== one[row]);
  return at >= 0 ? at : one.length === other.length ? undefined : other.length;
}
