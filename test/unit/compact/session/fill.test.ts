import assert from 'node:assert/strict';
import { lineMark, type Scan } from '../../../../src/compact/core/scan/scan';
import type { Values } from '../../../../src/compact/core/values';
import { LineFiller } from '../../../../src/compact/session/fill';

interface Line {
  /** The numbers of the names in the line. */
  readonly names?: readonly number[];
  readonly tokens?: number;
  /** What the line is worth apart from its names. */
  readonly own?: number;
  readonly factor?: number;
  readonly isError?: boolean;
  /** What else has to be kept with it. */
  readonly opening?: number;
}

/** A filler over invented lines, in which the name `n` is worth `worth[n]`. */
function fillerOf(lines: readonly Line[], worth: readonly number[]) {
  const names = lines.map(({ names: own = [] }) => own);
  const tokenStarts = [0];
  for (const own of names) tokenStarts.push((tokenStarts.at(-1) ?? 0) + own.length);
  const scanned: Scan = {
    count: lines.length,
    starts: new Int32Array(lines.length + 1),
    tokenStarts: Int32Array.from(tokenStarts),
    tokens: Int32Array.from(names.flat()),
    lineHashes: new Int32Array(lines.length),
    shapeHashes: new Int32Array(lines.length),
    marks: Uint8Array.from(lines, ({ isError }) => (isError === true ? lineMark.error : 0)),
    speakers: new Uint8Array(lines.length),
    kinds: new Uint8Array(worth.length),
    queryMatches: new Uint8Array(worth.length),
    tokenCount: worth.length,
    tokenTotal: names.flat().length,
    mayHaveTags: false,
  };
  const values: Values = {
    tokens: Float32Array.from(worth),
    lines: Float32Array.from(lines, ({ own }) => own ?? 0),
    factors: Float32Array.from(lines, ({ factor }) => factor ?? 1),
    isRepeated: new Uint8Array(lines.length),
  };
  const tokens = Int32Array.from(lines, one => one.tokens ?? 10);
  const kept = new Uint8Array(lines.length);
  const order: number[] = [];
  const costOf = (line: number): number => (tokens[line] ?? 0) + (lines[line]?.opening ?? 0);
  const budget = {
    used: 0,
    costOf,
    keep(line: number): void {
      kept[line] = 1;
      order.push(line);
      budget.used += costOf(line);
    },
  };
  return { filler: new LineFiller(scanned, values, kept, tokens, budget), kept, budget, order };
}

/** The lines in the order in which they are chosen. */
function chosen(
  lines: readonly Line[],
  worth: readonly number[],
  { limit = 1000, candidates = lines.map((_, at) => at), counted = [] as number[] } = {},
): number[] {
  const { filler, order } = fillerOf(lines, worth);
  for (const line of counted) filler.count(line);
  filler.fill(Int32Array.from(candidates), limit);
  return order;
}

describe('filling a budget with lines', () => {
  it('takes the lines with the most worth per token first', () => {
    assert.deepEqual(
      chosen([{ names: [0] }, { names: [1] }, { names: [2] }], [1, 4, 2]),
      [1, 2, 0],
    );
    const sizes: Line[] = [
      { own: 4, tokens: 40 },
      { own: 4, tokens: 5 },
      { own: 4, tokens: 12 },
    ];
    assert.deepEqual(chosen(sizes, []), [1, 2, 0]);
    // A fragment costs more than its tokens: 1 of 1 + 1.5 is less than 6 of 10 + 1.5.
    assert.deepEqual(
      chosen(
        [
          { own: 1, tokens: 1 },
          { own: 6, tokens: 10 },
        ],
        [],
      ),
      [1, 0],
    );
    assert.deepEqual(
      chosen(
        [
          { own: 1, tokens: 1 },
          { own: 3, tokens: 10 },
        ],
        [],
      ),
      [0, 1],
    );
  });

  it('adds the worth of the names of a line, by its factor, to that of the line', () => {
    const lines: Line[] = [
      { names: [0, 1] },
      { names: [0, 1], own: 1 },
      { names: [0, 1], factor: 2 },
      { own: 2.2 },
    ];
    assert.deepEqual(chosen(lines.slice(0, 2), [1, 1]), [1, 0]);
    assert.deepEqual(chosen([...lines.slice(2, 3), ...lines.slice(3)], [1, 1]), [0, 1]);
    assert.deepEqual(chosen([...lines.slice(0, 1), ...lines.slice(3)], [1, 1]), [1, 0]);
    assert.deepEqual(chosen([{ own: 1.5, factor: 0.1 }, { own: 1 }], []), [0, 1]);
  });

  it('prefers a line about an error, by as much as a worth of 1', () => {
    assert.deepEqual(chosen([{ own: 1 }, { own: 0.2, isError: true }], []), [1, 0]);
    assert.deepEqual(
      chosen([{ own: 1 }, { own: 0.2, isError: true }, { own: 1.5 }], []),
      [2, 1, 0],
    );
  });

  it('counts a name less the more lines with it are kept', () => {
    const twice: Line[] = [{ names: [0] }, { names: [0] }, { names: [1] }];
    assert.deepEqual(chosen(twice, [4, 2]).slice(1), [2, 0]);
    assert.deepEqual(chosen(twice, [4, 0.3]).slice(1), [0, 2]);
    assert.deepEqual(chosen([{ names: [0] }, { names: [1] }], [4, 2], { counted: [0] }), [1, 0]);
    assert.deepEqual(chosen([{ names: [0] }, { names: [1] }], [4, 0.4], { counted: [0] }), [0, 1]);
    assert.deepEqual(
      chosen([{ names: [0] }, { names: [1] }], [4, 0.4], { counted: [0, 0] }),
      [1, 0],
    );
    // A name that is kept often is still worth more than nothing.
    const often = { counted: Array<number>(300).fill(0) };
    assert.deepEqual(chosen([{ names: [0] }, { own: 0.001 }], [1000], often), [0, 1]);
  });

  it('keeps to the limit, and still takes what fits', () => {
    const lines: Line[] = [
      { own: 9, tokens: 10 },
      { own: 8, tokens: 10 },
      { own: 1, tokens: 3 },
    ];
    assert.deepEqual(chosen(lines, [], { limit: 19 }), [0, 2]);
    assert.deepEqual(chosen(lines, [], { limit: 20 }), [0, 1]);
    assert.deepEqual(chosen(lines, [], { limit: 23 }), [0, 1, 2]);
    assert.deepEqual(chosen(lines, [], { limit: 0 }), []);
  });

  it('counts what has to be kept with a line in full for the limit, and in part for its worth', () => {
    const lines: Line[] = [
      { own: 4, tokens: 10, opening: 20 },
      { own: 3, tokens: 10 },
    ];
    // 4 / (10 + 5 + 1.5) is less than 3 / (10 + 1.5), but more than 2 / (10 + 1.5).
    assert.deepEqual(chosen(lines, []), [1, 0]);
    assert.deepEqual(chosen([{ ...lines[0] }, { own: 2 }], []), [0, 1]);
    assert.deepEqual(chosen(lines, [], { limit: 39 }), [1]);
  });

  it('takes only candidates, none twice, and also those that are worth nothing', () => {
    const lines: Line[] = [{}, {}, { own: 1 }, {}];
    assert.deepEqual(new Set(chosen(lines, [])), new Set([0, 1, 2, 3]));
    assert.equal(chosen(lines, []).length, 4);
    const some = chosen(lines, [], { candidates: [3, 1] });
    assert.deepEqual([new Set(some), some.length], [new Set([1, 3]), 2]);
    assert.deepEqual(chosen(lines, [], { candidates: [] }), []);
    const { filler, kept, budget, order } = fillerOf(lines, []);
    kept[2] = 1;
    filler.fill(Int32Array.of(2, 3), 1000);
    assert.deepEqual([order, budget.used], [[3], 10]);
  });
});
