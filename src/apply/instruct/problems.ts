import { estimateTokens } from '../../service/tokens';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** What a language says about a place of a file. Lines and columns are 1-based, the end column is exclusive. */
export interface Problem {
  readonly severity: Severity;
  readonly message: string;
  readonly code?: string | undefined;
  /** The tool that found it: `ts`, `eslint`. */
  readonly source?: string | undefined;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly related: readonly RelatedPlace[];
}

export interface RelatedPlace {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Problems of one file that are fixed in one go; more are left for the next run. */
export const mostProblems = 50;
/** Problems of one prompt: with more of them models begin to forget some. */
const mostOfGroup = 15;
const longestMessage = 1000;
const mostRelated = 5;
/** Lines around a problem that belong to it, for the size of a group. */
const aroundLines = 30;

export interface ProblemGroups {
  /** In the order of the file, each in the order of its lines. */
  readonly groups: readonly (readonly Problem[])[];
  readonly count: number;
  /** Problems above {@link mostProblems}. */
  readonly left: number;
}

/**
 * Errors and warnings in groups whose code fits one prompt. Errors come first when there are too many.
 *
 * @param tokens that the code around the problems of one group may have, as estimated.
 */
export function groupProblems(
  all: readonly Problem[],
  lines: readonly string[],
  tokens: number,
): ProblemGroups {
  const wanted = distinct(all).filter(
    ({ severity }) => severity === 'error' || severity === 'warning',
  );
  const chosen = wanted
    .toSorted((a, b) => rank(a) - rank(b) || a.startLine - b.startLine)
    .slice(0, mostProblems)
    .sort((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn);
  const groups: Problem[][] = [];
  let size = 0;
  let shownTo = 0;
  for (const problem of chosen) {
    const from = Math.max(shownTo, problem.startLine - 1 - aroundLines);
    const to = Math.max(from, Math.min(lines.length, problem.endLine + aroundLines));
    const more = estimateTokens(lines.slice(from, to).join('\n'));
    const group = groups.at(-1);
    // The lines of the group above are shown to its own prompt only.
    if (!group || group.length >= mostOfGroup || size + more > tokens) {
      groups.push([problem]);
      size = more;
    } else {
      group.push(problem);
      size += more;
    }
    shownTo = to;
  }
  return { groups, count: chosen.length, left: wanted.length - chosen.length };
}

/** The problems as the prompt lists them: one line each, their related places below. */
export function listProblems(problems: readonly Problem[]): string {
  return problems
    .flatMap(({ severity, message, code, source, related, ...at }, index) => {
      const name = [source, code].filter(part => part !== undefined && part !== '').join(' ');
      const place =
        at.startLine === at.endLine
          ? `line ${at.startLine}, columns ${at.startColumn} to ${at.endColumn}`
          : `lines ${at.startLine} to ${at.endLine}`;
      return [
        `${index + 1}. ${severity}${name === '' ? '' : ` (${name})`}, ${place}: ${oneLine(message)}`,
        ...related
          .slice(0, mostRelated)
          .map(({ path, line, message: more }) => `   see ${path}:${line}: ${oneLine(more)}`),
      ];
    })
    .join('\n');
}

const rank = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1);

const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim().slice(0, longestMessage);

/** Several tools, or one twice, may report the same. */
function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems) {
    const { message, code, startLine, startColumn } = problem;
    const key = JSON.stringify([message, code, startLine, startColumn]);
    if (!seen.has(key)) seen.set(key, problem);
  }
  return [...seen.values()];
}
