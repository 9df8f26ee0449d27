import { isAbort } from '../../base/async/abort';
import type { Translate } from '../../base/sentence';
import { splitLines } from '../../base/text/textLines';
import { diffLines } from '../../merge';
import { adviceFor } from '../../service';
import type { Merged, MergeFinding } from '../changeset/engine';
import type { Problem } from './problems';
import { fixInstruction } from './prompt';
import {
  type Author,
  type EditClient,
  type EditContext,
  type EditOutcome,
  runEdit,
} from './runEdit';

export interface FixTask {
  readonly path: string;
  readonly languageId: string;
  /** The whole file, with `\n` between lines. */
  readonly text: string;
  readonly groups: readonly (readonly Problem[])[];
}

export interface FixContext extends EditContext {
  readonly t: Translate;
  /** Before each prompt. @param nth from 1 */
  readonly onGroup?: ((nth: number, problems: number) => void) | undefined;
}

/**
 * Fixes the groups of problems one after another, each in the result of the one before. A group that fails is
 * reported as a finding, provided that another one changed something.
 *
 * @throws whatever the first call throws; later failures become findings.
 */
export async function runFixes(
  { groups, ...file }: FixTask,
  client: EditClient,
  context: FixContext,
): Promise<EditOutcome> {
  const { t } = context;
  let { text } = file;
  let open = groups;
  let sum: { merged: Merged; updates: string[]; author: Author } | undefined;
  let failed: EditOutcome | undefined;
  const notes: MergeFinding[] = [];
  for (let nth = 0; nth < groups.length; nth++) {
    const problems = open[nth] ?? [];
    const fromLine = problems[0]?.startLine ?? 1;
    context.onGroup?.(nth + 1, problems.length);
    let outcome: EditOutcome;
    try {
      outcome = await runEdit(
        { ...file, text, instruction: fixInstruction, problems },
        client,
        context,
      );
    } catch (error) {
      if (!sum || isAbort(error)) throw error;
      notes.push(
        notFixedFinding(
          fromLine,
          t('The problems from here on are not fixed.'),
          adviceFor(error, t).message,
        ),
      );
      break;
    }
    if (outcome.kind !== 'merged') {
      failed = outcome;
      const reason = outcome.kind === 'failed' ? outcome.reason : outcome.answer;
      notes.push(
        notFixedFinding(fromLine, t('The problems around this line are not fixed.'), reason),
      );
      continue;
    }
    const move = lineMover(text, outcome.merged.text);
    open = open.map((group, at) =>
      at > nth ? group.map(problem => movedProblem(problem, move)) : group,
    );
    const { merged, update, author } = outcome;
    sum = {
      merged: sum ? joinMerges(sum.merged, merged, move) : merged,
      updates: [...(sum?.updates ?? []), update],
      author: sum ? joinAuthors(sum.author, author) : author,
    };
    for (const [at, finding] of notes.entries()) {
      notes[at] = { ...finding, line: move(finding.line) };
    }
    ({ text } = merged);
  }
  if (!sum) return failed ?? { kind: 'words', answer: '', author: { model: '', ms: 0 } };
  return {
    kind: 'merged',
    merged: { ...sum.merged, findings: [...notes, ...sum.merged.findings] },
    update: sum.updates.join('\n'),
    author: sum.author,
  };
}

const notFixedFinding = (line: number, what: string, reason: string): MergeFinding => ({
  kind: 'notFixed',
  severity: 'warning',
  line,
  message: `${what} ${reason.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
});

function joinMerges(first: Merged, second: Merged, move: (line: number) => number): Merged {
  return {
    ...second,
    engine: first.engine === 'service' ? 'service' : second.engine,
    ...(first.model !== undefined && { model: first.model }),
    ms: first.ms + second.ms,
    certain: first.certain && second.certain,
    findings: [
      ...first.findings.map(finding => ({ ...finding, line: move(finding.line) })),
      ...second.findings,
    ],
  };
}

function joinAuthors(a: Author, b: Author): Author {
  const cost =
    a.cost && b.cost
      ? { usd: a.cost.usd + b.cost.usd, isExact: a.cost.isExact && b.cost.isExact }
      : undefined;
  return { model: b.model, ms: a.ms + b.ms, ...(cost && { cost }) };
}

/** Maps 1-based lines of `before` to lines of `after`. */
function lineMover(before: string, after: string): (line: number) => number {
  const changes = diffLines(splitLines(before), splitLines(after));
  return line => {
    let shift = 0;
    for (const { oldStart, oldCount, newCount } of changes) {
      if (oldStart + oldCount < line) shift += newCount - oldCount;
    }
    return line + shift;
  };
}

const movedProblem = (problem: Problem, move: (line: number) => number): Problem => ({
  ...problem,
  startLine: move(problem.startLine),
  endLine: move(problem.startLine) + problem.endLine - problem.startLine,
});
