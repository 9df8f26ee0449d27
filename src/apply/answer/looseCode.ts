import { pathFromHeading } from '../../markdown';
import { hasOrphanMarks } from '../../merge';
import { linesLookLikeCode } from '../parse/codeShape';
import { damagedCall } from './dialects/toolCalls';
import { type EditPart, part, reasons } from './operations';

/** Minimum number of lines: fewer lines in prose only quote code. */
const minLines = 3;

/**
 * Code in lines that belong to no block, patch or tag: it is named instead of being dropped.
 *
 * @param isProse false within a block, where only names of files are no code.
 */
export function looseCode(lines: readonly string[], isProse: boolean): EditPart[] {
  const found = codeIn(lines, isProse);
  const text = lines.join('\n');
  return found.length === 0 && hasOrphanMarks(text)
    ? [part(text.trim(), { kind: 'none', reason: reasons.incomplete })]
    : found;
}

/** New lines of a diff outside of one, as below a stray fence; a list has a blank behind its marks. */
const isNewRow = (line: string): boolean => /^\+[^\s+\d]/.test(line);
const minNewRows = 2;

function codeIn(lines: readonly string[], isProse: boolean): EditPart[] {
  const hasRows = lines.filter(isNewRow).length >= minNewRows;
  return paragraphs(lines).flatMap(paragraph => {
    if (hasRows && paragraph.some(isNewRow)) return [unclear(paragraph)];
    const signs = paragraph.filter(endsLikeCode).length;
    const isLong = paragraph.length >= minLines && signs * 2 >= paragraph.length;
    const isNamed = paragraph.every(line => pathFromHeading(line) !== undefined);
    const isCode = (isProse ? isLong : !isNamed) && linesLookLikeCode(paragraph);
    if (isCode) return [unclear(paragraph)];
    const calls = paragraph.flatMap(line => damagedCall(line) ?? []);
    return isProse ? [...statementsIn(paragraph), ...calls] : calls;
  });
}

/** Runs of lines that are statements, among lines of prose or of tags that nothing closes. */
function statementsIn(paragraph: readonly string[]): EditPart[] {
  const runs: string[][] = [];
  let isOpen = false;
  for (const line of paragraph) {
    const isCode = isStatement(line);
    if (isCode && !isOpen) runs.push([]);
    if (isCode) runs.at(-1)?.push(line);
    isOpen = isCode;
  }
  return runs.map(unclear);
}

const endsLikeCode = (line: string): boolean => /[;{}()=]\s*$/.test(line.slice(-20));
/** Sentences end with other signs. */
const endsStatement = (line: string): boolean =>
  /[;{}]\s?$/.test(line.slice(-2)) || (line.includes(' = ') && /\)\s?$/.test(line.slice(-2)));

export const isStatement = (line: string): boolean =>
  endsStatement(line) && linesLookLikeCode([line]);

const unclear = (lines: readonly string[]): EditPart =>
  part(lines.join('\n'), { kind: 'none', reason: reasons.loose });

function paragraphs(lines: readonly string[]): string[][] {
  const found: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() !== '') found.at(-1)?.push(line);
    else if (found.at(-1)?.length) found.push([]);
  }
  return found;
}
