import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { bytesText, percentText } from '../../base/format/numbers';
import { agoText } from '../../base/format/times';
import { UserError } from '../../base/userError';
import { confirm } from '../../platform/confirm';
import type { Host } from '../../platform/host';
import { withProgress } from '../../platform/progress';
import type { CompactController } from '../controller';
import { machine } from '../picker';
import { partLabels } from '../receipt/messages';
import { createWorkerClient } from '../runCompaction';
import { listHistories } from '../sessions/sessionFiles';
import { type ChatSource, sourceOfDatabase, sourceOfFile } from '../source';
import type { FoundMessage } from './findMessages';
import { type HistoryPlaces, SearchThread, updateIndex } from './historyThreads';
import type { IndexProgress, SessionFile } from './indexSessions';
import { deleteMessageIndex } from './messageIndex';
import { parseHistoryQuery } from './query';
import { pathOfStored, storedPlaceOf } from './sessionReader';

const { t } = vscode.l10n;

/** Typing pauses for so long before a search begins, in milliseconds. */
const typingPauseMs = 120;
const maxFound = 100;

interface FoundRow extends vscode.QuickPickItem {
  readonly found?: FoundMessage;
}

export interface HistorySearchActions {
  readonly open: (found: FoundMessage) => Promise<void>;
  /** Compacts the session and keeps the line. */
  readonly pin: (found: FoundMessage) => Promise<void>;
}

export function createHistorySearcher(
  host: Host,
  controller: CompactController,
  hasIndex: (value: boolean) => void,
): HistorySearcher {
  const actions: HistorySearchActions = {
    open: async found => controller.showAt(await sourceOf(host, found), found),
    pin: async found => controller.compactWithPin(await sourceOf(host, found), found.whole),
  };
  return new HistorySearcher(host, actions, hasIndex);
}

async function sourceOf(host: Host, { path: file, title }: FoundMessage): Promise<ChatSource> {
  const stored = storedPlaceOf(file);
  return stored
    ? sourceOfDatabase(createWorkerClient(host), stored, title)
    : sourceOfFile(vscode.Uri.file(file), title);
}

/** Finds messages in the chat histories of all tools, with an index that is built when the user agrees. */
export class HistorySearcher {
  readonly #host: Host;
  readonly #actions: HistorySearchActions;
  readonly #places: HistoryPlaces;
  readonly #hasIndex: (value: boolean) => void;
  #updating: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;
  /** The index, once the last update has opened it or failed. */
  #isOpened = Promise.resolve();
  /** The thread of the last search, which has the index open. */
  #closing = Promise.resolve();
  #progress: IndexProgress | undefined;
  #onProgress: () => void = () => undefined;
  #lastTyped = '';

  /** @param hasIndex takes whether there is an index from now on. */
  constructor(host: Host, actions: HistorySearchActions, hasIndex: (value: boolean) => void) {
    this.#hasIndex = hasIndex;
    const { extensionUri, globalStorageUri } = host.context;
    this.#host = host;
    this.#actions = actions;
    this.#places = {
      script: vscode.Uri.joinPath(extensionUri, 'dist/compact/historySearch/worker.mjs').fsPath,
      index: path.join(globalStorageUri.fsPath, 'chats', 'index.db'),
    };
  }

  async search(): Promise<void> {
    if (!(await this.#update())) return;
    const picked = await this.#pick();
    if (picked) await this.#actions[picked.use](picked.found);
  }

  /** Deletes the index. The chats are not touched. */
  async deleteIndex(): Promise<void> {
    this.#updating?.stop.abort();
    await Promise.all([this.#updating?.done, this.#closing]);
    deleteMessageIndex(this.#places.index);
    this.#hasIndex(false);
    vscode.window.setStatusBarMessage(t('The index of chat histories is deleted.'), 5000);
  }

  /** Begins to read what is new; false where the user does not agree. */
  async #update(): Promise<boolean> {
    if (this.#updating) return true;
    const signal = new AbortController();
    const stored: SessionFile[] = [];
    const listed = await withProgress(t('Looking for chat histories'), async own =>
      listHistories(machine(this.#host), {
        signal: own,
        worker: createWorkerClient(this.#host),
        onUnreadable: () => undefined,
        onFound: ({ path: database, storedId: id = '', at, size }) => {
          stored.push({ path: pathOfStored({ database, id }), at, size });
        },
      }),
    );
    // Those of one database stay together, so that it is copied once.
    const files: SessionFile[] = [
      ...listed.map(({ path: file, at, size }) => ({ path: file, at, size })),
      ...stored,
    ];
    if (files.length === 0) {
      throw new UserError(
        t(
          'No chat histories are on this machine. They are found once a tool such as Claude Code has written one.',
        ),
      );
    }
    const isFirst = !existsSync(this.#places.index);
    if (isFirst && !(await agrees(files))) return false;
    this.#hasIndex(true);
    this.#isOpened = new Promise(onOpened => {
      const done = this.#read(files, signal, isFirst, onOpened).finally(() => {
        onOpened();
        this.#updating = undefined;
        this.#progress = undefined;
        this.#onProgress();
      });
      this.#updating = { done, stop: signal };
    });
    return true;
  }

  async #read(
    files: readonly SessionFile[],
    stop: AbortController,
    isFirst: boolean,
    onOpened: () => void,
  ): Promise<void> {
    const run = async (own: AbortSignal, report: (message: string) => void): Promise<void> => {
      const signal = AbortSignal.any([own, stop.signal]);
      const onProgress = (progress: IndexProgress): void => {
        this.#progress = progress;
        report(progressText(progress));
        this.#onProgress();
      };
      const unreadable = await updateIndex(this.#places, files, { onOpened, onProgress }, signal);
      if (unreadable.length > 0) {
        this.#host.log.info(`${unreadable.length} chat histories have an unknown format`);
      }
    };
    try {
      if (isFirst) await withProgress(t('Reading chat histories'), run);
      else await run(new AbortController().signal, () => undefined);
    } catch (error) {
      await this.#host.report('chat histories', error);
    }
  }

  async #pick(): Promise<{ use: 'open' | 'pin'; found: FoundMessage } | undefined> {
    const thread = new SearchThread(this.#places, this.#isOpened);
    const pick = vscode.window.createQuickPick<FoundRow>();
    const pin = {
      iconPath: new vscode.ThemeIcon('pin'),
      tooltip: t('Compact This Chat, and Keep This Line'),
    };
    let timer: NodeJS.Timeout | undefined;
    let found: FoundMessage[] = [];
    const fill = (isDone: boolean): void => {
      pick.busy = !isDone || this.#updating !== undefined;
      pick.items =
        found.length > 0
          ? found.map(each => rowOf(each, pin))
          : isDone && pick.value.trim() !== ''
            ? [{ label: t('No chat has all of these words'), alwaysShow: true }]
            : [];
    };
    const search = (): void => {
      this.#lastTyped = pick.value;
      found = [];
      const query = parseHistoryQuery(pick.value);
      if (!query) {
        thread.forget();
        fill(true);
        return;
      }
      pick.busy = true;
      thread.ask(query, maxFound, {
        onFound: more => {
          found = [...found, ...more];
          if (more.length > 0) fill(false);
        },
        onEnd: () => fill(true),
        onError: error => {
          pick.hide();
          void this.#host.report('search in chat histories', error);
        },
      });
    };
    pick.title = t('Search Chat Histories');
    pick.placeholder = t('Words that a message has, or "a phrase" in quotes');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.value = this.#lastTyped;
    this.#onProgress = () => {
      pick.prompt = this.#progress ? progressText(this.#progress) : undefined;
      // What was read meanwhile may have the words.
      if (!this.#updating) search();
    };
    this.#onProgress();
    search();
    const chosen = await new Promise<{ use: 'open' | 'pin'; found: FoundMessage } | undefined>(
      resolve => {
        const choose = (use: 'open' | 'pin', row: FoundRow | undefined): void => {
          if (!row?.found) return;
          resolve({ use, found: row.found });
          pick.hide();
        };
        pick.onDidChangeValue(() => {
          clearTimeout(timer);
          timer = setTimeout(search, typingPauseMs);
        });
        pick.onDidAccept(() => choose('open', pick.activeItems[0]));
        pick.onDidTriggerItemButton(({ item }) => choose('pin', item));
        pick.onDidHide(() => resolve(undefined));
        pick.show();
      },
    );
    clearTimeout(timer);
    this.#onProgress = () => undefined;
    pick.dispose();
    // What was chosen does not wait for it.
    this.#closing = thread.dispose();
    return chosen;
  }
}

async function agrees(files: readonly SessionFile[]): Promise<boolean> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return confirm(
    t('Search the chat histories of this machine?'),
    t(
      'Splice reads {0} ({1}) in the background and keeps an index of their words in its own folder. Nothing is sent. "Splice: Delete Index of Chat Histories" removes it.',
      t(files.length === 1 ? '1 chat' : '{0} chats', files.length),
      bytesText(bytes, t),
    ),
    t('Build the Index'),
    t('Not Now'),
  );
}

const progressText = ({ done, total }: IndexProgress): string =>
  total === 0
    ? t('All chats are read')
    : t('{0} of {1} read', percentText(done / total), bytesText(total, t));

function rowOf(found: FoundMessage, pin: vscode.QuickInputButton): FoundRow {
  const { text, title, label, at, role, workspace } = found;
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return {
    label: text,
    description: partLabels.turn(role),
    detail: [
      title,
      label,
      ...(Number.isNaN(time) ? [] : [agoText(time, Date.now())]),
      ...(workspace === undefined ? [] : [path.basename(workspace)]),
    ].join(' · '),
    alwaysShow: true,
    buttons: [pin],
    found,
  };
}
