import { type Sentence, sentence } from '../../../base/sentence';
import { splitLines } from '../../../base/text/textLines';
import type { AuditReport } from '../auditReport';
import { findFault, isSyntaxRead } from '../syntax/findFault';
import type { SyntaxFault } from '../syntax/syntaxFault';

const messages: Readonly<Record<SyntaxFault['kind'], (sign: string) => Sentence>> = {
  unclosed: sign => sentence('"{0}" is never closed', sign),
  unexpected: sign => sentence('"{0}" fits nothing that is open here', sign),
  openText: sign => sentence('The text in {0} quotes has no end', sign),
  openComment: sign => sentence('The comment that starts with {0} has no end', sign),
  incomplete: sign => sentence('Something is missing behind the "{0}" of this line', sign),
  secondElse: sign => sentence('"{0}" belongs to nothing here', sign),
  indentation: () => sentence('The indentation of this line fits no block'),
  noBlock: () => sentence('The line above needs a block that is indented further'),
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
    sentence('{0}; the file was well-formed before.', messages[fault.kind](fault.sign)),
  );
  return true;
}
