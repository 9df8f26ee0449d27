import type { Term } from './query/terms';
import { partsOf, stemOf } from './query/words';
import { historyWeights } from './weights';

/** A commit. */
export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  /** Seconds. */
  readonly time: number;
  /** Stems of the words of its subject. */
  readonly stems: ReadonlySet<string>;
  /** From the repository's root, with `/`. */
  readonly paths: readonly string[];
}

/** Stands before each commit in the log. */
export const commitMark = '\x1e';

/** The format of git's log that `readCommits` reads, with `--name-only`. */
export const commitFormat = '%x1e%H%x1f%P%x1f%ct%x1f%s%x1f';

export function readCommits(log: string): Commit[] {
  const commits: Commit[] = [];
  for (const record of log.split(commitMark).slice(1)) {
    const [id = '', parents = '', time = '', subject = '', paths = ''] = record.split('\x1f');
    commits.push({
      id,
      parents: parents.split(' ').filter(Boolean),
      time: Number(time),
      stems: new Set(
        partsOf(subject)
          .filter(part => part.length > 2)
          .map(stemOf),
      ),
      paths: paths.split('\n').filter(Boolean),
    });
  }
  return commits;
}

/** What the commits say about a file. */
export interface PathHistory {
  /** Commits whose subject matches, recent ones weighing more; relative to the file with most, from 0 to 1. */
  readonly votes: number;
  /** Logarithm of the number of commits whose subject contains nearly all of the query. */
  readonly strongVotes: number;
  /** Share of the commits of the file whose subject matches; relative to the best file, from 0 to 1. */
  readonly voteShare: number;
  /** Logarithm of the number of recent commits. */
  readonly churn: number;
  /** How much it is a part of the newest few commits: the next change is often near the last ones. */
  readonly recent: number;
  /** Lexical score of all its commit subjects taken as one text, from 0 to 1. */
  readonly words: number;
}

/** The history of a file without commits. */
export const noHistory: PathHistory = {
  votes: 0,
  strongVotes: 0,
  voteShare: 0,
  churn: 0,
  recent: 0,
  words: 0,
};

const weightOf = ({ weight, kind }: Term): number =>
  weight * (kind === 'common' ? historyWeights.common : 1);

const rarity = (having: number, all: number): number =>
  Math.log(1 + (all - having + 0.5) / (having + 0.5));

interface Sums {
  votes: number;
  recent: number;
  strong: number;
  squared: number;
  busy: number;
  changes: number;
  shares: number;
  terms: Float32Array;
}

/** Reads the commits of repositories for the terms of a query. */
export class FileHistory {
  readonly #sums = new Map<string, Sums>();
  readonly #wordWeights: readonly number[];
  #max = { votes: 1e-9, voteShare: 1e-9 };
  #usualShares = 1;

  /** @param logs by repository, each newest first. */
  constructor(terms: readonly Term[], logs: ReadonlyMap<string, readonly Commit[]>) {
    const stems = terms.map(({ forms }) =>
      forms
        .filter(({ isSynonym, words }) => !isSynonym && words.length === 1)
        .map(({ words }) => words[0] ?? ''),
    );
    const termsOf = ({ stems: said }: Commit): number[] =>
      stems.flatMap((ofTerm, term) => (ofTerm.some(stem => said.has(stem)) ? [term] : []));
    const matches = new Map([...logs].map(([name, log]) => [name, log.map(termsOf)]));
    const having = new Float64Array(terms.length);
    for (const term of [...matches.values()].flat(2)) having[term]! += 1;
    const commitCount = [...logs.values()].reduce((sum, { length }) => sum + length, 0);
    const weights = terms.map((term, index) =>
      having[index] ? weightOf(term) * rarity(having[index], commitCount) : 0,
    );
    for (const [name, log] of logs) this.#read(name, log, matches.get(name) ?? [], weights);

    const pathsHaving = new Float64Array(terms.length);
    let shares = 0;
    for (const sums of this.#sums.values()) {
      this.#max.votes = Math.max(this.#max.votes, sums.votes);
      this.#max.voteShare = Math.max(this.#max.voteShare, voteShare(sums));
      shares += sums.shares;
      sums.terms.forEach((count, term) => {
        pathsHaving[term]! += count > 0 ? 1 : 0;
      });
    }
    this.#usualShares = shares / Math.max(1, this.#sums.size);
    const wordWeights = terms.map((term, index) =>
      pathsHaving[index] ? weightOf(term) * rarity(pathsHaving[index], this.#sums.size) : 0,
    );
    const allWords = wordWeights.reduce((sum, weight) => sum + weight, 0) || 1;
    this.#wordWeights = wordWeights.map(weight => weight / allWords);
  }

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }

  /** @param path from the root of the repository. */
  of(repository: string, path: string): PathHistory {
    const sums = this.#sums.get(keyOf(repository, path));
    if (!sums) return noHistory;
    const { saturation, byLength } = historyWeights;
    const half = saturation * (1 - byLength + (byLength * sums.shares) / this.#usualShares);
    let words = 0;
    this.#wordWeights.forEach((weight, term) => {
      const count = sums.terms[term] ?? 0;
      words += (weight * count) / (count + half);
    });
    return {
      votes: Math.sqrt(sums.votes / this.#max.votes),
      strongVotes: Math.log1p(sums.strong),
      voteShare: Math.sqrt(voteShare(sums) / this.#max.voteShare),
      churn: Math.log1p(sums.busy),
      recent: sums.recent,
      words,
    };
  }

  /** @param matches terms of each commit. */
  #read(
    repository: string,
    log: readonly Commit[],
    matches: readonly (readonly number[])[],
    weights: readonly number[],
  ): void {
    const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
    for (const [age, { paths }] of log.entries()) {
      // A commit of many files says little about each.
      if (paths.length > historyWeights.maxPaths) continue;
      const found = matches[age] ?? [];
      const likeness = found.reduce((sum, term) => sum + (weights[term] ?? 0), 0) / total;
      const share = 1 / Math.sqrt(paths.length);
      for (const path of paths) {
        const sums = this.#sumsOf(keyOf(repository, path), weights.length);
        sums.votes += likeness ** 2 * share * 2 ** (-age / historyWeights.votesHalfLife);
        sums.strong += likeness ** 3 * share;
        sums.squared += likeness ** 2 * share;
        sums.recent += 2 ** (-age / historyWeights.recentHalfLife);
        sums.busy += 2 ** (-age / historyWeights.churnHalfLife);
        sums.changes += 1;
        sums.shares += share;
        for (const term of found) sums.terms[term]! += share;
      }
    }
  }

  #sumsOf(path: string, termCount: number): Sums {
    let sums = this.#sums.get(path);
    if (!sums) {
      const terms = new Float32Array(termCount);
      sums = {
        votes: 0,
        recent: 0,
        strong: 0,
        squared: 0,
        busy: 0,
        changes: 0,
        shares: 0,
        terms,
      };
      this.#sums.set(path, sums);
    }
    return sums;
  }
}

const keyOf = (repository: string, path: string): string => `${repository}\0${path}`;

const voteShare = ({ squared, changes }: Sums): number =>
  squared / (changes + historyWeights.fewChanges);
