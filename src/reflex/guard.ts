import { hasSecret } from '../host/secretText';
import type { GatedClient } from '../host/egress/gatedClient';
import { ServiceError } from '../service/errors';
import { type Reading, readPrediction } from './reflexes';

/** The reflexes that read a text before a chat model gets it. */
export const guardReflexes: readonly string[] = ['jailbreak', 'guardrail'];

/** Characters of one request: certainly below the service's limit of tokens. */
const pieceChars = 60_000;
/** What stands across the end of a piece is read in the next one too. */
const overlapChars = 1000;

/** What is to be sent, and where it comes from. */
export interface GuardedText {
  readonly text: string;
  readonly source: 'clipboard' | 'file' | 'selection';
  /** Of a file. */
  readonly name?: string | undefined;
}

export type GuardFinding =
  /** The reflexes that are above their threshold, the highest score of each. */
  | { readonly kind: 'positive'; readonly readings: readonly Reading[] }
  /** A key or a password; the text was not sent to the reflexes either. */
  | { readonly kind: 'secret' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface CheckOptions {
  readonly client: Pick<GatedClient, 'predictMany'>;
  /** The user wants it, and the workspace is trusted. */
  readonly isOn: () => boolean;
}

export interface GuardOptions extends CheckOptions {
  /** The user's answer to a warning: true sends the text after all. */
  readonly ask: (finding: GuardFinding, text: GuardedText) => Promise<boolean>;
}

/** @returns why a text had better not be sent; undefined at once, and without a request, while the guard is off. */
export type GuardCheck = (
  text: GuardedText,
  signal: AbortSignal,
) => Promise<GuardFinding | undefined>;

/**
 * Asked by a feature right before it sends content of the clipboard or of a file to a chat model:
 * `if (!(await guard(text, signal))) return;`
 */
export type Guard = (text: GuardedText, signal: AbortSignal) => Promise<boolean>;

export function createCheck({ client, isOn }: CheckOptions): GuardCheck {
  return async ({ text }, signal) =>
    isOn() && text.trim() !== '' ? look(client, text, signal) : undefined;
}

/** @returns a function that says whether the text may be sent. */
export function createGuard({ ask, ...options }: GuardOptions): Guard {
  const check = createCheck(options);
  return async (guarded, signal) => {
    const finding = await check(guarded, signal);
    return finding === undefined || ask(finding, guarded);
  };
}

async function look(
  client: CheckOptions['client'],
  text: string,
  signal: AbortSignal,
): Promise<GuardFinding | undefined> {
  if (hasSecret(text)) return { kind: 'secret' };
  const positive = new Map<string, Reading>();
  try {
    for (let from = 0, end = 0; end < text.length; from = end - overlapChars) {
      end = from + pieceChars;
      const piece = text.slice(from, end);
      const { predictions, failures } = await client.predictMany(
        { models: guardReflexes, text: piece },
        { signal, sending: { purpose: 'guard' } },
      );
      const [failure] = failures;
      if (failure)
        throw new ServiceError('protocol', 'a reflex gave no prediction', {
          serverText: failure.message,
        });
      for (const reading of predictions.map(readPrediction))
        if (reading.isWarning && scoreOf(reading) > scoreOf(positive.get(reading.reflex)))
          positive.set(reading.reflex, reading);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'failed', error };
  }
  return positive.size > 0 ? { kind: 'positive', readings: [...positive.values()] } : undefined;
}

const scoreOf = (reading: Reading | undefined): number => reading?.selected[0]?.score ?? -1;
