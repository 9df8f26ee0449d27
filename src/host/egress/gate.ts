import { ServiceError } from '../../service/errors';
import { isRecord } from '../../service/guards';
import { hasSecret } from '../secretText';
import type { Translate } from '../words';
import { CleanTexts } from './cleanTexts';
import type { SentEntry, SentRecord } from './record';
import { ClearedFile, type Purpose, type Sending } from './sending';
import { mapTexts } from './texts';
import { hasSecretBeside, secretLines, withholdSecrets } from './withhold';

/** Nothing was sent, and the message says why. */
export class EgressRefusal extends ServiceError {
  readonly reason: 'untrusted' | 'secret' | 'file' | 'consent';

  constructor(reason: EgressRefusal['reason'], message: string) {
    super('limit', message);
    this.reason = reason;
  }
}

export interface GateOptions {
  readonly isTrusted: () => boolean;
  /** Origin of the service; '' where none is set. */
  readonly origin: () => string;
  readonly record: SentRecord;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly t: Translate;
  /** What was left out of a call that went on without it. */
  readonly onWithheld?: ((purpose: Purpose, count: number) => void) | undefined;
}

/** What may be sent from a workspace that nobody trusts: what the user chose at that moment, or nothing of theirs. */
const untrusted: ReadonlySet<Purpose> = new Set(['classify', 'prompt', 'test']);

/** Calls that fail in one of these ways have sent nothing. */
const beforeSending: ReadonlySet<string> = new Set([
  'noKey',
  'noUrl',
  'badUrl',
  'limit',
  'budget',
  'endpoint',
  'paused',
]);

/** Decides of each call that carries text whether it may leave, and writes down what did. */
export class EgressGate {
  readonly #options: GateOptions;
  readonly #clean = new CleanTexts();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get record(): SentRecord {
    return this.#options.record;
  }

  /**
   * Makes one call, if it may be made.
   * @param call gets the request as it may leave.
   * @throws {EgressRefusal} before anything is sent.
   */
  async send<R, T>(
    operation: string,
    request: R,
    sending: Sending,
    call: (request: R) => Promise<T>,
  ): Promise<T> {
    const { now, record, origin, onWithheld } = this.#options;
    const entry: Omit<SentEntry, 'chars' | 'withheld' | 'outcome'> = {
      at: now(),
      purpose: sending.purpose,
      operation,
      to: sending.to ?? endpointOf(request) ?? origin(),
      files: sending.files?.filter(file => ClearedFile.is(file)) ?? [],
      isAgreed: sending.secrets === 'agreed' || agreedTexts(sending).length > 0,
    };
    let chars = 0;
    let withheld = sending.withheld ?? 0;
    let passed: R;
    try {
      this.#check(sending);
      const agreed = new Set(agreedTexts(sending).flatMap(secretLines));
      passed = mapTexts(request, text => {
        const allowed = this.#allowed(text, sending, agreed);
        chars += allowed.text.length;
        withheld += allowed.count;
        return allowed.text;
      });
    } catch (error) {
      if (error instanceof EgressRefusal)
        record.add({ ...entry, chars: 0, withheld: 0, outcome: 'refused', reason: error.message });
      throw error;
    }
    const settle = record.add({ ...entry, chars, withheld, outcome: 'sending' });
    if (withheld > 0) onWithheld?.(sending.purpose, withheld);
    try {
      const answer = await call(passed);
      settle('sent');
      return answer;
    } catch (error) {
      // What broke off or was canceled may have left.
      settle(error instanceof ServiceError && beforeSending.has(error.kind) ? 'unsent' : 'sent');
      throw error;
    }
  }

  #check(sending: Sending): void {
    const { isTrusted, t } = this.#options;
    const { purpose, files = [] } = sending;
    if (!isTrusted() && !untrusted.has(purpose))
      throw new EgressRefusal(
        'untrusted',
        t('In Restricted Mode nothing is sent to the service. Trust this workspace first.'),
      );
    const needsFile = purpose === 'apply' || purpose === 'edit';
    if ((needsFile && files.length === 0) || !files.every(file => ClearedFile.is(file)))
      throw new EgressRefusal('file', t('Nothing was sent: nobody has looked at the file.'));
    if (purpose === 'watch' && !sending.hasConsent)
      throw new EgressRefusal(
        'consent',
        t('Nothing was sent: you have not agreed to that in this workspace.'),
      );
  }

  /** @param agreed lines of keys and passwords that the user agreed to */
  #allowed(
    text: string,
    sending: Sending,
    agreed: ReadonlySet<string>,
  ): { readonly text: string; readonly count: number } {
    if (sending.secrets === 'agreed') return { text, count: 0 };
    if (this.#clean.isClean(text, hasSecret)) return { text, count: 0 };
    if (sending.secrets === 'withhold') return withholdSecrets(text, agreed);
    if (!hasSecretBeside(text, agreed)) return { text, count: 0 };
    throw new EgressRefusal('secret', this.#refusalText(sending));
  }

  #refusalText({ files: [file] = [] }: Sending): string {
    const { t } = this.#options;
    if (!file)
      return t(
        'The text seems to hold a key or a password, so nothing was sent. Take it out first.',
      );
    return file.isAgreed
      ? t(
          'What goes with {0} seems to hold a key or a password that you were not asked about, so nothing was sent. Take it out, or run the command again.',
          file.name,
        )
      : t(
          '{0}, or what goes with it, seems to hold a key or a password, so nothing was sent. Take it out, or run the command again.',
          file.name,
        );
  }
}

/** What the user agreed to: files by name, and other texts. */
function agreedTexts({ files = [], texts = [] }: Sending): string[] {
  return [...files.map(file => file.agreedText), ...texts].filter(text => text !== '');
}

/** A dedicated endpoint has an address of its own. */
function endpointOf(request: unknown): string | undefined {
  const endpoint = isRecord(request) ? request['endpoint'] : undefined;
  const url = isRecord(endpoint) ? endpoint['url'] : undefined;
  return url instanceof URL ? url.origin : undefined;
}
