import { type Corpus, type CorpusCounts, type FileCandidate, termWeights } from '../candidates';
import type { PathHistory } from '../history';
import type { FileKind } from '../paths';
import type { TermMatch } from '../query/termFinder';
import { maxTerms, type Term } from '../query/terms';
import type { FileText } from '../text/fileText';
import { bestWindow } from '../text/windows';
import {
  kindScores,
  lexicalWeights,
  requestedToolingScore,
  scoreWeights,
  termFactors,
} from '../weights';

export interface Document {
  readonly candidate: FileCandidate;
  readonly text: FileText;
  readonly history: PathHistory;
}

/** A document by a weighted sum of what is known of it. */
export interface ScoredDocument {
  readonly document: Document;
  /** Log odds that the file is the right one, up to a constant. */
  readonly score: number;
  /** The same by the files alone. */
  readonly scoreWithoutHistory: number;
  readonly evidence: Evidence;
  /** Relative to the best source file, and to the best window of all files. */
  readonly lexicalOfBest: number;
  readonly windowOfBest: number;
}

/** Features of a file. Sums over terms are relative to the total weight of all terms. */
export interface Evidence {
  readonly body: number;
  readonly declaring: number;
  readonly name: number;
  /** `name`, multiplied by the covered share of the name. */
  readonly nameByCoverage: number;
  readonly folder: number;
  readonly pairs: number;
  readonly rarePairs: number;
  readonly window: number;
}

/**
 * The sum of the weighted features of each document, in their order.
 * @returns also the weight of each term
 */
export function scoreDocuments(
  terms: readonly Term[],
  corpus: Corpus,
  requestedKinds: ReadonlySet<FileKind>,
  documents: readonly Document[],
): { documents: ScoredDocument[]; weights: readonly number[] } {
  const { having, isFound } = wordsHaving(terms, corpus, documents);
  const weights = termWeights(terms, having, corpus.files);
  const total =
    weights.reduce(
      (sum, weight, term) => sum + (isFound[term] ? weight : weight * termFactors.missing),
      0,
    ) || 1;
  const averageChars = averageLength(documents);
  const rootScores = corpus.roots.map(root => rootScore(root, weights));
  const havingPair = new Map<number, number>();
  for (const { text } of documents) {
    for (const pair of text.pairs.keys()) havingPair.set(pair, (havingPair.get(pair) ?? 0) + 1);
  }

  const judged = documents.map(document => {
    const evidence = evidenceOf(document, weights, total, averageChars, pair =>
      Math.log(1 + documents.length / (havingPair.get(pair) ?? 1)),
    );
    return { document, evidence, lexical: lexicalOf(evidence) };
  });
  const kindOf = ({ candidate: { kind } }: Document): FileKind =>
    requestedKinds.has(kind) ? 'source' : kind;
  const sources = judged.filter(
    ({ document, lexical }) => kindOf(document) === 'source' && lexical > 0,
  );
  // Where no source file has any of the words, the others are measured by their own best.
  const bestLexical = maxOf((sources.length > 0 ? sources : judged).map(({ lexical }) => lexical));
  const bestWindowScore = maxOf(judged.map(({ evidence }) => evidence.window));
  const hasHistory = documents.some(({ history }) => history.churn > 0);
  const bestWords = maxOf(judged.map(({ document }) => document.history.words));

  const scored = judged.map(({ document, evidence, lexical }): ScoredDocument => {
    const { candidate, text, history } = document;
    const kind = kindOf(document);
    const lexicalOfBest = lexical / bestLexical;
    const windowOfBest = evidence.window / bestWindowScore;
    const scoreWithoutHistory =
      scoreWeights.lexical * Math.log(lexicalWeights.floor + lexical) +
      scoreWeights.lexicalOfBest * lexicalOfBest +
      scoreWeights.rarePairs * evidence.rarePairs +
      scoreWeights.window * evidence.window +
      scoreWeights.windowOfBest * windowOfBest +
      scoreWeights.declaring * evidence.declaring +
      scoreWeights.name * evidence.name +
      scoreWeights.nameByCoverage * evidence.nameByCoverage +
      scoreWeights.coverage * candidate.nameCoverage +
      scoreWeights.tests * candidate.tests +
      (rootScores[candidate.root] ?? 0) +
      kindScores[kind] +
      (candidate.kind === 'tooling' && kind === 'source' ? requestedToolingScore : 0);
    const score =
      scoreWithoutHistory +
      (hasHistory ? scoreWeights.length * Math.log(text.length + lexicalWeights.shortText) : 0) +
      scoreWeights.votes * history.votes +
      scoreWeights.strongVotes * history.strongVotes +
      scoreWeights.voteShare * history.voteShare +
      scoreWeights.churn * history.churn +
      scoreWeights.words * history.words +
      (scoreWeights.wordsOfBest * history.words) / bestWords;
    return { document, score, scoreWithoutHistory, evidence, lexicalOfBest, windowOfBest };
  });
  return { documents: scored, weights };
}

/** The root whose files share most words of the query is likely the one that is meant. */
function rootScore({ files, inText }: CorpusCounts, weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const smoothing = scoreWeights.rootSmoothing;
  return weights.reduce((sum, weight, term) => {
    const share = ((inText[term] ?? 0) + smoothing) / (files + 2 * smoothing);
    return sum + ((scoreWeights.root * weight) / total) * Math.log(share);
  }, 0);
}

const maxOf = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 1e-6);

const sumOf = (matches: readonly TermMatch[], weights: readonly number[]): number =>
  matches.reduce((sum, { term, factor }) => sum + (weights[term] ?? 0) * factor, 0);

/**
 * Estimates how many files contain each term as a word. The first pass also counts `import` as a hit for
 * port; the share among the files read is extrapolated to all.
 */
function wordsHaving(
  terms: readonly Term[],
  corpus: CorpusCounts,
  documents: readonly Document[],
): { having: Float64Array; isFound: boolean[] } {
  const having = new Float64Array(terms.length);
  const isFound: boolean[] = [];
  for (let term = 0; term < terms.length; term++) {
    let any = 0;
    let asWord = 0;
    for (const { candidate, text } of documents) {
      const count = text.counts[term] ?? 0;
      any += count > 0 || (candidate.counts?.[term] ?? 0) > 0 ? 1 : 0;
      asWord += count >= 0.9 ? 1 : 0;
    }
    isFound.push(any > 0);
    having[term] = ((corpus.inText[term] ?? 0) * (asWord + 2)) / (any + 2);
  }
  return { having, isFound };
}

function averageLength(documents: readonly Document[]): number {
  const sum = documents.reduce((all, { text }) => all + text.length, 0);
  const mean = sum / Math.max(1, documents.length);
  return Math.min(Math.max(mean, lexicalWeights.minAverageLength), lexicalWeights.maxAverageLength);
}

function evidenceOf(
  { candidate, text }: Document,
  weights: readonly number[],
  total: number,
  averageChars: number,
  rarity: (pair: number) => number,
): Evidence {
  const { saturation, byLength } = lexicalWeights;
  const half = saturation * (1 - byLength + (byLength * text.length) / averageChars);
  const saturated = (count: number): number => (count * (saturation + 1)) / (count + half);
  let body = 0;
  let declaring = 0;
  weights.forEach((weight, term) => {
    const count = text.counts[term] ?? 0;
    const inDeclarations = text.declaring[term] ?? 0;
    body += weight * saturated(count + lexicalWeights.declaring * inDeclarations);
    declaring += weight * saturated(inDeclarations);
  });
  const name = sumOf(candidate.inName, weights);
  let pairs = 0;
  let rarePairs = 0;
  for (const [pair, count] of text.pairs) {
    const first = weights[Math.floor(pair / maxTerms)] ?? 0;
    const second = weights[pair % maxTerms] ?? 0;
    const worth = Math.min(first, second) * (1 + lexicalWeights.morePairs * Math.log(count));
    pairs += worth;
    rarePairs += worth * rarity(pair);
  }
  return {
    body: body / total,
    declaring: declaring / total,
    name: name / total,
    nameByCoverage: (name * candidate.nameCoverage) / total,
    folder: sumOf(candidate.inFolder, weights) / total,
    pairs: pairs / total,
    rarePairs: rarePairs / total,
    window: (bestWindow(text.hits, weights, lexicalWeights.windowLines)?.score ?? 0) / total,
  };
}

function lexicalOf({ body, name, nameByCoverage, folder, pairs, window }: Evidence): number {
  return (
    body +
    lexicalWeights.name * (name + nameByCoverage) +
    lexicalWeights.folder * folder +
    lexicalWeights.pairs * pairs +
    lexicalWeights.window * window * (1 + Math.min(1.5, window))
  );
}
