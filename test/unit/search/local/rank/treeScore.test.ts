import assert from 'node:assert/strict';
import {
  type RankFeatures,
  sumOfTrees,
  treeScore,
  treesOf,
} from '../../../../../src/search/local/rank/treeScore';

const none: RankFeatures = {
  first: 0,
  belowBest: 0,
  lexicalOfBest: 0,
  window: 0,
  windowOfBest: 0,
  declaring: 0,
  name: 0,
  nameCoverage: 0,
  folder: 0,
  coverage: 0,
  declaredCoverage: 0,
  pathCoverage: 0,
  count: 0,
  hits: 0,
  topTerm: 0,
  length: 0,
  churn: 0,
  recent: 0,
  voteShare: 0,
  words: 0,
  sameFolder: 0,
  nearFolder: 0,
  namePrefix: 0,
};

/** A strong match, as the best file of a search often is. */
const strong: RankFeatures = {
  ...none,
  first: 12,
  lexicalOfBest: 1,
  window: 0.6,
  windowOfBest: 1,
  declaring: 0.5,
  name: 0.3,
  nameCoverage: 0.6,
  coverage: 0.8,
  declaredCoverage: 0.5,
  pathCoverage: 0.3,
  count: 40,
  hits: 50,
  topTerm: 0.5,
  length: 12_000,
  churn: 1,
  voteShare: 0.5,
  words: 0.4,
};

describe('the sum of decision trees', () => {
  const trees = treesOf('length 100 =1 churn 2 =-1 =3\nhits 5 count 1 =10 =20 =0.5\n');
  const sum = (features: Partial<RankFeatures>): number =>
    sumOfTrees(trees, { ...none, ...features });

  it('goes on with the first tree up to a threshold, and with the second above it', () => {
    assert.equal(sum({ length: 100, hits: 6 }), 1.5);
    assert.equal(sum({ length: 100.5, hits: 6 }), -0.5);
    assert.equal(sum({ length: 101, churn: 2, hits: 6 }), -0.5);
    assert.equal(sum({ length: 101, churn: 2.5, hits: 6 }), 3.5);
    assert.equal(sum({ count: 1 }), 11);
    assert.equal(sum({ count: 2 }), 21);
  });

  it('knows all of its features', () => {
    assert.throws(() => treesOf('depth 1 =0 =1'), /no feature depth/);
  });
});

const scoreOf = (features: Partial<RankFeatures>): number => treeScore({ ...strong, ...features });

describe('the fitted trees', () => {
  it('prefer what the newest commits changed, and what is named like the query', () => {
    for (const count of [0, 10, 40]) {
      assert.ok(scoreOf({ count, recent: 1 }) > scoreOf({ count, recent: 0 }));
    }
    assert.ok(scoreOf({}) > scoreOf({ pathCoverage: 0, nameCoverage: 0, name: 0 }));
  });

  it('correct a score by a few units at most, whatever the features are', () => {
    const extremes = [-1e9, 0, 1, 1e9];
    for (const value of extremes) {
      for (const name of Object.keys(none)) {
        const score = treeScore({ ...strong, [name]: value });
        assert.ok(Math.abs(score) < 6, `${name} ${value}: ${score}`);
      }
    }
  });
});
