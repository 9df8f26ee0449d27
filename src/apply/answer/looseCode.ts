import { sentence } from '../../base/sentence';
import { pathFromHeading } from '../../markdown';
import { hasOrphanMarks } from '../../merge';
import { linesLookLikeCode } from '../parse/codeShape';
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

function codeIn(lines: readonly string[], isProse: boolean): EditPart[] {
  return paragraphs(lines).flatMap(paragraph => {
    const signs = paragraph.filter(line => /[;{}()=]\s*$/.test(line)).length;
    const isLong = paragraph.length >= minLines && signs * 2 >= paragraph.length;
    const isNamed = paragraph.every(line => pathFromHeading(line) !== undefined);
    const isCode = (isProse ? isLong : !isNamed) && linesLookLikeCode(paragraph);
    const reason = sentence(
      'It is code outside of a code block, and it is unclear what it belongs to.',
    );
    return isCode ? [part(paragraph.join('\n'), { kind: 'none', reason })] : [];
  });
}

function paragraphs(lines: readonly string[]): string[][] {
  const found: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() !== '') found.at(-1)?.push(line);
    else if (found.at(-1)?.length) found.push([]);
  }
  return found;
}
