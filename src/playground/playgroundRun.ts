import { isAbort } from '../base/async/abort';
import { Sequencer } from '../base/async/sequencer';
import { type KnownPrices, stepUsd } from './core/estimate';
import {
  openSteps,
  type RunPlan,
  type RunStep,
  type StepResult,
  type StepState,
  type StepStates,
  stepOf,
} from './core/run';
import { type Concurrency, type ScheduleEnd, schedule } from './core/scheduler';
import type { RunJournal } from './runStore';

/** Few, so that the latency of a call is its own and other features still get through. */
const concurrency: Concurrency = { total: 6, perTarget: 2 };

export interface RunParts {
  readonly plan: RunPlan;
  readonly states: ReadonlyMap<string, StepState>;
  readonly journal: RunJournal;
  readonly perform: (step: RunStep, states: StepStates, signal: AbortSignal) => Promise<StepResult>;
  /** Whether nothing of a failed call was sent. */
  readonly isUnsent: (error: unknown) => boolean;
  /** The message of an error, for the user. */
  readonly messageOf: (error: unknown) => string;
  readonly onChange: () => void;
}

/**
 * Sends the calls of a run. Each call is in the journal before it is sent, and its outcome before it is shown,
 * so that no crash or reload makes a call be sent a second time.
 */
export class PlaygroundRun {
  readonly plan: RunPlan;
  readonly #parts: RunParts;
  readonly #states: Map<string, StepState>;
  readonly #writes = new Sequencer();
  #controller: AbortController | undefined;

  constructor(parts: RunParts) {
    this.plan = parts.plan;
    this.#parts = parts;
    this.#states = new Map(parts.states);
  }

  get states(): StepStates {
    return this.#states;
  }

  get isRunning(): boolean {
    return this.#controller !== undefined;
  }

  /** Starts no more calls and ends those in flight, which may have been billed. */
  cancel(): void {
    this.#controller?.abort();
  }

  /**
   * Sends what was never sent, and the calls that the user wants to send again.
   *
   * @param agreedUsd no call is started that could bring the costs of this time above it
   * @param again calls whose earlier outcome is given up
   * @throws {Error} if the journal cannot be written; nothing is sent then.
   */
  async send(
    agreedUsd: number,
    prices: KnownPrices,
    again: readonly RunStep[] = [],
  ): Promise<ScheduleEnd> {
    if (this.#controller) return 'finished';
    const { plan } = this;
    const controller = (this.#controller = new AbortController());
    const steps = again.length > 0 ? again : openSteps(plan, this.#states);
    let spent = 0;
    let inFlight = 0;
    let failure: unknown;
    const most = (step: RunStep): number => stepUsd(plan, step, prices) ?? 0;
    try {
      const end = await schedule(steps, {
        concurrency,
        signal: controller.signal,
        targetOf: ({ target }) => target,
        isReady: ({ isScore, row, target }) =>
          !isScore || this.#states.get(stepOf(row, target).id)?.kind === 'done',
        // A thousandth for the rounding of sums.
        mayStart: step => spent + inFlight + most(step) <= agreedUsd * 1.001 + 1e-9,
        run: async step => {
          inFlight += most(step);
          try {
            await this.#perform(step, controller.signal);
          } catch (error) {
            failure ??= error;
            controller.abort();
          } finally {
            inFlight -= most(step);
            const state = this.#states.get(step.id);
            // A call without an outcome counts with the most that it can cost.
            if (state?.kind === 'done') spent += state.result.usd ?? 0;
            else if (state?.kind === 'failed' && state.isSent) spent += most(step);
          }
        },
      });
      if (failure !== undefined) throw failure;
      return end;
    } finally {
      this.#controller = undefined;
      this.#parts.onChange();
    }
  }

  async #perform(step: RunStep, signal: AbortSignal): Promise<void> {
    const { journal, perform, isUnsent, messageOf } = this.#parts;
    const { id } = step;
    await this.#writes.run(async () => journal.append({ sent: id }));
    this.#set(id, { kind: 'sent' });
    let state: StepState;
    try {
      if (signal.aborted) {
        state = { kind: 'failed', message: '', isSent: false };
      } else {
        state = { kind: 'done', result: await perform(step, this.#states, signal) };
      }
    } catch (error) {
      state = {
        kind: 'failed',
        message: isAbort(error) ? '' : messageOf(error),
        isSent: !isUnsent(error),
      };
    }
    const event =
      state.kind === 'done'
        ? { done: id, result: state.result }
        : { failed: id, message: state.message, isSent: state.isSent };
    this.#set(id, state);
    await this.#writes.run(async () => journal.append(event));
  }

  #set(id: string, state: StepState): void {
    this.#states.set(id, state);
    this.#parts.onChange();
  }
}
