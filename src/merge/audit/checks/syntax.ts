import { splitLines } from '../../../base/text/textLines';
import type { AuditReport } from '../auditReport';
import { findFault, isSyntaxRead } from '../syntax/findFault';
import type { SyntaxFault } from '../syntax/syntaxFault';

const messages: Readonly<Record<SyntaxFault['kind'], (sign: string) => string>> = {
  unclosed: sign => `"${sign}" is never closed`,
  unexpected: sign => `"${sign}" fits nothing that is open here`,
  openText: sign => `The text in ${sign} quotes has no end`,
  openComment: sign => `The comment that starts with ${sign} has no end`,
  incomplete: sign => `Something is missing behind the "${sign}" of this line`,
  secondElse: sign => `"${sign}" belongs to nothing here`,
  indentation: () => 'The indentation of this line fits no block',
  noBlock: () => 'The line above needs a block that is indented further',
};

/**
 * Reports where a text that was well-formed no longer is. False when that says nothing: the language is not read, or
 * the original is not well-formed as far as this reader knows.
 */
export function checkSyntax(
  original: string,
  merged: string,
  path: string | undefined,
  report: AuditReport,
): boolean {
  if (path === undefined || !isSyntaxRead(path, original, merged)) return false;
  const fault = findFault(merged, path);
  if (fault === undefined) return true;
  // Most merges end above: the original is read only to see whether the fault is new.
  if (findFault(original, path) !== undefined) return false;
  const row = splitLines(merged.slice(0, fault.at)).length - 1;
  report.error(
    'syntax',
    row,
    `${messages[fault.kind](fault.sign)}; the file was well-formed before.`,
  );
  return true;
}
