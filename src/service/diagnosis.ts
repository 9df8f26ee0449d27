import type { AdviceAction } from './advice';
import { errorFinding } from './findings';
import { type Clock, isAbortError } from './time';

/**
 * Runs the checks of a connection and writes the report of them. In English everywhere: the report is
 * made to be pasted where somebody else reads it. It holds no key, no user name and no path.
 */

/** `blocked`: not made, because a check that it needs has failed. `skipped`: it does not apply. */
export type Verdict = 'ok' | 'attention' | 'failed' | 'blocked' | 'skipped' | 'canceled';

export interface Finding {
  readonly verdict: Verdict;
  /** A sentence, without secrets. */
  readonly detail: string;
  /** What the user can do. */
  readonly next?: string | undefined;
  /** The command that does it. */
  readonly action?: AdviceAction;
  /** A sentence for the verdict when all is well. */
  readonly note?: string;
}

export interface Check {
  readonly title: string;
  /** Titles of earlier checks; when one of them has failed, this one would only repeat that. */
  readonly needs?: readonly string[];
  /** Asked before the check begins, in a dialog: the time it takes is no time of the network. */
  readonly consent?: () => Promise<Finding | undefined>;
  /** What to do when nothing comes of it in time. */
  readonly timeoutAdvice?: string;
  run(signal: AbortSignal): Promise<Finding>;
}

export interface Step extends Finding {
  readonly title: string;
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
  readonly onCheck: (title: string) => void;
}

/** Runs one check after the other. A check that throws has failed; once `signal` is aborted none begins. */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<Step[]> {
  const { signal, clock, onCheck } = options;
  const steps: Step[] = [];
  /** For each check that failed or was blocked, the title of the one that failed first. */
  const causes = new Map<string, string>();
  for (const check of checks) {
    const { title, needs = [] } = check;
    if (signal.aborted) {
      steps.push({ title, verdict: 'canceled', detail: 'Not run.' });
      continue;
    }
    const cause = needs.map(name => causes.get(name)).find(name => name !== undefined);
    if (cause !== undefined) {
      causes.set(title, cause);
      steps.push({
        title,
        verdict: 'blocked',
        detail: `Not checked, because "${cause}" has failed.`,
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
    if (finding.verdict === 'failed') causes.set(title, title);
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
    detail: `No result after ${maxCheckMs / 1000} s.`,
    next: check.timeoutAdvice ?? 'Check the network, the proxy settings and any firewall between.',
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

const canceled: Finding = { verdict: 'canceled', detail: 'Canceled while it ran.' };

const words: Record<Verdict, string> = {
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
export function verdictOf(steps: readonly Step[]): string {
  const first = firstFailure(steps);
  if (first) return `First cause: ${first.title}. ${first.detail} ${first.next ?? ''}`.trim();
  const count = (verdict: Verdict): number => steps.filter(step => step.verdict === verdict).length;
  if (count('canceled') > 0) return 'Canceled before all checks had run.';
  const notices = count('attention');
  const notes = steps.flatMap(({ note }) => note ?? []);
  if (notices === 0) return ['The connection works.', ...notes].join(' ');
  return [
    `The connection works; ${notices === 1 ? '1 check needs' : `${notices} checks need`} attention.`,
    ...notes,
  ].join(' ');
}

/** Markdown that also reads well as it stands. */
export function reportText({ at, facts, steps }: Report): string {
  const lines = [
    '# Splice connection report',
    '',
    `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`,
    '',
    `**${plain(verdictOf(steps))}**`,
    '',
    '## Checks',
    '',
    ...steps.flatMap(({ title, verdict, detail, next, ms }, index) => [
      `${index + 1}. **${words[verdict]}** ${title}${ms === undefined ? '' : ` (${ms} ms)`}: ${plain(detail)}`,
      ...(next ? [`   - Next: ${plain(next)}`] : []),
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
