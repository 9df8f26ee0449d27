export interface CompactRequest {
  readonly input: string;
  readonly query: string | undefined;
  /** Share of the text to keep, above 0 to 1. */
  readonly ratio: number | undefined;
  /** Lines at the end that stay. */
  readonly preserveRecent: number | undefined;
}

/** 1-based, inclusive lines of the input. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface CompactResult {
  readonly output: string;
  /** What was removed. */
  readonly compacted: readonly Span[];
  /** What was kept because of `<keepContext>`. */
  readonly kept: readonly Span[];
}

export type Compact = (request: CompactRequest) => CompactResult;

const usualRatio = 0.5;

/**
 * Keeps the lines that say most, byte for byte: those with rare words and those with words of the
 * query, until the share of the text is used up. Lines between keepContext tags stay in any case; lines
 * that hold nothing but such a tag go.
 */
export function compactLines(request: CompactRequest): CompactResult {
  const { input, query = '', ratio = usualRatio, preserveRecent = 0 } = request;
  const lines = input.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const forced = new Set<number>();
  const tags = new Set<number>();
  let isOpen = false;
  lines.forEach((line, at) => {
    const [opens, closes] = [line.includes('<keepContext>'), line.includes('</keepContext>')];
    if (/^\s*<\/?keepContext>\s*$/.test(line)) tags.add(at);
    else if (isOpen || opens) forced.add(at);
    if (opens) isOpen = true;
    if (closes) isOpen = false;
  });
  const kept = new Set(forced);
  for (let at = Math.max(0, lines.length - preserveRecent); at < lines.length; at++)
    if (!tags.has(at)) kept.add(at);

  const scores = scoresOf(lines, query);
  let left = ratio * input.length;
  for (const at of kept) left -= lines[at]?.length ?? 0;
  const byScore = lines
    .map((_, at) => at)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  for (const at of byScore) {
    const length = lines[at]?.length ?? 0;
    if (kept.has(at) || tags.has(at) || length > left) continue;
    kept.add(at);
    left -= length;
  }
  const indexes = lines.map((_, at) => at);
  return {
    output: lines.filter((_, at) => kept.has(at)).join(''),
    compacted: spansOf(indexes.filter(at => !kept.has(at))),
    kept: spansOf(indexes.filter(at => forced.has(at))),
  };
}

/** For each line: how rare its words are among all lines; a word of the query counts ten times. */
function scoresOf(lines: readonly string[], query: string): number[] {
  const words = lines.map(line => new Set(wordsOf(line)));
  const counts = new Map<string, number>();
  for (const line of words) for (const word of line) counts.set(word, (counts.get(word) ?? 0) + 1);
  const asked = new Set(wordsOf(query));
  return words.map(line => {
    let score = 0;
    for (const word of line) score += (asked.has(word) ? 10 : 1) / (counts.get(word) ?? 1);
    return score / Math.sqrt(line.size + 1);
  });
}

export function wordsOf(text: string): string[] {
  return (
    text
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  );
}

/** @param indexes 0-based, ascending. */
function spansOf(indexes: readonly number[]): Span[] {
  const spans: { start: number; end: number }[] = [];
  for (const at of indexes) {
    const last = spans.at(-1);
    if (last?.end === at) last.end = at + 1;
    else spans.push({ start: at + 1, end: at + 1 });
  }
  return spans;
}
