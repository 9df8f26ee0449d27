import path from 'node:path';
import { endsWithin } from '../../base/async/endsWithin';
import { Slices } from '../../base/async/slices';
import { toPosixPath } from '../workspace/sandbox';
import { readDisk } from '../workspace/searchedFiles';
import type { FoundCandidates } from './candidateIndex';
import {
  type CountedFiles,
  type FileCandidate,
  findCandidates,
  type RootFile,
  type WantedFiles,
} from './candidates';
import { ElementFinder } from './elements/elementPlaces';
import { FileHits } from './fileHits';
import { GitLog } from './gitLog';
import { type Commit, FileHistory } from './history';
import { countsIn, findHits, type Hits } from './hits';
import type { LocalGit, LocalRoot, LocalSummary, RootResult, RootsOptions } from './localSearch';
import { requestedKindsOf } from './paths';
import { type Intent, intentOf } from './query/intent';
import { literalsOf } from './query/literals';
import { phrasesOf } from './query/phrases';
import { querySymbolsOf } from './query/querySymbols';
import type { ReadQuery } from './query/requestedRoute';
import { TermFinder } from './query/termFinder';
import { maxQueryChars, type Term } from './query/terms';
import { TypedPathFinder, typedPathsOf } from './query/typedPaths';
import { type RankedFile, rank } from './rank/rank';
import { type HandlingFile, type ReadText, withHandlers } from './routeHandlers';
import { TextReader } from './text/fileText';
import { headsOf } from './text/languages';
import { NamedPlaceFinder } from './text/namedPlaces';
import { around, withFirst, withNamed } from './text/namedSpans';
import { RouteFinder } from './text/routes';
import { type ResultSpan, spansOf } from './text/spans';
import { findUiTexts } from './uiTexts/findUiTexts';
import { LiteralTextFinder } from './uiTexts/literalTexts';
import { type ShownText, shownTextsOf } from './uiTexts/shownTexts';
import { keyTermsOf, pathOfText, withUiTexts } from './uiTexts/textKeys';
import { TextUseFinder, withTextUses } from './uiTexts/textUses';
import { maxCountedChars, maxReadChars, spanLimits } from './weights';

/** How long results wait for the git history before they are shown without it, and then sorted anew. */
const quickHistoryMs = 100;
/** Only the first read of a very large repository takes longer. */
const defaultHistoryMs = 10_000;

const gitLog = new GitLog();

/** Preliminary results are not published earlier, since most searches finish by then. */
const defaultFirstMs = 80;
/** Characters that are read for preliminary results. */
const maxFirstChars = 1_000_000;
/** Delay before the next attempt when there were no results yet, at least, and next to the time that one took. */
const retryMs = 20;
const retryFactor = 4;

const maxLinesForKeys = 4000;

interface RunEnd {
  readonly results: RootResult[];
  readonly summary: LocalSummary;
  /** Whether any file has a term, by its number, in its text or path. */
  readonly isFound: (term: number) => boolean;
}

/** One search in one or more roots. */
export class LocalSearchRun {
  readonly #roots: readonly LocalRoot[];
  readonly #query: ReadQuery;
  readonly #terms: readonly Term[];
  readonly #options: RootsOptions;
  readonly #finder: TermFinder;
  readonly #reader: TextReader;
  readonly #wanted: WantedFiles;
  readonly #typed: TypedPathFinder;
  readonly #intent: Intent;
  readonly #shown: readonly ShownText[];
  /** By absolute path. */
  readonly #texts = new Map<string, ReadText>();
  readonly #startedAt = performance.now();
  #history: FileHistory;
  #isDone = false;

  constructor(roots: readonly LocalRoot[], read: ReadQuery, options: RootsOptions) {
    const { words: query, rest, files, terms, route, element, uiTexts = [] } = read;
    this.#roots = roots;
    this.#query = read;
    this.#shown = route || uiTexts.length > 0 ? [] : shownTextsOf(query);
    this.#terms = terms;
    this.#options = options;
    this.#finder = new TermFinder(terms);
    const start = query.slice(0, maxQueryChars);
    const phrases = [...literalsOf(start), ...phrasesOf(start)].sort((a, b) => b.worth - a.worth);
    const places = new NamedPlaceFinder(querySymbolsOf(start), phrases);
    this.#reader = new TextReader(terms, this.#finder, places, [
      ...(route ? [new RouteFinder(route)] : []),
      ...(element ? [new ElementFinder(element)] : []),
      ...(uiTexts.length > 0 ? [new TextUseFinder(uiTexts)] : []),
      ...(this.#shown.length > 0 ? [new LiteralTextFinder(this.#shown)] : []),
    ]);
    const paths = [
      ...uiTexts.map(pathOfText),
      ...typedPathsOf(
        files.slice(0, maxQueryChars),
        roots.map(root => root.path),
      ),
    ];
    const wantsCatalogs = this.#shown.length > 0;
    const keys = keyTermsOf(uiTexts, terms);
    const requestedKinds = requestedKindsOf(rest);
    this.#wanted = { terms, paths, route, requestedKinds, wantsCatalogs, keys };
    this.#typed = new TypedPathFinder(paths, route);
    this.#intent = intentOf(query);
    this.#history = new FileHistory(terms, new Map());
  }

  async run(): Promise<RunEnd> {
    const { signal } = this.#options;
    const reading = this.#readHistory();
    const indexed = await this.#findInIndex();
    if (indexed && indexed.candidates.length > this.#firstCount) await this.#publishFirst(indexed);
    const hits = indexed ? [] : await this.#findHits();
    const found = indexed ?? (await this.#candidates(hits));
    const catalogs = found.catalogs ?? [];
    const read = (file: RootFile) => this.#readText(this.#absolute(file));
    const uiTexts = await findUiTexts(catalogs, this.#shown, read, signal);
    if (uiTexts.length > 0) {
      this.#isDone = true;
      const query = withUiTexts(this.#query, uiTexts);
      const end = await new LocalSearchRun(this.#roots, query, this.#options).run();
      // All words are in the entry.
      return { ...end, isFound: () => true };
    }
    const candidates = await this.#read(found.candidates);
    signal?.throwIfAborted();
    this.#isDone = true;
    const { results, history } = await this.#inOrder({ ...found, candidates }, reading);
    const summary = {
      files: found.corpus.roots.reduce((sum, { files }) => sum + files, 0),
      ms: performance.now() - this.#startedAt,
      usedIndex: indexed !== undefined,
      usedRipgrep: !indexed && hits.every(({ usedRipgrep }) => usedRipgrep),
      usedHistory: !this.#history.isEmpty,
      history,
      cut: hits.find(({ cut }) => cut !== undefined)?.cut,
    };
    return { results, summary, isFound: term => isTermIn(found, term) };
  }

  /** The results in their final order. Those without the history are published when it is late. */
  async #inOrder(
    found: Found,
    reading: Promise<void> | undefined,
  ): Promise<{ results: RootResult[]; history?: LocalSummary['history'] }> {
    const { signal, onBeforeHistory, historyMs = defaultHistoryMs } = this.#options;
    if (!reading || (await endsWithin(quickHistoryMs, reading, signal))) {
      return { results: this.#resultsOf(found) };
    }
    const before = this.#resultsOf(found);
    onBeforeHistory?.(before);
    if (!(await endsWithin(historyMs, reading, signal))) {
      return { results: before, history: 'missing' };
    }
    const results = this.#resultsOf(found);
    const files = [before, results].map(list =>
      list.map(({ root, path: file }) => `${root}:${file}`),
    );
    const isSame = files[0]?.join('\n') === files[1]?.join('\n');
    return { results, history: isSame ? undefined : 'late' };
  }

  /** Undefined when there is no index of all roots, or it cannot answer now. */
  async #findInIndex(): Promise<Found | undefined> {
    const { index, unsaved = [], readText, signal } = this.#options;
    if (!index) return undefined;
    const texts: (readonly [file: string, counts: Float32Array | undefined])[] = [];
    for (const absolute of unsaved) {
      const text = await readText?.(absolute);
      if (text !== undefined) {
        texts.push([absolute, countsIn(text, this.#finder, this.#terms.length)]);
      }
    }
    const roots = this.#roots.map(({ path: root }) => ({
      path: root,
      without: this.#innerRoots(root),
      unsaved: new Map(
        texts.map(([file, counts]) => [toPosixPath(path.relative(root, file)), counts]),
      ),
    }));
    const found = await index.find({ roots, ...this.#wanted });
    signal?.throwIfAborted();
    return found;
  }

  /** The hits of all roots, in their order. */
  async #findHits(): Promise<Hits[]> {
    const { length } = this.#terms;
    // A key is in one line of what may be a large file.
    const maxLines = this.#query.uiTexts ? maxLinesForKeys : undefined;
    const options = { ...this.#options, maxLines };
    const partial = this.#roots.map(
      (): Hits => ({ found: new FileHits(length), usedRipgrep: false }),
    );
    let isPublishing = false;
    return Promise.all(
      this.#roots.map(({ path: root }, index) => {
        const onListed = (listed: Hits): void => {
          partial[index] = listed;
          if (!isPublishing) void this.#publishEarly(partial);
          isPublishing = true;
        };
        return findHits(root, this.#finder, length, options, onListed);
      }),
    );
  }

  /** Beginnings of the paths of files that belong to other roots inside of a root. */
  #innerRoots(root: string): string[] {
    return this.#roots.flatMap(({ path: other }) =>
      other !== root && other.startsWith(root + path.sep)
        ? [`${toPosixPath(path.relative(root, other))}/`]
        : [],
    );
  }

  /** Publishes preliminary results from the file names and the hits counted so far. */
  async #publishEarly(partial: readonly Hits[]): Promise<void> {
    const { onFirst, firstMs = defaultFirstMs, signal } = this.#options;
    if (!onFirst) return;
    let waitMs = firstMs - (performance.now() - this.#startedAt);
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, Math.max(1, waitMs)));
      if (this.#isDone || signal?.aborted) return;
      const triedAt = performance.now();
      if (await this.#publishFirst(await this.#candidates(partial))) return;
      // In a large folder, a try takes as long as much of the search.
      waitMs = Math.max(retryMs, retryFactor * (performance.now() - triedAt));
    }
  }

  /** Publishes the results among the best candidates. @returns whether that is done with */
  async #publishFirst({ candidates, corpus }: Found): Promise<boolean> {
    const { onFirst, signal } = this.#options;
    if (!onFirst) return true;
    const pool = candidates.slice(0, this.#firstCount);
    const first = await this.#read(pool, maxFirstChars).catch(() => []);
    if (this.#isDone || signal?.aborted) return true;
    const results = this.#resultsOf({ candidates: first, corpus });
    if (results.length > 0) onFirst?.(results);
    return results.length > 0;
  }

  /** Candidates that are read for the preliminary results. */
  get #firstCount(): number {
    return 2 * this.#options.limit;
  }

  /** When git cannot read a repository, the search runs without its history. */
  #readHistory(): Promise<void> | undefined {
    const repositories = new Map(
      this.#roots.flatMap(({ git }) => (git ? [[repositoryOf(git), git] as const] : [])),
    );
    if (repositories.size === 0) return undefined;
    return Promise.all(
      [...repositories].map(async ([key, { dir, rev }]) => {
        const commits = await gitLog.read(dir, rev).catch((): Commit[] => []);
        return [key, commits] as const;
      }),
    ).then(logs => {
      this.#history = new FileHistory(this.#terms, new Map(logs));
    });
  }

  #candidates(hits: readonly Hits[]): Promise<Found> {
    const roots = hits.map(({ found }, root) => [this.#within(root, found)]);
    return findCandidates(this.#wanted, this.#finder, roots);
  }

  /** The files of a root, without those of other roots inside of it. */
  #within(root: number, found: FileHits): CountedFiles {
    const inner = this.#innerRoots(this.#roots[root]?.path ?? '');
    if (inner.length === 0) return found;
    const { files } = found;
    return {
      files,
      get counts() {
        return found.counts;
      },
      isLeftOut: file =>
        found.isLeftOut(file) || inner.some(folder => files.paths[file]?.startsWith(folder)),
    };
  }

  /** Reads candidates in their order. @returns those that were read before the limit for all */
  async #read(pool: readonly FileCandidate[], maxChars = maxReadChars): Promise<FileCandidate[]> {
    const slices = new Slices();
    const read: FileCandidate[] = [];
    let chars = 0;
    for (const candidate of pool) {
      this.#options.signal?.throwIfAborted();
      if (chars > maxChars) break;
      const text = await this.#textOf(candidate);
      if (text !== undefined) {
        chars += Math.min(text.length, maxCountedChars);
        read.push(candidate);
      }
      await slices.pause();
    }
    return read;
  }

  async #textOf(candidate: FileCandidate): Promise<string | undefined> {
    const absolute = this.#absolute(candidate);
    const known = this.#texts.get(absolute);
    if (known) return known.text;
    const text = await this.#readText(absolute);
    if (text !== undefined)
      this.#texts.set(absolute, { text, facts: this.#reader.read(text, candidate.path) });
    return text;
  }

  async #readText(absolute: string): Promise<string | undefined> {
    return (await this.#options.readText?.(absolute)) ?? readDisk(absolute);
  }

  #absolute({ root, path: file }: Pick<RankedFile, 'root' | 'path'>): string {
    return path.join(this.#roots[root]?.path ?? '', file);
  }

  #textAt(file: Pick<RankedFile, 'root' | 'path'>): ReadText | undefined {
    return this.#texts.get(this.#absolute(file));
  }

  #rank({ candidates, corpus }: Found): HandlingFile[] {
    const read = candidates.flatMap(candidate => {
      const known = this.#textAt(candidate);
      if (!known) return [];
      const git = this.#roots[candidate.root]?.git;
      const inRepository = `${git?.prefix ?? ''}${candidate.path}`;
      const history = this.#history.of(git ? repositoryOf(git) : '', inRepository);
      return [{ candidate, text: known.facts, history }];
    });
    const ranked = rank(this.#terms, corpus, this.#wanted.requestedKinds, read, this.#intent);
    if (this.#wanted.route) return withHandlers(ranked, file => this.#textAt(file));
    if (!this.#query.uiTexts) return ranked;
    return withTextUses(ranked, file => this.#textAt(file)?.facts.named ?? []);
  }

  /** The best spans of a file, and lines that the query names. */
  #spansOf(
    { path: file, weights, handler }: HandlingFile,
    { text, facts }: ReadText,
    lines: number,
  ): ResultSpan[] {
    const language = headsOf(file);
    const found = spansOf(text, facts.hits, weights, lines, language);
    const named = handler ? [handler] : facts.named;
    const spans = withNamed(found, text, { ...facts, named }, weights, language);
    const typed = this.#typed.find(file);
    if (!typed || (typed.line === undefined && spans.length > 0)) return spans;
    return withFirst(around(typed.line ?? 1, text), spans);
  }

  /** Better ranked files get more lines, so that all results stay short enough to read. */
  #resultsOf(found: Found): RootResult[] {
    const ranked = this.#rank(found);
    const best = ranked[0]?.score ?? 0;
    return ranked.slice(0, this.#options.limit).flatMap((file, index) => {
      const read = this.#textAt(file);
      const lines = spanLimits.linesByRank[index] ?? spanLimits.linesByRank.at(-1) ?? 0;
      const spans = read ? this.#spansOf(file, read, lines) : [];
      const { root, path: below } = file;
      const score = Math.exp(file.score - best);
      return spans.map(span => ({ root, path: below, ...span, score }));
    });
  }
}

type Found = FoundCandidates;

const isTermIn = ({ corpus, candidates }: Found, term: number): boolean =>
  (corpus.inText[term] ?? 0) > 0 ||
  candidates.some(({ inName, inFolder }) =>
    [...inName, ...inFolder].some(match => match.term === term),
  );

const repositoryOf = ({ dir, rev }: LocalGit): string => `${dir}\0${rev}`;
