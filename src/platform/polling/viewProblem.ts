import { type Translate } from '../../base/format/text';
import { agoText, clockText } from '../../base/format/times';
import { type AdviceAction, actionsAfter } from '../../service';
import { adviceSteps } from '../steps';
import type { RowData } from '../tree/rows';
import type { PollProblem, PollState } from './pollRecord';

/** What views of data of the service show when it cannot be read. */

type ShownState = Pick<PollState<unknown>, 'problem' | 'at' | 'data'>;

/** Why a view has no data to show, for `when` clauses; '' when it has. */
export function unavailableReason({ problem, data }: ShownState, isTrusted: boolean): string {
  if (!isTrusted) return 'untrusted';
  if (problem && isSetup(problem)) return 'noKey';
  if (data !== undefined) return '';
  return problem ? 'failed' : 'unread';
}

/** Problems for which the welcome view says what to do. */
const isSetup = ({ kind }: PollProblem): boolean => kind === 'noKey' || kind === 'noUrl';

/** Messages above the rows: how old the data is, why, and when it is read again. */
export function problemMessages(
  { problem, at }: ShownState,
  nowMs: number,
  t: Translate,
  locale?: string,
): string[] {
  if (!problem || isSetup(problem)) return [];
  const sentences: string[] = [];
  if (at !== undefined) {
    const isToday = nowMs - at < 86_400_000;
    sentences.push(t('As of {0}.', isToday ? clockText(at, locale) : agoText(at, nowMs, locale)));
  }
  sentences.push(problem.text);
  // Some texts contain the time already.
  if (problem.nextAt !== undefined && !/\d\d:\d\d:\d\d/.test(problem.text)) {
    sentences.push(t('Next try at {0}.', clockText(problem.nextAt, locale)));
  }
  return sentences;
}

/**
 * The steps that can help, as the first rows of the view: VS Code shows the buttons of a welcome view only
 * where there is neither a message nor a row. Above older rows they are collapsed into one.
 * @param tryAgain the command that reads the view again.
 */
export function problemRows(
  { problem, data }: ShownState,
  tryAgain: string,
  t: Translate,
): RowData[] {
  if (!problem || isSetup(problem)) return [];
  const known: readonly AdviceAction[] = actionsAfter(problem.kind);
  const retry = {
    title: t('Try Again'),
    command: tryAgain,
    icon: 'refresh',
    arguments: undefined,
  };
  const others = adviceSteps([...known, 'diagnose', 'changeApiKey'], t);
  // Trying again comes first only where it can help.
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
