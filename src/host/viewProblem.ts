import { type AdviceAction, actionsAfter } from '../service/advice';
import type { PollProblem, PollState } from './poller';
import type { RowData } from './rows';
import { stepsFor } from './steps';
import { type Translate, clockText, spanText } from './words';

/** What every view of things of the service shows when they cannot be read. */

type Shown = Pick<PollState<unknown>, 'problem' | 'at' | 'data'>;

/** Why a view has nothing of the service to show, for `when` clauses; '' when it has. */
export function offReason({ problem, data }: Shown, isTrusted: boolean): string {
  if (!isTrusted) return 'untrusted';
  if (problem && isSetup(problem)) return 'noKey';
  if (data !== undefined) return '';
  return problem ? 'failed' : 'unread';
}

/** The welcome view says what to do. */
const isSetup = ({ kind }: PollProblem): boolean => kind === 'noKey' || kind === 'noUrl';

/** Sentences above the rows: how old they are, why, and when they are read again. */
export function problemSentences(
  { problem, at }: Shown,
  nowMs: number,
  t: Translate,
  locale?: string,
): string[] {
  if (!problem || isSetup(problem)) return [];
  const sentences: string[] = [];
  if (at !== undefined)
    sentences.push(
      t('As of {0}.', nowMs - at < 86_400_000 ? clockText(at, locale) : spanText(nowMs - at, t)),
    );
  sentences.push(problem.text);
  // Some texts name the time themselves.
  if (problem.nextAt !== undefined && !/\d\d:\d\d:\d\d/.test(problem.text))
    sentences.push(t('Next try at {0}.', clockText(problem.nextAt, locale)));
  return sentences;
}

/**
 * The steps that help, as the first rows of the view: VS Code shows the buttons of a welcome view only
 * where there is neither a message nor a row. Above rows of before they are folded into one.
 * @param tryAgain the command that reads the view again.
 */
export function problemRows({ problem, data }: Shown, tryAgain: string, t: Translate): RowData[] {
  if (!problem || isSetup(problem)) return [];
  const known: readonly AdviceAction[] = actionsAfter(problem.kind);
  const retry = {
    title: t('Try Again'),
    command: tryAgain,
    icon: 'refresh',
    arguments: undefined,
  };
  const others = stepsFor([...known, 'diagnose', 'changeApiKey'], t);
  // A key that was refused is refused again.
  const steps =
    known.includes('retry') || known.length === 0 ? [retry, ...others] : [...others, retry];
  const rows = steps.map(
    ({ title, command, icon, arguments: args }): RowData => ({
      id: `problem/${title}`,
      context: ';problem;',
      label: title,
      tooltip: problem.text,
      spoken: t('{0}. {1}', title, problem.text),
      icon: { id: icon },
      command: { id: command, title, ...(args && { args }) },
    }),
  );
  if (data === undefined) return rows;
  return [
    {
      id: 'problem',
      context: ';problem;',
      label: t('Not up to date'),
      tooltip: problem.text,
      spoken: t('{0}. {1}', t('Not up to date'), problem.text),
      icon: { id: 'warning', color: 'list.warningForeground' },
      fold: 'closed',
      children: rows,
    },
  ];
}
