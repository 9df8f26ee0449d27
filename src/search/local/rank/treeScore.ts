import type { FileKind } from '../paths';
import { rankTrees } from './rankTrees';

/** In the order in which the trees were fitted: they compare the number of a kind with a threshold. */
const kinds: readonly FileKind[] = ['source', 'test', 'docs', 'aside', 'generated', 'data'];

export const kindNumber = (kind: FileKind): number => kinds.indexOf(kind);

/** What the trees know of a file. Shares are of the weights of all terms, from 0 to 1. */
export interface RankFeatures {
  /** {@link kindNumber}; that of source for a kind that the query asks for. */
  readonly kind: number;
  /** Score of the first pass. */
  readonly first: number;
  /** Score of the second pass less that of the best file, so 0 or negative. */
  readonly belowBest: number;
  readonly lexicalOfBest: number;
  readonly window: number;
  readonly windowOfBest: number;
  readonly declaring: number;
  readonly name: number;
  readonly nameCoverage: number;
  readonly folder: number;
  /** Share of the terms that the text contains. */
  readonly coverage: number;
  /** The same for declared names, and for the path. */
  readonly declaredCoverage: number;
  readonly pathCoverage: number;
  /** Hits of all terms by quality. */
  readonly count: number;
  /** Places with hits. */
  readonly hits: number;
  /** The share of the term that counts most with its number of hits, times the logarithm of that number. */
  readonly topTerm: number;
  /** In characters. */
  readonly length: number;
  readonly churn: number;
  readonly voteShare: number;
  readonly words: number;
  /** The most likely other files that are in the same folder, each as its share of the best file. */
  readonly sameFolder: number;
  /** The same for folders near it. */
  readonly nearFolder: number;
  /** The share of the name with which one of these files begins, too; less for a less likely one. */
  readonly namePrefix: number;
}

/** A number, or the feature and the threshold that say which of two trees goes on. */
type Tree =
  | number
  | {
      readonly feature: keyof RankFeatures;
      readonly threshold: number;
      readonly upTo: Tree;
      readonly above: Tree;
    };

const names: ReadonlySet<string> = new Set<keyof RankFeatures>([
  'kind',
  'first',
  'belowBest',
  'lexicalOfBest',
  'window',
  'windowOfBest',
  'declaring',
  'name',
  'nameCoverage',
  'folder',
  'coverage',
  'declaredCoverage',
  'pathCoverage',
  'count',
  'hits',
  'topTerm',
  'length',
  'churn',
  'voteShare',
  'words',
  'sameFolder',
  'nearFolder',
  'namePrefix',
]);
const isFeature = (name: string): name is keyof RankFeatures => names.has(name);

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

/** A number, in logarithms of odds, that corrects the weighted sum of a file. */
export function treeScore(features: RankFeatures): number {
  fitted ??= treesOf(rankTrees);
  return sumOfTrees(fitted, features);
}
