import assert from 'node:assert/strict';
import { noHistory } from '../../../../../src/search/local/history';
import { LikelyFiles } from '../../../../../src/search/local/rank/likelyFiles';
import type { ScoredDocument } from '../../../../../src/search/local/rank/score';

/** @param share how likely it is next to the best one, whose score is 3 */
function scored(path: string, share: number, root = 0): ScoredDocument {
  const noHits = new Float32Array();
  return {
    document: {
      candidate: {
        root,
        path,
        kind: 'source',
        counts: noHits,
        inName: [],
        nameCoverage: 0,
        inFolder: [],
        typed: 0,
        tests: 0,
        score: 0,
      },
      text: {
        counts: noHits,
        declared: noHits,
        declaring: noHits,
        hits: [],
        pairs: new Map(),
        named: [],
        length: 0,
      },
      history: noHistory,
    },
    score: 3 + Math.log(share),
    scoreWithoutHistory: 3 + Math.log(share),
    evidence: {
      body: 0,
      declaring: 0,
      name: 0,
      nameByCoverage: 0,
      folder: 0,
      pairs: 0,
      rarePairs: 0,
      window: 0,
    },
    lexicalOfBest: 0,
    windowOfBest: 0,
  };
}

describe('how near a file is to the most likely ones', () => {
  const best = scored('src/orders/store.ts', 1);
  const second = scored('src/orders/receive.ts', 0.5);
  const elsewhere = scored('docs/notes/old.ts', 0.25);

  function nearness(path: string, others = [best, second, elsewhere], root = 0) {
    const one = scored(path, 0.01, root);
    const near = new LikelyFiles([one, ...others]).nearnessOf(one);
    return [near.sameFolder, near.nearFolder, near.namePrefix].map(value => +value.toFixed(3));
  }

  it('counts those in its folder, each by how likely it is', () => {
    assert.deepEqual(nearness('src/orders/import.ts').slice(0, 2), [1.5, 1.5]);
    assert.deepEqual(nearness('docs/notes/new.ts').slice(0, 2), [0.25, 0.25]);
    assert.deepEqual(nearness('web/page.ts').slice(0, 2), [0, 0]);
  });

  it('counts a folder beside, above and below one as near', () => {
    for (const path of ['src/routes/import.ts', 'src/import.ts', 'src/orders/csv/import.ts'])
      assert.deepEqual(nearness(path).slice(0, 2), [0, 1.5], path);
    assert.deepEqual(nearness('src/orders2/csv/import.ts').slice(0, 2), [0, 0]);
  });

  it('compares names without their extensions', () => {
    assert.equal(nearness('web/store.css')[2], 1);
    assert.equal(nearness('web/storage.ts')[2], 0.8);
    assert.equal(nearness('web/received.ts')[2], 0.5);
    assert.equal(nearness('web/x.ts')[2], 0);
  });

  it('compares a file with others only, in its own root, and with the first six', () => {
    const near = new LikelyFiles([best, second]).nearnessOf(best);
    assert.deepEqual(
      [near.sameFolder, near.nearFolder].map(value => +value.toFixed(3)),
      [0.5, 0.5],
    );
    assert.deepEqual(nearness('src/orders/store.ts', [best, second], 1), [0, 0, 0]);
    const many = Array.from({ length: 8 }, (_, at) => scored(`src/a${at}/x.ts`, 1));
    assert.equal(nearness('src/orders/store.ts', [...many, second])[0], 0);
    assert.equal(nearness('src/orders/store.ts', [...many, second])[1], 6);
  });
});
