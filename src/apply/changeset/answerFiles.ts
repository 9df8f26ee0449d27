import path from 'node:path';
import * as vscode from 'vscode';
import { AbortError } from '../../base/async/clock';
import { UserError } from '../../base/userError';
import { isInWorkspace } from '../../platform/egress/paths/realPaths';
import type { AnswerWorkspace } from '../answer';
import { isPresent, pathOf } from '../review/operationFile';
import type { ReviewRegistry } from '../review/registry';
import type { ComparedFile, HoldingFile } from '../target/contentLookup';
import { isFile } from '../target/findNamedFiles';
import { findHolders } from '../target/findPlaces';
import { openNotebook, readTarget } from '../target/readTarget';
import { namedFiles } from '../target/workspaceFiles';

const filesAtOnce = 32;

/**
 * The files of the workspace for an answer, which are read synchronously: a file that is wanted and not loaded
 * yet counts as missing and is loaded by `loadWanted`, after which the answer is applied again.
 */
export class AnswerFiles implements AnswerWorkspace {
  readonly #reviews: Pick<ReviewRegistry, 'open'>;
  readonly #paths = new Map<string, vscode.Uri>();
  readonly #texts = new Map<string, string | undefined>();
  readonly #unreadable = new Map<string, string>();
  readonly #wanted = new Set<string>();
  /** Files that hold lines, by the lines; undefined until they are looked for. */
  readonly #holders = new Map<string, readonly HoldingFile<ComparedFile>[] | undefined>();
  /** Cells of open notebooks, which are documents of their own. */
  readonly #cells = new Map<string, vscode.TextDocument>();
  /** Paths that only a pending review of a new file has. */
  readonly #proposed = new Set<string>();
  readonly #ignoresReviews: boolean;
  readonly #except: vscode.Uri | undefined;

  private constructor(
    reviews: Pick<ReviewRegistry, 'open'>,
    ignoresReviews: boolean,
    except: vscode.Uri | undefined,
  ) {
    this.#reviews = reviews;
    this.#ignoresReviews = ignoresReviews;
    this.#except = except;
  }

  /**
   * @param named paths that the answer names, which are found even where searches leave them out.
   * @param except a file that is not listed unless the answer names it.
   */
  static async list(
    reviews: Pick<ReviewRegistry, 'open'>,
    named: readonly string[],
    { except, signal }: { readonly except: vscode.Uri | undefined; readonly signal: AbortSignal },
  ): Promise<AnswerFiles> {
    const files = new AnswerFiles(reviews, false, except);
    for (const { uri, isClosed } of vscode.workspace.textDocuments) {
      if (!isClosed && (uri.scheme === 'file' || vscode.workspace.getWorkspaceFolder(uri))) {
        files.#add(uri);
      }
    }
    const { byPath } = await namedFiles(signal);
    for (const [file, uri] of byPath) files.#paths.set(file, uri);
    if (except) files.#paths.delete(pathOf(except));
    for (const name of named) {
      const uri = files.uriOf(name);
      if (uri && !files.#paths.has(pathOf(uri)) && (await isFile(uri))) files.#add(uri);
    }
    for (const { operation } of reviews.open) {
      if (operation?.kind !== 'create') continue;
      const uri = vscode.Uri.parse(operation.uri);
      if (!files.#paths.has(pathOf(uri))) files.#proposed.add(pathOf(uri));
      files.#add(uri);
    }
    return files;
  }

  /** The same files without what their pending reviews propose; none of them is loaded. */
  withoutReviews(): AnswerFiles {
    const files = new AnswerFiles(this.#reviews, true, this.#except);
    for (const [file, uri] of this.#paths) {
      if (!this.#proposed.has(file)) files.#paths.set(file, uri);
    }
    return files;
  }

  files(): readonly string[] {
    return [...this.#paths.keys()];
  }

  read(file: string): string | undefined {
    if (!this.#texts.has(file)) this.#wanted.add(file);
    return this.#texts.get(file);
  }

  unreadable(file: string): string | undefined {
    return this.#unreadable.get(file);
  }

  /** None until {@link loadWanted} has looked for them. */
  search(lines: readonly string[]): readonly HoldingFile<ComparedFile>[] {
    const key = lines.join('\n');
    if (!this.#holders.has(key)) this.#holders.set(key, undefined);
    return this.#holders.get(key) ?? [];
  }

  cells(file: string): readonly string[] | undefined {
    const uri = this.#paths.get(file);
    const notebook = uri && openNotebook(uri);
    return notebook?.getCells().map(({ document, index }) => {
      const name = `${file}#${index + 1}${notebookExtension(document)}`;
      this.#cells.set(name, document);
      return name;
    });
  }

  relative(absolute: string): string | undefined {
    return (vscode.workspace.workspaceFolders ?? [])
      .map(({ uri }) =>
        uri.scheme === 'file' ? vscode.Uri.file(absolute) : uri.with({ path: absolute }),
      )
      .filter(uri => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
      .map(pathOf)[0];
  }

  /** Where a path of an answer is or would be; undefined without a folder or for a path that leads out. */
  uriOf(file: string): vscode.Uri | undefined {
    const known = this.#paths.get(file) ?? this.#cells.get(file)?.uri;
    if (known) return known;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const parts = file.split('/').filter(part => part !== '' && part !== '.');
    if (parts.length === 0 || parts.includes('..') || path.isAbsolute(file)) return undefined;
    const named = folders.length > 1 ? folders.find(({ name }) => name === parts[0]) : undefined;
    if (named && parts.length > 1) return vscode.Uri.joinPath(named.uri, ...parts.slice(1));
    const active = vscode.window.activeTextEditor?.document.uri;
    const folder = (active && vscode.workspace.getWorkspaceFolder(active)) ?? folders[0];
    return folder && vscode.Uri.joinPath(folder.uri, ...parts);
  }

  /** Loads the files that were asked for since the last call; false if there are none. */
  async loadWanted(signal: AbortSignal): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const isAny = wanted.length > 0;
    const work = Array.from({ length: filesAtOnce }, async () => {
      for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
        if (signal.aborted) throw new AbortError();
        this.#texts.set(file, await this.#load(file));
      }
    });
    await Promise.all(work);
    return (await this.#loadHolders(signal)) || isAny;
  }

  async #loadHolders(signal: AbortSignal): Promise<boolean> {
    const sought = [...this.#holders].flatMap(([key, found]) => (found ? [] : [key]));
    if (sought.length === 0) return false;
    const edits = sought.map(key => key.split('\n'));
    const found = await findHolders(edits, { except: this.#except, signal });
    for (const [at, key] of sought.entries()) {
      const holders = found[at] ?? [];
      for (const { file } of holders) this.#add(file.uri);
      const named = holders.map(one => ({ ...one, file: { path: pathOf(one.file.uri) } }));
      this.#holders.set(key, named);
    }
    return true;
  }

  async #load(file: string): Promise<string | undefined> {
    const cell = this.#cells.get(file);
    const uri = cell?.uri ?? this.#paths.get(file);
    if (!uri) return undefined;
    const id = uri.toString();
    const { open } = this.#reviews;
    const pending = this.#ignoresReviews
      ? undefined
      : open.find(
          ({ operation, fileUri }) => operation?.kind !== 'rename' && fileUri.toString() === id,
        );
    if (pending?.operation?.kind === 'delete') return undefined;
    if (pending) return pending.model.proposed().join('\n');
    if (cell) return cell.getText();
    const document = vscode.workspace.textDocuments.find(each => each.uri.toString() === id);
    const isThere = await isPresent(uri);
    if (document && !document.isClosed && isThere) return document.getText();
    if (!isThere || !(await isInWorkspace(uri))) return undefined;
    try {
      return (await readTarget(uri)).getText();
    } catch (error) {
      if (error instanceof UserError) this.#unreadable.set(file, error.message);
      return undefined;
    }
  }

  #add(uri: vscode.Uri): void {
    this.#paths.set(pathOf(uri), uri);
  }
}

/** By which the merge knows the language of a cell. */
const notebookExtension = ({ languageId }: vscode.TextDocument): string =>
  ({ python: '.py', markdown: '.md', javascript: '.js', typescript: '.ts', r: '.r', julia: '.jl' })[
    languageId
  ] ?? '';
