import { fineTuningPageQuery } from '../../../src/service/assumptions';
import { serviceLimits } from '../../../src/service/limits';
import { reflexBase } from './catalogue';
import { hourMs } from './clock';
import { invalid, queryInteger, type Route } from './routing';
import type { World } from './world';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly labels: readonly string[];
  readonly fine_tuned_model: string | null;
  readonly [field: string]: unknown;
}

/** `succeeded` is the only one shown. */
const statuses = ['succeeded', 'succeeded', 'failed', 'succeeded', 'cancelled'];
const topics: readonly (readonly [string, readonly string[]])[] = [
  ['ticket-topic', ['billing', 'bug', 'feature', 'other']],
  ['review-tone', ['harsh', 'neutral', 'kind']],
  ['commit-kind', ['fix', 'feature', 'chore', 'docs']],
  ['needs-human', ['yes', 'no']],
];

/** The account's fine-tuning jobs, newest first; a classifier that one trained answers predictions. */
export class FineTuningJobs {
  readonly #world: World;
  readonly #count: number;
  #jobs: readonly Job[] | undefined;

  constructor(world: World, count: number) {
    this.#world = world;
    this.#count = count;
  }

  get all(): readonly Job[] {
    this.#jobs ??= Array.from({ length: this.#count }, (_, n) =>
      job(this.#count - n, this.#count, this.#world.clock.now()),
    );
    return this.#jobs;
  }

  /** Classes of a trained classifier. */
  labelsOf(name: string): readonly string[] | undefined {
    return this.all.find(({ fine_tuned_model: trained }) => trained === name)?.labels;
  }
}

/** Service document, Endpoints, "GET /v1/fine_tuning/jobs". */
export function fineTuningRoutes(jobs: FineTuningJobs): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/fine_tuning/jobs',
      handle({ query }) {
        const limit = queryInteger(query, 'limit', [1, serviceLimits.pageSize], 20);
        const last = query.get(fineTuningPageQuery);
        const at = last === null ? -1 : jobs.all.findIndex(({ id }) => id === last);
        if (last !== null && at < 0) throw invalid(`no such job: ${fineTuningPageQuery}`);
        const data = jobs.all.slice(at + 1, at + 1 + limit);
        return { object: 'list', data, has_more: at + 1 + limit < jobs.all.length };
      },
    },
  ];
}

function job(n: number, count: number, nowMs: number): Job {
  const age = count - n;
  // The newest ones but the very first are still on their way.
  const status =
    age === 1 ? 'running' : age === 2 ? 'queued' : (statuses[age % statuses.length] ?? 'succeeded');
  const [suffix, labels] = topics[n % topics.length] ?? ['topic', ['a', 'b']];
  const created = Math.floor((nowMs - age * 6 * hourMs) / 1000);
  const hasSucceeded = status === 'succeeded';
  const hasEnded = !['running', 'queued'].includes(status);
  return {
    id: `ftjob-${String(n).padStart(4, '0')}`,
    object: 'fine_tuning.job',
    model: reflexBase,
    created_at: created,
    finished_at: hasEnded ? created + 900 + n : null,
    fine_tuned_model: hasSucceeded ? `${suffix}-${n}` : null,
    status,
    labels,
    trained_examples: hasSucceeded ? 200 + n * 10 : 0,
    hyperparameters: { n_epochs: 3, batch_size: 'auto', learning_rate_multiplier: 'auto' },
    result: hasSucceeded ? { accuracy: 0.9 + (n % 9) / 100, f1_score: 0.88 + (n % 9) / 100 } : null,
    error: status === 'failed' ? { message: 'too few examples for one of the classes' } : null,
    suffix,
  };
}
