import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { GitLog } from './gitLog';
import { findCandidates } from './local/candidates';
import { type FileText, TextReader } from './local/fileText';
import { FileHistory } from './local/history';
import { kindsAskedFor } from './local/paths';
import { type Term, termsOf } from './local/query';
import { rank, type Ranked } from './local/rank';
import { spansOf } from './local/spans';
import { TermFinder } from './local/spellings';
import { SPAN } from './local/weights';
import { findProgram } from './process';
import { leaveOutPrivate } from './files';
import { type Exclude, plainGlobs, siblingFilter } from '../host/egress/excludes';
import { isPrivate } from '../host/egress/privateNames';
import { ignoreFlags, runRipgrep, withoutDot } from './ripgrep';
import { walkFiles } from './walk';

/** Lines of a file, 1-based and inclusive. The path is relative to the root, with `/`. */
export interface LocalResult {
  path: string;
  startLine: number;
  endLine: number;
  /** Against the best file of this search, whose score is 1. */
  score: number;
}

export interface LocalSummary {
  /** Files that were searched. */
  files: number;
  ms: number;
  /** False when ripgrep could not be used and the slower search of our own was. */
  usedRipgrep: boolean;
  usedHistory: boolean;
}

export interface LocalGit {
  dir: string;
  rev: string;
  /** Where the root is in the repository, ending in `/`, when it is not the repository's own. */
  prefix?: string;
}

export interface LocalSearchOptions {
  /** Files wanted. Each has up to three spans. */
  limit: number;
  signal?: AbortSignal | undefined;
  /** Where ripgrep is; looked up on PATH when not given. */
  rgPath?: string | undefined;
  /** A repository or its `.git` folder, and the revision that the files are of. */
  git?: LocalGit | undefined;
  /** Globs of paths to leave out, written as in an ignore file. */
  exclude?: readonly Exclude[];
  /** Further arguments for ripgrep, such as `--no-ignore`. */
  flags?: readonly string[];
  /** The text of a file with changes that are not saved; undefined to read the disk. */
  readText?: (absolutePath: string) => Promise<string | undefined>;
  /** Absolute paths of the files that `readText` knows better than the disk. */
  unsaved?: readonly string[];
  /** Called with a first good answer, at most once, when the search takes longer than `firstMs`. */
  onFirst?: (results: LocalResult[]) => void;
  firstMs?: number;
  onSummary?: (summary: LocalSummary) => void;
}

/** Written by programs, or too large to say anything; hidden files are left out by ripgrep itself. */
const neverWanted = [
  ...'lock svg map snap min.js min.css csv tsv po mo ipynb geojson pdf png jpg jpeg gif webp ico woff woff2 ttf otf eot zip gz jar wasm bin sum class pyc so dll exe mp3 mp4'
    .split(' ')
    .map(extension => `*.${extension}`),
  'package-lock.json',
  'pnpm-lock.yaml',
  'CHANGELOG*',
  'CHANGES*',
];
const maxFileBytes = 1_000_000;
const maxLinesPerFile = 400;
const maxOutput = 200_000_000;
const maxSearchMs = 30_000;
/** Files read in one go, between which a search can be stopped and others have their turn. */
const batch = 16;

/** The history of a large repository takes long only once; no search waits longer for it. */
const historyPatienceMs = 400;

const gitLog = new GitLog();

/**
 * Finds the files that a description in plain words is about, and the lines in them, without an
 * index: one search for all terms of the query, then a closer look at the most promising files.
 * Rejects with the signal's reason when it aborts.
 */
export async function localSearch(
  root: string,
  query: string,
  options: LocalSearchOptions,
): Promise<LocalResult[]> {
  options.signal?.throwIfAborted();
  const terms = termsOf(query);
  return terms.length === 0 ? [] : new LocalSearch(root, query, terms, options).run();
}

/** A first answer comes no earlier: most searches are over by then. */
const usualFirstMs = 80;
/** Until the next look, when there was nothing to see. */
const nextLookMs = 20;

class LocalSearch {
  readonly #root: string;
  readonly #terms: readonly Term[];
  readonly #options: LocalSearchOptions;
  readonly #finder: TermFinder;
  readonly #reader: TextReader;
  readonly #asked: ReturnType<typeof kindsAskedFor>;
  readonly #texts = new Map<string, { text: string; facts: FileText }>();
  readonly #startedAt = performance.now();
  #history: FileHistory;
  #isDone = false;

  constructor(root: string, query: string, terms: readonly Term[], options: LocalSearchOptions) {
    this.#root = root;
    this.#terms = terms;
    this.#options = options;
    this.#finder = new TermFinder(terms);
    this.#reader = new TextReader(terms, this.#finder);
    this.#asked = kindsAskedFor(query);
    this.#history = new FileHistory(terms, [], '');
  }

  async run(): Promise<LocalResult[]> {
    const { signal, onSummary, limit } = this.#options;
    const reading = this.#readHistory();
    const { files, counts, usedRipgrep } = await findHits(
      this.#root,
      this.#finder,
      this.#terms.length,
      this.#options,
      partial => void this.#lookEarly(partial),
    );
    const found = this.#candidates(files, counts);
    await this.#read(found.candidates);
    if (reading) await within(historyPatienceMs, reading, signal);
    signal?.throwIfAborted();
    this.#isDone = true;
    const results = resultsOf(this.#rank(found), this.#texts, limit);
    onSummary?.({
      files: files.length,
      ms: performance.now() - this.#startedAt,
      usedRipgrep,
      usedHistory: !this.#history.isEmpty,
    });
    return results;
  }

  /** From the names of all files and what has been counted so far. */
  async #lookEarly({ files, counts }: Hits): Promise<void> {
    const { onFirst, firstMs = usualFirstMs, limit, signal } = this.#options;
    if (!onFirst) return;
    let waitMs = firstMs - (performance.now() - this.#startedAt);
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, Math.max(1, waitMs)));
      if (this.#isDone || signal?.aborted) return;
      const { candidates, census } = this.#candidates(files, counts);
      const pool = candidates.slice(0, 2 * limit);
      await this.#read(pool).catch(() => undefined);
      if (this.#isDone || signal?.aborted) return;
      const results = resultsOf(this.#rank({ candidates: pool, census }), this.#texts, limit);
      if (results.length > 0) return onFirst(results);
      waitMs = nextLookMs;
    }
  }

  /** A repository that git cannot read has no history; the search does without. */
  #readHistory(): Promise<void> | undefined {
    const { git } = this.#options;
    if (!git) return undefined;
    return gitLog.read(git.dir, git.rev).then(
      commits => {
        this.#history = new FileHistory(this.#terms, commits, git.prefix ?? '');
      },
      () => undefined,
    );
  }

  #candidates(files: string[], counts: Map<string, Float32Array>): Found {
    return findCandidates(this.#terms, this.#finder, files, counts, this.#asked);
  }

  async #read(pool: Found['candidates']): Promise<void> {
    const { signal, readText } = this.#options;
    for (let at = 0; at < pool.length; at += batch) {
      signal?.throwIfAborted();
      for (const { path: file } of pool.slice(at, at + batch)) {
        if (this.#texts.has(file)) continue;
        const absolute = path.join(this.#root, file);
        const text = (await readText?.(absolute)) ?? readDisk(absolute);
        if (text !== undefined) this.#texts.set(file, { text, facts: this.#reader.read(text) });
      }
      await setImmediate();
    }
  }

  #rank({ candidates, census }: Found): Ranked[] {
    const read = candidates.flatMap(candidate => {
      const known = this.#texts.get(candidate.path);
      if (!known) return [];
      return [{ candidate, text: known.facts, history: this.#history.of(candidate.path) }];
    });
    return rank(this.#terms, census, this.#asked, read);
  }
}

type Found = ReturnType<typeof findCandidates>;

async function within<T>(
  ms: number,
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve, reject) => {
        timer = setTimeout(() => resolve(undefined), ms);
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
  }
}

interface Hits {
  readonly files: string[];
  readonly counts: Map<string, Float32Array>;
  readonly usedRipgrep: boolean;
}

/**
 * All files, and how often each has each term.
 * @param onListed told when all files are known, while their hits are still being counted.
 */
async function findHits(
  root: string,
  finder: TermFinder,
  termCount: number,
  options: LocalSearchOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits> {
  const rgPath = await findProgram(options.rgPath ?? 'rg');
  const hits =
    (rgPath && (await hitsByRipgrep(rgPath, root, finder, termCount, options, onListed))) ||
    (await hitsByWalking(root, finder, termCount, options, onListed));
  await countUnsaved(hits, root, finder, termCount, options);
  return hits;
}

/** Undefined when ripgrep could not start, or refused what it was asked. */
async function hitsByRipgrep(
  rgPath: string,
  root: string,
  finder: TermFinder,
  termCount: number,
  { exclude = [], flags = [], signal }: LocalSearchOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits | undefined> {
  const leftOut = [
    '--no-messages',
    ...ignoreFlags,
    '--path-separator=/',
    ...flags,
    ...[...neverWanted, ...plainGlobs(exclude)].flatMap(glob => ['-g', `!${glob}`]),
    ...leaveOutPrivate,
  ];
  const isHidden = siblingFilter(root, exclude);
  const files: string[] = [];
  const counts = new Map<string, Float32Array>();
  let current: Float32Array | undefined;
  let chars = 0;
  const run = async (args: string[], onLine: (line: string) => boolean | void) => {
    const end = await runRipgrep({
      rgPath,
      args: [...leftOut, ...args, '--', './'],
      cwd: root,
      signal,
      deadlineMs: maxSearchMs,
      onLine,
    });
    // Also exit code 2, which may be one unreadable folder among many.
    return end.reason !== 'failed' && end.exitCode !== refused;
  };
  const [isListed, isCounted] = await Promise.all([
    run(['--files'], line => {
      const file = withoutDot(line);
      if (!isPrivate(file) && !isHidden(file)) files.push(file);
    }).then(isWhole => {
      if (isWhole) onListed({ files, counts, usedRipgrep: true });
      return isWhole;
    }),
    run(
      [
        '--only-matching',
        '--no-line-number',
        '--heading',
        `--max-filesize=${maxFileBytes}`,
        `--max-count=${maxLinesPerFile}`,
        '-e',
        finder.pattern,
      ],
      // A path, a line for each hit, an empty line.
      line => {
        chars += line.length + 1;
        if (line === '') current = undefined;
        else if (current) count(current, finder, line);
        else {
          const file = withoutDot(line);
          current = new Float32Array(termCount);
          if (!isPrivate(file) && !isHidden(file)) counts.set(file, current);
        }
        return chars <= maxOutput;
      },
    ),
  ]);
  const isAnswer = (isListed || files.length > 0) && (isCounted || counts.size > 0);
  return isAnswer ? { files, counts, usedRipgrep: true } : undefined;
}

/** Exit code of ripgrep for an error, which may be one unreadable folder among many. */
const refused = 2;

function count(counts: Float32Array, finder: TermFinder, match: string): void {
  for (const { term, factor } of finder.meaningsOf(match)) counts[term]! += factor;
}

async function hitsByWalking(
  root: string,
  finder: TermFinder,
  termCount: number,
  { exclude = [], flags = [], signal }: LocalSearchOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits> {
  const files: string[] = [];
  await walkFiles({
    root,
    below: '',
    excludes: [...neverWanted, ...exclude],
    useIgnoreFiles: !flags.includes('--no-ignore'),
    signal,
    deadlineMs: maxSearchMs,
    onFile: file => files.push(file) > 0,
  });
  const counts = new Map<string, Float32Array>();
  onListed({ files, counts, usedRipgrep: false });
  for (let at = 0; at < files.length; at += batch) {
    signal?.throwIfAborted();
    for (const file of files.slice(at, at + batch)) {
      const text = readDisk(path.join(root, file));
      const ofFile = text === undefined ? undefined : countsIn(text, finder, termCount);
      if (ofFile) counts.set(file, ofFile);
    }
    await setImmediate();
  }
  return { files, counts, usedRipgrep: false };
}

function countsIn(text: string, finder: TermFinder, termCount: number): Float32Array | undefined {
  let counts: Float32Array | undefined;
  for (const [match] of text.matchAll(finder.regex()))
    count((counts ??= new Float32Array(termCount)), finder, match);
  return counts;
}

/** What an editor holds counts in place of what the disk holds. */
async function countUnsaved(
  { files, counts }: Hits,
  root: string,
  finder: TermFinder,
  termCount: number,
  { unsaved = [], readText }: LocalSearchOptions,
): Promise<void> {
  const searched = unsaved.length > 0 ? new Set(files) : undefined;
  for (const absolute of unsaved) {
    const file = path.relative(root, absolute).split(path.sep).join('/');
    const text = searched?.has(file) ? await readText?.(absolute) : undefined;
    if (text !== undefined) {
      const ofFile = countsIn(text, finder, termCount);
      if (ofFile) {
        counts.set(file, ofFile);
      } else counts.delete(file);
    }
  }
}

/**
 * Undefined for what is gone, too large or no text. Not asynchronous: ripgrep has just read these
 * files, so that waiting for a thread takes longer than reading.
 */
function readDisk(absolute: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(absolute);
  } catch {
    return undefined;
  }
  if (bytes.length > maxFileBytes) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}

/** Lines are shared out by rank: the first file is the likeliest, and all should be read at a glance. */
function resultsOf(
  ranked: readonly Ranked[],
  texts: ReadonlyMap<string, { text: string; facts: FileText }>,
  limit: number,
): LocalResult[] {
  const best = ranked[0]?.score ?? 0;
  return ranked.slice(0, limit).flatMap(({ path: file, score, weights }, index) => {
    const read = texts.get(file);
    const lines = SPAN.linesByRank[index] ?? SPAN.linesByRank.at(-1) ?? 0;
    const spans = read ? spansOf(read.text, read.facts.hits, weights, lines) : [];
    return spans.map(span => ({ path: file, ...span, score: Math.exp(score - best) }));
  });
}
