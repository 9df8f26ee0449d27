import path from 'node:path';
import * as vscode from 'vscode';
import { Sequencer } from '../../base/async/sequencer';
import { filesText } from '../../base/format/counts';
import { clockText } from '../../base/format/times';
import { UserError } from '../../base/userError';
import { confirm } from '../../platform/confirm';
import { moveCursor } from '../../platform/documents/moveCursor';
import { subjectOf } from '../rowSubject';
import { agentName } from './agents/core/hookEvents';
import type { HookCommands } from './agents/hookCommands';
import type { QueuedUndos } from './agents/queuedUndos';
import type { UndoneNotes } from './agents/undoneNotes';
import type { ExternalChanges, ExternalFile, ExternalSelection } from './externalChanges';
import { type ExternalFilter, everything, filteredFiles, usefulFilters } from './rows/filters';
import { type Grouping, groupFiles, groupings } from './rows/groups';
import { filesOfRow, isRowOfSeveral, type PickedFiles } from './rows/rowFiles';
import { type ChangePlace, nextPlace, placeAt } from './view/changePlaces';
import { placesIn } from './view/externalLenses';
import type { ExternalList } from './view/externalList';
import type { ExternalPages } from './view/externalPages';
import { confirmEdited, confirmUndo, showOutcomes } from './view/outcomes';

const { t } = vscode.l10n;

export interface ExternalCommandParts {
  readonly changes: ExternalChanges;
  readonly pages: ExternalPages;
  readonly list: ExternalList;
  /** Resolves once the folders of the workspace are followed, if they should be. */
  readonly whenFollowing: () => Promise<void>;
  /** Deletes what is stored. */
  readonly forget: () => Promise<void>;
  readonly hooks: HookCommands;
  readonly queue: QueuedUndos;
  readonly message: UndoneNotes;
}

/** The commands that review external changes. */
export class ExternalCommands {
  readonly #parts: ExternalCommandParts;
  /** What moves the cursor or reads its place: keys may be pressed before the last one has its effect. */
  readonly #cursor = new Sequencer();

  constructor(parts: ExternalCommandParts) {
    this.#parts = parts;
  }

  /** Opens the page of a group, a file or a change; without a subject, that of everything. */
  async openPage(subject?: unknown, changeId?: unknown): Promise<void> {
    const { files, change = changeId } = this.#picked(subject) ?? this.#all();
    const [first] = files;
    if (!first) throw nothingPending();
    if (files.length > 1) return this.#parts.pages.open(this.#titleOf(files), files);
    // A file is shown among the others of its turn.
    const group =
      groupFiles(this.#parts.changes.files, 'turn').find(each => each.files.includes(first))
        ?.files ?? files;
    const shown = await this.#parts.changes.changes(first);
    const at = shown?.changes.find(({ id }) => id === change) ?? shown?.changes[0];
    await this.#parts.pages.open(this.#titleOf(group), group, {
      file: first,
      line: at?.start ?? 0,
    });
  }

  async openFile(subject?: unknown): Promise<void> {
    const { file, change } = this.#one(subject);
    if (file.pending.status === 'deleted') return this.#parts.pages.compare(file);
    const shown = await this.#parts.changes.changes(file);
    const at = shown?.changes.find(({ id }) => id === change) ?? shown?.changes[0];
    const line = at?.start ?? 0;
    await vscode.window.showTextDocument(file.uri, {
      preview: false,
      selection: new vscode.Range(line, 0, line, 0),
    });
  }

  async compare(subject?: unknown): Promise<void> {
    await this.#parts.pages.compare(this.#one(subject).file);
  }

  async keepChange(subject?: unknown, changeId?: unknown): Promise<void> {
    const selection = await this.#change(subject, changeId);
    if (selection) await this.#keep([selection]);
  }

  async undoChange(subject?: unknown, changeId?: unknown): Promise<void> {
    const selection = await this.#change(subject, changeId);
    if (selection) await this.#undo([selection]);
  }

  async keepFile(subject?: unknown): Promise<void> {
    await this.#keep([{ file: this.#one(subject).file }]);
  }

  async undoFile(subject?: unknown): Promise<void> {
    await this.#undo([{ file: this.#one(subject).file }]);
  }

  /** Keeps what an item of the view stands for; without one, everything. */
  async keepAll(subject?: unknown): Promise<void> {
    const { files } = this.#picked(subject) ?? this.#all();
    await this.#keep(files.map(file => ({ file })));
  }

  async undoAll(subject?: unknown): Promise<void> {
    const { files } = this.#picked(subject) ?? this.#all();
    if (files.length > 1 && !(await confirmUndo(files.map(({ label }) => label)))) return;
    await this.#undo(files.map(file => ({ file })));
  }

  /** Keeps lock files and what programs generate. */
  async keepGenerated(): Promise<void> {
    const generated = this.#parts.changes.files.filter(({ pending }) => pending.isGenerated);
    if (generated.length === 0) {
      throw new UserError(t('No generated file and no lock file has changes to review.'));
    }
    await this.#keep(generated.map(file => ({ file })));
  }

  /** Undoes changes, whether an agent is at work or not. */
  async undoNow(selected: readonly ExternalSelection[]): Promise<void> {
    const { changes, message } = this.#parts;
    const before = await message.before(selected);
    const decided = await changes.undo(selected);
    message.note(before, decided);
    await showOutcomes(decided, undoneText);
    const edited = decided.filter(({ outcome }) => outcome === 'edited');
    if (edited.length === 0 || !(await confirmEdited(edited))) return;
    const ids = new Set(edited.map(({ uri }) => uri.toString()));
    const again = selected.filter(({ file: { id } }) => ids.has(id));
    const confirmed = await changes.undo(again, true);
    message.note(before, confirmed);
    await showOutcomes(confirmed, undoneText);
  }

  /** Undoes what waits for the end of a turn. */
  async undoQueued(subject?: unknown): Promise<void> {
    await this.#parts.queue.now(this.#queued(subject));
  }

  /** Leaves what waits for the end of a turn as it is. */
  cancelQueued(subject?: unknown): void {
    this.#parts.queue.cancel(this.#queued(subject));
  }

  get hooks(): HookCommands {
    return this.#parts.hooks;
  }

  async messageAgent(): Promise<void> {
    await this.#parts.message.open();
  }

  async takeBackMessage(): Promise<void> {
    await this.#parts.message.takeBack();
  }

  async undoDecision(): Promise<void> {
    const decided = await this.#parts.changes.undoDecision();
    if (!decided) throw new UserError(t('There is no keep and no undo to take back.'));
    await showOutcomes(decided, count => t('$(reply) Taken back in {0}.', filesText(count, t)));
  }

  /** Goes to the next or previous change, over files. */
  async go(direction: 1 | -1): Promise<void> {
    await this.#cursor.run(() => this.#go(direction));
  }

  async #go(direction: 1 | -1): Promise<void> {
    const { files } = this.#parts.changes;
    const editor = vscode.window.activeTextEditor;
    const current = this.#parts.changes.of(editor?.document.uri);
    if (editor && current) {
      const places = (await placesIn(this.#parts.changes, current, editor.document)) ?? [];
      const next = nextPlace(places, editor.selection.active.line, direction);
      if (next) return moveCursor(editor, next.line);
    }
    const order = files.toSorted((a, b) => (a.label < b.label ? -1 : 1));
    const at = current ? order.indexOf(current) : direction === 1 ? -1 : 0;
    const file = order.at((at + direction + order.length) % Math.max(1, order.length));
    if (!file) throw nothingPending();
    if (file.pending.status === 'deleted') return this.#parts.pages.compare(file);
    const shown = await vscode.window.showTextDocument(file.uri, { preview: true });
    const places = (await placesIn(this.#parts.changes, file, shown.document)) ?? [];
    const place = direction === 1 ? places[0] : places.at(-1);
    if (place) await moveCursor(shown, place.line);
  }

  async groupBy(): Promise<void> {
    const labels: Readonly<Record<Grouping, string>> = {
      turn: t('By turn: what one request to an agent changed'),
      agent: t('By agent'),
      file: t('By file'),
    };
    const items = groupings.map(grouping => ({ label: labels[grouping], grouping }));
    const picked = await vscode.window.showQuickPick(items, {
      title: t('Group external changes'),
    });
    if (!picked) return;
    const { list } = this.#parts;
    list.grouping.value = picked.grouping;
    list.refresh();
  }

  /** Lets the user choose which files are listed. */
  async filter(): Promise<void> {
    const { list, changes } = this.#parts;
    const items = [everything, ...usefulFilters(changes.files)].map(filter => {
      const files = filteredFiles(changes.files, filter).length;
      return { label: filterText(filter), description: filesText(files, t), filter };
    });
    if (items.length === 1) {
      throw new UserError(
        t(
          'All changes are of one turn, or it is not known who made them, so there is nothing to filter by.',
        ),
      );
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: t('Filter external changes'),
    });
    if (!picked) return;
    list.filter = picked.filter;
    list.refresh();
  }

  /** Takes everything as it is on disk as reviewed. */
  async reviewFromNow(): Promise<void> {
    const { changes, whenFollowing } = this.#parts;
    await whenFollowing();
    this.#checkOwner();
    const { length } = changes.files;
    for (const { tracker } of changes.roots) await tracker.reviewFromNow();
    vscode.window.setStatusBarMessage(
      length === 0
        ? t('Everything counts as reviewed from now on.')
        : t(
            'Everything counts as reviewed from now on, also {0} with changes.',
            filesText(length, t),
          ),
      6000,
    );
  }

  /** Deletes all that is stored about external changes. */
  async forget(): Promise<void> {
    this.#checkOwner();
    const isAgreed = await confirm(
      t('Forget all external changes and delete what is stored about them?'),
      t(
        'Every file counts as reviewed as it is. No change that is listed now can be undone any more, and no decision can be taken back.',
      ),
      t('Forget'),
      t('Do Not Forget'),
    );
    if (!isAgreed) return;
    await this.#parts.forget();
    vscode.window.setStatusBarMessage(t('External changes are forgotten.'), 6000);
  }

  /** Shows the unsaved text of a file beside what another program wrote to disk. */
  async showConflict(subject?: unknown): Promise<void> {
    const { file } = this.#one(subject);
    await this.#parts.pages.compare(file);
    await vscode.commands.executeCommand('workbench.files.action.compareWithSaved', file.uri);
  }

  /** @throws {UserError} when another window decides about a folder. */
  #checkOwner(): void {
    const other = this.#parts.changes.roots.find(({ tracker }) => tracker.isReadOnly);
    if (!other) return;
    throw new UserError(
      t(
        'Do that in the other window of {0}, or close it: only one decides about its changes. After the other one is closed, this one takes over.',
        path.basename(other.folder.fsPath),
      ),
    );
  }

  async #keep(selected: readonly ExternalSelection[]): Promise<void> {
    const decided = await this.#parts.changes.keep(selected);
    await showOutcomes(decided, count => t('$(check) Kept in {0}.', filesText(count, t)));
  }

  async #undo(selected: readonly ExternalSelection[]): Promise<void> {
    const free = await this.#parts.queue.hold(selected);
    if (free.length > 0) await this.undoNow(free);
  }

  /** The change that a lens or an item names, else the one at the cursor. */
  async #change(subject: unknown, changeId: unknown): Promise<ExternalSelection | undefined> {
    const change = this.#picked(subject)?.change ?? changeId;
    if (typeof change === 'string') return { file: this.#one(subject).file, changes: [change] };
    return this.#cursor.run(() => this.#changeAtCursor(subject));
  }

  async #changeAtCursor(subject: unknown): Promise<ExternalSelection | undefined> {
    const { file } = this.#one(subject);
    if (file.pending.whole !== undefined) return { file };
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.toString() !== file.id) {
      await this.openFile(file.id);
      vscode.window.setStatusBarMessage(
        t('The file was not in front, so nothing was decided. Press again.'),
        6000,
      );
      return undefined;
    }
    const places = (await placesIn(this.#parts.changes, file, editor.document)) ?? [];
    const place = placeAt(places, editor.selection.active.line);
    if (place && isInSight(editor, place)) return { file, changes: [place.change.id] };
    const target = place ?? nextPlace(places, editor.selection.active.line, 1) ?? places[0];
    if (!target) throw nothingPending();
    await moveCursor(editor, target.line);
    vscode.window.setStatusBarMessage(
      t(
        'The cursor was not on a change in sight, so nothing was decided. It is now on change {0} of {1}.',
        places.indexOf(target) + 1,
        places.length,
      ),
      6000,
    );
    return undefined;
  }

  #queued(subject: unknown): ExternalFile | undefined {
    const [file] = this.#picked(subject)?.files ?? [];
    const { queue } = this.#parts;
    if (file ? !queue.isQueued(file) : queue.count === 0) {
      throw new UserError(t('No undo waits for the end of a turn.'));
    }
    return file;
  }

  #one(subject: unknown): { readonly file: ExternalFile; readonly change?: string } {
    const { changes } = this.#parts;
    const picked = this.#picked(subject);
    const file =
      picked?.files[0] ??
      changes.of(vscode.window.activeTextEditor?.document.uri) ??
      (changes.files.length === 1 ? changes.files[0] : undefined);
    if (!file) throw nothingPending();
    return { file, ...(picked?.change !== undefined && { change: picked.change }) };
  }

  /** @throws {UserError} when what was named has no changes any more, because nothing else may be decided then. */
  #picked(subject: unknown): PickedFiles<ExternalFile> | undefined {
    const { list, changes } = this.#parts;
    const named = subject instanceof vscode.Uri ? subject.toString() : subjectOf(subject);
    if (typeof named !== 'string') return undefined;
    // A lens names a file that a filter may leave out; an item of several stands for those that are listed.
    const files = isRowOfSeveral(named) ? list.shown : changes.files;
    const picked = filesOfRow(named, files, list.grouping.value);
    if (!picked) throw new UserError(t('This has no changes to review any more.'));
    return picked;
  }

  #all(): PickedFiles<ExternalFile> {
    const files = this.#parts.list.shown;
    if (files.length === 0) throw nothingPending();
    return { files };
  }

  #titleOf(files: readonly ExternalFile[]): string {
    const [group, ...others] = groupFiles(files, 'turn');
    if (!group || others.length > 0) return t('External changes');
    return group.agent === undefined
      ? t('External changes at {0}', clockText(group.to, vscode.env.language))
      : t('{0} at {1}', agentName(group.agent), clockText(group.to, vscode.env.language));
  }
}

function filterText(filter: ExternalFilter): string {
  switch (filter.kind) {
    case 'all':
      return t('All changes');
    case 'lastTurn':
      return t('Since my last prompt');
    case 'agent':
      return t('Only {0}', agentName(filter.agent));
    default:
      return filter satisfies never;
  }
}

const undoneText = (count: number): string => t('$(discard) Undone in {0}.', filesText(count, t));

const isInSight = ({ visibleRanges }: vscode.TextEditor, { line, count }: ChangePlace): boolean =>
  visibleRanges.some(
    ({ start, end }) => line <= end.line && line + Math.max(1, count) > start.line,
  );

const nothingPending = (): UserError =>
  new UserError(
    t('No change of another program waits for a review. Splice lists them as they are made.'),
  );
