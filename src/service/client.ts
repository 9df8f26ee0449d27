import { Caller, type CallerOptions, type Wait } from './caller';
import { ServiceError } from './errors';
import { systemClock } from './time';
import { type Timeouts, interactiveTimeouts } from './timeouts';
import type { ApplyModel, ApplyParts } from './wire/apply';
import type { Usage } from './wire/chat';

export { parseBaseUrl } from './baseUrl';

export type ClientOptions = Pick<CallerOptions, 'baseUrl' | 'apiKey' | 'transport'> &
  Partial<Pick<CallerOptions, 'clock' | 'random' | 'log'>> & { timeouts?: Partial<Timeouts> };

export interface ApplyRequest extends ApplyParts {
  /** `auto` when absent: the service picks. */
  readonly model?: ApplyModel | undefined;
}

export interface ApplyOptions {
  readonly signal: AbortSignal;
  /** Read the answer while it is written; a failure after the first words is then not repeated. */
  readonly stream?: boolean | undefined;
  /** The file as far as it has come; only with `stream`, at most once per network read. */
  readonly onText?: ((textSoFar: string) => void) | undefined;
  /** Told before a wait between two attempts. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

export interface ApplyResult {
  /** The fully merged file. */
  readonly text: string;
  /** The model that did it, or the one that was asked for when the service does not say. */
  readonly model: string;
  readonly requestId?: string;
  readonly usage?: Usage;
  readonly attempts: number;
  /** Over all attempts and waits. */
  readonly ms: number;
}

/** The inference service. Features take the slice that they use: `Pick<ServiceClient, 'apply'>`. */
export class ServiceClient {
  readonly #caller: Caller;

  constructor(options: ClientOptions) {
    this.#caller = new Caller({
      ...options,
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      log: options.log ?? (() => undefined),
      timeouts: { ...interactiveTimeouts, ...options.timeouts },
    });
  }

  /**
   * Merges an edit snippet into a file.
   *
   * @returns the whole merged file; at temperature 0, so the same request gives the same file.
   * @throws {ServiceError} `truncated` when the file is not whole (its `partial` holds what came), and
   *   every other kind but `badUrl` typed by hand.
   * @throws {AbortError} as soon as `signal` is aborted.
   * @see service document, Endpoints, "Apply"
   */
  async apply(request: ApplyRequest, options: ApplyOptions): Promise<ApplyResult> {
    const { model = 'auto', original } = request;
    const { signal, stream = false, onText, onWait } = options;
    // Loaded here and not at activation: zod costs 89 KB.
    const [{ applyMessage, stripFence }, chat] = await Promise.all([
      import('./wire/apply'),
      import('./wire/chat'),
    ]);
    const { content, restore } = applyMessage(request);
    const outcome = await this.#caller.call(
      {
        callClass: 'compute',
        method: 'POST',
        path: '/v1/chat/completions',
        accept: stream ? 'text/event-stream' : 'application/json',
        body: {
          model,
          messages: [{ role: 'user', content }],
          temperature: 0,
          ...(stream ? { stream } : {}),
        },
        read: reply =>
          stream
            ? chat.streamCompletion(reply, onText && (text => onText(restore(text))))
            : chat.readCompletion(reply),
        onWait,
      },
      signal,
    );
    const { value, requestId, attempts, ms } = outcome;
    const text = stripFence(restore(value.text), request);
    if (original.trim() !== '' && text.trim() === '') {
      const error = new ServiceError('truncated', 'the merged file is empty', { requestId });
      error.attempts = attempts;
      throw error;
    }
    return {
      text,
      model: value.model ?? model,
      attempts,
      ms,
      ...(requestId === undefined ? {} : { requestId }),
      ...(value.usage ? { usage: value.usage } : {}),
    };
  }
}
