import { type Clock, Deadline } from '../../base/async/clock';
import type { CallOptions, EndpointTiming, Operation } from './operation';
import { backgroundTimeouts, interactiveTimeouts, type Timeouts } from './timeouts';

/** One call over all its attempts. */
export class CallContext<T> {
  readonly operation: Operation<T>;
  readonly options: CallOptions;
  readonly timeouts: Timeouts;
  readonly deadline: Deadline;
  readonly startedAt: number;
  /** Attempts so far, including the current one. */
  attempt = 0;
  /** Attempts whose outcome is unknown. */
  unknownOutcomes = 0;
  /** Characters of the request body. */
  sentChars = 0;
  timing: EndpointTiming | undefined;

  constructor(
    operation: Operation<T>,
    options: CallOptions,
    defaults: { readonly clock: Clock; readonly timeouts: Partial<Timeouts> },
  ) {
    this.operation = operation;
    this.options = options;
    this.timeouts = {
      ...(options.background ? backgroundTimeouts : interactiveTimeouts),
      ...operation.timeouts,
      ...defaults.timeouts,
    };
    this.deadline = new Deadline(defaults.clock, this.timeouts.deadlineMs);
    this.startedAt = defaults.clock.monotonic();
  }
}
