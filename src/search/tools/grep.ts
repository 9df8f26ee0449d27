import { append } from '../../base/arrays';
import path from 'node:path';
import { withholdSecrets } from '../../host/egress/withhold';
import { globMatcher, leaveOut, listFiles } from '../files';
import { runRipgrep, withoutDot } from '../ripgrep';
import { type Place, type Sandbox, ToolError, slashes } from '../sandbox';
import type { SearchWorkspace } from '../workspace';
import { grepByNode } from './grepByNode';
import { readWhole } from './readFile';
import { type ToolResult, caps, cutLine, toolDeadlineMs } from './toolText';

export interface GrepArguments {
  readonly pattern: string;
  readonly path?: unknown;
  readonly glob?: string | undefined;
  /** Lines with a match. */
  readonly limit?: number | undefined;
  readonly isCaseSensitive: boolean;
}

export interface Scope {
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

/** Lines that are read before the best of them are chosen. */
const readAhead = 4;

/** Searches files for a regular expression, with a line of context on both sides. */
export async function grep(scope: Scope, request: GrepArguments): Promise<ToolResult> {
  const places = await scope.sandbox.scope(request.path);
  const found: { place: Place; lines: GrepLine[] }[] = [];
  let isCut = false;
  let isLate = false;
  let left = 0;
  for (const place of places) {
    const search = new GrepRun(scope, request, place);
    found.push({ place, lines: await search.run() });
    isCut ||= search.isCut;
    isLate ||= search.isLate;
    left += search.left;
  }
  const limit = Math.min(request.limit ?? caps.grepLines, caps.grepLines);
  const all = found.flatMap(({ place, lines }) =>
    lines.map(line => ({ ...line, file: shown(scope.sandbox, place, line.file) })),
  );
  const leftNote = `... (${left} more files seem to hold keys or passwords; narrow the path to search in them)`;
  if (all.length === 0) {
    if (left > 0) return { text: leftNote, isError: false, hits: 0 };
    if (isLate)
      throw new ToolError('[TIMEOUT] Nothing was found in time. Narrow the path or the glob.');
    return { text: 'no matches', isError: false, hits: 0 };
  }
  const { lines, hits } = choose(all, limit);
  const notes: string[] = [];
  if (isLate) notes.push('... (stopped by the deadline; narrow the path, the glob or the pattern)');
  else if (isCut || lines.length < all.length)
    notes.push(
      `... (output truncated at ${limit} lines; narrow the path, the glob or the pattern)`,
    );
  if (left > 0) notes.push(leftNote);
  return { text: [...format(lines), ...notes].join('\n'), isError: false, hits };
}

function shown(sandbox: Sandbox, { root }: Place, file: string): string {
  return sandbox.roots.length > 1 ? path.join(root, file) : file;
}

/** Runs ripgrep on one place. Files with unsaved changes are searched in the editor's text instead. */
class GrepRun {
  readonly #scope: Scope;
  readonly #request: GrepArguments;
  readonly #place: Place;
  readonly #unsaved: ReadonlyMap<string, string>;
  #lines: GrepLine[] = [];
  readonly #fits: (file: string) => boolean;
  isCut = false;
  isLate = false;
  /** Files with secrets that were not searched once more. */
  left = 0;

  constructor(scope: Scope, request: GrepArguments, place: Place) {
    this.#scope = scope;
    this.#request = request;
    this.#place = place;
    this.#unsaved = unsavedBelow(scope.workspace, place);
    this.#fits =
      request.glob === undefined || !place.isDirectory ? () => true : globMatcher(request.glob);
  }

  async run(): Promise<GrepLine[]> {
    const { rgPath } = this.#scope.workspace;
    if (rgPath === undefined) {
      const { lines, isCut, isLate } = await grepByNode(this.#scope, this.#request, this.#place);
      this.isCut = isCut;
      this.isLate = isLate;
      return lines;
    }
    await this.#files(rgPath);
    const searched = await this.#searched();
    for (const [file, text] of this.#unsaved)
      if (searched.has(file)) await this.#text(rgPath, file, text);
    await this.#withhold(rgPath);
    return this.#lines;
  }

  /**
   * Files that may not be seen fall away. Those with secrets in them are searched once more as a model
   * may see them: a match in a secret, even one that is not shown, would tell what the secret is.
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
      if (++again > caps.filesWithSecrets) this.left++;
      else await this.#text(rgPath, file, visible.text);
    }
  }

  async #visible(file: string): Promise<'shown' | 'hidden' | { readonly text: string }> {
    const { sandbox, signal } = this.#scope;
    const { root, path: named } = this.#place;
    signal.throwIfAborted();
    const real = path.join(root, file);
    // The place itself was let through when it was named.
    if (real !== named && !(await sandbox.isAllowed(root, file, false))) return 'hidden';
    const whole =
      this.#unsaved.get(file) ??
      (await readWhole(sandbox, { path: real, root, isDirectory: false }, caps.grepFileBytes).catch(
        unreadable,
      ));
    if (whole === undefined) return 'hidden';
    const { text, count } = withholdSecrets(whole);
    return count === 0 ? 'shown' : { text };
  }

  async #files(rgPath: string): Promise<void> {
    const { path: real, root, isDirectory } = this.#place;
    const below = slashes(path.relative(root, real));
    const end = await runRipgrep({
      rgPath,
      args: [
        ...this.#flags(),
        '--with-filename',
        '--null',
        `--max-filesize=${caps.grepFileBytes}`,
        ...(isDirectory ? [...this.#type(), ...leaveOut(this.#scope.workspace)] : []),
        ...this.#pattern(),
        '--',
        below === '' ? './' : `./${below}`,
      ],
      cwd: root,
      signal: this.#scope.signal,
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
      signal: this.#scope.signal,
      deadlineMs: toolDeadlineMs,
      stdin: text,
      onLine: line => this.#add(file, line),
    });
    this.#finish(end);
  }

  /** Of the unsaved files, those that ignore files and excludes leave in on the disk. */
  async #searched(): Promise<ReadonlySet<string>> {
    const wanted = [...this.#unsaved.keys()].filter(file => this.#fits(file));
    if (!this.#place.isDirectory || wanted.length === 0) return new Set(wanted);
    const found = new Set<string>();
    await listFiles(this.#scope.workspace, this.#place, this.#scope.signal, file => {
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
      `--max-columns=${caps.lineChars}`,
      '--max-columns-preview',
      // Every match of one huge file would hide the other files.
      `--max-count=${caps.grepLines}`,
      this.#request.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ];
  }

  #pattern(): string[] {
    return ['-e', this.#request.pattern];
  }

  /** A type and not `-g`: a glob that includes would let ignored and hidden files in again. */
  #type(): string[] {
    const { glob } = this.#request;
    const name = glob?.startsWith('!') ? undefined : glob?.split('/').at(-1);
    if (!name || name === '**' || name.includes(',') !== name.includes('{')) return [];
    return [`--type-add=wanted:${name}`, '--type=wanted'];
  }

  #take(line: string): boolean {
    const end = line.indexOf('\0');
    if (end < 0) return true;
    const file = slashes(withoutDot(line.slice(0, end)));
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
      text: cutLine(text.slice(match[0].length)),
    });
    this.isCut = this.#lines.length >= caps.grepLines * readAhead;
    return !this.isCut;
  }

  #finish({ reason, exitCode, errorText }: Awaited<ReturnType<typeof runRipgrep>>): void {
    if (reason === 'deadline') this.isLate = true;
    if (reason === 'failed') throw new ToolError(`[RIPGREP NOT AVAILABLE] ${errorText}`);
    // Exit code 2 may also mean one file without permission: what was found still counts.
    if (
      exitCode === 2 &&
      this.#lines.length === 0 &&
      /regex|error parsing|look-around|backreference/i.test(errorText)
    )
      throw new ToolError(`[RIPGREP ERROR] ${errorText.trim().slice(0, 500)}`);
  }
}

/** What has become unreadable since it was searched is not shown. */
function unreadable(error: unknown): undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}

/** Unsaved texts of a place by their path relative to the root. */
export function unsavedBelow(
  workspace: SearchWorkspace,
  place: Place,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [file, text] of workspace.unsaved) {
    const isBelow = place.isDirectory
      ? file.startsWith(place.path + path.sep)
      : file === place.path;
    if (isBelow) found.set(slashes(path.relative(place.root, file)), text);
  }
  return found;
}

const secondary =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?|docs?|vendor|third_party|dist|generated)\/|\.(?:test|spec|min|lock|snap|md|txt|json)\b/i;

/**
 * At most `limit` lines. When there are more, each file gives some of its matches before any gives all,
 * sources first: a common word must not show the first file only.
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
    append(kept, lines.slice(0, Math.min(share, limit - kept.length)));
  }
  return { lines: kept, hits };
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
