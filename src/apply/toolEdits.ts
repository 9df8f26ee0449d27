import * as z from 'zod';
import { withheldMark } from '../host/egress/withhold';
import { cutAtLine } from '../host/toolInput';
import { unifiedDiff } from '../merge/diff/unifiedDiff';
import { type ClipboardEdit, parseClipboard } from './clipboard';
import type { MergeFinding } from './engine';

/** Edits of one call; more would open more reviews than anybody reads. */
const mostEdits = 20;
const longestUpdate = 1_000_000;
/** Characters of the diffs of one result; an agent pays for each. */
const diffChars = 20_000;
const mostFindings = 12;

const pathText = '"path" is the path of one file of the workspace, as text.';
const updateText =
  '"update" is the changed code as text: the new lines with "// ... existing code ..." for what stays, or search/replace blocks, or a unified diff.';
const editSchema = z.object({
  path: z.string(pathText).trim().min(1, pathText),
  update: z
    .string(updateText)
    .max(longestUpdate, 'The update is longer than 1,000,000 characters.')
    .refine(text => text.trim() !== '', { error: updateText }),
});
const instructionText = '"instruction" is one sentence, as text.';
const instruction = z.string(instructionText).trim().max(2000, instructionText).nullish();

/** Either one edit, or a list of them. Hosts refuse schemas that say so on the top level. */
export const applyInput = z
  .looseObject({ edits: z.array(z.unknown(), '"edits" is a list.').nullish(), instruction })
  .transform(({ edits, ...single }, context) => {
    const list = edits ?? [];
    if (list.length > 0 && ('path' in single || 'update' in single))
      context.addIssue('Give either "path" and "update", or "edits".');
    if (list.length > mostEdits) context.addIssue(`Give at most ${mostEdits} edits in one call.`);
    const parsed = z.array(editSchema).safeParse(list.length > 0 ? list : [single]);
    for (const issue of parsed.error?.issues ?? [])
      context.addIssue({
        code: 'custom',
        message: issue.message,
        path: list.length > 0 ? ['edits', ...issue.path] : [],
      });
    return { edits: parsed.data ?? [], instruction: single.instruction ?? undefined };
  });

/** The edit of one file that an agent describes; or why it is none, and what to send instead. */
export function editOf(update: string): ClipboardEdit | { readonly reason: string } {
  // Written into the file, it would replace the value that it stands for.
  if (update.includes(withheldMark))
    return {
      reason: `The update holds "${withheldMark}", which stands for a value that you were not shown. Leave that line out with "// ... existing code ...".`,
    };
  const content = parseClipboard(update);
  // A snippet that does not look like code is still what the agent wants in the file.
  if (content.kind === 'rejected' && content.isTooMuch)
    return { reason: 'The update holds far too many code blocks. Send one edit for each file.' };
  if (content.kind === 'rejected')
    return { format: 'snippet', text: update.replaceAll(/\r\n?/g, '\n') };
  const [edit] = content.edits;
  if (content.edits.length === 1 && edit) return edit;
  return {
    reason: `The update holds ${content.edits.length} edits. Send each as an edit of its own in "edits", with its path.`,
  };
}

/** What became of one edit, for the report. */
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

const decides =
  'Nothing is written yet. The user sees each change in a review, and only what the user accepts reaches the file. Do not send these edits again, and do not write the files in another way. Go on with what does not depend on them, or end your turn and ask the user to accept. A further edit of the same file comes on top of the changes in its review.';
const instead =
  'Nothing of it was applied. Read the file again, then send the whole function or block that changes with more unchanged lines around it, or search/replace blocks with exact lines of the file.';

/** The result of a call: what an agent needs in order to go on. */
export function reportText(reports: readonly EditReport[]): string {
  let left = diffChars;
  const parts = reports.map(report => {
    if (report.kind === 'refused')
      return `${report.path}: refused. ${report.reason.replace(/[^.!?]$/, '$&.')}`;
    if (report.kind === 'unchanged')
      return report.isInReview
        ? `${report.path}: nothing new. The review of this file, which the user has not decided yet, already holds this edit.`
        : `${report.path}: nothing to change. The file already holds this edit.`;
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
      `${fence(shown)}diff\n${shown}${fence(shown)}`,
    ].join('\n');
  });
  const isReviewed = reports.some(
    report => report.kind === 'review' || (report.kind === 'unchanged' && report.isInReview),
  );
  const isRefused = reports.some(({ kind }) => kind === 'refused');
  return [isReviewed ? decides : '', isRefused ? instead : '', ...parts]
    .filter(Boolean)
    .join('\n\n');
}

function findingsText(findings: readonly MergeFinding[]): string {
  if (findings.length === 0) return 'The audit of the merge found nothing.';
  const rows = findings
    .slice(0, mostFindings)
    .map(({ severity, line, message }) => `- ${severity}, line ${line}: ${message}`);
  const more = findings.length - rows.length;
  return [
    'The audit of the merge found:',
    ...rows,
    ...(more > 0 ? [`- and ${more} more, in the review`] : []),
  ].join('\n');
}

function fence(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}
