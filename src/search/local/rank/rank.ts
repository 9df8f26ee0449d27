import { type Corpus, comparePlaces } from '../candidates';
import { noHistory } from '../history';
import type { FileKind } from '../paths';
import type { Intent } from '../query/intent';
import type { Term } from '../query/terms';
import type { NamedPlace } from '../text/namedPlaces';
import { type IntentWeights, intentWeights, lexicalWeights } from '../weights';
import { declaredNameShare } from './declaredName';
import { LikelyFiles } from './likelyFiles';
import { type Document, type ScoredDocument, scoreDocuments } from './score';
import { type RankFeatures, treeScore } from './treeScore';

export interface RankedFile {
  /** Index of the root. */
  readonly root: number;
  readonly path: string;
  /** Log odds that the file is the right one, up to a constant. */
  readonly score: number;
  /** Weight of each term; the same for all files. */
  readonly weights: readonly number[];
}

/** How much of the query is where in a document. */
type Coverage = Pick<
  RankFeatures,
  'coverage' | 'declaredCoverage' | 'pathCoverage' | 'count' | 'topTerm'
>;

interface CoveredDocument extends ScoredDocument {
  readonly coverage: Coverage;
}

/**
 * Divides the sum of both scores, which the trees widen, so that it is log odds again. On the past changes that the
 * trees were fitted to, for repositories left out of a fit: of 5,113 files said to be 17 % as likely as the best one,
 * 27 % were so; this divisor makes it 29 %.
 */
const spread = 1.4;

/** Documents, best first. */
export function rank(
  terms: readonly Term[],
  corpus: Corpus,
  requestedKinds: ReadonlySet<FileKind>,
  all: readonly Document[],
  intent: Intent = 'change',
): RankedFile[] {
  const { documents: scored, weights } = scoreDocuments(terms, corpus, requestedKinds, all);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const shares = weights.map(weight => weight / total);
  const factors = intentWeights[intent];
  const documents = scored.map(one => ({ ...one, coverage: coverageOf(one.document, shares) }));
  const scores = blendedScores(documents, factors.history);
  const counts = namedCounts(all);
  return documents
    .map(({ document, coverage }, at) => {
      const { root, path, typed } = document.candidate;
      const score =
        (scores[at] ?? 0) / spread +
        typed +
        namedWorth(document, counts) +
        intentWorth(document, coverage, shares, factors);
      return { root, path, score, weights };
    })
    .sort((a, b) => b.score - a.score || comparePlaces(a, b));
}

/**
 * The scores of documents, as a mean of those with and without the git history.
 * @param share of those with it
 */
function blendedScores(documents: readonly CoveredDocument[], share: number): number[] {
  const whole = treeScores(documents);
  if (documents.every(({ document }) => document.history.churn === 0)) return whole;
  const plain = treeScores(documents.map(withoutHistory));
  return whole.map((score, at) => share * score + (1 - share) * (plain[at] ?? 0));
}

const withoutHistory = (scored: CoveredDocument): CoveredDocument => ({
  ...scored,
  score: scored.scoreWithoutHistory,
  document: { ...scored.document, history: noHistory },
});

function treeScores(documents: readonly CoveredDocument[]): number[] {
  const likely = new LikelyFiles(documents);
  return documents.map(scored => scored.score + treeScore(featuresOf(scored, likely)));
}

/** What the query names of a document. An example in prose declares nothing. */
const namedIn = ({ candidate, text }: Document): readonly NamedPlace[] =>
  text.named.filter(({ kind }) => kind !== 'declaration' || candidate.kind !== 'docs');

/** Number of documents that have each of what the query names. */
function namedCounts(documents: readonly Document[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of documents.flatMap(namedIn)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Says as much of each file that has it. */
const ofMany: ReadonlySet<NamedPlace['kind']> = new Set(['route', 'call', 'uiText', 'textUse']);

/** Log odds of what says most of a document. What many have says little. */
const namedWorth = (document: Document, counts: ReadonlyMap<string, number>): number =>
  Math.max(
    0,
    ...namedIn(document).map(({ kind, text, worth }) =>
      ofMany.has(kind) ? worth : worth - Math.log(counts.get(text) ?? 1),
    ),
  );

/** Log odds by what counts more, or less, for the intent of the query. */
function intentWorth(
  document: Document,
  { coverage, declaredCoverage }: Coverage,
  shares: readonly number[],
  factors: IntentWeights,
): number {
  return (
    factors.declaredName * declaredNameShare(document, shares) +
    factors.coverage * coverage +
    factors.declaredCoverage * declaredCoverage +
    factors.length * Math.log(document.text.length + lexicalWeights.shortText)
  );
}

function featuresOf(scored: CoveredDocument, likely: LikelyFiles): RankFeatures {
  const { document, coverage, score, evidence, lexicalOfBest, windowOfBest } = scored;
  const { candidate, text, history } = document;
  return {
    ...coverage,
    ...likely.nearnessOf(scored),
    first: candidate.score,
    belowBest: score - likely.bestScore,
    lexicalOfBest,
    window: evidence.window,
    windowOfBest,
    declaring: evidence.declaring,
    name: evidence.name,
    nameCoverage: candidate.nameCoverage,
    folder: evidence.folder,
    hits: text.hits.length,
    length: text.length,
    churn: history.churn,
    recent: history.recent,
    voteShare: history.voteShare,
    words: history.words,
  };
}

/** @param shares weight of each term, relative to that of all */
function coverageOf({ candidate, text }: Document, shares: readonly number[]): Coverage {
  const inPath = new Set([...candidate.inName, ...candidate.inFolder].map(({ term }) => term));
  let coverage = 0;
  let declaredCoverage = 0;
  let pathCoverage = 0;
  let count = 0;
  let topTerm = 0;
  shares.forEach((share, term) => {
    const inText = text.counts[term] ?? 0;
    coverage += inText > 0 ? share : 0;
    declaredCoverage += (text.declared[term] ?? 0) > 0 ? share : 0;
    pathCoverage += inPath.has(term) ? share : 0;
    count += inText;
    topTerm = Math.max(topTerm, share * Math.log1p(inText));
  });
  return { coverage, declaredCoverage, pathCoverage, count, topTerm };
}
