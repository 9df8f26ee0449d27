import * as z from 'zod';
import { fenceFor } from '../../markdown';
import { unifiedDiff } from '../../merge';
import { withheldMark } from '../../platform/egress/secrets/withhold';
import { cutAtLine } from '../../platform/tools/toolInput';
import type { MergeFinding } from '../changeset/engine';
import { type ClipboardEdit, parseClipboard } from './clipboard';

/** Edits per call; more would open more reviews than anybody reads. */
const maxEdits = 20;
const maxUpdateLength = 1_000_000;
/** Characters of all diffs in one result; the agent pays for each. */
const maxDiffChars = 20_000;
const maxFindings = 12;

const pathText = '"path" is the path of one file of the workspace, as text.';
const updateText =
  '"update" is the changed code as text: the new lines with "// ... existing code ..." for what stays, or search/replace blocks, or a unified diff.';
const editSchema = z.object({
  path: z.string(pathText).trim().min(1, pathText),
  update: z
    .string(updateText)
    .max(maxUpdateLength, 'The update is longer than 1,000,000 characters.')
    .refine(text => text.trim() !== '', { error: updateText }),
});
const instructionText = '"instruction" is one sentence, as text.';
const instruction = z.string(instructionText).trim().max(2000, instructionText).nullish();

/** One edit or a list of edits. Some hosts reject a top-level `oneOf`, so this is checked here. */
export const applyInput = z
  .looseObject({ edits: z.array(z.unknown(), '"edits" is a list.').nullish(), instruction })
  .transform(({ edits, ...single }, context) => {
    const list = edits ?? [];
    if (list.length > 0 && ('path' in single || 'update' in single)) {
      context.addIssue('Give either "path" and "update", or "edits".');
    }
    if (list.length > maxEdits) context.addIssue(`Give at most ${maxEdits} edits in one call.`);
    const parsed = z.array(editSchema).safeParse(list.length > 0 ? list : [single]);
    for (const issue of parsed.error?.issues ?? []) {
      context.addIssue({
        code: 'custom',
        message: issue.message,
        path: list.length > 0 ? ['edits', ...issue.path] : [],
      });
    }
    return { edits: parsed.data ?? [], instruction: single.instruction ?? undefined };
  });

/** The edit that an agent describes, or why it is refused and what to send instead. */
export function parseToolEdit(update: string): ClipboardEdit | { readonly reason: string } {
  // In the file, it would replace the value that it stands for.
  if (update.includes(withheldMark)) {
    return {
      reason: `The update holds "${withheldMark}", which stands for a value that you were not shown. Leave that line out with "// ... existing code ...".`,
    };
  }
  const content = parseClipboard(update);
  // An agent's update is taken as a snippet even if it does not look like code.
  if (content.kind === 'rejected' && content.isTooMuch) {
    return { reason: 'The update holds far too many code blocks. Send one edit for each file.' };
  }
  if (content.kind === 'rejected') {
    return { format: 'snippet', text: update.replaceAll(/\r\n?/g, '\n') };
  }
  const [edit] = content.edits;
  if (content.edits.length === 1 && edit) return edit;
  return {
    reason: `The update holds ${content.edits.length} edits. Send each as an edit of its own in "edits", with its path.`,
  };
}

/** The outcome of one edit in the report. */
export type EditReport = { readonly path: string } & (
  | {
      readonly kind: 'review';
      readonly before: string;
      readonly after: string;
      readonly findings: readonly MergeFinding[];
      readonly engine: 'local' | 'service';
      readonly isOnTop: boolean;
      readonly note?: string | undefined;
    }
  | { readonly kind: 'unchanged'; readonly isInReview: boolean }
  | { readonly kind: 'refused'; readonly reason: string }
);

const pendingAdvice =
  'Nothing is written yet. The user sees each change in a review, and only what the user accepts reaches the file. Do not send these edits again, and do not write the files in another way. Go on with what does not depend on them, or end your turn and ask the user to accept. A further edit of the same file comes on top of the changes in its review.';
const refusedAdvice =
  'Nothing of it was applied. Read the file again, then send the whole function or block that changes with more unchanged lines around it, or search/replace blocks with exact lines of the file.';

/** The result of a call: what an agent needs in order to continue. */
export function applyReportText(reports: readonly EditReport[]): string {
  let left = maxDiffChars;
  const parts = reports.map(report => {
    if (report.kind === 'refused') {
      return `${report.path}: refused. ${report.reason.replace(/[^.!?]$/, '$&.')}`;
    }
    if (report.kind === 'unchanged') {
      return report.isInReview
        ? `${report.path}: nothing new. The review of this file, which the user has not decided yet, already holds this edit.`
        : `${report.path}: nothing to change. The file already holds this edit.`;
    }
    const { path, before, after } = report;
    const diff = unifiedDiff(path, before, after);
    const shown = cutAtLine(
      diff.text,
      Math.max(0, left),
      chars => `${chars} more characters of this diff; the review shows it whole`,
    );
    left -= shown.length;
    return [
      `${path}: a review is open, +${diff.added} −${diff.removed} lines, merged ${report.engine === 'local' ? 'on this machine' : 'by the service'}.${report.isOnTop ? ' It also holds the changes that were undecided before; the diff shows only the new ones.' : ''}${report.note === undefined ? '' : ` The service did not merge it: ${report.note}`}`,
      findingsText(report.findings),
      `${fenceFor(shown)}diff\n${shown}${fenceFor(shown)}`,
    ].join('\n');
  });
  const isReviewed = reports.some(
    report => report.kind === 'review' || (report.kind === 'unchanged' && report.isInReview),
  );
  const isRefused = reports.some(({ kind }) => kind === 'refused');
  return [isReviewed ? pendingAdvice : '', isRefused ? refusedAdvice : '', ...parts]
    .filter(Boolean)
    .join('\n\n');
}

function findingsText(findings: readonly MergeFinding[]): string {
  if (findings.length === 0) return 'The audit of the merge found nothing.';
  const rows = findings
    .slice(0, maxFindings)
    .map(({ severity, line, message }) => `- ${severity}, line ${line}: ${message}`);
  const more = findings.length - rows.length;
  return [
    'The audit of the merge found:',
    ...rows,
    ...(more > 0 ? [`- and ${more} more, in the review`] : []),
  ].join('\n');
}
