import path from 'node:path';
import { append } from '../../base/arrays';
import { withholdSecrets } from '../../platform/egress/secrets/withhold';
import { excludeArguments, globMatcher, listFiles, namesExtension } from '../workspace/files';
import { runRipgrep, withoutDotSlash } from '../workspace/ripgrep';
import { type ResolvedPath, type Sandbox, ToolError, toPosixPath } from '../workspace/sandbox';
import type { SearchWorkspace } from '../workspace/workspace';
import { grepByNode } from './grepByNode';
import { checkSearchedSize, readWholeFile } from './readFile';
import { rootGlob } from './rootGlob';
import {
  readAheadFactor,
  type ToolResult,
  toolDeadlineMs,
  toolLimits,
  truncateLine,
} from './toolText';

export interface GrepArguments {
  readonly pattern: string;
  readonly path?: unknown;
  readonly glob?: string | undefined;
  /** Lines of the result, matches before context. */
  readonly limit?: number | undefined;
  readonly isCaseSensitive: boolean;
}

export interface ToolContext {
  readonly workspace: SearchWorkspace;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
}

/** One line of output with its file. */
export interface GrepLine {
  /** Relative to the root, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly isMatch: boolean;
  readonly text: string;
}

/** Searches files for a regular expression, with a line of context on both sides. */
export async function grep(context: ToolContext, request: GrepArguments): Promise<ToolResult> {
  const places = await context.sandbox.resolveScope(request.path);
  const found: { place: ResolvedPath; lines: GrepLine[] }[] = [];
  let isCut = false;
  let isTimedOut = false;
  let skippedSecretFiles = 0;
  for (const place of places) {
    const own = await requestFor(context, request, place);
    if (own === undefined) continue;
    const isOnDisk = !place.isDirectory && !context.workspace.unsaved.has(place.path);
    if (isOnDisk) await checkSearchedSize(context.sandbox, place);
    const search = new RipgrepSearch(context, own, place);
    // ripgrep searches files in any order.
    const lines = (await search.run()).toSorted((a, b) => compareTexts(a.file, b.file));
    found.push({ place, lines });
    isCut ||= search.isCut;
    isTimedOut ||= search.isTimedOut;
    skippedSecretFiles += search.skippedSecretFiles;
  }
  const limit = Math.min(request.limit ?? toolLimits.grepLines, toolLimits.grepLines);
  const all = found.flatMap(({ place, lines }) =>
    lines.map(line => ({ ...line, file: displayPath(context.sandbox, place, line.file) })),
  );
  const skippedNote = `... (${skippedSecretFiles} more files seem to hold keys or passwords; narrow the path to search in them)`;
  if (all.length === 0) {
    if (skippedSecretFiles > 0) return { text: skippedNote, isError: false, hits: 0 };
    if (isTimedOut) {
      throw new ToolError('[TIMEOUT] Nothing was found in time. Narrow the path or the glob.');
    }
    return { text: 'no matches', isError: false, hits: 0 };
  }
  const { lines, hits } = choose(all, limit);
  const notes: string[] = [];
  if (isTimedOut) {
    notes.push('... (stopped by the deadline; narrow the path, the glob or the pattern)');
  } else if (isCut || lines.length < all.length) {
    notes.push(
      `... (output truncated at ${limit} lines; narrow the path, the glob or the pattern)`,
    );
  }
  if (skippedSecretFiles > 0) notes.push(skippedNote);
  const files = [...new Set(lines.map(({ file }) => file))];
  return { text: [...format(lines), ...notes].join('\n'), isError: false, hits, files };
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** With the glob for the paths of the place's root; undefined when it means files of another root. */
async function requestFor(
  { sandbox }: ToolContext,
  request: GrepArguments,
  { root, isDirectory }: ResolvedPath,
): Promise<GrepArguments | undefined> {
  if (request.glob === undefined || !isDirectory) return request;
  const glob = await rootGlob(sandbox, request.glob, root);
  return glob === undefined ? undefined : { ...request, glob };
}

function displayPath(sandbox: Sandbox, { root }: ResolvedPath, file: string): string {
  return sandbox.roots.length > 1 ? path.join(root, file) : file;
}

/** Runs ripgrep on one file or folder. For files with unsaved changes, the text of the editor is searched. */
class RipgrepSearch {
  readonly #context: ToolContext;
  readonly #request: GrepArguments;
  readonly #place: ResolvedPath;
  readonly #unsaved: ReadonlyMap<string, string>;
  #lines: GrepLine[] = [];
  readonly #fits: (file: string) => boolean;
  isCut = false;
  isTimedOut = false;
  /** Number of files with secrets that were not searched again. */
  skippedSecretFiles = 0;

  constructor(context: ToolContext, request: GrepArguments, place: ResolvedPath) {
    this.#context = context;
    this.#request = request;
    this.#place = place;
    this.#unsaved = unsavedBelow(context.workspace, place);
    this.#fits =
      request.glob === undefined || !place.isDirectory ? () => true : globMatcher(request.glob);
  }

  async run(): Promise<GrepLine[]> {
    const { rgPath } = this.#context.workspace;
    if (rgPath === undefined) {
      const {
        lines,
        isCut,
        isTimedOut: isLate,
      } = await grepByNode(this.#context, this.#request, this.#place);
      this.isCut = isCut;
      this.isTimedOut = isLate;
      return lines;
    }
    await this.#files(rgPath);
    const searched = await this.#searched();
    for (const [file, text] of this.#unsaved) {
      if (searched.has(file)) await this.#text(rgPath, file, text);
    }
    await this.#withhold(rgPath);
    return this.#lines;
  }

  /**
   * Drops files that may not be seen, and searches those with secrets again with the secrets withheld: a
   * match in a secret, even one that is not shown, would reveal it.
   */
  async #withhold(rgPath: string): Promise<void> {
    const found = this.#lines;
    this.#lines = [];
    const files = new Map<string, 'shown' | 'hidden' | { readonly text: string }>();
    let again = 0;
    for (const { file } of found) if (!files.has(file)) files.set(file, await this.#visible(file));
    append(
      this.#lines,
      found.filter(({ file }) => files.get(file) === 'shown'),
    );
    for (const [file, visible] of files) {
      if (typeof visible === 'string') continue;
      if (++again > toolLimits.filesWithSecrets) this.skippedSecretFiles++;
      else await this.#text(rgPath, file, visible.text);
    }
  }

  async #visible(file: string): Promise<'shown' | 'hidden' | { readonly text: string }> {
    const { sandbox, signal } = this.#context;
    const { root, path: named } = this.#place;
    signal.throwIfAborted();
    const real = path.join(root, file);
    // The named file itself was checked when it was resolved.
    if (real !== named && !(await sandbox.isAllowed(root, file, false))) return 'hidden';
    const whole =
      this.#unsaved.get(file) ??
      (await readWholeFile(
        sandbox,
        { path: real, root, isDirectory: false },
        toolLimits.grepFileBytes,
      ).catch(ignoreUnreadable));
    if (whole === undefined) return 'hidden';
    const { text, count } = withholdSecrets(whole);
    return count === 0 ? 'shown' : { text };
  }

  async #files(rgPath: string): Promise<void> {
    const { path: real, root, isDirectory } = this.#place;
    const below = toPosixPath(path.relative(root, real));
    const end = await runRipgrep({
      rgPath,
      args: [
        ...this.#flags(),
        '--with-filename',
        '--null',
        `--max-filesize=${toolLimits.grepFileBytes}`,
        ...(isDirectory
          ? [...(await this.#type()), ...excludeArguments(this.#context.workspace)]
          : []),
        ...this.#pattern(),
        '--',
        below === '' ? './' : `./${below}`,
      ],
      cwd: root,
      signal: this.#context.signal,
      deadlineMs: toolDeadlineMs,
      onLine: line => this.#take(line),
    });
    this.#finish(end);
  }

  async #text(rgPath: string, file: string, text: string): Promise<void> {
    const end = await runRipgrep({
      rgPath,
      args: [...this.#flags(), ...this.#pattern(), '--', '-'],
      cwd: this.#place.root,
      signal: this.#context.signal,
      deadlineMs: toolDeadlineMs,
      stdin: text,
      onLine: line => this.#add(file, line),
    });
    this.#finish(end);
  }

  /** Unsaved files that neither ignore files nor excludes leave out. */
  async #searched(): Promise<ReadonlySet<string>> {
    const wanted = [...this.#unsaved.keys()].filter(file => this.#fits(file));
    if (!this.#place.isDirectory || wanted.length === 0) return new Set(wanted);
    const found = new Set<string>();
    await listFiles(this.#context.workspace, this.#place, this.#context.signal, file => {
      if (this.#unsaved.has(file) && this.#fits(file)) found.add(file);
      return found.size < wanted.length;
    });
    return found;
  }

  #flags(): string[] {
    return [
      '--line-number',
      '--no-heading',
      '--trim',
      '--context=1',
      // Enough for the characters that are shown, whatever their length in bytes.
      `--max-columns=${toolLimits.lineChars * 5}`,
      '--max-columns-preview',
      // Without it, the matches of one huge file would hide the other files.
      `--max-count=${toolLimits.grepLines}`,
      this.#request.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ];
  }

  #pattern(): string[] {
    return ['-e', this.#request.pattern];
  }

  /**
   * A file type instead of `-g`, because an including glob would override ignore files. A type knows only
   * the names of files, so there is none for a glob that means a folder.
   */
  async #type(): Promise<string[]> {
    const { glob } = this.#request;
    const name = glob?.startsWith('!') ? undefined : glob?.split('/').at(-1);
    if (!name || /^\*+$/.test(name) || name.includes(',') !== name.includes('{')) return [];
    if (!namesExtension(name) && (await this.#fitsOtherNames(name))) return [];
    return [`--type-add=wanted:${name}`, '--type=wanted'];
  }

  /** Whether a file fits the glob without having the name at its end. */
  async #fitsOtherNames(name: string): Promise<boolean> {
    const hasName = globMatcher(name);
    let isFound = false;
    const { workspace, signal } = this.#context;
    await listFiles(workspace, this.#place, signal, file => {
      isFound = this.#fits(file) && !hasName(path.posix.basename(file));
      return !isFound;
    });
    return isFound;
  }

  #take(line: string): boolean {
    const end = line.indexOf('\0');
    if (end < 0) return true;
    const file = toPosixPath(withoutDotSlash(line.slice(0, end)));
    if (this.#unsaved.has(file) || !this.#fits(file)) return true;
    return this.#add(file, line.slice(end + 1));
  }

  /** @param text `12:match` or `12-context`. */
  #add(file: string, text: string): boolean {
    const match = /^(\d+)([:-])/.exec(text);
    if (!match) return true;
    this.#lines.push({
      file,
      line: Number(match[1]),
      isMatch: match[2] === ':',
      text: truncateLine(text.slice(match[0].length)),
    });
    this.isCut = this.#lines.length >= toolLimits.grepLines * readAheadFactor;
    return !this.isCut;
  }

  #finish({ reason, exitCode, errorText }: Awaited<ReturnType<typeof runRipgrep>>): void {
    if (reason === 'deadline') this.isTimedOut = true;
    if (reason === 'failed') throw new ToolError(`[RIPGREP NOT AVAILABLE] ${errorText}`);
    // Exit code 2 may also mean one unreadable file; matches still count.
    if (
      exitCode === 2 &&
      this.#lines.length === 0 &&
      /regex|error parsing|look-around|backreference/i.test(errorText)
    ) {
      throw new ToolError(`[RIPGREP ERROR] ${errorText.trim().slice(0, 500)}`);
    }
  }
}

/** A file that became unreadable since the search is not shown. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}

/** Unsaved texts of a place by their path relative to the root. */
function unsavedBelow(
  workspace: SearchWorkspace,
  place: ResolvedPath,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [file, text] of workspace.unsaved) {
    const isBelow = place.isDirectory
      ? file.startsWith(place.path + path.sep)
      : file === place.path;
    if (isBelow) found.set(toPosixPath(path.relative(place.root, file)), text);
  }
  return found;
}

const secondary =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?|docs?|vendor|third_party|dist|generated)\/|\.(?:test|spec|min|lock|snap|md|txt|json)\b/i;

/**
 * Chooses at most `limit` lines. When there are more, each file gets an equal share, sources first, so
 * that a common word does not only show the first file.
 */
function choose(all: readonly GrepLine[], limit: number): { lines: GrepLine[]; hits: number } {
  const hits = all.filter(({ isMatch }) => isMatch).length;
  if (all.length <= limit && hits <= limit) return { lines: [...all], hits };
  const byFile = new Map<string, GrepLine[]>();
  for (const line of all) {
    const lines = byFile.get(line.file);
    if (lines) lines.push(line);
    else byFile.set(line.file, [line]);
  }
  const files = [...byFile].sort(
    ([a], [b]) => Number(secondary.test(a)) - Number(secondary.test(b)),
  );
  const share = Math.max(3, Math.floor(limit / files.length));
  const kept: GrepLine[] = [];
  for (const [, lines] of files) {
    if (kept.length >= limit) break;
    append(kept, firstLines(lines, Math.min(share, limit - kept.length)));
  }
  return { lines: kept, hits };
}

/** The first lines of a file, without context where it would take the room of matches. */
function firstLines(lines: readonly GrepLine[], count: number): GrepLine[] {
  let context = count - lines.filter(({ isMatch }) => isMatch).length;
  return lines.filter(({ isMatch }) => isMatch || context-- > 0).slice(0, count);
}

/** `file:12:match` and `file-13-context`, groups parted by `--`. */
function format(lines: readonly GrepLine[]): string[] {
  const out: string[] = [];
  let before: GrepLine | undefined;
  for (const line of lines) {
    if (before && (before.file !== line.file || line.line > before.line + 1)) out.push('--');
    const mark = line.isMatch ? ':' : '-';
    out.push(`${line.file}${mark}${line.line}${mark}${line.text}`);
    before = line;
  }
  return out;
}
