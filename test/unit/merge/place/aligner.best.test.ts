import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { toLine } from '../../../../src/merge/lines';
import { Aligner } from '../../../../src/merge/place/aligner';
import { type Block, blockOf } from '../../../../src/merge/place/block';
import { costs, edgeWorth, limits } from '../../../../src/merge/place/costs';
import { type Edge, edgeOf } from '../../../../src/merge/place/edges/edges';
import type { FileIndex } from '../../../../src/merge/place/fileIndex';
import { Matcher } from '../../../../src/merge/place/matches';
import { indexOf } from './places';

/** Lines that are not alike, and one that is everywhere. */
const texts = 'abcdefgh'
  .split('')
  .map(letter => letter.repeat(6))
  .concat('}');
const line = fc
  .tuple(fc.constantFrom('', '  '), fc.constantFrom(...texts))
  .map(parts => parts.join(''));
/** Each text once, so that only one row can be a line of the file. */
const rows = fc.uniqueArray(line, {
  minLength: 1,
  maxLength: 5,
  selector: text => text.trim(),
});

interface Pair {
  readonly row: number;
  readonly place: number;
  readonly worth: number;
  readonly head: number;
  readonly tail: number;
}

/** What `places` of an alignment are compared with: all alignments, tried one by one. */
class AllAlignments {
  readonly #pairs: Pair[] = [];
  readonly #rows: number;
  readonly #deletion: number[] = [0];
  readonly head: Edge;
  readonly tail: Edge;
  readonly count: number;

  constructor(file: FileIndex, block: Block) {
    const shown = new Uint8Array(file.idCount);
    for (const id of block.ids) shown[id] = 1;
    const matches = new Matcher(file, shown).matchesOf(block, false);
    this.count = file.count;
    this.#rows = block.ids.length;
    this.head = edgeOf(block, matches, file, 1);
    this.tail = edgeOf(block, matches, file, -1);
    for (let row = 0; row < this.#rows; row++) {
      const from = matches.starts[row] ?? 0;
      for (let k = from; k < (matches.starts[row + 1] ?? 0); k++) {
        this.#pairs.push({
          row,
          place: matches.at[k] ?? 0,
          worth: matches.worth[k] ?? 0,
          head: row === 0 ? (this.head.worth[k - from] ?? 0) : -edgeWorth.missing,
          tail: row === this.#rows - 1 ? (this.tail.worth[k - from] ?? 0) : -edgeWorth.missing,
        });
      }
    }
    for (const id of file.ids) {
      const cost = file.isFiller(id) ? costs.deleteFiller : costs.deleteLine;
      this.#deletion.push(
        (this.#deletion.at(-1) ?? 0) + (shown[id] ? costs.deleteMovedLine : cost),
      );
    }
  }

  #costOfLines(from: number, to: number): number {
    return (this.#deletion[to] ?? 0) - (this.#deletion[from] ?? 0);
  }

  costOfAll(from: number, to: number): number {
    return from === to ? 0 : costs.openDeletion + this.#costOfLines(from, to);
  }

  #step(from: Pair, to: Pair): number {
    if (to.place === from.place + 1) return to.row === from.row + 1 ? 0 : costs.breakRun;
    return this.#costOfLines(from.place + 1, to.place) + costs.openDeletion + costs.breakRun;
  }

  /** Every alignment: its first and its last pair, and what it is worth without its edges. */
  *all(from?: Pair, last?: Pair, worth = 0): Generator<{ first: Pair; last: Pair; worth: number }> {
    if (from && last) yield { first: from, last, worth };
    for (const next of this.#pairs) {
      if (last && (next.row <= last.row || next.place <= last.place)) continue;
      yield* this.all(from ?? next, next, worth + next.worth - (last ? this.#step(last, next) : 0));
    }
  }

  isFirstRow = ({ row }: Pair): boolean => row === 0;
  isLastRow = ({ row }: Pair): boolean => row === this.#rows - 1;
}

/** The most that is worth something, by key. */
class Best {
  readonly byKey = new Map<string, number>();
  add(key: string, score: number): void {
    this.byKey.set(key, Math.max(score, this.byKey.get(key) ?? -Infinity));
  }
  get most(): number {
    return Math.max(-Infinity, ...this.byKey.values());
  }
}

/** Places as `start-end head tail`. */
const placesOf = (text: string, shown: string, markers: { above?: number; below?: number }) => {
  const file = indexOf(text);
  const block = blockOf(
    {
      lines: shown.split('\n').map(toLine),
      markerAbove: markers.above,
      markerBelow: markers.below,
    },
    file,
  );
  return new Aligner(file, [block])
    .placesOf(block, true)
    .toSorted((a, b) => b.score - a.score || a.start - b.start)
    .map(({ start, end, head, tail }) => `${start}-${end} ${head} ${tail}`);
};

describe('the places that an alignment finds', () => {
  it('are the best ones of all, for each start and for each end', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 9 }),
        rows,
        fc.boolean(),
        fc.boolean(),
        (lines, shown, isFirst, isLast) => {
          const file = indexOf(lines.join('\n'));
          const markers = {
            markerAbove: isFirst ? undefined : 0,
            markerBelow: isLast ? undefined : 0,
          };
          const block = blockOf({ lines: shown.map(toLine), ...markers }, file);
          const all = new AllAlignments(file, block);
          const [byStart, byEnd, whole] = [new Best(), new Best(), new Best()];
          const [toEnd, fromTop] = [new Best(), new Best()];
          for (const { first, last, worth } of all.all()) {
            const score = worth + first.head + last.tail;
            whole.add(`${first.place} ${last.place + 1}`, score);
            byStart.add(`${first.place}`, score);
            byEnd.add(`${last.place + 1}`, score);
            // Where the snippet ends without a marker, its new last rows reach the end of the file.
            if (isLast && !all.isLastRow(last)) {
              const open = worth + first.head - all.costOfAll(last.place + 1, file.count);
              toEnd.add(`${last.place}`, open);
              whole.add(`${first.place} ${file.count}`, open);
            }
            if (isFirst && !all.isFirstRow(first)) {
              const open = worth + last.tail - all.costOfAll(0, first.place);
              fromTop.add(`${first.place}`, open);
              whole.add(`0 ${last.place + 1}`, open);
            }
          }
          const best = Math.max(byStart.most, toEnd.most, fromTop.most);
          const least = Math.max(limits.minScore, best - limits.cutoff) + 1e-9;
          const places = new Aligner(file, [block]).placesOf(block, false);
          const has = (score: number, isThere: (place: (typeof places)[0]) => boolean): boolean =>
            places.some(place => isThere(place) && Math.abs(place.score - score) < 1e-9);
          for (const [start, score] of byStart.byKey)
            if (score > least)
              assert.ok(
                has(score, place => `${place.start}` === start),
                start,
              );
          for (const [end, score] of byEnd.byKey)
            if (score > least)
              assert.ok(
                has(score, place => `${place.end}` === end),
                end,
              );
          for (const score of toEnd.byKey.values())
            if (score > least)
              assert.ok(has(score, ({ end, tail }) => end === file.count && tail === 'new'));
          for (const score of fromTop.byKey.values())
            if (score > least)
              assert.ok(has(score, ({ start, head }) => start === 0 && head === 'new'));
          for (const { start, end, score } of places) {
            assert.ok(score >= least - 1e-6);
            assert.ok(score <= (whole.byKey.get(`${start} ${end}`) ?? -Infinity) + 1e-9);
            compared++;
          }
        },
      ),
      { numRuns: 800, seed: 1 },
    );
    assert.ok(compared > 1000, `${compared}`);
  });

  const inside = { above: 0, below: 0 };

  it('say how their edges are tied to the file', () => {
    const text = 'first();\nsecond();\n}\nthird();\n}';
    assert.equal(placesOf(text, 'first();\nsecond();', inside)[0], '0-2 exact exact');
    assert.equal(placesOf(text, 'second();\nother(value, 1);', inside)[0], '1-2 exact new');
    assert.equal(placesOf(text, 'other(value, 1);\nthird();\n}', inside)[0], '3-5 new exact');
    assert.equal(placesOf(text, 'first();\nmore = [];\n}', inside)[0], '0-3 exact common');
    assert.equal(placesOf(text, 'second();\nthird(1);', inside)[0], '1-4 exact similar');
  });

  it('reach the end of the file where no marker is', () => {
    const text = 'first();\nsecond();\nthird();';
    assert.ok(placesOf(text, 'second();\nother = [];', { above: 0 }).includes('1-3 exact new'));
    assert.ok(!placesOf(text, 'second();\nother = [];', inside).includes('1-3 exact new'));
    assert.ok(placesOf(text, 'other = [];\nsecond();', { below: 0 }).includes('0-2 new exact'));
    assert.ok(!placesOf(text, 'other = [];\nsecond();', inside).includes('0-2 new exact'));
  });

  it('are none in a file that has nothing of it', () => {
    assert.deepEqual(placesOf('first();\n', 'other = [];', inside), []);
  });
});
