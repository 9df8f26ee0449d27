import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { linesOf } from '../../changeset/editFile';
import { openReviewed } from '../../review/editor/placeAfterClose';
import type { ChangeSetRef, FileOperation } from '../../review/model/fileOperation';
import { sameLines } from '../../review/model/rebase';
import { newChangeSet } from '../../review/newChangeSet';
import { exists, isPresent, pathOf } from '../../review/operationFile';
import type { ReviewRegistry } from '../../review/registry';
import type { Origin, Review } from '../../review/review';
import { type AppliedEdit, acceptedLines, proposedLines } from '../appliedEdit';
import { againChange, undoChange } from '../inverse';

const { t } = vscode.l10n;
const noLines = [''];

export type Direction = 'again' | 'undo';

/** A review that was started from an entry. */
export interface StartedReview {
  readonly review: Review;
  /** The file still is what the entry made of it, or has only been changed elsewhere. */
  readonly isClean: boolean;
}

/** Starts reviews that make the changes of stored edits again, or take them back. Writes no files. */
export class EditStarter {
  readonly #reviews: ReviewRegistry;

  constructor(reviews: ReviewRegistry) {
    this.#reviews = reviews;
  }

  /**
   * @param all every stored edit: a file may have been renamed by one of them.
   * @returns a review, or why there is none, for each entry.
   */
  async start(
    entries: readonly AppliedEdit[],
    direction: Direction,
    all: readonly AppliedEdit[],
  ): Promise<(StartedReview | UserError)[]> {
    const set = newChangeSet(entries.length);
    const started: (StartedReview | UserError)[] = [];
    for (const [index, entry] of entries.entries()) {
      try {
        const ref = { ...set, index };
        started.push(
          entry.meta.operation
            ? await this.#operation(entry, entry.meta.operation, direction, ref)
            : await this.#text(entry, direction, all, entries.length > 1 ? ref : undefined),
        );
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        started.push(error);
      }
    }
    return started;
  }

  async #text(
    entry: AppliedEdit,
    direction: Direction,
    all: readonly AppliedEdit[],
    changeSet: ChangeSetRef | undefined,
  ): Promise<StartedReview> {
    const uri = await presentUri(vscode.Uri.parse(entry.meta.uri), all);
    if (!uri) throw gone(vscode.Uri.parse(entry.meta.uri));
    const document = await opened(uri);
    await this.#checkPending(uri);
    const now = linesOf(document);
    const change = direction === 'undo' ? undoChange(entry, now) : againChange(entry, now);
    if (change.changes === 0) {
      throw direction === 'undo' ? notInFile(uri) : alreadyInFile(uri);
    }
    const origin = originOf(entry, direction);
    const review = this.#reviews.start(document, change.base, change.text, origin, changeSet);
    return { review, isClean: change.conflicts === 0 };
  }

  async #operation(
    entry: AppliedEdit,
    operation: FileOperation,
    direction: Direction,
    changeSet: ChangeSetRef,
  ): Promise<StartedReview> {
    const uri = vscode.Uri.parse(operation.uri);
    const made = { origin: originOf(entry, direction), changeSet };
    if (operation.kind === 'rename') {
      const newUri = vscode.Uri.parse(operation.newUri);
      const [from, to] = direction === 'undo' ? [newUri, uri] : [uri, newUri];
      if (!(await exists(from))) throw gone(from);
      if (await exists(to)) throw taken(to);
      await this.#checkPending(from, true);
      const rename: FileOperation = {
        kind: 'rename',
        uri: from.toString(),
        newUri: to.toString(),
        showsPath: true,
      };
      const review = await this.#reviews.startOperation(rename, [pathOf(to)], made);
      return { review, isClean: true };
    }
    await this.#checkPending(uri);
    const creates = (operation.kind === 'create') === (direction === 'again');
    return creates
      ? this.#create(entry, operation, direction, made)
      : this.#delete(entry, operation, direction, made);
  }

  async #create(
    entry: AppliedEdit,
    operation: Extract<FileOperation, { showsPath: boolean; kind: 'create' | 'delete' }>,
    direction: Direction,
    made: { readonly origin: Origin; readonly changeSet: ChangeSetRef },
  ): Promise<StartedReview> {
    const uri = vscode.Uri.parse(operation.uri);
    const lines = direction === 'undo' ? entry.before : proposedLines(entry);
    if (!(await exists(uri))) {
      const { showsPath, deleted } = operation;
      const create: FileOperation = {
        kind: 'create',
        uri: operation.uri,
        showsPath,
        ...(deleted && { deleted }),
      };
      const review = await this.#reviews.startOperation(create, lines, made);
      return { review, isClean: true };
    }
    const document = await opened(uri);
    const now = linesOf(document);
    const wanted = operation.showsPath ? noLines : lines;
    if (sameLines(now, wanted)) throw alreadyInFile(uri);
    const review = this.#reviews.start(document, now, wanted, made.origin, made.changeSet);
    return { review, isClean: false };
  }

  async #delete(
    entry: AppliedEdit,
    operation: Extract<FileOperation, { showsPath: boolean; kind: 'create' | 'delete' }>,
    direction: Direction,
    made: { readonly origin: Origin; readonly changeSet: ChangeSetRef },
  ): Promise<StartedReview> {
    const uri = vscode.Uri.parse(operation.uri);
    if (!(await exists(uri))) throw gone(uri);
    const now = linesOf(await opened(uri));
    const known = direction === 'undo' ? acceptedLines(entry) : entry.before;
    const showsPath = sameLines(now, noLines);
    const isClean = sameLines(now, operation.showsPath ? noLines : known);
    const remove: FileOperation = { kind: 'delete', uri: operation.uri, showsPath };
    const review = await this.#reviews.startOperation(remove, noLines, made);
    return { review, isClean };
  }

  /** @throws {UserError} when the file has undecided changes: two reviews of one text would contradict each other. */
  async #checkPending(uri: vscode.Uri, isPath = false): Promise<void> {
    const id = uri.toString();
    const pending = this.#reviews.open.find(({ operation, fileUri }) =>
      operation
        ? operation.uri === id && (operation.kind === 'rename') === isPath
        : fileUri.toString() === id && !isPath,
    );
    if (!pending) return;
    await this.#reviews.show(pending);
    throw new UserError(
      t(
        '{0} has a review with undecided changes. Decide on them first, then use the apply history again.',
        pathOf(uri),
      ),
    );
  }
}

function originOf({ id, meta: { origin } }: AppliedEdit, direction: Direction): Origin {
  const { engine, model, ms, findings, author, update, answer } = origin;
  if (direction === 'undo') {
    return { engine: 'local', ms: 1, findings: [], source: 'undo', of: id };
  }
  return {
    engine,
    ms,
    findings,
    source: 'again',
    of: id,
    ...(model !== undefined && { model }),
    ...(author && { author }),
    ...(update !== undefined && { update }),
    ...(answer !== undefined && { answer }),
  };
}

/** Where the file of an edit is by now; undefined when it is gone. */
async function presentUri(
  uri: vscode.Uri,
  all: readonly AppliedEdit[],
): Promise<vscode.Uri | undefined> {
  const tried = new Set<string>();
  const waiting = [uri.toString()];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (tried.has(next)) continue;
    tried.add(next);
    const candidate = vscode.Uri.parse(next);
    if (await isPresent(candidate)) return candidate;
    for (const { meta, accepted } of all) {
      if (meta.operation?.kind !== 'rename' || accepted.length === 0) continue;
      if (meta.operation.uri === next) waiting.push(meta.operation.newUri);
      if (meta.operation.newUri === next) waiting.push(meta.operation.uri);
    }
  }
  return undefined;
}

async function opened(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await openReviewed(uri);
  } catch {
    throw gone(uri);
  }
}

const gone = (uri: vscode.Uri): UserError =>
  new UserError(
    t(
      '{0} no longer exists, so nothing was changed. Choose "Show Changes" in the apply history to copy what you need.',
      pathOf(uri),
    ),
  );

const taken = (uri: vscode.Uri): UserError =>
  new UserError(
    t('{0} exists by now, so nothing was changed. Move that file away first.', pathOf(uri)),
  );

const notInFile = (uri: vscode.Uri): UserError =>
  new UserError(
    t(
      '{0} no longer has these changes, so there is nothing to undo. Choose "Open Again" to get them back.',
      pathOf(uri),
    ),
  );

const alreadyInFile = (uri: vscode.Uri): UserError =>
  new UserError(
    t('{0} already has all of these changes. Choose "Undo" to take them out.', pathOf(uri)),
  );
