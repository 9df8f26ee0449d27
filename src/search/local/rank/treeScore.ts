import { rankTrees } from './rankTrees';

/** What the trees know of a file. Shares are of the weights of all terms, from 0 to 1. */
const featureNames = [
  /** Score of the first pass. */
  'first',
  /** Score of the second pass less that of the best file, so 0 or negative. */
  'belowBest',
  'lexicalOfBest',
  'window',
  'windowOfBest',
  'declaring',
  'name',
  'nameCoverage',
  'folder',
  /** Share of the terms that the text contains. */
  'coverage',
  /** The same for declared names, and for the path. */
  'declaredCoverage',
  'pathCoverage',
  /** Hits of all terms by quality. */
  'count',
  /** Places with hits. */
  'hits',
  /** The share of the term that counts most with its number of hits, times the logarithm of that number. */
  'topTerm',
  /** Characters of the text. */
  'length',
  'churn',
  /** How much the newest few commits have changed it. */
  'recent',
  'voteShare',
  'words',
  /** The most likely other files that are in the same folder, each as its share of the best file. */
  'sameFolder',
  /** The same for folders near it. */
  'nearFolder',
  /** The share of the name with which one of these files begins, too; less for a less likely one. */
  'namePrefix',
] as const;

type FeatureName = (typeof featureNames)[number];

export type RankFeatures = Readonly<Record<FeatureName, number>>;

/** A number, or the feature and the threshold that say which of two trees goes on. */
type Tree =
  | number
  | {
      readonly feature: FeatureName;
      readonly threshold: number;
      readonly upTo: Tree;
      readonly above: Tree;
    };

const isFeature = (name: string): name is FeatureName =>
  featureNames.some(feature => feature === name);

/** @param text one tree per line, as in `rankTrees` */
export function treesOf(text: string): readonly Tree[] {
  return text.trim().split('\n').map(treeOf);
}

function treeOf(line: string): Tree {
  const tokens = line.split(' ').values();
  const next = (): Tree => {
    const token = tokens.next().value ?? '';
    if (token.startsWith('=')) return Number(token.slice(1));
    if (!isFeature(token)) throw new Error(`no feature ${token} in ${line}`);
    const threshold = Number(tokens.next().value);
    return { feature: token, threshold, upTo: next(), above: next() };
  };
  return next();
}

export function sumOfTrees(trees: readonly Tree[], features: RankFeatures): number {
  let sum = 0;
  for (let tree of trees) {
    while (typeof tree !== 'number') {
      tree = features[tree.feature] <= tree.threshold ? tree.upTo : tree.above;
    }
    sum += tree;
  }
  return sum;
}

let fitted: readonly Tree[] | undefined;

/** Corrects the weighted sum of a file, to which it is added. */
export function treeScore(features: RankFeatures): number {
  fitted ??= treesOf(rankTrees);
  return sumOfTrees(fitted, features);
}
