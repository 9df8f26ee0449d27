import { type FileKind, kindOf, partsOfPath, testedName } from './paths';
import type { Term } from './query';
import type { Meaning, TermFinder } from './spellings';
import { FIRST, FIRST_KIND, TERM } from './weights';

/** A file whose path or text has a term of the query. Arrays have a number per term. */
export interface Candidate {
  readonly path: string;
  readonly kind: FileKind;
  /** `PathParts.name`. */
  readonly name: string;
  /** Hits as counted by the first pass, which also counts those within words. */
  readonly counts: Float32Array | undefined;
  readonly inName: readonly Meaning[];
  /** Share of the name's letters that the query says, 0 to 1. */
  readonly nameCoverage: number;
  readonly inFolder: readonly Meaning[];
  /** How well the best test of this file matches, against the best test of all: 0 to 1. */
  tests: number;
  score: number;
}

export interface Census {
  readonly files: number;
  /** Files with the term in their text. */
  readonly inText: Float64Array;
}

/** What finding a term is worth: the fewer files have it, the more. Its weight in the query counts. */
export function termWeights(terms: readonly Term[], having: Float64Array, files: number): number[] {
  return terms.map(({ kind, weight }, term) => {
    const count = Math.min(having[term] ?? 0, files);
    return weight * TERM[kind] * Math.log(1 + (files - count + 0.5) / (count + 0.5));
  });
}

/** The best candidates, best first, by a score that needs no more than paths and counts. */
export function findCandidates(
  terms: readonly Term[],
  finder: TermFinder,
  files: readonly string[],
  counts: ReadonlyMap<string, Float32Array>,
  asked: ReadonlySet<FileKind>,
): { candidates: Candidate[]; census: Census } {
  const census: Census = {
    files: Math.max(files.length, 1),
    inText: new Float64Array(terms.length),
  };
  const candidates: Candidate[] = [];
  const folders = new Map<string, readonly Meaning[]>();
  for (const path of files) {
    const { folder, name } = partsOfPath(path);
    let inFolder = folders.get(folder);
    if (!inFolder) folders.set(folder, (inFolder = finder.within(folder).meanings));
    const { meanings: inName, covered } = finder.within(name);
    const ofFile = counts.get(path);
    if (!ofFile && inName.length === 0 && inFolder.length === 0) continue;
    if (ofFile)
      for (let term = 0; term < terms.length; term++)
        census.inText[term]! += ofFile[term]! > 0 ? 1 : 0;
    const nameCoverage = name ? covered / name.length : 0;
    const kind = kindOf(path);
    candidates.push({
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
  scoreByCounts(terms, candidates, census, asked);
  return { candidates: best(candidates, FIRST.keep), census };
}

/** Without ordering the rest, of which a large tree has a hundred times as many. */
function best(candidates: readonly Candidate[], most: number): Candidate[] {
  const scores = Float64Array.from(candidates, ({ score }) => score).sort();
  const least = scores.at(-most) ?? 0;
  return candidates
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
}

function scoreByCounts(
  terms: readonly Term[],
  candidates: readonly Candidate[],
  census: Census,
  asked: ReadonlySet<FileKind>,
): void {
  const weights = termWeights(terms, census.inText, census.files);
  const byTestedName = new Map<string, number>();
  let bestTest = 0;
  for (const candidate of candidates) {
    let score = 0;
    const { counts } = candidate;
    if (counts)
      for (let term = 0; term < terms.length; term++)
        score += (weights[term]! * counts[term]!) / (counts[term]! + FIRST.half);
    for (const { term, factor } of candidate.inName)
      score += weights[term]! * factor * FIRST.name * (0.5 + candidate.nameCoverage);
    for (const { term, factor } of candidate.inFolder)
      score += weights[term]! * factor * FIRST.folder;
    if (candidate.kind === 'test') {
      const tested = testedName(candidate.path);
      if (tested) {
        byTestedName.set(tested, Math.max(byTestedName.get(tested) ?? 0, score));
        bestTest = Math.max(bestTest, score);
      }
    }
    candidate.score = score * (asked.has(candidate.kind) ? 1 : FIRST_KIND[candidate.kind]);
  }
  if (bestTest > 0) {
    for (const candidate of candidates) {
      if (candidate.kind !== 'test') {
        const tests = byTestedName.get(candidate.name) ?? 0;
        candidate.tests = tests / bestTest;
        candidate.score *= 1 + FIRST.tests * candidate.tests;
      }
    }
  }
}
