import * as vscode from 'vscode';
import { dateText } from '../host/figures';
import { ids } from '../manifest';
import type { HistoryEntry, SearchHistory } from './history';
import { countPlaces } from './results';
import { engineText, placesText } from './sentences';

const { t } = vscode.l10n;

/** A new query, or a past search to run again. */
export type Asked = { readonly query: string } | { readonly entry: HistoryEntry };

interface Row extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry;
}

/** The input: what is typed stands first, past searches below it. */
export async function askQuery(
  history: SearchHistory,
  options: { readonly title: string; readonly prompt: string; readonly value?: string },
): Promise<Asked | undefined> {
  const past: Row[] = history.entries.map(entry => ({
    label: `$(history) ${entry.query}`,
    description: factsOf(entry),
    entry,
  }));
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = options.title;
  pick.placeholder = t('Say what the code does, or name what is in it');
  pick.prompt = options.prompt;
  pick.value = options.value ?? '';
  const fill = (): void => {
    const query = pick.value.trim();
    const first: Row[] =
      query === ''
        ? []
        : [{ label: `$(search) ${t('Search for "{0}"', query)}`, alwaysShow: true }];
    pick.items = [...first, ...past];
    pick.activeItems = pick.items.slice(0, 1);
  };
  fill();
  return new Promise(resolve => {
    pick.onDidChangeValue(fill);
    pick.onDidAccept(() => {
      const [row] = pick.activeItems;
      const query = pick.value.trim();
      if (row?.entry) resolve({ entry: row.entry });
      else if (query !== '') resolve({ query });
      else return;
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Past searches: shown again as they were, run again, or forgotten. */
export async function pickFromHistory(
  history: SearchHistory,
): Promise<{ readonly entry: HistoryEntry; readonly again: boolean } | undefined> {
  const again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: t('Run Again') };
  const forget = { iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Forget') };
  const forgetAll = { iconPath: new vscode.ThemeIcon('clear-all'), tooltip: t('Forget All') };
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = t('Search History');
  pick.placeholder = t('Pick a search to show its places again');
  pick.buttons = [forgetAll];
  const fill = (): void => {
    pick.items = history.entries.map(entry => ({
      label: entry.query,
      description: factsOf(entry),
      detail: entry.folder === undefined ? '' : folderName(entry.folder),
      buttons: [again, forget],
      entry,
    }));
  };
  fill();
  return new Promise(resolve => {
    const finish = (entry: HistoryEntry | undefined, isAgain: boolean): void => {
      if (!entry) return;
      resolve({ entry, again: isAgain });
      pick.hide();
    };
    pick.onDidAccept(() => finish(pick.activeItems[0]?.entry, false));
    pick.onDidTriggerItemButton(async ({ item, button }) => {
      if (button === again) return finish(item.entry, true);
      if (item.entry) await history.remove(item.entry);
      fill();
    });
    pick.onDidTriggerButton(async () => {
      await history.clear();
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function factsOf({ files, engine, at }: HistoryEntry): string {
  const spans = files.map(({ ranges, ...file }) => ({
    ...file,
    spans: ranges.map(([startLine, endLine]) => ({
      startLine,
      endLine,
      title: '',
      highlights: [],
    })),
  }));
  const found = countPlaces(spans) === 0 ? t('nothing found') : placesText(spans);
  return [found, engineText(engine), dateText(at)].join(' · ');
}

export function folderName(address: string): string {
  return t('in {0}', vscode.workspace.asRelativePath(vscode.Uri.parse(address)));
}

/** What the editor's selection says, else the word at the cursor; '' where there is none. */
export function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme === ids.resultsScheme) return '';
  const { document, selection } = editor;
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active) : selection;
  return range ? document.getText(range).replaceAll(/\s+/g, ' ').trim().slice(0, 2000) : '';
}
