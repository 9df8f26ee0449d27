import { mergeEdit } from '../../src/merge/index';
import { attemptAll } from './accuracy';
import { type LargeEdit, largeEdit } from './largeFile';
import { lcsMerge } from './lcsMerge';
import { median } from './median';

/** The first ones compile the code. */
const rounds = 30;
const charactersPerToken = 4;

interface Engine {
  readonly name: string;
  readonly merge: (edit: LargeEdit) => unknown;
}

const engines: readonly Engine[] = [
  { name: 'merge', merge: ({ original, update }) => mergeEdit(original, update) },
  { name: 'line LCS', merge: ({ original, update }) => lcsMerge(original, update) },
];

const sizes = [50, 100, 300, 1000, Infinity];

/**
 * Compares the merge with {@link lcsMerge} in one run, so that the ratio depends on no other machine and no other data:
 * all edits go through one after the other, round by round, and the best time of each edit counts.
 */
export function printSpeedRatios(): void {
  const edits = [
    ...attemptAll(),
    ...[30, 60, 80, 120, 150, 200, 280, 400, 700, 1500, 2500].flatMap(lines =>
      [1, 2, 3].map(changes => largeEdit(lines, changes)),
    ),
  ];
  const times = engines.map(() => edits.map(() => Infinity));
  for (let round = 0; round < rounds; round++) {
    for (const [nth, { merge }] of engines.entries()) {
      edits.forEach((edit, at) => {
        const started = performance.now();
        merge(edit);
        const best = times[nth]?.[at] ?? Infinity;
        const own = times[nth];
        if (own) own[at] = Math.min(best, performance.now() - started);
      });
    }
  }
  console.log('lines of the file   edits    merge tokens/s   line LCS    ratio   p95 ratio');
  const heights = edits.map(({ original }) => original.split('\n').length);
  const all = edits.map((_, at) => at);
  let from = 0;
  for (const below of sizes) {
    const least = from;
    const some = all.filter(at => {
      const height = heights[at] ?? 0;
      return height >= least && height < below;
    });
    print(below === Infinity ? `${from} or more` : `below ${below}`, some);
    from = below;
  }
  print('all', all);

  function print(name: string, some: readonly number[]): void {
    if (some.length === 0) return;
    const [own = 0, reference = 0] = times.map(
      best =>
        median(some.map(at => (edits[at]?.original.length ?? 0) / (best[at] ?? 1))) /
        charactersPerToken /
        1000,
    );
    const [ownLate = 0, late = 0] = times.map(best => late95(some.map(at => best[at] ?? 0)));
    console.log(
      [
        name.padEnd(18),
        `${some.length}`.padStart(7),
        `${own.toFixed(1)} M`.padStart(18),
        `${reference.toFixed(1)} M`.padStart(11),
        (own / reference).toFixed(2).padStart(9),
        (ownLate / late).toFixed(2).padStart(12),
      ].join(''),
    );
  }
}

/** The time below which 95 of 100 are. */
const late95 = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? 0;
