import type { CallOptions, Operation } from './operation';
import { type Clock, Deadline } from './time';
import { type Timeouts, backgroundTimeouts, interactiveTimeouts } from './timeouts';

/** One logical call over all its attempts. */
export class Run<T> {
  readonly operation: Operation<T>;
  readonly options: CallOptions;
  readonly timeouts: Timeouts;
  readonly deadline: Deadline;
  readonly startedAt: number;
  /** Attempts so far, the present one included. */
  attempt = 0;
  /** Attempts that ended with an unknown outcome. */
  unknown = 0;
  /** Characters of the body. */
  sentChars = 0;

  constructor(
    operation: Operation<T>,
    options: CallOptions,
    caller: { readonly clock: Clock; readonly timeouts: Partial<Timeouts> },
  ) {
    this.operation = operation;
    this.options = options;
    this.timeouts = {
      ...(options.background ? backgroundTimeouts : interactiveTimeouts),
      ...operation.timeouts,
      ...caller.timeouts,
    };
    this.deadline = new Deadline(caller.clock, this.timeouts.deadlineMs);
    this.startedAt = caller.clock.monotonic();
  }
}
