import { formatUsd } from '../../base/format/money';
import { sentence } from '../../base/sentence';
import { ServiceError } from '../errors';
import { type CostPurpose, purposeName } from './costPurpose';
import type { BudgetNotice } from './ledger';

export interface Budget {
  /** US dollars per month; 0 means no budget. */
  readonly usd: number;
  /** Whether calls that cost money are refused once it is spent. */
  readonly stops: boolean;
  /** US dollars per month by {@link CostPurpose}, which stop calls of the purpose once they are spent. */
  readonly byPurpose?: Readonly<Record<string, number>>;
}

export interface BudgetWarning {
  /** 80 or 100. */
  readonly percent: number;
  readonly budget: Budget;
  readonly spentUsd: number;
}

/** Percentages of the budget at which the user is warned, once each. */
const warnAt = [100, 80] as const;

/**
 * The warning that is due, if any: each once a month for the same budget, and none below one that has
 * been given.
 */
export function dueWarning(
  budget: Budget,
  spentUsd: number,
  given: readonly BudgetNotice[],
): BudgetWarning | undefined {
  if (budget.usd <= 0) return undefined;
  const percent = warnAt.find(level => spentUsd >= (budget.usd * level) / 100);
  if (percent === undefined) return undefined;
  const isGiven = given.some(
    notice => notice.budgetUsd === budget.usd && notice.percent >= percent,
  );
  return isGiven ? undefined : { percent, budget, spentUsd };
}

export function isSpent(budget: Budget, spentUsd: number): boolean {
  return budget.usd > 0 && spentUsd >= budget.usd;
}

/** The error of a call that is refused. */
export function budgetError(budget: Budget, spentUsd: number): ServiceError {
  return new ServiceError(
    'budget',
    sentence(
      'The monthly budget of {0} is spent: the calls of this month cost {1}. Nothing was sent.',
      formatUsd(budget.usd),
      formatUsd(spentUsd),
    ),
  );
}

/** The error of a call whose purpose has spent its own budget. */
export function purposeBudgetError(
  purpose: CostPurpose,
  budgetUsd: number,
  spentUsd: number,
): ServiceError {
  return new ServiceError(
    'budget',
    sentence(
      'The monthly budget of {0} for {1} is spent: its calls of this month cost {2}. Nothing was sent.',
      formatUsd(budgetUsd),
      purposeName(purpose),
      formatUsd(spentUsd),
    ),
  );
}
