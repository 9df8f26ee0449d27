import type { GatedClient } from '../../platform/egress/gatedClient';
import { hasSecret } from '../../platform/egress/secrets/secretText';
import { ServiceError } from '../../service';
import { type ReflexReading, readPrediction } from '../reflexes';

/** Reflexes that check a text before it is sent to a chat model. */
const guardReflexes: readonly string[] = ['jailbreak', 'guardrail'];

/** Characters per request, safely below the service's token limit. */
const pieceChars = 60_000;
/** Characters that consecutive pieces share, so that nothing is missed at a boundary. */
const overlapChars = 1000;

/** A text that is about to be sent, and where it comes from. */
export interface GuardedText {
  readonly text: string;
  readonly source: 'clipboard' | 'file' | 'selection';
  /** Name of the file. */
  readonly name?: string | undefined;
}

export type GuardFinding =
  /** Reflexes above their threshold, each with its highest score. */
  | { readonly kind: 'positive'; readonly readings: readonly ReflexReading[] }
  /** The text contains a key or a password; it was not sent to the reflexes either. */
  | { readonly kind: 'secret' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface CheckOptions {
  readonly client: Pick<GatedClient, 'predictMany'>;
  /** Whether the guard is turned on and the workspace is trusted. */
  readonly isOn: () => boolean;
}

export interface GuardOptions extends CheckOptions {
  /** Asks the user about a finding; true sends the text anyway. */
  readonly ask: (finding: GuardFinding, text: GuardedText) => Promise<boolean>;
}

/** @returns why a text should not be sent; undefined, without a request, while the guard is off. */
export type GuardCheck = (
  text: GuardedText,
  signal: AbortSignal,
) => Promise<GuardFinding | undefined>;

/**
 * Called by a feature right before it sends clipboard or file content to a chat model:
 * `if (!(await guard(text, signal))) return;`
 */
export type PromptGuard = (text: GuardedText, signal: AbortSignal) => Promise<boolean>;

export function createPromptCheck({ client, isOn }: CheckOptions): GuardCheck {
  return async ({ text }, signal) =>
    isOn() && text.trim() !== '' ? findingOf(client, text, signal) : undefined;
}

/** @returns a function that decides whether a text may be sent. */
export function createPromptGuard({ ask, ...options }: GuardOptions): PromptGuard {
  const check = createPromptCheck(options);
  return async (guarded, signal) => {
    const finding = await check(guarded, signal);
    return finding === undefined || ask(finding, guarded);
  };
}

async function findingOf(
  client: CheckOptions['client'],
  text: string,
  signal: AbortSignal,
): Promise<GuardFinding | undefined> {
  if (hasSecret(text)) return { kind: 'secret' };
  const positive = new Map<string, ReflexReading>();
  try {
    for (let from = 0, end = 0; end < text.length; from = end - overlapChars) {
      end = from + pieceChars;
      const piece = text.slice(from, end);
      const { predictions, failures } = await client.predictMany(
        { models: guardReflexes, text: piece },
        { signal, sending: { purpose: 'guard' } },
      );
      const [failure] = failures;
      if (failure) {
        throw new ServiceError('protocol', 'a reflex gave no prediction', {
          serverText: failure.message,
        });
      }
      for (const reading of predictions.map(readPrediction)) {
        if (reading.isWarning && scoreOf(reading) > scoreOf(positive.get(reading.reflex))) {
          positive.set(reading.reflex, reading);
        }
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'failed', error };
  }
  return positive.size > 0 ? { kind: 'positive', readings: [...positive.values()] } : undefined;
}

const scoreOf = (reading: ReflexReading | undefined): number => reading?.selected[0]?.score ?? -1;
