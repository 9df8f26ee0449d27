import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isAbort } from '../base/async/abort';
import { bytesText, percentText, tokensText } from '../base/format/numbers';
import { agoText } from '../base/format/times';
import type { Host } from '../platform/host';
import { receiptScheme } from './ids';
import { unreadableText } from './receipt/messages';
import { type FoundHistory, findHistories } from './sessions/sessionFiles';
import type { Machine } from './sessions/sessionFolders';
import {
  type ChatSource,
  sourceOfDatabase,
  sourceOfDocument,
  sourceOfFile,
  sourceOfText,
} from './source';
import type { CompactPlan } from './worker/engine';

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
    const own = found.filter(({ isOfWorkspace }) => isOfWorkspace);
    const others = found.filter(({ isOfWorkspace }) => !isOfWorkspace);
    const more = t('Chats About Other Folders ({0})', others.length);
    pick.items = [
      ...own.map(rowOf),
      ...section(t('from elsewhere'), ways),
      ...(showsOthers || others.length === 0
        ? section(t('other chats'), others.map(rowOf))
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

function rowOf(history: FoundHistory): SourceRow {
  const { label, title, at, size, tokens, path: file, storedId } = history;
  return {
    label: title,
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    detail: [
      label,
      agoText(at, Date.now()),
      bytesText(size, t),
      ...(tokens > 0 ? [tokensText(tokens, t)] : []),
    ].join(' · '),
    open: async () =>
      storedId === undefined
        ? sourceOfFile(vscode.Uri.file(file), title)
        : sourceOfDatabase(file, storedId, title),
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

/** The initial values of the options input, and what it may offer. */
export interface PlanChoices {
  readonly plan: CompactPlan;
  /** Estimated tokens of the whole chat. */
  readonly tokens: number;
  /** The smallest share that this machine can keep with so many last turns whole. */
  readonly lowestRatio: (keepRecent: number) => number;
  /** False where nothing may be sent, or no key is set. */
  readonly offersService: boolean;
  readonly serviceHost: string;
}

interface OptionRow extends vscode.QuickPickItem {
  /** The plan once this row is accepted; absent on the row that starts the compaction. */
  readonly next?: CompactPlan;
}

const presets = [0.5, 0.3, 0.2, 0.1];
const recentTurnCounts = [0, 1, 2, 4, 8];

/** Asks for all options in one quick pick: rows change an option; typed text is a share, a query or a pin. */
export async function askPlan(title: string, offer: PlanChoices): Promise<CompactPlan | undefined> {
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

function promptOf({ engine }: CompactPlan, { serviceHost, offersService }: PlanChoices): string {
  if (engine === 'service') return t('The whole chat is sent to {0}.', serviceHost);
  return offersService
    ? t('Compacted on this machine; nothing is sent.')
    : t('Compacted on this machine; nothing is sent, and no key is needed.');
}

function row(icon: string, label: string, next: CompactPlan): OptionRow {
  return { label, iconPath: new vscode.ThemeIcon(icon), next, alwaysShow: true };
}

function separator(label: string): OptionRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function rowsFor(plan: CompactPlan, offer: PlanChoices, typed: string): OptionRow[] {
  const { engine, route, ratio, query, keepRecent, pins } = plan;
  if (typed !== '') {
    const share = parseRatio(typed);
    return [
      ...(share === undefined
        ? []
        : [row('fold', t('Keep {0}', percentText(share)), { ...plan, ratio: share })]),
      row('target', t('What matters next: {0}', typed), { ...plan, query: typed }),
      row('pin', t('Always keep lines with "{0}"', typed), {
        ...plan,
        pins: [...pins.filter(pin => pin !== typed), typed],
      }),
    ];
  }
  const takesOptions = engine === 'local' || route === 'compact';
  const shares = presets.includes(ratio) ? presets : [ratio, ...presets];
  return [
    {
      label: takesOptions ? t('Compact to {0}', percentText(ratio)) : t('Compact'),
      iconPath: new vscode.ThemeIcon('play'),
      description: takesOptions
        ? keptDescription(plan, offer)
        : t('the service decides how much to keep'),
    },
    ...(takesOptions
      ? [
          separator(t('how much to keep')),
          ...shares.map(share => ({
            label: percentText(share),
            iconPath: new vscode.ThemeIcon(
              share === ratio ? 'pass-filled' : 'circle-large-outline',
            ),
            description: [
              t('about {0}', tokensText(offer.tokens * share, t)),
              ...(share === ratio ? [t('in use')] : []),
            ].join(' · '),
            next: { ...plan, ratio: share },
          })),
          separator(t('what to keep')),
          {
            label: t('What matters next'),
            iconPath: new vscode.ThemeIcon('target'),
            description:
              query === ''
                ? t('the last question of the chat')
                : t('{0} · press Enter to clear', query),
            next: { ...plan, query: '' },
          },
          {
            label: t('Last turns kept whole'),
            iconPath: new vscode.ThemeIcon('history'),
            description: `${keepRecent}`,
            next: { ...plan, keepRecent: nextHigher(recentTurnCounts, keepRecent) },
          },
        ]
      : [separator(t('what to keep'))]),
    ...pins.map(pin => ({
      label: t('Lines with "{0}"', pin),
      iconPath: new vscode.ThemeIcon('pin'),
      description: t('press Enter to unpin'),
      next: { ...plan, pins: pins.filter(other => other !== pin) },
    })),
    ...(offer.offersService
      ? [
          separator(t('where to compact')),
          {
            label:
              engine === 'local' ? t('This machine') : t('The service at {0}', offer.serviceHost),
            iconPath: new vscode.ThemeIcon('server'),
            description: t('press Enter to change'),
            next: {
              ...plan,
              engine: engine === 'local' ? ('service' as const) : ('local' as const),
            },
          },
        ]
      : []),
  ];
}

function keptDescription({ ratio, keepRecent }: CompactPlan, offer: PlanChoices): string {
  const { tokens, lowestRatio } = offer;
  const lowest = lowestRatio(keepRecent);
  return lowest > ratio
    ? t(
        '{0}, at least {1} kept: what you wrote and the last turns are more than that',
        tokensText(tokens, t),
        tokensText(tokens * lowest, t),
      )
    : t('{0}, about {1} kept', tokensText(tokens, t), tokensText(tokens * ratio, t));
}

/** Parses a share: `25%`, `25` and `0.25` mean the same. Returns undefined for other text. */
function parseRatio(typed: string): number | undefined {
  const match = /^(\d{1,3}(?:[.,]\d{1,3})?|[.,]\d{1,3})\s*(%?)$/.exec(typed);
  if (!match) return undefined;
  const value = Number(match[1]?.replace(',', '.'));
  const share = match[2] === '%' || value >= 1 ? value / 100 : value;
  return share > 0 && share <= 1 ? share : undefined;
}

function nextHigher(values: readonly number[], value: number): number {
  return values.find(other => other > value) ?? values[0] ?? 0;
}
