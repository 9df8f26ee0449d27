import { isAbort } from '../../host/abort';
import type { Translate } from '../../base/sentence';
import { diffLines } from '../../merge/diff/lineDiff';
import { splitLines } from '../../merge/text';
import { explain } from '../../service/advice';
import type { MergeFinding, Merged } from '../engine';
import type { Problem } from './problems';
import { fixInstruction } from './prompt';
import { type Author, type EditClient, type EditContext, type EditOutcome, runEdit } from './run';

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
 * Fixes one group of problems after the other, each in the text that the one before has left. A group
 * that comes to nothing is named in the findings, as long as another one has changed something.
 *
 * @throws whatever the first call throws; later failures are findings.
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
        note(fromLine, t('The problems from here on are not fixed.'), explain(error, t).message),
      );
      break;
    }
    if (outcome.kind !== 'merged') {
      failed = outcome;
      const reason = outcome.kind === 'failed' ? outcome.reason : outcome.answer;
      notes.push(note(fromLine, t('The problems around this line are not fixed.'), reason));
      continue;
    }
    const move = lineMover(text, outcome.merged.text);
    open = open.map((group, at) => (at > nth ? group.map(problem => moved(problem, move)) : group));
    const { merged, update, author } = outcome;
    sum = {
      merged: sum ? both(sum.merged, merged, move) : merged,
      updates: [...(sum?.updates ?? []), update],
      author: sum ? together(sum.author, author) : author,
    };
    for (const [at, finding] of notes.entries())
      notes[at] = { ...finding, line: move(finding.line) };
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

const note = (line: number, what: string, reason: string): MergeFinding => ({
  kind: 'notFixed',
  severity: 'warning',
  line,
  message: `${what} ${reason.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
});

function both(first: Merged, second: Merged, move: (line: number) => number): Merged {
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

function together(a: Author, b: Author): Author {
  const cost =
    a.cost && b.cost
      ? { usd: a.cost.usd + b.cost.usd, isExact: a.cost.isExact && b.cost.isExact }
      : undefined;
  return { model: b.model, ms: a.ms + b.ms, ...(cost && { cost }) };
}

/** Where a 1-based line of `before` stands in `after`. */
export function lineMover(before: string, after: string): (line: number) => number {
  const changes = diffLines(splitLines(before), splitLines(after));
  return line => {
    let shift = 0;
    for (const { oldStart, oldCount, newCount } of changes)
      if (oldStart + oldCount < line) shift += newCount - oldCount;
    return line + shift;
  };
}

const moved = (problem: Problem, move: (line: number) => number): Problem => ({
  ...problem,
  startLine: move(problem.startLine),
  endLine: move(problem.startLine) + problem.endLine - problem.startLine,
});
