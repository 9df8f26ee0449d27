import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isAbort } from '../base/async/abort';
import { bytesText, tokensText } from '../base/format/numbers';
import { agoText } from '../base/format/times';
import type { Host } from '../platform/host';
import { receiptScheme } from './ids';
import { unreadableText } from './receipt/messages';
import { createWorkerClient } from './runCompaction';
import type { Machine } from './sessions/locations/machine';
import { type FoundHistory, findHistories } from './sessions/sessionFiles';
import { withDriveLetter } from './sessions/sessionFolders';
import {
  type ChatSource,
  sourceOfDatabase,
  sourceOfDocument,
  sourceOfFile,
  sourceOfText,
} from './source';
import type { WorkerClient } from './worker/workerClient';

const { t } = vscode.l10n;

/** Milliseconds between updates of the list. Each update may move a row just before the user presses Enter. */
const refillIntervalMs = 700;

interface SourceRow extends vscode.QuickPickItem {
  readonly open?: () => Promise<ChatSource | undefined>;
  /** Shows the histories of other folders as well. */
  readonly showsOthers?: boolean;
}

/** Offers the chat histories of this machine as they are found, and other sources such as the clipboard. */
export async function pickSource(host: Host): Promise<ChatSource | undefined> {
  const pick = vscode.window.createQuickPick<SourceRow>();
  const controller = new AbortController();
  const worker = createWorkerClient(host);
  const rowsOf = (histories: readonly FoundHistory[]) => histories.map(one => rowOf(one, worker));
  const found: FoundHistory[] = [];
  const unreadable: SourceRow[] = [];
  let showsOthers = (vscode.workspace.workspaceFolders ?? []).length === 0;
  const ways = otherSources();
  pick.title = t('Compact Chat History');
  pick.placeholder = t('Pick a chat to shrink');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  const fill = (): void => {
    const [active] = pick.activeItems;
    const isFirst = active === pick.items[0];
    // Those of databases are found before any in files.
    found.sort((a, b) => b.at - a.at);
    const own = found.filter(({ isOfWorkspace }) => isOfWorkspace);
    const others = found.filter(({ isOfWorkspace }) => !isOfWorkspace);
    const more = t('Chats About Other Folders ({0})', others.length);
    pick.items = [
      ...rowsOf(own),
      ...section(t('from elsewhere'), ways),
      ...(showsOthers || others.length === 0
        ? section(t('other chats'), rowsOf(others))
        : [{ label: more, iconPath: new vscode.ThemeIcon('ellipsis'), showsOthers: true }]),
      ...(showsOthers || found.length === 0 ? section(t('not readable'), unreadable) : []),
    ];
    const same = isFirst ? pick.items[0] : pick.items.find(({ label }) => label === active?.label);
    if (same) pick.activeItems = [same];
  };
  fill();
  let timer: NodeJS.Timeout | undefined;
  const fillSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!controller.signal.aborted) fill();
    }, refillIntervalMs);
  };
  void findHistories(machine(host), {
    signal: controller.signal,
    worker,
    onFound(history) {
      found.push(history);
      fillSoon();
    },
    onUnreadable({ path: file, reason, tool }) {
      unreadable.push({
        label: tool ?? path.basename(file),
        iconPath: new vscode.ThemeIcon('warning'),
        description: unreadableText(reason),
        detail: abbreviateHome(file),
        // A database is no chat.
        ...(tool === undefined ? { open: async () => sourceOfFile(vscode.Uri.file(file)) } : {}),
      });
      fillSoon();
    },
  })
    .catch((error: unknown) => {
      if (!isAbort(error)) host.log.error('histories', error);
    })
    .finally(() => {
      if (controller.signal.aborted) return;
      clearTimeout(timer);
      fill();
      pick.busy = false;
    });
  const chosen = await new Promise<SourceRow | undefined>(resolve => {
    pick.onDidAccept(() => {
      const [picked] = pick.activeItems;
      if (picked?.showsOthers) {
        showsOthers = true;
        // The typed text only served to find that row.
        pick.value = '';
        fill();
      } else if (picked?.open) {
        resolve(picked);
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      resolve(undefined);
      controller.abort();
      clearTimeout(timer);
      pick.dispose();
    });
    pick.show();
  });
  return chosen?.open?.();
}

function section(label: string, rows: readonly SourceRow[]): SourceRow[] {
  return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

function otherSources(): SourceRow[] {
  const document = vscode.window.activeTextEditor?.document;
  const isOurs = document?.uri.scheme === receiptScheme;
  return [
    {
      label: t('From File…'),
      iconPath: new vscode.ThemeIcon('folder-opened'),
      alwaysShow: true,
      open: pickFile,
    },
    ...(document && !isOurs
      ? [
          {
            label: t('Active Editor'),
            iconPath: new vscode.ThemeIcon('file'),
            description: path.posix.basename(document.uri.path),
            open: async () =>
              document.isDirty || document.isUntitled
                ? sourceOfDocument(document)
                : sourceOfFile(document.uri),
          },
        ]
      : []),
    {
      label: t('Clipboard'),
      iconPath: new vscode.ThemeIcon('clippy'),
      open: async () => sourceOfText(await vscode.env.clipboard.readText(), t('Clipboard')),
    },
  ];
}

async function pickFile(): Promise<ChatSource | undefined> {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Compact Chat History'),
    openLabel: t('Compact'),
    filters: { [t('Chats')]: ['jsonl', 'json', 'md', 'txt', 'log'], [t('All Files')]: ['*'] },
    ...(first ? { defaultUri: first } : {}),
  });
  return picked?.[0] && sourceOfFile(picked[0]);
}

function rowOf(history: FoundHistory, worker: WorkerClient): SourceRow {
  const { label, title, at, size, tokens, isExtrapolated, path: file, storedId } = history;
  const sizeText = tokensText(tokens, t);
  return {
    label: title,
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    detail: [
      label,
      agoText(at, Date.now()),
      bytesText(size, t),
      ...(tokens > 0 ? [isExtrapolated ? t('about {0}', sizeText) : sizeText] : []),
    ].join(' · '),
    open: async () =>
      storedId === undefined
        ? sourceOfFile(vscode.Uri.file(file), title)
        : sourceOfDatabase(worker, { database: file, id: storedId }, title),
  };
}

/** A path with `~` in place of the home folder. */
export function abbreviateHome(file: string): string {
  const home = homedir();
  return file.startsWith(home + path.sep) ? `~${file.slice(home.length)}` : file;
}

/** This computer, for the places of sessions. */
export function machine(host: Host): Machine {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const { globalStorageUri: storage, storageUri } = host.context;
  const { platform } = process;
  return {
    platform,
    home: homedir(),
    env: process.env,
    isUntrusted: !vscode.workspace.isTrusted,
    ...(folder?.scheme === 'file'
      ? { workspaceFolder: withDriveLetter(folder.fsPath, platform) }
      : {}),
    // `User/globalStorage/<this extension>`.
    ...(storage.scheme === 'file'
      ? { editorUser: path.dirname(path.dirname(storage.fsPath)) }
      : {}),
    // `User/workspaceStorage/<id>/<this extension>`.
    ...(storageUri?.scheme === 'file' ? { workspaceStorage: path.dirname(storageUri.fsPath) } : {}),
  };
}
