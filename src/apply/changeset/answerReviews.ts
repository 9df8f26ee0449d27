import * as vscode from 'vscode';
import { latencyText } from '../../base/format/times';
import { splitLines } from '../../base/text/textLines';
import { UserError } from '../../base/userError';
import { isInWorkspace } from '../../platform/egress/paths/realPaths';
import { settings } from '../../platform/settings';
import { adviceFor, ServiceError } from '../../service';
import { type AnswerResult, applyParts, type FileChange, type RefusedPart } from '../answer';
import type { EditOrigin } from '../history/applyHistory';
import type { ClipboardEdit } from '../parse/clipboard';
import { languageIdOfPath } from '../parse/languageName';
import type { ChangeSetRef, FileOperation } from '../review/model/fileOperation';
import { newChangeSet } from '../review/newChangeSet';
import { isPresent } from '../review/operationFile';
import type { ReviewRegistry } from '../review/registry';
import type { Origin, Review } from '../review/review';
import { readTarget } from '../target/readTarget';
import { AnswerFiles } from './answerFiles';
import type { CopiedAnswer } from './changeSet';
import { linesOf } from './editFile';
import type { EditPipeline, EditPolicy } from './editPipeline';
import { uncertain } from './engine';

const { t } = vscode.l10n;

/** Runs of an answer, each with the files that the one before asked for. */
const maxRuns = 20;

/** The reviews of an answer, and what was not applied. */
export interface OpenedAnswer {
  readonly setId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly reviews: readonly Review[];
  /** What was not applied. */
  readonly parts: readonly RefusedPart[];
}

/** Turns a whole answer into reviews, one for each file, and one for each file that is renamed. */
export class AnswerReviews {
  readonly #reviews: ReviewRegistry;
  readonly #pipeline: EditPipeline;

  constructor(reviews: ReviewRegistry, pipeline: EditPipeline) {
    this.#reviews = reviews;
    this.#pipeline = pipeline;
  }

  /**
   * Applies an answer to the files of the workspace. Writes no files.
   *
   * @param options `except`: the file that holds the answer, which is not searched for the place of an edit;
   *   `takePending` says whether the edits go on top of what is pending in their files, or
   *   replace it; undefined gives up; `show` is called with the first review, while the others are being made.
   */
  async open(
    answer: CopiedAnswer,
    {
      active,
      except,
      signal,
      from,
      takePending,
      policy,
      show,
    }: {
      /** What the answer was taken from. */
      readonly from: EditOrigin;
      readonly active: vscode.Uri | undefined;
      readonly except?: vscode.Uri;
      readonly signal: AbortSignal;
      readonly takePending: (
        pending: readonly Review[],
      ) => Promise<'stack' | 'replace' | undefined>;
      /** How a snippet is merged that the settings do not leave to the local engine. */
      readonly policy: (edit: ClipboardEdit) => EditPolicy;
      readonly show?: (review: Review) => Promise<void>;
    },
  ): Promise<OpenedAnswer | undefined> {
    let files = await AnswerFiles.list(this.#reviews, answer.paths, { except, signal });
    let { result, ms } = await this.#apply(answer, { files, active, signal });
    const pending = this.#pendingOf(result, files);
    const choice = pending.length === 0 ? 'stack' : await takePending(pending);
    if (!choice) return undefined;
    if (choice === 'replace') {
      files = files.withoutReviews();
      ({ result, ms } = await this.#apply(answer, { files, active, signal }));
    }
    const set = newChangeSet(result.files.length);
    const policyOf = (edit: ClipboardEdit): EditPolicy => ({
      ...policy(edit),
      takePending: async () => choice,
    });
    const provenance = this.#reviews.history.provenanceOf(from);
    const reviews: Review[] = [];
    const refused = [...result.refused];
    let showing: Promise<void> | undefined;
    try {
      for (const [index, change] of result.files.entries()) {
        signal.throwIfAborted();
        try {
          const ref = { ...set, index };
          const snippet = snippetFor(change);
          const merged = snippet && (await this.#merge(policyOf(snippet), change, files, ref));
          reviews.push(
            ...(merged ?? (await this.#start(change, files, ref, { ms, ...provenance }))),
          );
        } catch (error) {
          const message = messageOf(error);
          if (message === undefined) throw error;
          refused.push(refusedChange(change, message));
        }
        if (reviews[0]) showing ??= show?.(reviews[0]);
      }
    } finally {
      await showing;
    }
    return { setId: set.id, createdAt: set.createdAt, reviews, parts: refused };
  }

  /** Merges a snippet as the settings say; undefined when the user does not want it to be sent. */
  async #merge(
    policy: EditPolicy,
    { path }: FileChange,
    files: AnswerFiles,
    changeSet: ChangeSetRef,
  ): Promise<Review[] | undefined> {
    const proposal = await this.#pipeline.run(await checked(files, path), policy, changeSet);
    if (proposal.kind === 'review') return [proposal.review];
    if (proposal.kind === 'refused') throw new UserError(proposal.reason);
    return proposal.kind === 'unchanged' ? [] : undefined;
  }

  async #apply(
    { parts }: CopiedAnswer,
    {
      files,
      active,
      signal,
    }: {
      readonly files: AnswerFiles;
      readonly active: vscode.Uri | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly result: AnswerResult; readonly ms: number }> {
    const activePath = active && vscode.workspace.asRelativePath(active);
    for (let runs = 1; ; runs++) {
      signal.throwIfAborted();
      const started = performance.now();
      const result = applyParts(parts, files, { activePath, t });
      const ms = performance.now() - started;
      const isStale = runs < maxRuns && (await files.loadWanted(signal));
      if (!isStale) return { result, ms };
    }
  }

  /** The pending reviews of the files that an answer changes. */
  #pendingOf({ files: changes }: AnswerResult, files: AnswerFiles): Review[] {
    const touched = new Set(
      changes.flatMap(({ path, newPath }) =>
        [path, newPath].map(each => each && files.uriOf(each)?.toString()),
      ),
    );
    return this.#reviews.open.filter(({ operation, fileUri }) =>
      touched.has(operation?.uri ?? fileUri.toString()),
    );
  }

  /** @throws {UserError} when the change cannot be reviewed. */
  async #start(
    { kind, path, newPath, text, certain, findings }: FileChange,
    files: AnswerFiles,
    changeSet: ChangeSetRef,
    made: Pick<Origin, 'ms' | 'source' | 'answer'>,
  ): Promise<Review[]> {
    const uri = await checked(files, path);
    const origin: Origin = {
      engine: 'local',
      ...made,
      findings: certain || findings.length > 0 ? findings : [uncertain(t)],
    };
    if (kind === 'delete') {
      const current = (await readTarget(uri)).getText();
      await this.#discardPending(uri);
      const showsPath = current === '';
      const operation: FileOperation = { kind, uri: uri.toString(), showsPath };
      return [await this.#reviews.startOperation(operation, [''], { origin, changeSet })];
    }
    const reviews: Review[] = [];
    if (text !== undefined) reviews.push(await this.#startText(uri, text, { origin, changeSet }));
    if (newPath !== undefined) {
      const newUri = await checked(files, newPath);
      const operation: FileOperation = {
        kind: 'rename',
        uri: uri.toString(),
        newUri: newUri.toString(),
        showsPath: true,
      };
      const shown = [vscode.workspace.asRelativePath(newUri)];
      reviews.push(await this.#reviews.startOperation(operation, shown, { origin, changeSet }));
    }
    return reviews;
  }

  async #startText(
    uri: vscode.Uri,
    text: string,
    { origin, changeSet }: { readonly origin: Origin; readonly changeSet: ChangeSetRef },
  ): Promise<Review> {
    const lines = splitLines(text);
    if (uri.scheme === 'vscode-notebook-cell' || (await isPresent(uri))) {
      const document = await readTarget(uri);
      await this.#discardPending(uri);
      return this.#reviews.start(document, linesOf(document), lines, origin, changeSet);
    }
    await this.#discardPending(uri);
    const showsPath = text === '';
    const operation: FileOperation = { kind: 'create', uri: uri.toString(), showsPath };
    const shown = showsPath ? [vscode.workspace.asRelativePath(uri)] : lines;
    return this.#reviews.startOperation(operation, shown, { origin, changeSet });
  }

  async #discardPending(uri: vscode.Uri): Promise<void> {
    const id = uri.toString();
    for (const review of this.#reviews.open) {
      if ((review.operation?.uri ?? review.fileUri.toString()) !== id) continue;
      if (review.operation?.kind !== 'rename') await this.#reviews.discard(review);
    }
  }
}

/**
 * The code that a change was made from, if the service is to merge it: always or, with `auto`, where the local
 * merge is not certain. Diffs and search/replace blocks are exact, and stay here.
 */
function snippetFor({ path, certain, snippet }: FileChange): ClipboardEdit | undefined {
  const { engine } = settings;
  if (!snippet || engine === 'local' || (engine === 'auto' && certain)) return undefined;
  const languageId = languageIdOfPath(path);
  return { format: 'snippet', path, ...snippet, ...(languageId !== undefined && { languageId }) };
}

/** The message of an error that concerns one file only. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof ServiceError) return adviceFor(error, t).message;
  return error instanceof UserError ? error.message : undefined;
}

/** @throws {UserError} when the path is not in the workspace. */
async function checked(files: AnswerFiles, file: string): Promise<vscode.Uri> {
  const uri = files.uriOf(file);
  if (!uri) {
    throw new UserError(
      vscode.workspace.workspaceFolders
        ? t('{0} is outside of the workspace, so it is not changed.', file)
        : t('Open a folder first: without one, {0} has no place.', file),
    );
  }
  const isOpen = vscode.workspace.textDocuments.some(
    document => document.uri.toString() === uri.toString(),
  );
  if (!isOpen && !(await isInWorkspace(uri))) {
    throw new UserError(
      t('{0} leads out of the workspace through a link, so it is not changed.', file),
    );
  }
  return uri;
}

function refusedChange({ path, text }: FileChange, reason: string): RefusedPart {
  return { part: text ?? path, path, reason };
}

/** "4 files to review, 1 part not applied, in 31 ms" */
export function answerSummary({ reviews, parts }: OpenedAnswer, ms: number): string {
  const files = new Set(reviews.map(({ fileUri }) => fileUri.path)).size;
  const shown = files === 1 ? t('1 file to review') : t('{0} files to review', files);
  const missed = parts.length === 0 ? '' : `, ${t('not applied: {0}', parts.length)}`;
  return `${shown}${missed} · ${latencyText(ms)}`;
}
