import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import type { CommandId } from '../../../platform/commands/contribute';
import type { Host } from '../../../platform/host';
import type { ReviewRegistry } from '../../review/registry';
import type { AppliedEdit } from '../appliedEdit';
import type { StoredHistory } from '../applyHistory';
import { groupEdits, undoneIds } from '../editGroups';
import { engineText, nameOf, outcomeText, whenAndWhence } from '../editTexts';
import { searchEdits } from '../searchEdits';
import type { HistoryActions } from './historyActions';

const { t } = vscode.l10n;

type Action = 'again' | 'undo' | 'changes' | 'copy' | 'delete';

interface HistoryRow extends vscode.QuickPickItem {
  readonly buttons?: readonly ActionButton[];
  /** The file of the row, or all files of an answer; empty for entries that cannot be read. */
  readonly entries?: readonly AppliedEdit[];
}

interface ActionButton extends vscode.QuickInputButton {
  readonly action: Action;
}

const icons = {
  again: 'go-to-file',
  undo: 'discard',
  changes: 'diff',
  copy: 'copy',
  delete: 'trash',
} as const;

/** The list of applied edits, with a search and what can be done with each. */
export class HistoryPicker {
  readonly #host: Host;
  readonly #reviews: ReviewRegistry;
  readonly #actions: HistoryActions;

  constructor(host: Host, reviews: ReviewRegistry, actions: HistoryActions) {
    this.#host = host;
    this.#reviews = reviews;
    this.#actions = actions;
  }

  async show(): Promise<void> {
    const loading = this.#load();
    const chosen = await pickRow(
      loading.then(({ history, answers }) =>
        isEmpty(history) ? undefined : query => rowsOf(history, query, answers),
      ),
    );
    const { history } = await loading;
    if (isEmpty(history)) throw this.#nothing();
    if (!chosen) return;
    const { entries = [] } = chosen.row;
    if (entries.length === 0) {
      if (await this.#actions.removeUnreadable(history)) await this.#again();
      return;
    }
    const action = chosen.action ?? (await pickAction(entries));
    if (action) await this.#run(action, entries, history);
  }

  async #load(): Promise<LoadedHistory> {
    const history = await this.#reviews.history.list();
    return { history, answers: await this.#answersOf(history.entries) };
  }

  async #run(
    action: Action,
    entries: readonly AppliedEdit[],
    history: StoredHistory,
  ): Promise<void> {
    const [entry] = entries;
    if (action === 'again') return this.#actions.openAgain(entries, history);
    if (action === 'undo') return this.#actions.undo(entries, history);
    if (action === 'delete') {
      if (await this.#actions.remove(entries, history)) await this.#again();
      return;
    }
    if (!entry) return;
    if (action === 'copy') return this.#actions.copyAnswer(entry);
    await this.#actions.showChanges(entry);
  }

  /** Shows the list again, unless nothing is left in it. */
  async #again(): Promise<void> {
    if (!isEmpty(await this.#reviews.history.list())) await this.show();
  }

  /** The stored answers, to be searched; one that cannot be read is not found by its text. */
  async #answersOf(entries: readonly AppliedEdit[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const entry of entries) {
      const key = answerKey(entry);
      if (key === undefined || texts.has(key)) continue;
      try {
        texts.set(key, (await this.#reviews.history.answerOf(entry)) ?? '');
      } catch (error) {
        this.#host.log.error('apply history', error);
      }
    }
    return texts;
  }

  #nothing(): UserError {
    return this.#reviews.history.isOn
      ? new UserError(
          t(
            'No edit was applied here yet. Copy an edit and run "Splice: Apply Clipboard Edit" to start.',
          ),
          {
            title: t('Apply Clipboard Edit'),
            command: 'splice.apply.clipboard' satisfies CommandId,
          },
        )
      : new UserError(
          t(
            'The apply history is off. Set "splice.apply.history.days" to the days that it is to be kept.',
          ),
          {
            title: t('Open Settings'),
            command: 'workbench.action.openSettings',
            arguments: ['splice.apply.history'],
          },
        );
  }
}

interface LoadedHistory {
  readonly history: StoredHistory;
  /** Texts of answers, by {@link answerKey}. */
  readonly answers: ReadonlyMap<string, string>;
}

const isEmpty = ({ entries, unreadable }: StoredHistory): boolean =>
  entries.length === 0 && unreadable.length === 0;

const answerKey = ({ meta: { origin } }: AppliedEdit): string | undefined =>
  origin.answer ?? origin.update;

function rowsOf(
  { entries, unreadable }: StoredHistory,
  query: string,
  answers: ReadonlyMap<string, string>,
): HistoryRow[] {
  const now = Date.now();
  const undone = undoneIds(entries);
  const found = searchEdits(entries, query, entry => answers.get(answerKey(entry) ?? '') ?? '');
  const lines = new Map(found.map(({ entry, line }) => [entry.id, line]));
  const rows: HistoryRow[] = [];
  for (const group of groupEdits(found.map(({ entry }) => entry))) {
    const when = whenAndWhence(group, now, { t, locale: vscode.env.language });
    const isSet = group.entries.length > 1;
    if (isSet) {
      rows.push({
        label: t('Answer for {0} files', group.entries.length),
        iconPath: new vscode.ThemeIcon('files'),
        description: when,
        alwaysShow: true,
        entries: group.entries,
        buttons: actionsOf(group.entries).map(buttonOf),
      });
    }
    for (const entry of group.entries) {
      const outcome = outcomeText(entry, undone, t);
      rows.push({
        label: nameOf(entry.meta.uri),
        iconPath: new vscode.ThemeIcon(iconOf(entry)),
        description: isSet ? outcome : `${outcome}, ${when}`,
        detail: [pathOf(entry), engineText(entry, t), lines.get(entry.id)]
          .filter(text => text !== undefined)
          .join(' · '),
        alwaysShow: true,
        entries: [entry],
        buttons: actionsOf([entry]).map(buttonOf),
      });
    }
  }
  if (unreadable.length > 0 && query.trim() === '') {
    rows.push({
      label: t('Entries that cannot be read: {0}', unreadable.length),
      iconPath: new vscode.ThemeIcon('warning'),
      alwaysShow: true,
      entries: [],
    });
  }
  return rows;
}

function iconOf({ meta: { operation }, accepted }: AppliedEdit): string {
  if (accepted.length === 0) return 'circle-slash';
  const byKind = { create: 'new-file', delete: 'trash', rename: 'arrow-right' } as const;
  return operation ? byKind[operation.kind] : 'check';
}

const pathOf = ({ meta }: AppliedEdit): string =>
  vscode.workspace.asRelativePath(vscode.Uri.parse(meta.uri).with({ fragment: '' }));

function actionsOf(entries: readonly AppliedEdit[]): Action[] {
  const [entry] = entries;
  const isAccepted = entries.some(({ accepted }) => accepted.length > 0);
  const isSingle = entries.length === 1;
  return [
    'again',
    ...(isAccepted ? (['undo'] as const) : []),
    ...(isSingle && entry?.meta.operation?.kind !== 'rename' ? (['changes'] as const) : []),
    ...(entry && answerKey(entry) !== undefined ? (['copy'] as const) : []),
    'delete',
  ];
}

function titleOf(action: Action): string {
  switch (action) {
    case 'again':
      return t('Open Again');
    case 'undo':
      return t('Undo');
    case 'changes':
      return t('Show Changes');
    case 'copy':
      return t('Copy Answer');
    default:
      return t('Delete Entry');
  }
}

const buttonOf = (action: Action): ActionButton => ({
  action,
  iconPath: new vscode.ThemeIcon(icons[action]),
  tooltip: titleOf(action),
});

/**
 * The row that the user picked, with the action of its button if that was clicked.
 *
 * @param loading the rows for what is typed; without rows, the list closes again.
 */
async function pickRow(
  loading: Promise<((query: string) => HistoryRow[]) | undefined>,
): Promise<{ readonly row: HistoryRow; readonly action?: Action } | undefined> {
  const pick = vscode.window.createQuickPick<HistoryRow>();
  pick.title = t('Apply History');
  pick.placeholder = t('Search for a file, a changed line or a part of the answer');
  pick.busy = true;
  let rows: ((query: string) => HistoryRow[]) | undefined;
  // Rows are found by the texts behind them, which VS Code does not search.
  const fill = (): void => {
    pick.items = rows?.(pick.value) ?? [];
  };
  return new Promise(resolve => {
    pick.onDidChangeValue(fill);
    pick.onDidAccept(() => {
      const [row] = pick.activeItems;
      if (!row) return;
      resolve({ row });
      pick.hide();
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      const pressed = item.buttons?.find(each => each === button);
      resolve({ row: item, ...(pressed && { action: pressed.action }) });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    loading.then(
      loaded => {
        rows = loaded;
        pick.busy = false;
        if (rows) fill();
        else pick.hide();
      },
      // The caller reports it.
      () => pick.hide(),
    );
  });
}

async function pickAction(entries: readonly AppliedEdit[]): Promise<Action | undefined> {
  const [entry] = entries;
  const items = actionsOf(entries).map(action => ({
    label: titleOf(action),
    iconPath: new vscode.ThemeIcon(icons[action]),
    action,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title:
      entries.length === 1 && entry
        ? t('{0} in the apply history', nameOf(entry.meta.uri))
        : t('Answer for {0} files', entries.length),
  });
  return picked?.action;
}
