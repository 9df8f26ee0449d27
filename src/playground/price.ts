import * as vscode from 'vscode';
import { callsText } from '../base/format/counts';
import { sumUsd } from '../base/format/money';
import { numberText } from '../base/format/numbers';
import { confirm } from '../platform/confirm';
import { type Estimate, estimate, estimateByTarget, type KnownPrices } from './core/estimate';
import type { RunPlan, RunStep } from './core/run';
import type { ScheduleEnd } from './core/scheduler';

const { t } = vscode.l10n;

const shownCalls = (calls: number): string =>
  callsText(calls, t, numberText(calls, vscode.env.language));

/** `12 calls, at most about $0.02`. */
export function estimateText({ calls, usd, unpriced }: Estimate): string {
  const most = t('{0}, at most about {1}', shownCalls(calls), sumUsd(usd));
  return unpriced === 0
    ? most
    : t('{0}, plus {1} without a known price', most, shownCalls(unpriced));
}

/**
 * Shows what the calls cost at most, and asks.
 * @returns US dollars that the user has agreed to; undefined if nothing may be sent.
 */
export async function agreedPrice(
  plan: RunPlan,
  steps: readonly RunStep[],
  prices: KnownPrices,
): Promise<number | undefined> {
  const all = estimate(plan, steps, prices);
  const lines = estimateByTarget(plan, steps, prices).flatMap((each, at) =>
    each.calls > 0 ? [`${plan.targets[at]?.label ?? ''}: ${estimateText(each)}`] : [],
  );
  const isAgreed = await confirm(
    t('Send {0}?', shownCalls(all.calls)),
    [
      ...lines,
      t(
        'In all {0}. The estimate assumes the longest answers; no call starts that could go beyond it.',
        estimateText(all),
      ),
    ].join('\n'),
    t('Send'),
    t('Do Not Send'),
  );
  return isAgreed ? all.usd : undefined;
}

/** Why a run ended before all was sent. */
export function endText(end: ScheduleEnd, agreedUsd: number): string | undefined {
  if (end === 'canceled') return t('Canceled. What was not sent yet can be sent later.');
  return end === 'held'
    ? t(
        'Stopped at the agreed {0}: what is left could cost more than that. You can send it for a new price.',
        sumUsd(agreedUsd),
      )
    : undefined;
}
