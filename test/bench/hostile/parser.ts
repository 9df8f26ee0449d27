// What is measured: a parser, and the words of what it reads.
import { UnsupportedHistory } from '../../../src/compact/sessions/history';
import { ServiceError } from '../../../src/service/errors';

export interface Parser {
  readonly name: string;
  readonly tokens: readonly string[];
  readonly run: (text: string) => unknown;
  /** A text of the usual kind, to be repeated. */
  readonly ordinary: string;
  /** Of the generated texts, where each costs milliseconds however short it is. */
  readonly mostRecipes?: number;
  /** Texts made by hand, at a length. */
  readonly byHand?: Readonly<Record<string, (length: number) => string>>;
}

export const refusal = (error: unknown): undefined => {
  if (error instanceof ServiceError || error instanceof UnsupportedHistory) return undefined;
  throw error;
};

export const attempt = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return refusal(error);
  }
};
