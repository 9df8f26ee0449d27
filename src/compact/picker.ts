import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { tokensText } from '../host/figures';
import type { Host } from '../host/host';
import { isAbort } from '../host/abort';
import { ids } from '../manifest';
import type { CompactPlan } from './engine';
import { type FoundHistory, findHistories } from './historyFiles';
import { percentText, ageText, sizeText, unreadableText } from './sentences';
import { type ChatSource, sourceOfDocument, sourceOfFile, sourceOfText } from './source';

const { t } = vscode.l10n;

/** Between two refills of the list: each one may come between a look at it and Enter. */
const refillMs = 700;

interface SourceRow extends vscode.QuickPickItem {
  readonly open?: () => Promise<ChatSource | undefined>;
  /** Shows the histories of other folders as well. */
  readonly showsOthers?: boolean;
}

/** Offers the histories of this machine, as they are found, and what else may hold one. */
export async function pickSource(host: Host): Promise<ChatSource | undefined> {
  const pick = vscode.window.createQuickPick<SourceRow>();
  const controller = new AbortController();
  const found: FoundHistory[] = [];
  const unreadable: SourceRow[] = [];
  let showsOthers = (vscode.workspace.workspaceFolders ?? []).length === 0;
  const ways = waysIn();
  pick.title = t('Compact Chat History');
  pick.placeholder = t('Pick a chat to shrink');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  const fill = (): void => {
    const [active] = pick.activeItems;
    const isFirst = active === pick.items[0];
    const own = found.filter(({ isOfWorkspace }) => isOfWorkspace);
    const others = found.filter(({ isOfWorkspace }) => !isOfWorkspace);
    const more = t('Chats About Other Folders ({0})', others.length);
    pick.items = [
      ...own.map(rowOf),
      ...section(t('from elsewhere'), ways),
      ...(showsOthers || others.length === 0
        ? section(t('other chats'), others.map(rowOf))
        : [{ label: `$(ellipsis) ${more}`, showsOthers: true }]),
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
    }, refillMs);
  };
  void findHistories(machine(host), {
    signal: controller.signal,
    onFound(history) {
      found.push(history);
      fillSoon();
    },
    onUnreadable({ path: file, reason }) {
      unreadable.push({
        label: `$(warning) ${path.basename(file)}`,
        description: unreadableText(reason),
        detail: tidy(file),
        ...(reason === 'database' ? {} : { open: async () => sourceOfFile(vscode.Uri.file(file)) }),
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
        // What was typed led to that row.
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

function waysIn(): SourceRow[] {
  const document = vscode.window.activeTextEditor?.document;
  const isOurs = document?.uri.scheme === ids.receiptScheme;
  return [
    { label: `$(folder-opened) ${t('From File…')}`, alwaysShow: true, open: pickFile },
    ...(document && !isOurs
      ? [
          {
            label: `$(file) ${t('Active Editor')}`,
            description: path.posix.basename(document.uri.path),
            open: async () =>
              document.isDirty || document.isUntitled
                ? sourceOfDocument(document)
                : sourceOfFile(document.uri),
          },
        ]
      : []),
    {
      label: `$(clippy) ${t('Clipboard')}`,
      open: async () => sourceOfText(await vscode.env.clipboard.readText(), t('Clipboard')),
    },
  ];
}

export async function pickFile(): Promise<ChatSource | undefined> {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Compact Chat History'),
    openLabel: t('Compact'),
    filters: { [t('Chats')]: ['jsonl', 'json', 'md', 'txt', 'log'], [t('All Files')]: ['*'] },
    ...(first ? { defaultUri: first } : {}),
  });
  return picked?.[0] && sourceOfFile(picked[0]);
}

function rowOf(history: FoundHistory): SourceRow {
  const { label, title, at, size, tokens, path: file } = history;
  return {
    label: title,
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    detail: [
      label,
      ageText(at, Date.now()),
      sizeText(size),
      ...(tokens > 0 ? [tokensText(tokens)] : []),
    ].join(' · '),
    open: async () => sourceOfFile(vscode.Uri.file(file), title),
  };
}

/** A path with `~` for the home of the user. */
export function tidy(file: string): string {
  const home = homedir();
  return file.startsWith(home + path.sep) ? `~${file.slice(home.length)}` : file;
}

function machine(host: Host): Parameters<typeof findHistories>[0] {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const storage = host.context.globalStorageUri;
  return {
    platform: process.platform,
    home: homedir(),
    env: process.env,
    ...(folder?.scheme === 'file' ? { workspaceFolder: folder.fsPath } : {}),
    // `User/globalStorage/<this extension>`.
    ...(storage.scheme === 'file'
      ? { editorUser: path.dirname(path.dirname(storage.fsPath)) }
      : {}),
  };
}

// --- options

/** What the input starts with, and what it may offer. */
export interface PlanOffer {
  readonly plan: CompactPlan;
  /** Tokens of the whole chat, estimated. */
  readonly tokens: number;
  /** False where nothing may be sent, or no key is set. */
  readonly offersService: boolean;
  readonly serviceHost: string;
}

interface OptionRow extends vscode.QuickPickItem {
  /** The plan after this row; absent for the row that starts. */
  readonly next?: CompactPlan;
}

const presets = [0.5, 0.3, 0.2, 0.1];
const recents = [0, 1, 2, 4, 8];

/** All options in one input: rows change them, what is typed is a share, a query or a pin. */
export async function askPlan(title: string, offer: PlanOffer): Promise<CompactPlan | undefined> {
  const pick = vscode.window.createQuickPick<OptionRow>();
  let { plan } = offer;
  pick.title = t('Compact "{0}"', title);
  pick.placeholder = t('Type what matters next, a share such as 25%, or press Enter');
  pick.ignoreFocusOut = true;
  const fill = (): void => {
    pick.prompt = promptOf(plan, offer);
    pick.items = rowsFor(plan, offer, pick.value.trim());
    pick.activeItems = pick.items.slice(0, 1);
  };
  fill();
  return new Promise(resolve => {
    pick.onDidChangeValue(fill);
    pick.onDidAccept(() => {
      const [picked] = pick.activeItems;
      if (!picked) return;
      if (!picked.next) {
        resolve(plan);
        pick.hide();
        return;
      }
      plan = picked.next;
      pick.value = '';
      fill();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function promptOf({ engine }: CompactPlan, { serviceHost, offersService }: PlanOffer): string {
  if (engine === 'service') return t('The whole chat is sent to {0}.', serviceHost);
  return offersService
    ? t('Compacted on this machine; nothing is sent.')
    : t('Compacted on this machine; nothing is sent, and no key is needed.');
}

function row(label: string, next: CompactPlan): OptionRow {
  return { label, next, alwaysShow: true };
}

function separator(label: string): OptionRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function rowsFor(plan: CompactPlan, offer: PlanOffer, typed: string): OptionRow[] {
  const { engine, route, ratio, query, keepRecent, pins } = plan;
  if (typed !== '') {
    const share = shareOf(typed);
    return [
      ...(share === undefined
        ? []
        : [row(`$(fold) ${t('Keep {0}', percentText(share))}`, { ...plan, ratio: share })]),
      row(`$(target) ${t('What matters next: {0}', typed)}`, { ...plan, query: typed }),
      row(`$(pin) ${t('Always keep lines with "{0}"', typed)}`, {
        ...plan,
        pins: [...pins.filter(pin => pin !== typed), typed],
      }),
    ];
  }
  const takesOptions = engine === 'local' || route === 'compact';
  const shares = presets.includes(ratio) ? presets : [ratio, ...presets];
  return [
    {
      label: takesOptions
        ? `$(play) ${t('Compact to {0}', percentText(ratio))}`
        : `$(play) ${t('Compact')}`,
      description: takesOptions
        ? t('{0}, about {1} stay', tokensText(offer.tokens), tokensText(offer.tokens * ratio))
        : t('the service decides how much stays'),
    },
    ...(takesOptions
      ? [
          separator(t('how much stays')),
          ...shares.map(share => ({
            label: `${share === ratio ? '$(pass-filled)' : '$(circle-large-outline)'} ${percentText(share)}`,
            description: t('about {0}', tokensText(offer.tokens * share)),
            next: { ...plan, ratio: share },
          })),
          separator(t('what stays')),
          {
            label: `$(target) ${t('What matters next')}`,
            description:
              query === ''
                ? t('the last question of the chat')
                : t('{0} · Enter forgets it', query),
            next: { ...plan, query: '' },
          },
          {
            label: `$(history) ${t('Last turns kept whole')}`,
            description: `${keepRecent}`,
            next: { ...plan, keepRecent: nextOf(recents, keepRecent) },
          },
        ]
      : [separator(t('what stays'))]),
    ...pins.map(pin => ({
      label: `$(pin) ${t('Lines with "{0}"', pin)}`,
      description: t('Enter unpins them'),
      next: { ...plan, pins: pins.filter(other => other !== pin) },
    })),
    ...(offer.offersService
      ? [
          separator(t('who compacts')),
          {
            label: `$(server) ${engine === 'local' ? t('This machine') : t('The service at {0}', offer.serviceHost)}`,
            description: t('Enter changes it'),
            next: {
              ...plan,
              engine: engine === 'local' ? ('service' as const) : ('local' as const),
            },
          },
        ]
      : []),
  ];
}

/** `25%`, `25` and `0.25` are the same; undefined for other words. */
export function shareOf(typed: string): number | undefined {
  const match = /^(\d{1,3}(?:[.,]\d{1,3})?|[.,]\d{1,3})\s*(%?)$/.exec(typed);
  if (!match) return undefined;
  const value = Number(match[1]?.replace(',', '.'));
  const share = match[2] === '%' || value >= 1 ? value / 100 : value;
  return share > 0 && share <= 1 ? share : undefined;
}

function nextOf(values: readonly number[], value: number): number {
  return values.find(other => other > value) ?? values[0] ?? 0;
}
