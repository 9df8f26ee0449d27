import { append } from '../../base/arrays';
import { type FileKind, kindOf, partsOfPath, testedName } from './paths';
import type { TermFinder, TermMatch } from './query/termFinder';
import type { Term } from './query/terms';
import { firstPassKindFactors, firstPassWeights, termFactors } from './weights';

/** A file whose path or text contains a term of the query. Arrays have one number per term. */
export interface FileCandidate {
  /** Index of the root. */
  readonly root: number;
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly kind: FileKind;
  /** `PathParts.name`. */
  readonly name: string;
  /** Hits as counted in the first pass, which also counts matches inside of words. */
  readonly counts: Float32Array | undefined;
  readonly inName: readonly TermMatch[];
  /** Share of the characters of the name that terms of the query cover, from 0 to 1. */
  readonly nameCoverage: number;
  readonly inFolder: readonly TermMatch[];
  /** Score of the best test of this file, relative to the best test of all, from 0 to 1. */
  tests: number;
  score: number;
}

export interface CorpusCounts {
  readonly files: number;
  /** Number of files per term that contain it. */
  readonly inText: Float64Array;
}

/** The files of all roots together, and of each. */
export interface Corpus extends CorpusCounts {
  readonly roots: readonly CorpusCounts[];
}

/** Inverse document frequency of each term, multiplied by its weight in the query. */
export function termWeights(terms: readonly Term[], having: Float64Array, files: number): number[] {
  return terms.map(({ kind, weight }, term) => {
    const count = Math.min(having[term] ?? 0, files);
    return weight * termFactors[kind] * Math.log(1 + (files - count + 0.5) / (count + 0.5));
  });
}

/** The files of a root, and the hits per term of those that have any. */
export interface CountedFiles {
  readonly files: readonly string[];
  readonly counts: ReadonlyMap<string, Float32Array>;
}

/**
 * The best candidates of all roots, best first, by a score that needs no more than paths and counts. How
 * rare a term is depends on the files of all roots, so that candidates of different roots can be compared.
 */
export function findCandidates(
  terms: readonly Term[],
  finder: TermFinder,
  roots: readonly CountedFiles[],
  requestedKinds: ReadonlySet<FileKind>,
): { candidates: FileCandidate[]; corpus: Corpus } {
  const inRoots = roots.map(({ files }) => ({
    files: files.length,
    inText: new Float64Array(terms.length),
  }));
  const candidates: FileCandidate[] = [];
  for (const [root, counted] of inRoots.entries()) {
    append(candidates, candidatesOf(root, roots[root] ?? noFiles, terms, finder, counted));
  }
  const corpus: Corpus = {
    files: Math.max(sumOf(inRoots.map(({ files }) => files)), 1),
    inText: Float64Array.from(terms, (_, term) =>
      sumOf(inRoots.map(({ inText }) => inText[term] ?? 0)),
    ),
    roots: inRoots,
  };
  scoreByCounts(terms, candidates, corpus, requestedKinds);
  return { candidates: best(candidates, firstPassWeights.maxCandidates), corpus };
}

const noFiles: CountedFiles = { files: [], counts: new Map() };

const sumOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** The files of a root with a hit; counts them in the corpus. */
function candidatesOf(
  root: number,
  { files, counts }: CountedFiles,
  terms: readonly Term[],
  finder: TermFinder,
  corpus: CorpusCounts,
): FileCandidate[] {
  const candidates: FileCandidate[] = [];
  const folders = new Map<string, readonly TermMatch[]>();
  for (const path of files) {
    const { folder, name } = partsOfPath(path);
    let inFolder = folders.get(folder);
    if (!inFolder) folders.set(folder, (inFolder = finder.within(folder).matches));
    const { matches: inName, covered } = finder.within(name);
    const ofFile = counts.get(path);
    if (!ofFile && inName.length === 0 && inFolder.length === 0) continue;
    if (ofFile) {
      for (let term = 0; term < terms.length; term++) {
        corpus.inText[term]! += ofFile[term]! > 0 ? 1 : 0;
      }
    }
    const nameCoverage = name ? covered / name.length : 0;
    const kind = kindOf(path);
    candidates.push({
      root,
      path,
      kind,
      name,
      counts: ofFile,
      inName,
      nameCoverage,
      inFolder,
      tests: 0,
      score: 0,
    });
  }
  return candidates;
}

/** The best candidates, without sorting the rest, which can be a hundred times as many. */
function best(candidates: readonly FileCandidate[], count: number): FileCandidate[] {
  const scores = Float64Array.from(candidates, ({ score }) => score).sort();
  const minScore = scores.at(-count) ?? 0;
  return candidates
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score || comparePlaces(a, b))
    .slice(0, count);
}

/** A fixed order of files with the same score, because ripgrep lists files in any order. */
export function comparePlaces(
  a: Pick<FileCandidate, 'root' | 'path'>,
  b: Pick<FileCandidate, 'root' | 'path'>,
): number {
  return a.root - b.root || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function scoreByCounts(
  terms: readonly Term[],
  candidates: readonly FileCandidate[],
  corpus: CorpusCounts,
  requestedKinds: ReadonlySet<FileKind>,
): void {
  const weights = termWeights(terms, corpus.inText, corpus.files);
  const byTestedName = new Map<string, number>();
  let bestTest = 0;
  for (const candidate of candidates) {
    let score = 0;
    const { counts } = candidate;
    if (counts) {
      for (let term = 0; term < terms.length; term++) {
        score +=
          (weights[term]! * counts[term]!) / (counts[term]! + firstPassWeights.halfSaturation);
      }
    }
    for (const { term, factor } of candidate.inName) {
      score += weights[term]! * factor * firstPassWeights.name * (0.5 + candidate.nameCoverage);
    }
    for (const { term, factor } of candidate.inFolder) {
      score += weights[term]! * factor * firstPassWeights.folder;
    }
    if (candidate.kind === 'test') {
      const name = testedName(candidate.path);
      if (name) {
        const tested = `${candidate.root}:${name}`;
        byTestedName.set(tested, Math.max(byTestedName.get(tested) ?? 0, score));
        bestTest = Math.max(bestTest, score);
      }
    }
    candidate.score =
      score * (requestedKinds.has(candidate.kind) ? 1 : firstPassKindFactors[candidate.kind]);
  }
  if (bestTest > 0) {
    for (const candidate of candidates) {
      if (candidate.kind !== 'test') {
        const tests = byTestedName.get(`${candidate.root}:${candidate.name}`) ?? 0;
        candidate.tests = tests / bestTest;
        candidate.score *= 1 + firstPassWeights.tests * candidate.tests;
      }
    }
  }
}
