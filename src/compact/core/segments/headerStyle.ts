import type { FenceLine, Header } from './headerLines';
import { conversationBits, type Speaker, speakerBit } from './segment';

/** A later style replaces an earlier one when it has this many times as many changes of speaker. */
const styleChangeFactor = 4;
const fewChanges = 6;

export function chooseStyle(headers: Map<string, Header[]>): string | undefined {
  let best: { style: string; start: number; changes: number } | undefined;
  let lonely: { style: string; count: number } | undefined;
  for (const [style, found] of headers) {
    const start = found[0]?.start ?? 0;
    let speakers = 0;
    let changes = 0;
    let last = 0;
    for (const { speaker } of found) {
      speakers |= speaker;
      if (speaker !== last) changes++;
      last = speaker;
    }
    const isPlain = style === ':';
    const hasTools = (speakers & speakerBit.assistant) !== 0 && (speakers & speakerBit.tool) !== 0;
    // `Model:` and `Output:` are common in any text; `[tool_call]` and `[tool_result]` are not.
    const isAgent = hasTools && changes > (isPlain ? 5 : 1);
    if ((speakers & conversationBits) === conversationBits || isAgent) {
      const isBetter =
        !best ||
        (start < best.start
          ? best.changes <= changes * styleChangeFactor || changes >= fewChanges
          : best.changes < fewChanges && changes > best.changes * styleChangeFactor);
      if (isBetter) best = { style, start, changes };
    } else if (
      // Only one side: then a label such as `Model:` is too common to count.
      (speakers & (isPlain ? speakerBit.user : conversationBits) ||
        found.every(({ isStep }) => isStep)) &&
      found.length > (lonely?.count ?? 2)
    ) {
      lonely = { style, count: found.length };
    }
  }
  return best?.style ?? lonely?.style;
}

/** Drops names that are rare in their style: `Model: x` in a text whose assistant is called `Assistant`. */
export function frequentNames(headers: Header[]): Header[] {
  const counts = new Map<string, number>();
  const most = new Map<Speaker, number>();
  for (const { name, speaker } of headers) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    most.set(speaker, Math.max(count, most.get(speaker) ?? 0));
  }
  const isPlain = headers[0]?.style === ':';
  return headers.filter(({ name, speaker }) => {
    const isFrequent = (counts.get(name) ?? 0) * 5 >= (most.get(speaker) ?? 0);
    return isFrequent && !(isPlain && (name === 'output' || name === 'system' || name === 'model'));
  });
}

/** Drops headers within a fenced block, unless the block is never closed. */
export function outsideFences(headers: Header[], fences: FenceLine[]): Header[] {
  let next = 0;
  let open: FenceLine | undefined;
  return headers.filter(({ start }) => {
    for (let fence = fences[next]; fence && fence.start < start; fence = fences[++next]) {
      if (!open) open = fence;
      else if (fence.isBare && fence.length >= open.length) open = undefined;
      else if (!fence.isBare && fence.length >= open.length) open = fence;
    }
    if (!open) return true;
    const { length } = open;
    for (let at = next; at < fences.length; at++) {
      const fence = fences[at];
      if (fence && fence.length >= length) {
        // A bare fence closes the block after this line; an opening fence means that it was never closed.
        if (fence.isBare) return false;
        break;
      }
    }
    open = undefined;
    return true;
  });
}
