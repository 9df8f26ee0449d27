import { estimateTokens } from '../../service';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** A diagnostic. Lines and columns are 1-based, the end column is exclusive. */
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

interface RelatedPlace {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Problems of one file that one command fixes; the rest is left for the next run. */
export const maxProblems = 50;
/** Problems per prompt: models begin to forget some when there are more. */
const maxProblemsPerGroup = 15;
const maxMessageLength = 1000;
const maxRelated = 5;
/** Lines around a problem that count toward the size of its group. */
const aroundLines = 30;

export interface ProblemGroups {
  /** In the order of the file, each in the order of its lines. */
  readonly groups: readonly (readonly Problem[])[];
  readonly count: number;
  /** Problems above {@link maxProblems}. */
  readonly left: number;
}

/**
 * Groups errors and warnings so that the code of each group fits one prompt. If there are too many, errors are kept first.
 *
 * @param tokens limit for the code around the problems of one group, as estimated.
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
    .slice(0, maxProblems)
    .sort((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn);
  const groups: Problem[][] = [];
  let size = 0;
  let shownTo = 0;
  for (const problem of chosen) {
    const from = Math.max(shownTo, problem.startLine - 1 - aroundLines);
    const to = Math.max(from, Math.min(lines.length, problem.endLine + aroundLines));
    const more = estimateTokens(lines.slice(from, to).join('\n'));
    const group = groups.at(-1);
    // Lines that the previous group shows are not in this group's prompt.
    if (!group || group.length >= maxProblemsPerGroup || size + more > tokens) {
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

/** The problems as listed in the prompt: one line each, with the related places below. */
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
          .slice(0, maxRelated)
          .map(({ path, line, message: more }) => `   see ${path}:${line}: ${oneLine(more)}`),
      ];
    })
    .join('\n');
}

const rank = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1);

const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim().slice(0, maxMessageLength);

/** The same problem may be reported by several tools, or twice by one. */
function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems) {
    const { message, code, startLine, startColumn } = problem;
    const key = JSON.stringify([message, code, startLine, startColumn]);
    if (!seen.has(key)) seen.set(key, problem);
  }
  return [...seen.values()];
}
