import { Slices } from '../../base/async/slices';
import { type FileTable, PathTexts, type TextTable } from './fileTable';
import type { FileKind } from './paths';
import type { RequestedRoute } from './query/requestedRoute';
import type { TermFinder, TermMatch } from './query/termFinder';
import type { Term } from './query/terms';
import { type TypedPath, TypedPathFinder } from './query/typedPaths';
import { isCatalog, isOfTexts, isTranslation, languageRank } from './uiTexts/catalogs';
import { firstPassKindFactors, firstPassWeights, termFactors } from './weights';

/** What is known of the files that a query is about. */
export interface WantedFiles {
  readonly terms: readonly Term[];
  readonly paths: readonly TypedPath[];
  readonly route?: RequestedRoute | undefined;
  readonly requestedKinds: ReadonlySet<FileKind>;
  /** Whether files of texts are wanted, too, because the query may be one of the user interface. */
  readonly wantsCatalogs?: boolean;
  /** Terms of names that a file has all of, if it uses what they are of. */
  readonly keys?: readonly (readonly number[])[] | undefined;
}

/** A file in one of the roots. */
export interface RootFile {
  /** Index of the root. */
  readonly root: number;
  /** Relative to the root, with `/`. */
  readonly path: string;
}

/** A file whose path or text contains a term of the query. Arrays have one number per term. */
export interface FileCandidate extends RootFile {
  readonly kind: FileKind;
  /** Hits as counted in the first pass, which also counts matches inside of words. */
  readonly counts: Float32Array | undefined;
  readonly inName: readonly TermMatch[];
  /** Share of the characters of the name that terms of the query cover, from 0 to 1. */
  readonly nameCoverage: number;
  readonly inFolder: readonly TermMatch[];
  /** Score of the best test of this file, relative to the best test of all, from 0 to 1. */
  readonly tests: number;
  readonly score: number;
  /** Log odds that a path in the query adds; 0 where none is this file's. */
  readonly typed: number;
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

/** Files with their hits per term. */
export interface CountedFiles {
  readonly files: FileTable;
  /** Those of file n for term t are at `n * terms + t`. */
  readonly counts: Float32Array;
  /** Whether a file is not searched; absent where all are. */
  readonly isLeftOut?: ((file: number) => boolean) | undefined;
}

/** The files of a root in one or more tables, which share their texts. */
export type CountedRoot = readonly CountedFiles[];

/**
 * The best candidates of all roots, best first, by a score that needs no more than paths and counts. How
 * rare a term is depends on the files of all roots, so that candidates of different roots can be compared.
 */
export async function findCandidates(
  wanted: WantedFiles,
  finder: TermFinder,
  roots: readonly CountedRoot[],
): Promise<{ candidates: FileCandidate[]; corpus: Corpus; catalogs: RootFile[] }> {
  const { terms, requestedKinds } = wanted;
  const slices = new Slices();
  const found: RootCandidates[] = [];
  for (const root of roots) {
    found.push(await RootCandidates.of(root, wanted, finder, slices));
  }
  const inRoots = found.map(({ counted }) => counted);
  const corpus: Corpus = {
    files: Math.max(sumOf(inRoots.map(({ files }) => files)), 1),
    inText: Float64Array.from(terms, (_, term) =>
      sumOf(inRoots.map(({ inText }) => inText[term] ?? 0)),
    ),
    roots: inRoots,
  };
  const weights = termWeights(terms, corpus.inText, corpus.files);
  let bestTest = 0;
  for (const root of found) {
    bestTest = Math.max(bestTest, await root.score(weights, requestedKinds));
  }
  if (bestTest > 0) for (const root of found) await root.addTests(bestTest);
  const minScore = scoreOfPlace(found, firstPassWeights.maxCandidates);
  const candidates = found
    .flatMap((root, number) => root.from(minScore, number))
    .sort((a, b) => b.typed - a.typed || b.score - a.score || comparePlaces(a, b))
    .slice(0, firstPassWeights.maxCandidates);
  return { candidates, corpus, catalogs: wanted.wantsCatalogs ? catalogsOf(found) : [] };
}

/** Those of more files would take longer to read than the search takes. */
const maxCatalogs = 40;
/** The rest may be values that a program puts into a text. */
const minShareOfTerms = 0.5;

/** The files of texts that have the most terms, those of the language that others are translated from first. */
function catalogsOf(roots: readonly RootCandidates[]): RootFile[] {
  return roots
    .flatMap((one, root) => one.catalogs(minShareOfTerms, root))
    .sort((a, b) => b.worth - a.worth || comparePlaces(a, b))
    .slice(0, maxCatalogs)
    .map(({ root, path }) => ({ root, path }));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** The score of the candidate at this place, 1 for the best one, without sorting all of them. */
function scoreOfPlace(roots: readonly RootCandidates[], place: number): number {
  const best = new Float64Array(4 * place);
  let length = 0;
  let minScore = -Infinity;
  for (const { scores } of roots) {
    for (let at = 0; at < scores.length; at++) {
      if (scores[at]! <= minScore) continue;
      best[length++] = scores[at]!;
      if (length < best.length) continue;
      best.sort().reverse();
      minScore = best[place - 1]!;
      length = place;
    }
  }
  return best.subarray(0, length).sort().at(-place) ?? -Infinity;
}

interface NameMatch {
  readonly matches: readonly TermMatch[];
  readonly coverage: number;
}

/** Log odds for a file that has all names of a key, which may be in different lines. */
const worthOfKey = 1;

const noMatches: readonly TermMatch[] = [];
const noNameMatch: NameMatch = { matches: noMatches, coverage: 0 };

/**
 * The files of a root with a hit in their text or path. Those of a large root are far too many for an object each, so
 * that each is a number, first of the tables one after the other, and then of the list of those with a hit.
 */
class RootCandidates {
  readonly counted: { files: number; readonly inText: Float64Array };
  /** By candidate. */
  scores = new Float64Array();
  readonly #root: CountedRoot;
  readonly #terms: number;
  readonly #slices: Slices;
  /** By candidate: the position of its table, and its number there. */
  readonly #tables: number[] = [];
  readonly #files: number[] = [];
  /** By candidate, for those whose path is in the query: what that is worth. */
  readonly #typed = new Map<number, number>();
  /** By candidate, once the tests are counted. */
  #tests: Float64Array | undefined;
  /** By number of a name: the best score of a test of it. */
  readonly #testOf = new Map<number, number>();
  readonly #inFolder: readonly (readonly TermMatch[] | undefined)[];
  readonly #inName: readonly (NameMatch | undefined)[];

  private constructor(
    root: CountedRoot,
    terms: number,
    { inFolder, inName }: PathMatches,
    slices: Slices,
  ) {
    this.#root = root;
    this.#terms = terms;
    this.#inFolder = inFolder;
    this.#inName = inName;
    this.#slices = slices;
    this.counted = { files: 0, inText: new Float64Array(terms) };
  }

  static async of(
    root: CountedRoot,
    { terms, paths, route, keys = [] }: WantedFiles,
    finder: TermFinder,
    slices: Slices,
  ): Promise<RootCandidates> {
    const typed = new TypedPathFinder(paths, route);
    const matches = await matchesInPaths(root, finder, slices);
    const found = new RootCandidates(root, terms.length, matches, slices);
    const worthOf = (table: CountedFiles, file: number): number => {
      const path = table.files.paths[file] ?? '';
      const at = file * terms.length;
      const hasKey = keys.some(key => key.every(term => table.counts[at + term]! > 0));
      return typed.find(path)?.worth ?? (hasKey && !isTranslation(path) ? worthOfKey : 0);
    };
    for (const [number, table] of root.entries()) {
      await slices.each(table.files.paths.length, file => {
        if (table.isLeftOut?.(file) === true) return;
        found.#add(number, table, file, worthOf(table, file));
      });
    }
    return found;
  }

  #add(table: number, { files, counts }: CountedFiles, file: number, typed: number): void {
    const { inText } = this.counted;
    this.counted.files++;
    let hasHit = false;
    for (let term = 0, at = file * this.#terms; term < this.#terms; term++, at++) {
      if (counts[at]! > 0) {
        inText[term]!++;
        hasHit = true;
      }
    }
    if (typed > 0) this.#typed.set(this.#files.length, typed);
    const { folderOf, nameOf } = files;
    if (typed > 0 || hasHit || this.#inName[nameOf[file]!] || this.#inFolder[folderOf[file]!]) {
      this.#tables.push(table);
      this.#files.push(file);
    }
  }

  get length(): number {
    return this.#files.length;
  }

  /** Scores all candidates. @returns the score of the best test of a file */
  async score(weights: readonly number[], requestedKinds: ReadonlySet<FileKind>): Promise<number> {
    this.scores = new Float64Array(this.length);
    let bestTest = 0;
    await this.#slices.each(this.length, at => {
      const { table, file } = this.#placeOf(at);
      const score = this.#scoreOf(table, file, weights);
      const kind = table.files.kind(file);
      if (kind === 'test') {
        const tested = table.files.tested(file);
        if (tested !== undefined) {
          this.#testOf.set(tested, Math.max(this.#testOf.get(tested) ?? 0, score));
          bestTest = Math.max(bestTest, score);
        }
      }
      this.scores[at] = score * (requestedKinds.has(kind) ? 1 : firstPassKindFactors[kind]);
    });
    return bestTest;
  }

  /** @param bestTest score of the best test of all roots */
  async addTests(bestTest: number): Promise<void> {
    const ofTests = new Float64Array(this.length);
    this.#tests = ofTests;
    await this.#slices.each(this.length, at => {
      const { table, file } = this.#placeOf(at);
      const test = this.#testOf.get(table.files.nameOf[file]!);
      if (test === undefined || table.files.kind(file) === 'test') return;
      const tests = test / bestTest;
      ofTests[at] = tests;
      this.scores[at]! *= 1 + firstPassWeights.tests * tests;
    });
  }

  /** The candidates from a score on, and those whose path is in the query. */
  from(minScore: number, root: number): FileCandidate[] {
    const found: FileCandidate[] = [];
    for (let at = 0; at < this.length; at++) {
      const score = this.scores[at] ?? 0;
      const typed = this.#typed.get(at) ?? 0;
      if (score < minScore && typed === 0) continue;
      const { table, file } = this.#placeOf(at);
      const { matches: inName, coverage: nameCoverage } = this.#nameMatch(table, file);
      const counts = table.counts.slice(file * this.#terms, (file + 1) * this.#terms);
      found.push({
        root,
        path: table.files.paths[file] ?? '',
        kind: table.files.kind(file),
        counts: counts.some(count => count > 0) ? counts : undefined,
        inName,
        nameCoverage,
        inFolder: this.#inFolder[table.files.folderOf[file] ?? 0] ?? noMatches,
        tests: this.#tests?.[at] ?? 0,
        score,
        typed,
      });
    }
    return found;
  }

  /** The files of texts with a share of the terms or more. */
  catalogs(minShare: number, root: number): (RootFile & { worth: number })[] {
    const found: (RootFile & { worth: number })[] = [];
    for (let at = 0; at < this.length; at++) {
      const { table, file } = this.#placeOf(at);
      let having = 0;
      for (let term = 0; term < this.#terms; term++) {
        if (table.counts[file * this.#terms + term]! > 0) having++;
      }
      const share = having / this.#terms;
      const path = table.files.paths[file] ?? '';
      if (share < minShare || !isCatalog(path)) continue;
      // A large file may have more of the terms than are counted.
      const worth = share + (isOfTexts(path) ? 1 : 0) - languageRank(path) / 100;
      found.push({ root, path, worth });
    }
    return found;
  }

  #scoreOf({ files, counts }: CountedFiles, file: number, weights: readonly number[]): number {
    let score = 0;
    for (let term = 0, at = file * this.#terms; term < this.#terms; term++, at++) {
      const count = counts[at]!;
      if (count > 0) score += (weights[term]! * count) / (count + firstPassWeights.halfSaturation);
    }
    const { matches, coverage } = this.#inName[files.nameOf[file]!] ?? noNameMatch;
    for (const { term, factor } of matches) {
      score += weights[term]! * factor * firstPassWeights.name * (0.5 + coverage);
    }
    for (const { term, factor } of this.#inFolder[files.folderOf[file]!] ?? noMatches) {
      score += weights[term]! * factor * firstPassWeights.folder;
    }
    return score;
  }

  #nameMatch({ files }: CountedFiles, file: number): NameMatch {
    return this.#inName[files.nameOf[file] ?? 0] ?? noNameMatch;
  }

  #placeOf(at: number): { table: CountedFiles; file: number } {
    const table = this.#root[this.#tables[at] ?? 0];
    if (!table) throw new RangeError('no such candidate');
    return { table, file: this.#files[at] ?? 0 };
  }
}

/** What of a query is in the names of files and folders, by the numbers of their texts; nothing for most. */
interface PathMatches {
  readonly inFolder: readonly (readonly TermMatch[] | undefined)[];
  readonly inName: readonly (NameMatch | undefined)[];
}

async function matchesInPaths(
  root: CountedRoot,
  finder: TermFinder,
  slices: Slices,
): Promise<PathMatches> {
  const { folders, names } = root[0]?.files.texts ?? new PathTexts();
  return {
    inFolder: await matchesIn(folders, finder, slices, ({ matches }) => matches),
    inName: await matchesIn(names, finder, slices, ({ matches, covered }, name) => ({
      matches,
      coverage: covered / name.length,
    })),
  };
}

async function matchesIn<M>(
  table: TextTable,
  finder: TermFinder,
  slices: Slices,
  toMatch: (found: ReturnType<TermFinder['within']>, text: string) => M,
): Promise<(M | undefined)[]> {
  const all = Array.from<M | undefined>({ length: table.texts.length });
  await table.forEachMatch(finder.anyForm, slices, number => {
    const text = table.texts[number] ?? '';
    const found = finder.within(text);
    if (found.matches.length > 0) all[number] = toMatch(found, text);
  });
  return all;
}

/** A fixed order of files with the same score, because ripgrep lists files in any order. */
export function comparePlaces(
  a: Pick<FileCandidate, 'root' | 'path'>,
  b: Pick<FileCandidate, 'root' | 'path'>,
): number {
  return a.root - b.root || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}
