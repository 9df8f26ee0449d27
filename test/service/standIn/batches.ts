import { serviceLimits } from '../../../src/service/limits';
import { hourMs } from './clock';
import { queryInteger, type Route } from './routing';
import type { World } from './world';

/** `completed` is the only one shown; the others are those of lists of this shape. */
const statuses = [
  'completed',
  'completed',
  'in_progress',
  'failed',
  'completed',
  'expired',
  'cancelled',
];
const models = ['svc-glm52-744b', 'svc-qwen35-397b', 'svc-dsv4flash'];

/** Service document, Endpoints, "GET /v1/batches". @param count how many there are. */
export function batchRoutes(world: World, count: number): Route[] {
  let seeded: ReturnType<typeof batch>[] | undefined;
  return [
    {
      method: 'GET',
      path: '/v1/batches',
      handle({ query }) {
        const limit = queryInteger(query, 'limit', [1, serviceLimits.pageSize], 20);
        const after = queryInteger(query, 'after', [0, Number.MAX_SAFE_INTEGER], 0);
        seeded ??= Array.from({ length: count }, (_, n) => batch(count - n, world.clock.now()));
        const data = seeded.slice(after, after + limit);
        return {
          object: 'list',
          data,
          first_id: data[0]?.id ?? null,
          last_id: data.at(-1)?.id ?? null,
          has_more: after + limit < seeded.length,
        };
      },
    },
  ];
}

/** The nth batch of the account; the highest is the newest. */
function batch(n: number, nowMs: number) {
  const created = Math.floor((nowMs - (60 - n) * 5 * hourMs) / 1000);
  const status = statuses[n % statuses.length] ?? 'completed';
  const total = 100 + n * 7;
  const failed = status === 'failed' ? total : n % 5;
  const completed = status === 'completed' ? total - failed : Math.floor((total - failed) / 3);
  const at = (wanted: string, seconds: number): number | null =>
    status === wanted ? created + seconds : null;
  const input = total * 812;
  const output = completed * 140;
  return {
    id: `batch_${String(n).padStart(6, '0')}`,
    object: 'batch',
    endpoint: '/v1/chat/completions',
    input_file_id: `file_in_${n}`,
    completion_window: '24h',
    metadata: { job: `nightly-${n}` },
    created_at: created,
    status,
    model: models[n % models.length],
    output_file_id: `file_out_${n}`,
    error_file_id: `file_err_${n}`,
    in_progress_at: created + 60,
    finalizing_at: at('completed', 3000),
    completed_at: at('completed', 3060),
    failed_at: at('failed', 120),
    expired_at: at('expired', 86_400),
    expires_at: created + 86_400,
    cancelling_at: at('cancelled', 600),
    cancelled_at: at('cancelled', 660),
    request_counts: { total, completed: status === 'failed' ? 0 : completed, failed },
    errors:
      status === 'failed'
        ? {
            object: 'list',
            data: [{ code: 'invalid_file', message: 'line 3 is no JSON', line: 3 }],
          }
        : null,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: Math.floor(input / 4) },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: Math.floor(output / 5) },
      total_tokens: input + output,
    },
  };
}
