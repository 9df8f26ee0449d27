import type { IndexSegment, WantedPart } from './indexSegment';
import { minPart } from './wordParts';

/** Names of more words are rare. */
const maxParts = 6;
/** Ways that are compared, and that are looked for. */
const maxWays = 2000;
const maxSplits = 12;

/**
 * The ways in which a word in lower case, such as `basecontextprovider`, is two or more parts that an index has: those
 * of the fewest parts and of one more, without very short parts first. The last part is only begun, because the word
 * has lost its ending.
 */
export function splitsOf(word: string, segment: IndexSegment): WantedPart[][] {
  const bytes = Buffer.from(word);
  const { length } = bytes;
  const partOf = (start: number, end: number): WantedPart => ({
    bytes: bytes.subarray(start, end),
    isWhole: end < length,
  });
  /** By where a part begins: the ends that it can have, but not that of the whole word. */
  const endsOf = Array.from({ length }, (_, start) =>
    Array.from(
      { length: Math.max(0, length - start - minPart + 1) },
      (_, more) => start + minPart + more,
    ).filter(end => end - start < length && segment.has(partOf(start, end))),
  );
  /** By where a part begins: the least number of parts from there on. */
  const fewest = new Array<number>(length + 1).fill(Infinity);
  fewest[length] = 0;
  for (let start = length - 1; start >= 0; start--) {
    fewest[start] = 1 + Math.min(...(endsOf[start] ?? []).map(end => fewest[end] ?? Infinity));
  }
  const most = Math.min(maxParts, (fewest[0] ?? Infinity) + 1);
  const ways: number[][] = [];
  const add = (way: readonly number[]): void => {
    const start = way.at(-1) ?? 0;
    if (start === length && start > 0) ways.push([...way]);
    if (way.length + (fewest[start] ?? Infinity) - 1 > most || ways.length >= maxWays) return;
    for (const end of endsOf[start] ?? []) add([...way, end]);
  };
  add([0]);
  const partsOf = (way: readonly number[]): WantedPart[] =>
    way.slice(1).map((end, at) => partOf(way[at] ?? 0, end));
  const shortest = (parts: readonly WantedPart[]): number =>
    Math.min(...parts.map(part => part.bytes.length));
  return ways
    .map(partsOf)
    .sort((a, b) => a.length - b.length || shortest(b) - shortest(a))
    .slice(0, maxSplits);
}
