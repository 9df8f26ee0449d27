const bucketCount = 2048;
const maxLength = 400;

/** Counts up to the length of a line. */
const bag = new Int16Array(bucketCount);

/**
 * The similarity of two lines, 0 to 1: the share of common character pairs, or of common characters at their starts and
 * ends if that is larger.
 */
export function likeness(a: string, b: string): number {
  return Math.max(sharedPairs(a, b), sharedEnds(a, b));
}

function sharedEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) {
    start++;
  }
  let end = 0;
  while (
    end < shorter - start &&
    a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)
  ) {
    end++;
  }
  return (2 * (start + end)) / Math.max(1, a.length + b.length);
}

function sharedPairs(a: string, b: string): number {
  if (a.length < 2 || b.length < 2 || a.length > maxLength || b.length > maxLength) {
    return a === b ? 1 : 0;
  }
  for (let at = 1; at < a.length; at++) {
    const bucket = bucketOf(a, at);
    bag[bucket] = (bag[bucket] ?? 0) + 1;
  }
  let shared = 0;
  for (let at = 1; at < b.length; at++) {
    const bucket = bucketOf(b, at);
    const left = bag[bucket] ?? 0;
    if (left > 0) {
      bag[bucket] = left - 1;
      shared++;
    }
  }
  for (let at = 1; at < a.length; at++) {
    bag[bucketOf(a, at)] = 0;
  }
  return (2 * shared) / (a.length + b.length - 2);
}

function bucketOf(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 31 + text.charCodeAt(at)) % bucketCount;
}
