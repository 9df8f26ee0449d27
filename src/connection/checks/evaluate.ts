import { type Clock, isAbortError } from '../../base/async/clock';
import { utcText } from '../../base/format/times';
import {
  english,
  type Sentence,
  sentence,
  type Translate,
  translated,
  written,
} from '../../base/sentence';
import type { AdviceAction } from '../../service';
import { errorFinding } from './findings';

/**
 * Runs the checks of a connection and formats their report. The report is always in English, because it is
 * made to be shared. It contains no key, no user name and no path.
 */

/** `blocked`: not run, because a required check has failed. `skipped`: not applicable. */
export type Verdict = 'ok' | 'attention' | 'failed' | 'blocked' | 'skipped' | 'canceled';

export interface CheckFinding {
  readonly verdict: Verdict;
  /** A sentence, without secrets. */
  readonly detail: Sentence;
  /** What the user can do. */
  readonly next?: Sentence | undefined;
  /** The command that does it. */
  readonly action?: AdviceAction;
  /** Added to the verdict when everything works. */
  readonly note?: Sentence;
}

export interface Check {
  readonly title: Sentence;
  /** Titles of required checks; when one of them has failed, this one is blocked. */
  readonly needs?: readonly Sentence[];
  /** Asked in a dialog before the check begins; not included in its duration. */
  readonly consent?: () => Promise<CheckFinding | undefined>;
  /** What to do when the check times out. */
  readonly timeoutAdvice?: Sentence;
  run(signal: AbortSignal): Promise<CheckFinding>;
}

export interface CheckResult extends CheckFinding {
  readonly title: Sentence;
  /** Absent where nothing ran. */
  readonly ms?: number;
}

export interface DiagnosisReport {
  /** ms since the epoch. */
  readonly at: number;
  /** Names and values. */
  readonly facts: readonly (readonly [string, string])[];
  readonly steps: readonly CheckResult[];
}

/** Timeout of one check, in milliseconds. */
const maxCheckMs = 20_000;

interface RunOptions {
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly onCheck: (title: Sentence) => void;
}

/** Runs the checks in order. A check that throws has failed; none begins once `signal` is aborted. */
export async function runChecks(
  checks: readonly Check[],
  options: RunOptions,
): Promise<CheckResult[]> {
  const { signal, clock, onCheck } = options;
  const steps: CheckResult[] = [];
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

/** Ends with the check, its timeout or a cancellation, whichever comes first. */
async function finish(check: Check, { signal, clock }: RunOptions): Promise<CheckFinding> {
  if (signal.aborted) return canceled;
  const limit = new AbortController();
  const cancelTimer = clock.after(maxCheckMs, () => limit.abort());
  const timedOut: CheckFinding = {
    verdict: 'failed',
    detail: sentence('No result after {0} s.', maxCheckMs / 1000),
    next:
      check.timeoutAdvice ??
      sentence('Check the network, the proxy settings and any firewall in between.'),
  };
  const ended = AbortSignal.any([signal, limit.signal]);
  // A name lookup or a connection cannot be aborted; its result is then ignored.
  const aborted = new Promise<CheckFinding>(resolve => {
    const onAbort = (): void => resolve(signal.aborted ? canceled : timedOut);
    ended.addEventListener('abort', onAbort, { once: true });
  });
  const settled = check.run(ended).catch((error: unknown): CheckFinding => {
    if (signal.aborted) return canceled;
    return limit.signal.aborted && isAbortError(error) ? timedOut : errorFinding(error);
  });
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    cancelTimer();
  }
}

const canceled: CheckFinding = { verdict: 'canceled', detail: sentence('Canceled while it ran.') };

const verdictLabels: Record<Verdict, string> = {
  ok: 'OK',
  attention: 'ATTENTION',
  failed: 'FAILED',
  blocked: 'NOT CHECKED',
  skipped: 'SKIPPED',
  canceled: 'CANCELED',
};

/** The check that failed first; the later ones may have failed because of it. */
export function firstFailure(steps: readonly CheckResult[]): CheckResult | undefined {
  return steps.find(({ verdict }) => verdict === 'failed');
}

/** What is wrong and what to do about it, or that nothing is. */
export function verdictOf(steps: readonly CheckResult[], t: Translate): string {
  return verdictSentences(steps)
    .map(words => translated(words, t))
    .join(' ');
}

function verdictSentences(steps: readonly CheckResult[]): Sentence[] {
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

/** Markdown that is also readable as plain text. */
export function diagnosisReportText({ at, facts, steps }: DiagnosisReport): string {
  const lines = [
    '# Splice connection report',
    '',
    utcText(at),
    '',
    `**${plain(verdictOf(steps, english))}**`,
    '',
    '## Checks',
    '',
    ...steps.flatMap(({ title, verdict, detail, next, ms }, index) => [
      `${index + 1}. **${verdictLabels[verdict]}** ${written(title)}${ms === undefined ? '' : ` (${ms} ms)`}: ${plain(written(detail))}`,
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

/** Text of the service as one line, without anything that a preview would render as a link or an element. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[<[\]`]/g, '\\$&');
}
