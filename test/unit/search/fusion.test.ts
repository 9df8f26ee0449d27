import assert from 'node:assert/strict';
import { engineOf, fuse, joinRanges, type LocatedFile } from '../../../src/search/fusion';
import { countSure, type RawFile } from '../../../src/search/view/results';
import { seededRandom } from '../../support/unit/virtualTime';

const limit = 20;
const localFile = (n: number): RawFile => ({
  root: 0,
  path: `local${n}.ts`,
  ranges: [[n + 1, n + 5]],
  score: 1 / (n + 1),
});
const localFiles = (count: number) => Array.from({ length: count }, (_, n) => localFile(n));
const named = (path: string, isSeen = false): LocatedFile => ({
  root: 0,
  path,
  ranges: [[100, 120]],
  isSeen,
});
const paths = (files: readonly RawFile[]) => files.map(({ path }) => path);
const shownAtFirst = (files: readonly RawFile[]) => paths(files).slice(0, countSure(files));

describe('the list of both engines', () => {
  it('is the local one when the model names nothing', () => {
    const local = localFiles(30);
    assert.deepEqual(fuse(local, [], limit), local.slice(0, limit));
  });

  it('is the one of the model when the local search found nothing', () => {
    const list = fuse([], [named('a.ts', true), named('b.ts')], limit);
    assert.deepEqual(paths(list), ['a.ts', 'b.ts']);
    assert.equal(engineOf(list), 'model');
    assert.equal(countSure(list), 2);
  });

  it('begins with files that the model saw, or that were found by both', () => {
    const list = fuse(
      localFiles(12),
      [named('guess.ts'), named('seen.ts', true), named('local9.ts'), named('local2.ts')],
      limit,
    );
    assert.deepEqual(
      list.map(({ path, foundBy }) => `${path} ${foundBy}`),
      [
        'seen.ts model',
        'local9.ts both',
        'local2.ts both',
        ...[0, 1, 3, 4, 5, 6, 7].map(n => `local${n}.ts local`),
        'guess.ts model',
        ...[8, 10, 11].map(n => `local${n}.ts local`),
      ],
    );
    assert.equal(countSure(list), 11);
    assert.equal(engineOf(list), 'both');
  });

  it('keeps the local places of a file beside those of the model', () => {
    const [file] = fuse(localFiles(1), [named('local0.ts')], limit);
    assert.deepEqual(file?.ranges, [
      [100, 120],
      [1, 5],
    ]);
    assert.equal(file?.score, 1);
    assert.deepEqual(joinRanges('*', [[1, 5]]), [[1, 5]]);
    assert.deepEqual(joinRanges([[1, 5]], '*'), [[1, 5]]);
    assert.equal(joinRanges('*', '*'), '*');
  });

  it('tells files of two roots apart', () => {
    const list = fuse(localFiles(1), [{ ...named('local0.ts', true), root: 1 }], limit);
    assert.deepEqual(
      list.map(({ root, foundBy }) => [root, foundBy]),
      [
        [1, 'model'],
        [0, 'local'],
      ],
    );
  });

  it('confirms a file by local results beyond those that are shown', () => {
    const list = fuse(localFiles(50), [named('local40.ts')], limit);
    assert.equal(list[0]?.path, 'local40.ts');
    assert.equal(list.length, limit + 1);
  });

  it('never hides or drops what the local search found, whatever the model names', () => {
    const random = seededRandom(7);
    const below = (count: number) => Math.floor(random() * count);
    for (let round = 0; round < 500; round++) {
      const local = localFiles(below(50));
      const answer = new Map(
        Array.from({ length: below(15) }, () => {
          const path = below(2) ? `local${below(60)}.ts` : `other${below(30)}.ts`;
          return [path, named(path, below(2) === 1)];
        }),
      );
      const list = fuse(local, [...answer.values()], limit);
      const alone = fuse(local, [], limit);
      assert.equal(new Set(paths(list)).size, list.length);
      for (const path of paths(alone)) assert.ok(paths(list).includes(path), path);
      const shown = shownAtFirst(list);
      for (const path of shownAtFirst(alone)) assert.ok(shown.includes(path), path);
      for (const path of answer.keys()) assert.ok(shown.includes(path), path);
      // All local places are in it, and local files that nobody else named are in the local order.
      for (const { path, ranges } of alone) {
        const kept: unknown = list.find(file => file.path === path)?.ranges;
        assert.ok(Array.isArray(kept));
        for (const range of ranges) assert.ok(kept.includes(range), path);
      }
      const unnamed = (files: readonly RawFile[]) => paths(files).filter(path => !answer.has(path));
      assert.deepEqual(unnamed(list), unnamed(alone));
      // A file is never behind more files than were before it locally and the model named.
      for (const [at, path] of paths(alone).entries()) {
        assert.ok(paths(list).indexOf(path) <= at + answer.size, path);
      }
    }
  });
});
