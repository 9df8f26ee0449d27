import { lazy } from '../../base/async/lazy';
import { cleanServerText } from '../../base/format/serverText';
import { type Sentence, sentence, written } from '../../base/sentence';
import { isProxyLogin, ServiceError, type Transport } from '../../service';

export interface HostTransport extends Transport {
  /** Which client carries requests to this origin now. */
  used(origin: string): 'undici' | 'host';
}

/** Our own client cannot be used for a request; thrown before anything is sent. */
export class UnusableClient extends Error {
  override readonly name = 'UnusableClient';

  /** @param reason a clause. */
  constructor(readonly reason: Sentence) {
    super(written(reason));
  }
}

export interface TransportChoice {
  /** The setting of the user, read at each call. */
  readonly wanted: () => 'auto' | 'undici' | 'host';
  readonly viaHost: Transport;
  /** Loads our own client; a failure is tried again at the next call. */
  readonly open: () => Promise<Transport>;
  /** Whether VS Code reports which proxy it would use. */
  readonly knowsProxy: () => boolean;
  /** Called once for each reason why the fetch of VS Code is used instead of our own client. */
  readonly onFallback: (reason: string) => void;
}

/**
 * Chooses the client: with `undici`, our own or an error that says why not; with `auto`, our own, or the
 * fetch of VS Code where our own cannot be loaded, created or used.
 */
export class TransportChooser {
  readonly #choice: TransportChoice;
  readonly #open: () => Promise<Transport>;
  /** Origins that only the fetch of VS Code can reach, until a network setting changes. */
  readonly #needsHost = new Set<string>();
  readonly #notified = new Set<string>();

  constructor(choice: TransportChoice) {
    this.#choice = choice;
    this.#open = lazy(async () => choice.open());
  }

  /** @throws {ServiceError} `transport` when the user insists on a client that cannot be loaded. */
  async transport(): Promise<HostTransport> {
    const { wanted, viaHost, knowsProxy } = this.#choice;
    const host: HostTransport = { ...viaHost, used: () => 'host' };
    const setting = wanted();
    if (setting === 'host') return host;
    if (setting === 'auto' && !knowsProxy()) {
      this.#fallBack(sentence('VS Code does not say which proxy it would use'));
      return host;
    }
    try {
      return this.#wrapped(await this.#open());
    } catch (error) {
      const reason = sentence('it cannot be loaded{0}', detailOf(error));
      if (setting === 'undici') throw unusable(reason);
      this.#fallBack(reason);
      return host;
    }
  }

  /** After a change of the network settings, our own client is tried again for every origin. */
  reset(): void {
    this.#needsHost.clear();
    this.#notified.clear();
  }

  #wrapped(own: Transport): HostTransport {
    const { wanted, viaHost } = this.#choice;
    const goesViaHost = (origin: string): boolean =>
      wanted() !== 'undici' && this.#needsHost.has(origin);
    return {
      concurrency: own.concurrency,
      used: origin => (goesViaHost(origin) ? 'host' : 'undici'),
      request: async request => {
        const { origin } = request.url;
        if (goesViaHost(origin)) return viaHost.request(request);
        const insists = wanted() === 'undici';
        let reason: Sentence;
        try {
          const response = await own.request(request);
          if (response.status !== 407 || insists) return response;
          response.cancel();
          reason = sentence('the proxy asks for a login');
        } catch (error) {
          if (error instanceof UnusableClient) ({ reason } = error);
          else if (isProxyLogin(error)) reason = sentence('the proxy asks for a login');
          else throw error;
          if (insists) throw error instanceof UnusableClient ? unusable(reason) : error;
        }
        this.#needsHost.add(origin);
        this.#fallBack(reason);
        return viaHost.request(request);
      },
    };
  }

  #fallBack(reason: Sentence): void {
    const text = written(reason);
    if (this.#notified.has(text)) return;
    this.#notified.add(text);
    this.#choice.onFallback(text);
  }
}

function unusable(reason: Sentence): ServiceError {
  return new ServiceError(
    'transport',
    sentence(
      'The HTTP/2 client cannot be used: {0}. Set "splice.network.transport" to "auto", or reload the window.',
      reason,
    ),
  );
}

/** The code or name of an error: messages of module loaders contain paths. */
export function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return ` (${cleanServerText(code, 64)})`;
}
