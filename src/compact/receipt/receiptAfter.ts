import type { PartLabels } from '../session/keptText';
import type { Compaction } from '../worker/engine';
import { lineCountOf, lineOf, type SessionLineIndex } from '../worker/sessionLineIndex';
import { type LineState, Receipt } from './receipt';

/** Shorter lines are alike in many places. */
const minCarriedChars = 8;

/**
 * The receipt of a chat that was compacted anew, or read anew with other messages, with what the user had decided on
 * its lines: by their place where the chat has the same lines, or else by their text.
 */
export function receiptAfter(
  before: Receipt | undefined,
  { chat, lineIndex }: Pick<Receipt, 'chat' | 'lineIndex'>,
  compaction: Compaction,
  names: PartLabels,
): Receipt {
  if (!before) return new Receipt(chat, lineIndex, compaction, names);
  const decided = decisionsOf(before, lineIndex);
  // What the user left out is still that, also where the compaction would not keep it.
  const kept = compaction.kept.slice();
  for (const line of decided.leftOut) kept[line] = 1;
  const receipt = new Receipt(chat, lineIndex, { ...compaction, kept }, names);
  receipt.setLines(decided.restored, true);
  receipt.setLines(decided.leftOut, false);
  return receipt;
}

function decisionsOf(
  before: Receipt,
  lineIndex: SessionLineIndex,
): { restored: number[]; leftOut: number[] } {
  const count = lineCountOf(lineIndex);
  const isSame = count === before.kept.length;
  const states = new Map<number | string, LineState>();
  for (let line = 0; line < before.kept.length; line++) {
    const state = before.stateOf(line);
    if (state !== 'restored' && state !== 'leftOut') continue;
    const text = lineOf(before.lineIndex, line).trim();
    if (isSame) states.set(line, state);
    else if (text.length >= minCarriedChars) states.set(text, state);
  }
  const decided = { restored: [] as number[], leftOut: [] as number[] };
  if (states.size === 0) return decided;
  for (let line = 0; line < count; line++) {
    const state = states.get(isSame ? line : lineOf(lineIndex, line).trim());
    if (state === 'restored' || state === 'leftOut') decided[state].push(line);
  }
  return decided;
}
