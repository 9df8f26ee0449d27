import { callsText } from '../base/format/counts';
import { costText } from '../base/format/money';
import { tokensText } from '../base/format/numbers';
import type { Translate } from '../base/format/text';
import type { Cost } from '../service';

/** What the calls for one answer in the chat took. */
export interface AnswerCost {
  readonly calls: number;
  /** Undefined where a call did not report its usage. */
  readonly tokens: number | undefined;
  /** Undefined where the price of a call is not known. */
  readonly cost: Cost | undefined;
}

/** `812 tokens, $0.0012`, `3 calls, 21k tokens, about $0.03`; empty where nothing is known. */
export function answerCostText({ calls, tokens, cost }: AnswerCost, t: Translate): string {
  return [
    ...(calls > 1 ? [callsText(calls, t)] : []),
    ...(tokens === undefined ? [] : [tokensText(tokens, t)]),
    ...(cost === undefined ? [] : [costText(cost, t)]),
  ].join(', ');
}

/** What the newest answer in the chat of this window took. */
export class LastAnswer {
  readonly #listeners = new Set<() => void>();
  #cost: AnswerCost | undefined;

  get cost(): AnswerCost | undefined {
    return this.#cost;
  }

  seen(cost: AnswerCost): void {
    this.#cost = cost;
    for (const listener of this.#listeners) listener();
  }

  onChange(run: () => void): { dispose(): void } {
    this.#listeners.add(run);
    return { dispose: () => this.#listeners.delete(run) };
  }
}
