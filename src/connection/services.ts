import * as vscode from 'vscode';
import type { StoredKey } from '../platform/client/apiKeys';
import { confirm } from '../platform/confirm';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import type { AccountDialogs } from './accountDialogs';

const { t } = vscode.l10n;

interface ServiceItem extends vscode.QuickPickItem {
  /** Absent where another service is to be connected. */
  readonly stored?: StoredKey;
}

/** Lists the services that a key is stored for: picking one uses it, its button deletes its key. */
export async function switchService(host: Host, dialogs: AccountDialogs): Promise<void> {
  const picked = await pickService(t('Switch Service'), await serviceItems(host));
  if (!picked) return;
  if (picked.remove) return removeService(picked.remove, dialogs);
  const { stored } = picked.item;
  if (!stored) return dialogs.connect('');
  return dialogs.switchTo(stored);
}

/** Deletes a key; asks which one where there are several. */
export async function removeKey(host: Host, dialogs: AccountDialogs): Promise<void> {
  const keys = await host.apiKeys.all();
  const [first] = keys;
  if (!first) {
    void vscode.window.showInformationMessage(t('No API key was stored.'));
    return;
  }
  const items = keys.map(stored => serviceItem(stored));
  const picked =
    keys.length === 1
      ? { stored: first }
      : await vscode.window.showQuickPick(items, { title: t('Remove API Key') });
  if (picked) await dialogs.remove(picked.stored.origin);
}

async function serviceItems(host: Host): Promise<ServiceItem[]> {
  const keys = await host.apiKeys.all();
  return [
    ...keys.map(stored => ({
      ...serviceItem(stored),
      buttons: [
        { iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Remove the key of this service') },
      ],
    })),
    { label: t('Connect to Another Service…'), iconPath: new vscode.ThemeIcon('add') },
  ];
}

function serviceItem(stored: StoredKey): ServiceItem & { readonly stored: StoredKey } {
  const isCurrent = stored.origin === settings.origin;
  return {
    label: new URL(stored.url).host,
    description: isCurrent ? t('in use') : '',
    detail: stored.url,
    stored,
  };
}

interface PickedService {
  readonly item: ServiceItem;
  /** Its key is to be deleted. */
  readonly remove?: StoredKey | undefined;
}

async function pickService(
  title: string,
  items: readonly ServiceItem[],
): Promise<PickedService | undefined> {
  const input = vscode.window.createQuickPick<ServiceItem>();
  input.title = title;
  input.placeholder = t('Requests go to the service that you pick, with its own key');
  input.items = items;
  input.matchOnDetail = true;
  try {
    return await new Promise(resolve => {
      input.onDidAccept(() => {
        const [item] = input.selectedItems;
        resolve(item && { item });
      });
      input.onDidTriggerItemButton(({ item }) => resolve({ item, remove: item.stored }));
      input.onDidHide(() => resolve(undefined));
      input.show();
    });
  } finally {
    input.dispose();
  }
}

async function removeService({ origin, url }: StoredKey, dialogs: AccountDialogs): Promise<void> {
  const isAgreed = await confirm(
    t('Remove the API key for {0}?', new URL(url).host),
    t('Splice forgets the key and the address. The key itself stays valid.'),
    t('Remove'),
    t('Keep It'),
  );
  if (isAgreed) await dialogs.remove(origin);
}
