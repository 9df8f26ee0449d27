import type { NewSession } from '../history';
import type { SharedTurn } from './conversation';

export interface ConversionAbout {
  /** Absolute path of the folder of the session. */
  readonly workspace: string;
  readonly title: string;
  readonly newId: () => string;
  readonly now: Date;
}

/** Builds a session of a tool from a conversation. Paths are below the folder where the tool keeps those of the folder. */
export type SessionWriter = (turns: readonly SharedTurn[], about: ConversionAbout) => NewSession;

/** JSON Lines. */
export function jsonLines(rows: readonly unknown[]): string {
  return rows.map(row => `${JSON.stringify(row)}\n`).join('');
}

/** What the two sides say: a turn of the assistant has several blocks. */
export const blockCount = (turns: readonly SharedTurn[]): number =>
  turns.reduce((sum, turn) => sum + (turn.role === 'user' ? 1 : turn.blocks.length), 0);

/** Times of up to `count` lines, a second apart, so that their order is clear, and none is after now. */
export function clock(now: Date, count: number): () => Date {
  let at = now.getTime() - count * 1000;
  return () => {
    at += 1000;
    return new Date(at);
  };
}
