import { type Candidate, type Census, termWeights } from './candidates';
import type { FileText } from './fileText';
import type { PathHistory } from './history';
import type { FileKind } from './paths';
import { maxTerms, type Term } from './query';
import type { Meaning } from './spellings';
import { KIND, LEXICAL, SCORE, TERM } from './weights';
import { bestWindow } from './windows';

export interface Document {
  readonly candidate: Candidate;
  readonly text: FileText;
  readonly history: PathHistory;
}

export interface Ranked {
  readonly path: string;
  /** The logarithm of how likely the file is the one, but for a constant. */
  readonly score: number;
  /** What each term is worth; the same for all files. */
  readonly weights: readonly number[];
}

/** What speaks for a file. Sums over terms are shares of what all terms found are worth. */
interface Evidence {
  body: number;
  declaring: number;
  name: number;
  /** `name`, by the share of the name that the query says. */
  nameByCoverage: number;
  folder: number;
  pairs: number;
  rarePairs: number;
  window: number;
}

/** Documents, best first. */
export function rank(
  terms: readonly Term[],
  census: Census,
  asked: ReadonlySet<FileKind>,
  documents: readonly Document[],
): Ranked[] {
  const { having, isFound } = wordsHaving(terms, census, documents);
  const weights = termWeights(terms, having, census.files);
  const total =
    weights.reduce(
      (sum, weight, term) => sum + (isFound[term] ? weight : weight * TERM.missing),
      0,
    ) || 1;
  const usual = usualLength(documents);
  const havingPair = new Map<number, number>();
  for (const { text } of documents)
    for (const pair of text.pairs.keys()) havingPair.set(pair, (havingPair.get(pair) ?? 0) + 1);

  const judged = documents.map(document => {
    const evidence = evidenceOf(document, weights, total, usual, pair =>
      Math.log(1 + documents.length / (havingPair.get(pair) ?? 1)),
    );
    return { document, evidence, lexical: lexicalOf(evidence) };
  });
  const isSource = (kind: FileKind): boolean => kind === 'source' || asked.has(kind);
  const bestLexical = most(
    judged.map(({ document, lexical }) => (isSource(document.candidate.kind) ? lexical : 0)),
  );
  const bestWindowScore = most(judged.map(({ evidence }) => evidence.window));
  const hasHistory = documents.some(({ history }) => history.churn > 0);
  const bestWords = most(judged.map(({ document }) => document.history.words));

  return judged
    .map(({ document: { candidate, text, history }, evidence, lexical }) => {
      const score =
        SCORE.lexical * Math.log(LEXICAL.floor + lexical) +
        (SCORE.lexicalOfBest * lexical) / bestLexical +
        SCORE.rarePairs * evidence.rarePairs +
        SCORE.window * evidence.window +
        (SCORE.windowOfBest * evidence.window) / bestWindowScore +
        SCORE.declaring * evidence.declaring +
        SCORE.name * evidence.name +
        SCORE.nameByCoverage * evidence.nameByCoverage +
        SCORE.coverage * candidate.nameCoverage +
        SCORE.tests * candidate.tests +
        (hasHistory ? SCORE.length * Math.log(text.length + LEXICAL.shortText) : 0) +
        SCORE.votes * history.votes +
        SCORE.strongVotes * history.strongVotes +
        SCORE.voteShare * history.voteShare +
        SCORE.churn * history.churn +
        SCORE.words * history.words +
        (SCORE.wordsOfBest * history.words) / bestWords +
        (isSource(candidate.kind) ? KIND.source : KIND[candidate.kind]);
      return { path: candidate.path, score, weights };
    })
    .sort((a, b) => b.score - a.score);
}

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 1e-6);

const sumOf = (meanings: readonly Meaning[], weights: readonly number[]): number =>
  meanings.reduce((sum, { term, factor }) => sum + (weights[term] ?? 0) * factor, 0);

/**
 * Files that have a term as a word. The first pass also counts `import` as a hit for port; how many
 * of the files read have the word tells how many of all do.
 */
function wordsHaving(
  terms: readonly Term[],
  census: Census,
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
    having[term] = ((census.inText[term] ?? 0) * (asWord + 2)) / (any + 2);
  }
  return { having, isFound };
}

function usualLength(documents: readonly Document[]): number {
  const sum = documents.reduce((all, { text }) => all + text.length, 0);
  const mean = sum / Math.max(1, documents.length);
  return Math.min(Math.max(mean, LEXICAL.leastUsualLength), LEXICAL.mostUsualLength);
}

function evidenceOf(
  { candidate, text }: Document,
  weights: readonly number[],
  total: number,
  usual: number,
  rarity: (pair: number) => number,
): Evidence {
  const { saturation, byLength } = LEXICAL;
  const half = saturation * (1 - byLength + (byLength * text.length) / usual);
  const saturated = (count: number): number => (count * (saturation + 1)) / (count + half);
  let body = 0;
  let declaring = 0;
  weights.forEach((weight, term) => {
    const count = text.counts[term] ?? 0;
    const inDeclarations = text.declaring[term] ?? 0;
    body += weight * saturated(count + LEXICAL.declaring * inDeclarations);
    declaring += weight * saturated(inDeclarations);
  });
  const name = sumOf(candidate.inName, weights);
  let pairs = 0;
  let rarePairs = 0;
  for (const [pair, count] of text.pairs) {
    const first = weights[Math.floor(pair / maxTerms)] ?? 0;
    const second = weights[pair % maxTerms] ?? 0;
    const worth = Math.min(first, second) * (1 + LEXICAL.morePairs * Math.log(count));
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
    window: (bestWindow(text.hits, weights, LEXICAL.windowLines)?.score ?? 0) / total,
  };
}

function lexicalOf({ body, name, nameByCoverage, folder, pairs, window }: Evidence): number {
  return (
    body +
    LEXICAL.name * (name + nameByCoverage) +
    LEXICAL.folder * folder +
    LEXICAL.pairs * pairs +
    LEXICAL.window * window * (1 + Math.min(1.5, window))
  );
}
