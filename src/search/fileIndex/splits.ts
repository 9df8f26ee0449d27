import type { IndexSegment, WantedPart } from './indexSegment';
import { minPart } from './wordParts';

/** Names of more words are rare. */
const maxParts = 6;
/** Ways that are compared, and that are looked for. */
const maxWays = 2000;
const maxSplits = 12;

/** Positions in a word, from 0 to its length: where its parts begin and end. */
type Way = readonly number[];

/**
 * The ways in which a word in lower case, such as `basecontextprovider`, is two or more parts that an index has: those
 * of the fewest parts and of one more, without very short parts first. The last part is only begun, because the word
 * has lost its ending.
 */
export function splitsOf(word: string, segment: IndexSegment): WantedPart[][] {
  const bytes = Buffer.from(word);
  const partOf = (start: number, end: number): WantedPart => ({
    bytes: bytes.subarray(start, end),
    isWhole: end < bytes.length,
  });
  return waysThrough(bytes.length, (start, end) => segment.has(partOf(start, end)))
    .sort((a, b) => a.length - b.length || minLengthIn(b) - minLengthIn(a))
    .slice(0, maxSplits)
    .map(way => way.slice(1).map((end, at) => partOf(way[at] ?? 0, end)));
}

const minLengthIn = (way: Way): number =>
  Math.min(...way.slice(1).map((end, at) => end - (way[at] ?? 0)));

function waysThrough(length: number, isPart: (start: number, end: number) => boolean): Way[] {
  /** By where a part begins: the ends that it can have, and the least number of parts from there on. */
  const endsFrom: number[][] = [];
  const minPartsFrom: number[] = [];
  minPartsFrom[length] = 0;
  for (let start = length - 1; start >= 0; start--) {
    const ends: number[] = [];
    for (let end = start + minPart; end <= length; end++) {
      const isWord = end - start === length;
      if (!isWord && minPartsFrom[end] !== Infinity && isPart(start, end)) ends.push(end);
    }
    endsFrom[start] = ends;
    minPartsFrom[start] = 1 + Math.min(...ends.map(end => minPartsFrom[end] ?? Infinity));
  }
  const most = Math.min(maxParts, (minPartsFrom[0] ?? Infinity) + 1);
  const ways: Way[] = [];
  const extend = (way: Way, start: number): void => {
    if (start === length && start > 0) ways.push(way);
    for (const end of endsFrom[start] ?? []) {
      const isShort = way.length + (minPartsFrom[end] ?? Infinity) <= most;
      if (isShort && ways.length < maxWays) extend([...way, end], end);
    }
  };
  extend([0], 0);
  return ways;
}
