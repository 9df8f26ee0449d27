import { linesText } from '../../base/format/counts';
import { splitLines } from '../../base/text/textLines';
import { applyChanges, auditMerge, diffLines, hasMarkers, type LineRange } from '../../merge';
import {
  editText,
  type MergeFinding,
  type MergeOutcome,
  type MergeProgress,
  type MergeRequest,
  type MergeService,
  merge,
  mergeLocally,
} from '../changeset/engine';

/**
 * {@link merge} for the edit of a model. With a range, only its lines and the imports of the file may change;
 * other changes are dropped and reported as findings.
 *
 * @param request its `original` has `\n` between lines.
 * @throws {ServiceError} when the call to the service failed.
 */
export async function mergeAnswer(
  request: MergeRequest,
  service: MergeService,
  context: { signal: AbortSignal; now: () => number } & MergeProgress,
): Promise<MergeOutcome> {
  const { range, engine, edit, ...rest } = request;
  if (!range) return merge(request, service, context);
  const isLocal = engine === 'local' || edit.format !== 'snippet';
  if (engine !== 'service' || isLocal) {
    const { outcome: local, isSettled } = mergeSelection(request, range, context.now);
    if (isSettled || isLocal || !(await service.isReady())) return local;
  }
  const whole = await merge({ ...rest, edit, engine: 'service' }, service, context);
  return whole.kind === 'refused' ? whole : confined(request, range, whole).outcome;
}

/** Merges into the whole file first, where places are clearest, then within the selection if that fails. */
function mergeSelection(request: MergeRequest, range: LineRange, now: () => number): Local {
  const { range: _, ...open } = request;
  const inFile = mergeLocally(open, now);
  // A diff or a search/replace block names its place, whatever is selected.
  const isExact = request.edit.format !== 'snippet';
  if (inFile.kind === 'merged' && (inFile.certain || isExact)) {
    const { outcome, isComplete } = confined(request, range, inFile);
    // Without markers, code outside the selection only appears to be deleted.
    if (isComplete || isExact || hasMarkers(editText(request.edit))) {
      return { outcome, isSettled: true };
    }
  }
  const outcome = mergeLocally(request, now);
  return { outcome, isSettled: outcome.kind === 'merged' && outcome.certain };
}

interface Local {
  readonly outcome: MergeOutcome;
  /** The place of the edit is certain, so the service is not needed. */
  readonly isSettled: boolean;
}

interface Confined {
  readonly outcome: MergeOutcome;
  /** Nothing had to be left out. */
  readonly isComplete: boolean;
}

/** Drops the changes of a merge that are neither in the range nor imports. */
function confined(
  { original, edit, path, t }: MergeRequest,
  range: LineRange,
  merged: Extract<MergeOutcome, { kind: 'merged' }>,
): Confined {
  const before = splitLines(original);
  const after = splitLines(merged.text);
  const importsBefore = importsEnd(before);
  const importsAfter = importsEnd(after);
  const from = range.startLine - 1;
  const to = range.endLine;
  const kept: { start: number; count: number; lines: string[] }[] = [];
  const findings: MergeFinding[] = [];
  let left = 0;
  let shift = 0;
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(before, after)) {
    const oldEnd = oldStart + oldCount;
    const isInside = oldStart >= from && oldEnd <= to;
    const isReaching = !isInside && oldStart < to && oldEnd > from;
    const isImport = oldEnd <= importsBefore && newStart + newCount <= importsAfter;
    if (isReaching) {
      return {
        outcome: {
          kind: 'refused',
          reason: t(
            'The edit changes lines {0} to {1} in one piece, but only lines {2} to {3} are selected. Select more lines, or ask for a smaller change.',
            oldStart + 1,
            oldEnd,
            range.startLine,
            range.endLine,
          ),
        },
        isComplete: false,
      };
    }
    if (!isInside && !isImport) {
      left += Math.max(oldCount, newCount);
      continue;
    }
    if (!isInside) {
      findings.push(
        warning(
          'importChanged',
          oldStart + shift + 1,
          t('The imports change too, outside the selected lines.'),
        ),
      );
    }
    kept.push({
      start: oldStart,
      count: oldCount,
      lines: after.slice(newStart, newStart + newCount),
    });
    shift += newCount - oldCount;
  }
  if (left === 0) {
    return {
      outcome: { ...merged, findings: [...findings, ...merged.findings] },
      isComplete: true,
    };
  }
  if (kept.length === 0) {
    return {
      outcome: {
        kind: 'refused',
        reason: t('The edit changes only lines outside the selection. Select more lines.'),
      },
      isComplete: false,
    };
  }
  const text = applyChanges(before, kept).join('\n');
  findings.unshift(
    warning(
      'leftOut',
      range.startLine,
      t(
        'The model also changed {0} outside of the selection. That was left out; check that the rest works without it.',
        linesText(left, t),
      ),
    ),
  );
  const audit =
    edit.format === 'snippet'
      ? auditMerge(original, editText(edit), text, { path, t })
      : merged.findings;
  // `missingEdit` would report the changes that were dropped above.
  const others = audit.filter(({ kind }) => kind !== 'missingEdit');
  return { outcome: { ...merged, text, findings: [...findings, ...others] }, isComplete: false };
}

const warning = (kind: string, line: number, message: string): MergeFinding => ({
  kind,
  severity: 'warning',
  line,
  message,
});

const importLine =
  /^(?:import\b|from\s+\S+\s+import\b|export\s.*\bfrom\b|(?:const|let|var)\s.*=\s*require\(|#\s*include\b|(?:global\s+)?using\s|use\s|pub\s+use\s|require(?:_once|_relative)?\b|@(?:import|use|forward)\b|package\s|extern\s+crate\b)/;
const passedLine = /^(?:$|\/\/|\/\*|\*|#|--|<\?php|"use |'use )/;

/** Number of rows at the start of a file with only imports, comments and blank lines. */
export function importsEnd(lines: readonly string[]): number {
  let depth = 0;
  let docString: string | undefined;
  for (const [row, line] of lines.entries()) {
    const text = line.trim();
    if (docString !== undefined) {
      if (text.includes(docString)) docString = undefined;
      continue;
    }
    const quotes = /^(?:"""|''')/.exec(text)?.[0];
    if (quotes !== undefined) {
      if (!text.slice(3).includes(quotes)) docString = quotes;
      continue;
    }
    const isImport = depth > 0 || importLine.test(text);
    if (!isImport && !passedLine.test(text)) return row;
    if (isImport) depth = Math.max(0, depth + count(text, /[{(]/g) - count(text, /[})]/g));
  }
  return lines.length;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
