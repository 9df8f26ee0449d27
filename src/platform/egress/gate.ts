import type { Translate } from '../../base/format/text';
import { isRecord } from '../../base/typeGuards';
import { type CallSource, type CostPurpose, ServiceError } from '../../service';
import type { SentEntry, SentRecord } from './record';
import { CleanTexts } from './secrets/cleanTexts';
import { hasSecret } from './secrets/secretText';
import { hasSecretBeside, secretLines, withholdSecrets } from './secrets/withhold';
import { ClearedFile, type Purpose, type Sending } from './sending';
import { mapTexts } from './texts';

/** A refused call, of which nothing was sent; the message says why. */
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
  /** Called with the number of secrets that were left out of a call. */
  readonly onWithheld?: ((purpose: Purpose, count: number) => void) | undefined;
}

/** Purposes that are allowed in an untrusted workspace: the user chose the text at that moment, or it is not theirs. */
const allowedWhenUntrusted: ReadonlySet<Purpose> = new Set(['classify', 'prompt', 'test']);

/** Kinds of errors of calls that have sent nothing. */
const unsentKinds: ReadonlySet<string> = new Set([
  'noKey',
  'noUrl',
  'badUrl',
  'limit',
  'budget',
  'endpoint',
  'paused',
]);

/** Whether a call failed before anything of it was sent. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof ServiceError && unsentKinds.has(error.kind);

/** Decides whether a call that carries text may be sent, and records what was sent. */
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
   * Makes one call, if it is allowed.
   * @param call gets the request without what must not be sent, and what it is for.
   * @throws {EgressRefusal} before anything is sent.
   */
  async send<R, T>(
    operation: string,
    request: R,
    sending: Sending,
    call: (request: R, source: CallSource) => Promise<T>,
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
      if (error instanceof EgressRefusal) {
        record.add({ ...entry, chars: 0, withheld: 0, outcome: 'refused', reason: error.message });
      }
      throw error;
    }
    const settle = record.add({ ...entry, chars, withheld, outcome: 'sending' });
    if (withheld > 0) onWithheld?.(sending.purpose, withheld);
    try {
      const answer = await call(passed, sourceOf(sending));
      settle('sent');
      return answer;
    } catch (error) {
      // A call that was interrupted or canceled may have been sent.
      settle(isUnsent(error) ? 'unsent' : 'sent');
      throw error;
    }
  }

  #check(sending: Sending): void {
    const { isTrusted, t } = this.#options;
    const { purpose, files = [] } = sending;
    if (!isTrusted() && !allowedWhenUntrusted.has(purpose)) {
      throw new EgressRefusal(
        'untrusted',
        t('In Restricted Mode nothing is sent to the service. Trust this workspace first.'),
      );
    }
    const needsFile = purpose === 'apply' || purpose === 'edit';
    if ((needsFile && files.length === 0) || !files.every(file => ClearedFile.is(file))) {
      throw new EgressRefusal('file', t('Nothing was sent: the file was not checked.'));
    }
    if (purpose === 'watch' && !sending.hasConsent) {
      throw new EgressRefusal(
        'consent',
        t('Nothing was sent: you have not agreed to that in this workspace.'),
      );
    }
  }

  /** @param agreed lines of keys and passwords that the user agreed to send */
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
    if (!file) {
      return t(
        'The text seems to hold a key or a password, so nothing was sent. Take it out first.',
      );
    }
    return file.isAgreed
      ? t(
          'What is sent with {0} seems to hold a key or a password that you were not asked about, so nothing was sent. Take it out, or run the command again.',
          file.name,
        )
      : t(
          '{0}, or what is sent with it, seems to hold a key or a password, so nothing was sent. Take it out, or run the command again.',
          file.name,
        );
  }
}

/** The texts that the user agreed to send. */
function agreedTexts({ files = [], texts = [] }: Sending): string[] {
  return [...files.map(file => file.agreedText), ...texts].filter(text => text !== '');
}

/** A dedicated endpoint has an address of its own. */
function endpointOf(request: unknown): string | undefined {
  const endpoint = isRecord(request) ? request['endpoint'] : undefined;
  const url = isRecord(endpoint) ? endpoint['url'] : undefined;
  return url instanceof URL ? url.origin : undefined;
}

/** The purpose under which the costs of a call are summed; the record of what was sent has more of them. */
const costPurposes: Readonly<Record<Purpose, CostPurpose>> = {
  apply: 'apply',
  edit: 'edit',
  search: 'search',
  rerank: 'search',
  compact: 'compact',
  chat: 'chat',
  prompt: 'chat',
  pickModel: 'auto',
  classifyPrompt: 'auto',
  classify: 'reflex',
  watch: 'reflex',
  guard: 'reflex',
  playground: 'playground',
  batch: 'batch',
  test: 'test',
};

const sourceOf = ({ purpose, chat }: Sending): CallSource => ({
  purpose: costPurposes[purpose],
  chat,
});
