import type { Clock } from '../../base/async/clock';
import { type Translate, translated } from '../../base/sentence';
import { adviceFor, briefMessage, causeOf, ServiceError } from '../../service';
import type { PollProblem } from './pollRecord';

const initialBackoffMs = 15_000;
const maxBackoffMs = 600_000;

/** Kinds of errors that only a new key or address resolves. */
const permanentKinds: readonly string[] = ['unauthorized', 'forbidden', 'noKey', 'noUrl', 'badUrl'];

/** The problem to show after a failed read, and the earliest next try, with exponential backoff. */
export function pollProblemOf(
  error: unknown,
  before: PollProblem | undefined,
  { clock, random, t }: { clock: Clock; random: () => number; t: Translate },
): PollProblem {
  const now = clock.now();
  const failures = (before?.failures ?? 0) + 1;
  const [kind, text] =
    error instanceof ServiceError
      ? [(causeOf(error) ?? error).kind, translated(briefMessage(error), t)]
      : (['unknown', adviceFor(error, t).message] as const);
  const problem: PollProblem = { kind, text, at: now, failures };
  if (permanentKinds.includes(kind)) return problem;
  const capMs = Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.min(failures, 10));
  const backoffMs = initialBackoffMs + random() * (capMs - initialBackoffMs);
  const retryAt = error instanceof ServiceError ? (error.retryAt ?? 0) : 0;
  return { ...problem, nextAt: Math.max(retryAt, now + backoffMs) };
}
