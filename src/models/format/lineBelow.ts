import { missingFence } from '../../markdown';

/** What is added to an answer to say something of it: a last line, outside of its code. */
export function lineBelow(answer: string, line: string): string {
  const fence = missingFence(answer);
  return `${fence === undefined ? '' : `\n${fence}`}\n\n*${line}*`;
}

/** The line that says what an answer took. The name is the same in all languages, so that the line is found again. */
export const costLine = (cost: string): string => `Splice: ${cost}`;

const costBelow = /\n\n\*Splice: [^\n*]+\*\s*$/;

/** An earlier answer without the line that says what it took, which is not for the model. */
export function withoutCostBelow(answer: string): string {
  return answer.includes('\n\n*Splice: ') ? answer.replace(costBelow, '') : answer;
}
