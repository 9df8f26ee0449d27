import * as vscode from 'vscode';
import { cleanServerText } from '../base/format/serverText';
import { withoutIcons } from '../base/text/withoutIcons';
import { defaultReflexes, type Reflex } from '../contracts/defaultReflexes';
import type { GatedClient } from '../platform/egress/gatedClient';
import { adviceFor, pages } from '../service';

const { t } = vscode.l10n;

export type ChooseClient = Pick<GatedClient, 'listFineTuningJobs' | 'obstacle'>;

export interface ReflexSelection {
  readonly names: readonly string[];
  /** Chosen reflexes whose label the status bar always shows. */
  readonly pinned: readonly string[];
}

interface ReflexItem extends vscode.QuickPickItem {
  readonly reflex?: string;
}

/** Pages of 100 fine-tuning jobs, newest first. */
const maxPages = 5;

/**
 * Lets the user choose several of the default reflexes and the account's own.
 * @param options.pins pinned reflexes; without it, pinning is not offered
 */
export async function pickReflexes(
  client: ChooseClient,
  options: {
    readonly title: string;
    readonly chosen: readonly string[];
    /** Price note, shown as the placeholder of the filter. */
    readonly note: string;
    readonly pins?: readonly string[];
  },
): Promise<ReflexSelection | undefined> {
  const { title, chosen, note, pins } = options;
  const pinned = new Set(pins);
  const controller = new AbortController();
  const pick = vscode.window.createQuickPick<ReflexItem>();
  pick.title = title;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.placeholder = note;
  let own: readonly Reflex[] = [];
  let problem = '';
  const fill = (): void => {
    const selected = new Set(
      pick.items.length === 0 ? chosen : pick.selectedItems.map(({ reflex }) => reflex),
    );
    const known = new Set([...defaultReflexes, ...own].map(({ name }) => name));
    const others = chosen
      .filter(name => !known.has(name))
      .map((name): Reflex => ({ name, catches: '', labels: [], notable: [], isSafety: false }));
    pick.items = [
      { label: t('Default reflexes'), kind: vscode.QuickPickItemKind.Separator },
      ...defaultReflexes.map(item => reflexItem(item, pins && pinned)),
      {
        label: problem === '' ? t('Trained by this account') : problem,
        kind: vscode.QuickPickItemKind.Separator,
      },
      ...[...own, ...others].map(item => reflexItem(item, pins && pinned)),
    ];
    pick.selectedItems = pick.items.filter(
      ({ reflex }) => selected.has(reflex) && reflex !== undefined,
    );
  };
  fill();
  pick.busy = true;
  const load = ownReflexes(client, controller.signal)
    .then(found => (own = found))
    .catch((error: unknown) => (problem = adviceFor(error, t).message))
    .then(() => {
      if (controller.signal.aborted) return;
      pick.busy = false;
      fill();
    });
  return new Promise(resolve => {
    pick.onDidTriggerItemButton(({ item: { reflex } }) => {
      if (reflex === undefined) return;
      if (!pinned.delete(reflex)) pinned.add(reflex);
      fill();
    });
    pick.onDidAccept(() => {
      const names = pick.selectedItems.flatMap(({ reflex }) => reflex ?? []);
      resolve({ names, pinned: [...pinned].filter(name => names.includes(name)) });
      pick.hide();
    });
    pick.onDidHide(() => {
      controller.abort();
      resolve(undefined);
      pick.dispose();
      void load;
    });
    pick.show();
  });
}

function reflexItem(
  { name, catches, labels }: Reflex,
  pinned: ReadonlySet<string> | undefined,
): ReflexItem {
  return {
    label: withoutIcons(name),
    description: withoutIcons(
      [catches, pinned?.has(name) ? t('always in the status bar') : ''].filter(Boolean).join(' · '),
    ),
    detail: withoutIcons(labels.join(' · ')),
    reflex: name,
    ...(pinned ? { buttons: [pinButton(pinned.has(name))] } : {}),
  };
}

function pinButton(isPinned: boolean): vscode.QuickInputButton {
  return {
    iconPath: new vscode.ThemeIcon(isPinned ? 'pinned' : 'pin'),
    tooltip: isPinned ? t('Unpin from the Status Bar') : t('Always Show in the Status Bar'),
  };
}

/** Sends no request in an untrusted workspace or without a key. */
async function ownReflexes(client: ChooseClient, signal: AbortSignal): Promise<Reflex[]> {
  if (!vscode.workspace.isTrusted) return [];
  const obstacle = await client.obstacle();
  if (obstacle?.kind === 'keyring') throw obstacle;
  if (obstacle) return [];
  const found = new Map<string, Reflex>();
  const read = (before: string | undefined) =>
    client.listFineTuningJobs({ limit: 100, before }, { signal });
  for await (const { items } of pages(read, maxPages)) {
    for (const { fineTunedModel: name, labels, result } of items) {
      if (name === undefined || found.has(name)) continue;
      const accuracy = result?.accuracy;
      found.set(name, {
        name,
        catches: accuracy === undefined ? '' : t('accuracy {0}%', Math.round(accuracy * 100)),
        labels: labels.map(label => cleanServerText(label, 60)),
        notable: [],
        isSafety: false,
      });
    }
  }
  return [...found.values()];
}
