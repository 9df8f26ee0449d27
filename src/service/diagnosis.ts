import {
  type Sentence,
  type Translate,
  english,
  sentence,
  translated,
  written,
} from '../base/sentence';
import type { AdviceAction } from './advice';
import { errorFinding } from './findings';
import { type Clock, isAbortError } from './time';

/**
 * Runs the checks of a connection and writes the report of them. The report is in English everywhere: it
 * is made to be pasted where somebody else reads it. It holds no key, no user name and no path.
 */

/** `blocked`: not made, because a check that it needs has failed. `skipped`: it does not apply. */
export type Verdict = 'ok' | 'attention' | 'failed' | 'blocked' | 'skipped' | 'canceled';

export interface Finding {
  readonly verdict: Verdict;
  /** A sentence, without secrets. */
  readonly detail: Sentence;
  /** What the user can do. */
  readonly next?: Sentence | undefined;
  /** The command that does it. */
  readonly action?: AdviceAction;
  /** A sentence for the verdict when all is well. */
  readonly note?: Sentence;
}

export interface Check {
  readonly title: Sentence;
  /** Titles of earlier checks; when one of them has failed, this one would only repeat that. */
  readonly needs?: readonly Sentence[];
  /** Asked before the check begins, in a dialog: the time it takes is no time of the network. */
  readonly consent?: () => Promise<Finding | undefined>;
  /** What to do when nothing comes of it in time. */
  readonly timeoutAdvice?: Sentence;
  run(signal: AbortSignal): Promise<Finding>;
}

export interface Step extends Finding {
  readonly title: Sentence;
  /** Absent where nothing ran. */
  readonly ms?: number;
}

export interface Report {
  /** ms since the epoch. */
  readonly at: number;
  /** Names and values. */
  readonly facts: readonly (readonly [string, string])[];
  readonly steps: readonly Step[];
}

/** Longest time of one check, in milliseconds. */
const maxCheckMs = 20_000;

interface RunOptions {
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly onCheck: (title: Sentence) => void;
}

/** Runs one check after the other. A check that throws has failed; once `signal` is aborted none begins. */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<Step[]> {
  const { signal, clock, onCheck } = options;
  const steps: Step[] = [];
  /** For each check that failed or was blocked, the title of the one that failed first. */
  const causes = new Map<string, Sentence>();
  for (const check of checks) {
    const { title, needs = [] } = check;
    if (signal.aborted) {
      steps.push({ title, verdict: 'canceled', detail: sentence('Not run.') });
      continue;
    }
    const cause = needs.map(name => causes.get(name.text)).find(name => name !== undefined);
    if (cause !== undefined) {
      causes.set(title.text, cause);
      steps.push({
        title,
        verdict: 'blocked',
        detail: sentence('Not checked, because "{0}" has failed.', cause),
      });
      continue;
    }
    onCheck(title);
    const refused = await check.consent?.();
    if (refused) {
      steps.push({ title, ...refused });
      continue;
    }
    const startedAt = clock.monotonic();
    const finding = await finish(check, options);
    const ms = Math.round(clock.monotonic() - startedAt);
    if (finding.verdict === 'failed') causes.set(title.text, title);
    steps.push({ title, ...finding, ...(finding.verdict === 'skipped' ? {} : { ms }) });
  }
  return steps;
}

/** Ends with the check, with its time, or with a cancel, whichever comes first. */
async function finish(check: Check, { signal, clock }: RunOptions): Promise<Finding> {
  if (signal.aborted) return canceled;
  const limit = new AbortController();
  const cancelTimer = clock.after(maxCheckMs, () => limit.abort());
  const timedOut: Finding = {
    verdict: 'failed',
    detail: sentence('No result after {0} s.', maxCheckMs / 1000),
    next:
      check.timeoutAdvice ??
      sentence('Check the network, the proxy settings and any firewall between.'),
  };
  const ended = AbortSignal.any([signal, limit.signal]);
  // A name look-up or a connection cannot be stopped; its result is then left alone.
  const aborted = new Promise<Finding>(resolve => {
    const onAbort = (): void => resolve(signal.aborted ? canceled : timedOut);
    ended.addEventListener('abort', onAbort, { once: true });
  });
  const settled = check.run(ended).catch((error: unknown): Finding => {
    if (signal.aborted) return canceled;
    return limit.signal.aborted && isAbortError(error) ? timedOut : errorFinding(error);
  });
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    cancelTimer();
  }
}

const canceled: Finding = { verdict: 'canceled', detail: sentence('Canceled while it ran.') };

const verdictWords: Record<Verdict, string> = {
  ok: 'OK',
  attention: 'ATTENTION',
  failed: 'FAILED',
  blocked: 'NOT CHECKED',
  skipped: 'SKIPPED',
  canceled: 'CANCELED',
};

/** The check that failed first; the later ones may have failed because of it. */
export function firstFailure(steps: readonly Step[]): Step | undefined {
  return steps.find(({ verdict }) => verdict === 'failed');
}

/** What is wrong and what to do about it, or that nothing is. */
export function verdictOf(steps: readonly Step[], t: Translate): string {
  return verdictSentences(steps)
    .map(words => translated(words, t))
    .join(' ');
}

function verdictSentences(steps: readonly Step[]): Sentence[] {
  const first = firstFailure(steps);
  if (first) {
    const cause = sentence('First cause: {0}. {1}', first.title, first.detail);
    return first.next ? [cause, first.next] : [cause];
  }
  const count = (verdict: Verdict): number => steps.filter(step => step.verdict === verdict).length;
  if (count('canceled') > 0) return [sentence('Canceled before all checks had run.')];
  const notes = steps.flatMap(({ note }) => note ?? []);
  return [wellSentence(count('attention')), ...notes];
}

function wellSentence(notices: number): Sentence {
  if (notices === 0) return sentence('The connection works.');
  return notices === 1
    ? sentence('The connection works; 1 check needs attention.')
    : sentence('The connection works; {0} checks need attention.', notices);
}

/** Markdown that also reads well as it stands. */
export function reportText({ at, facts, steps }: Report): string {
  const lines = [
    '# Splice connection report',
    '',
    `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`,
    '',
    `**${plain(verdictOf(steps, english))}**`,
    '',
    '## Checks',
    '',
    ...steps.flatMap(({ title, verdict, detail, next, ms }, index) => [
      `${index + 1}. **${verdictWords[verdict]}** ${written(title)}${ms === undefined ? '' : ` (${ms} ms)`}: ${plain(written(detail))}`,
      ...(next ? [`   - Next: ${plain(written(next))}`] : []),
    ]),
    '',
    '## Environment',
    '',
    ...facts.map(([name, value]) => `- ${name}: ${plain(value)}`),
    '',
    'No key, user name, path or file content is in this report.',
    '',
  ];
  return lines.join('\n');
}

/** One line, and nothing that a preview would turn into a link or an element: texts of the service are in it. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[<[\]`]/g, '\\$&');
}
