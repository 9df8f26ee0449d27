import { splitLines } from '../../base/text/textLines';
import { fencedBlockAt } from '../../markdown';

/** What is added to an answer to say something of it: a last line, outside of its code. */
export function lineBelow(answer: string, line: string): string {
  return `${endOfOpenBlock(answer)}\n\n*${line}*`;
}

/** The line that says what an answer took. The name is the same in all languages, so that the line is found again. */
export const costLine = (cost: string): string => `Splice: ${cost}`;

const costBelow = /\n\n\*Splice: [^\n*]+\*\s*$/;

/** An earlier answer without the line that says what it took, which is not for the model. */
export function withoutCostBelow(answer: string): string {
  return answer.includes('\n\n*Splice: ') ? answer.replace(costBelow, '') : answer;
}

/** Closes the block that an answer leaves open; '' if there is none. */
function endOfOpenBlock(answer: string): string {
  const lines = splitLines(answer);
  for (let at = 0; at < lines.length; at++) {
    const block = fencedBlockAt(lines, at);
    if (!block) continue;
    if (!block.isClosed && block.end === lines.length) {
      const marks = /`{3,}|~{3,}/.exec(lines[at] ?? '')?.[0] ?? '';
      return `\n${marks}`;
    }
    at = block.end - 1;
  }
  return '';
}
