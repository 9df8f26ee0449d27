import * as vscode from 'vscode';
import { dateTimeText } from '../../../base/format/times';
import { withoutIcons } from '../../../base/text/withoutIcons';
import { resultsScheme } from '../../ids';
import { placesText, searchEngineText } from '../messages';
import { countPlaces } from '../results';
import { shorten } from '../searchMessage';
import type { HistoryEntry, SearchHistory } from './queryHistory';
import { queryOf } from './queryText';

const { t } = vscode.l10n;

/** Characters of a query in a row. More do not fit. */
const maxLabelChars = 200;

const labelOf = (query: string): string => withoutIcons(shorten(query, maxLabelChars));

/** A new query, or a past search to run again. */
export type QueryChoice = { readonly query: string } | { readonly entry: HistoryEntry };

interface QueryRow extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry;
}

/** Asks for a query. The typed text is the first row, past searches follow. */
export async function askQuery(
  history: SearchHistory,
  options: {
    readonly title: string;
    readonly prompt: string;
    /** Follows the prompt once it is known: the input does not wait for it. */
    readonly forecast?: Promise<string>;
    readonly value?: string;
  },
): Promise<QueryChoice | undefined> {
  const past: QueryRow[] = history.entries.map(entry => ({
    label: labelOf(entry.query),
    iconPath: new vscode.ThemeIcon('history'),
    description: factsOf(entry),
    entry,
  }));
  const pick = vscode.window.createQuickPick<QueryRow>();
  pick.title = options.title;
  pick.placeholder = t('Describe what the code does, or name something in it');
  pick.prompt = options.prompt;
  void options.forecast?.then(text => (pick.prompt = [options.prompt, text].join(' ').trimEnd()));
  pick.value = options.value ?? '';
  const fill = (): void => {
    const query = queryOf(pick.value);
    const first: QueryRow[] =
      query === ''
        ? []
        : [
            {
              label: t('Search for "{0}"', labelOf(query)),
              iconPath: new vscode.ThemeIcon('search'),
              alwaysShow: true,
            },
          ];
    pick.items = [...first, ...past];
    // VS Code does not tell of a text that is too long for its filter, and Enter would run the newest past search.
    pick.activeItems = first;
  };
  fill();
  return new Promise(resolve => {
    pick.onDidChangeValue(fill);
    pick.onDidAccept(() => {
      const [row] = pick.activeItems;
      const query = queryOf(pick.value);
      if (row?.entry) resolve({ entry: row.entry });
      else if (query !== '') resolve({ query });
      else {
        pick.prompt = t(
          'Type what to search for, or choose a past search. A text of more than 32,000 characters does not fit here: select it in an editor, and run "Splice: Search for Selection".',
        );
        return;
      }
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

export function askFilter(value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Filter Results'),
    prompt: t('Shows the places whose path or line contains all of these words.'),
    value,
  });
}

/** Lets the user show a past search again, run it again, or remove it. */
export async function pickFromHistory(
  history: SearchHistory,
): Promise<{ readonly entry: HistoryEntry; readonly again: boolean } | undefined> {
  const again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: t('Run Again') };
  const forget = { iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Forget') };
  const forgetAll = { iconPath: new vscode.ThemeIcon('clear-all'), tooltip: t('Forget All') };
  const pick = vscode.window.createQuickPick<QueryRow>();
  pick.title = t('Search History');
  pick.placeholder = t('Pick a search to show its places again');
  pick.buttons = [forgetAll];
  const fill = (): void => {
    pick.items = history.entries.map(entry => ({
      label: labelOf(entry.query),
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
  const shown = files.filter(({ isSure }) => isSure !== false);
  const spans = shown.map(({ ranges, ...file }) => ({
    ...file,
    spans: ranges.map(([startLine, endLine]) => ({
      startLine,
      endLine,
      title: '',
      highlights: [],
    })),
  }));
  const found = countPlaces(spans) === 0 ? t('nothing found') : placesText(spans);
  return [found, searchEngineText(engine), dateTimeText(at)].join(' · ');
}

export function folderName(address: string): string {
  return t('in {0}', vscode.workspace.asRelativePath(vscode.Uri.parse(address)));
}

/** The selected text, or else the word at the cursor; '' when there is none. */
export function selectedQuery(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme === resultsScheme) return '';
  const { document, selection } = editor;
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active) : selection;
  // With its lines, and to its end: a traceback of Python ends with the error.
  return range ? queryOf(document.getText(range)) : '';
}

export async function pickFolder(): Promise<vscode.Uri | undefined> {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Search in Folder'),
    openLabel: t('Search'),
    canSelectFiles: false,
    canSelectFolders: true,
    ...(first ? { defaultUri: first } : {}),
  });
  return picked?.[0];
}
