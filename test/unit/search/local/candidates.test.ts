import assert from 'node:assert/strict';
import {
  comparePlaces,
  findCandidates,
  termWeights,
} from '../../../../src/search/local/candidates';
import type { FileKind } from '../../../../src/search/local/paths';
import { TermFinder } from '../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../src/search/local/query/terms';
import { typedPathsOf } from '../../../../src/search/local/query/typedPaths';
import { countedRoot } from './countedRoot';

/** Hits of each term by file; files without hits have an empty list. */
type Counts = Readonly<Record<string, readonly number[]>>;

function find(query: string, roots: readonly Counts[], requested: readonly FileKind[] = []) {
  const terms = termsOf(query);
  return findCandidates(
    { terms, paths: typedPathsOf(query), requestedKinds: new Set(requested) },
    new TermFinder(terms),
    roots.map(counts =>
      countedRoot(Object.keys(counts), new Map(Object.entries(counts)), terms.length),
    ),
  );
}

/** Scores by path, in units of the weight that a word in one of five files has. */
async function scores(query: string, counts: Counts, requested: readonly FileKind[] = []) {
  const { candidates, corpus } = await find(query, [counts], requested);
  const [unit = 1] = termWeights(termsOf(query), corpus.inText, corpus.files);
  return Object.fromEntries(
    candidates.map(({ path, score }) => [path, Number((score / unit).toFixed(4))]),
  );
}

const empty = { 'src/x1.ts': [], 'src/x2.ts': [], 'src/x3.ts': [] };

describe('the weight of a term', () => {
  const [word, common, identifier] = ['queue', 'file', 'maxTokens'].map(query => termsOf(query)[0]);
  assert.ok(word && common && identifier);
  const weigh = (having: number, files: number): number =>
    termWeights([word], Float64Array.of(having), files)[0] ?? 0;

  it('falls with the number of files that have it', () => {
    assert.equal(weigh(1, 10), Math.log(1 + 9.5 / 1.5));
    assert.equal(weigh(10, 10), Math.log(1 + 0.5 / 10.5));
    assert.ok(weigh(0, 10) > weigh(1, 10));
    assert.equal(weigh(12, 10), weigh(10, 10), 'never more files than there are');
  });

  it('depends on its kind, and on where it stands in the query', () => {
    const all = termWeights([word, common, identifier], new Float64Array(3), 10);
    const [ofWord = 0, ofCommon = 0, ofIdentifier = 0] = all;
    assert.equal(ofCommon / ofWord, 0.8);
    assert.equal(ofIdentifier / ofWord, 1.5);
    const [late] = termWeights([{ ...word, weight: 0.5 }], new Float64Array(1), 10);
    assert.equal(late, ofWord / 2);
  });
});

describe('candidates', () => {
  it('are the files with a hit in their text, their name or their folder', async () => {
    const { candidates, corpus } = await find('queue', [
      { 'src/a.ts': [2], 'src/b.ts': [], 'src/queue.ts': [], 'queue/c.ts': [] },
    ]);
    assert.deepEqual(candidates.map(({ path }) => path).sort(), [
      'queue/c.ts',
      'src/a.ts',
      'src/queue.ts',
    ]);
    assert.deepEqual([corpus.files, [...corpus.inText]], [4, [1]]);
  });

  it('know how many files of each root have a term', async () => {
    const { corpus } = await find('queue ledger', [
      { 'a.ts': [1, 0], 'b.ts': [3, 0.5], 'c.ts': [] },
      { 'a.ts': [0, 2] },
    ]);
    assert.deepEqual([...corpus.inText], [2, 2]);
    assert.deepEqual(
      corpus.roots.map(({ files, inText }) => [files, ...inText]),
      [
        [3, 2, 1],
        [1, 0, 1],
      ],
    );
    assert.equal(corpus.files, 4);
    assert.equal((await find('queue', [{}])).corpus.files, 1, 'never 0, which is divided by');
  });

  it('have a score that grows ever less with the hits', async () => {
    const found = await scores('queue', { ...empty, 'src/a.ts': [3] });
    assert.deepEqual(found, { 'src/a.ts': 0.5 });
    assert.deepEqual(await scores('queue', { ...empty, 'src/a.ts': [9] }), { 'src/a.ts': 0.75 });
  });

  it('count a name by the share of it that the query covers, and a folder for less', async () => {
    const text = { ...empty, 'src/a.ts': [3] };
    assert.equal((await scores('port', { ...text, 'src/port.ts': [] }))['src/port.ts'], 1.35);
    assert.equal(
      (await scores('port', { ...text, 'src/portPlan.ts': [] }))['src/portPlan.ts'],
      0.9,
    );
    assert.equal((await scores('port', { ...text, 'port/b.ts': [] }))['port/b.ts'], 0.35);
    assert.equal((await scores('port', { ...text, 'port/port.ts': [3] }))['port/port.ts'], 2.2);
    assert.equal(
      (await scores('message', { ...text, 'msg/b.ts': [] }))['msg/b.ts'],
      0.175,
      'a synonym',
    );
  });

  it('count for less if they are no sources, unless these are asked for', async () => {
    const counts = {
      'src/a.ts': [3],
      'docs/a.md': [3],
      'examples/a.ts': [3],
      'vendor/a.ts': [3],
      'a.json': [3],
      'a.test.ts': [3],
      ...empty,
    };
    const usual = {
      'src/a.ts': 0.75,
      'docs/a.md': 0.15,
      'a.test.ts': 0.1,
      'examples/a.ts': 0.15,
      'vendor/a.ts': 0.15,
      'a.json': 0.1875,
    };
    // All but the Markdown file are called like the test, which counts for them.
    assert.deepEqual(await scores('queue', counts), { ...usual, 'docs/a.md': 0.2625 });
    assert.equal((await scores('queue', counts, ['test']))['a.test.ts'], 0.5);
    assert.equal((await scores('queue', counts, ['docs', 'aside']))['examples/a.ts'], 0.75);
  });

  it('count for up to half as much again if a test of them has hits', async () => {
    const { candidates } = await find('queue', [
      {
        'src/a.ts': [3],
        'src/b.ts': [3],
        'src/c.ts': [3],
        'test/a.test.ts': [9],
        'test/old/a.test.ts': [1],
        'test/b.test.ts': [3],
        'test/.ts': [9],
        ...empty,
      },
      { 'src/a.ts': [3] },
    ]);
    const byPlace = new Map(candidates.map(one => [`${one.root} ${one.path}`, one]));
    const [a, b, c] = ['a', 'b', 'c'].map(name => byPlace.get(`0 src/${name}.ts`));
    assert.ok(a && b && c);
    assert.deepEqual([a.tests, c.tests], [1, 0]);
    assert.equal(Number(b.tests.toFixed(4)), 0.6667);
    assert.equal(Number((a.score / c.score).toFixed(4)), 1.5);
    assert.equal(Number((b.score / c.score).toFixed(4)), 1.3333);
    assert.equal(byPlace.get('1 src/a.ts')?.tests, 0, 'in another root');
    assert.equal(byPlace.get('0 test/a.test.ts')?.tests, 0, 'the test itself');
  });

  it('of very many files are found in slices, so that everything else goes on', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => [`src/part${n % 900}/queue${n}.ts`, [1]]);
    let turns = 0;
    let isDone = false;
    const takeTurn = (): void => {
      turns++;
      if (!isDone) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    const { candidates } = await find('queue', [Object.fromEntries(many)]);
    isDone = true;
    assert.equal(candidates.length, 250);
    assert.ok(turns > 1, String(turns));
  });

  it('are at most 250, the best first, and by root and path where they are as good', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `src/${String(n).padStart(3, '0')}.ts`);
    const same = Object.fromEntries(names.map(name => [name, [1]]));
    const { candidates } = await find('queue', [
      { ...same, 'src/best.ts': [2], 'src/worst.ts': [0.5] },
    ]);
    assert.deepEqual(
      candidates.map(({ path }) => path),
      ['src/best.ts', ...names.slice(0, 249)],
    );
    const places = [
      { root: 1, path: 'a' },
      { root: 0, path: 'b' },
      { root: 0, path: 'a' },
    ];
    assert.deepEqual(places.toSorted(comparePlaces), places.toReversed());
    assert.equal(comparePlaces({ root: 0, path: 'a' }, { root: 0, path: 'a' }), 0);
  });
});
