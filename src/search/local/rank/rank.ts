import { type Corpus, comparePlaces } from '../candidates';
import type { FileKind } from '../paths';
import type { Term } from '../query/terms';
import { LikelyFiles } from './likelyFiles';
import { type Document, type ScoredDocument, scoreDocuments } from './score';
import { kindNumber, type RankFeatures, treeScore } from './treeScore';

export interface RankedFile {
  /** Index of the root. */
  readonly root: number;
  readonly path: string;
  /** Greater for a likelier file: a logarithm of odds, as far as the trees leave it one. */
  readonly score: number;
  /** Weight of each term; the same for all files. */
  readonly weights: readonly number[];
}

/** Documents, best first. */
export function rank(
  terms: readonly Term[],
  corpus: Corpus,
  requestedKinds: ReadonlySet<FileKind>,
  all: readonly Document[],
): RankedFile[] {
  const { documents, weights } = scoreDocuments(terms, corpus, requestedKinds, all);
  const likely = new LikelyFiles(documents);
  return documents
    .map(scored => {
      const { root, path } = scored.document.candidate;
      const score = scored.score + treeScore(featuresOf(scored, likely, weights));
      return { root, path, score, weights };
    })
    .sort((a, b) => b.score - a.score || comparePlaces(a, b));
}

function featuresOf(
  scored: ScoredDocument,
  likely: LikelyFiles,
  weights: readonly number[],
): RankFeatures {
  const { document, score, kind, evidence, lexicalOfBest, windowOfBest } = scored;
  const { candidate, text, history } = document;
  return {
    ...coverageOf(document, weights),
    ...likely.nearnessOf(scored),
    kind: kindNumber(kind),
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
    voteShare: history.voteShare,
    words: history.words,
  };
}

/** How much of the query a document has, by its weights. */
function coverageOf(
  { candidate, text }: Document,
  weights: readonly number[],
): Pick<RankFeatures, 'coverage' | 'declaredCoverage' | 'pathCoverage' | 'count' | 'topTerm'> {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const inPath = new Set([...candidate.inName, ...candidate.inFolder].map(({ term }) => term));
  let covered = 0;
  let declared = 0;
  let ofPath = 0;
  let count = 0;
  let topTerm = 0;
  weights.forEach((weight, term) => {
    const inText = text.counts[term] ?? 0;
    covered += inText > 0 ? weight : 0;
    declared += (text.declared[term] ?? 0) > 0 ? weight : 0;
    ofPath += inPath.has(term) ? weight : 0;
    count += inText;
    topTerm = Math.max(topTerm, weight * Math.log1p(inText));
  });
  return {
    coverage: covered / total,
    declaredCoverage: declared / total,
    pathCoverage: ofPath / total,
    count,
    topTerm: topTerm / total,
  };
}
