import * as vscode from 'vscode';
import { filesText } from '../../base/format/counts';
import { costText, sumUsd } from '../../base/format/money';
import { tokensText } from '../../base/format/numbers';
import type { FileKind } from '../local/paths';
import { fallbackText, forecastText, placesText, searchEngineText } from './messages';
import type { PlaceFile, PlaceNode, SearchNode } from './nodes';
import { spanLines } from './results';
import { editorRange, type ShownSearch } from './shownSearch';
import { stepItem, turnItem } from './traceItems';

const { t } = vscode.l10n;

/** Words of the query in the row of a file; its tooltip has all. */
const maxShownWords = 3;

/** The tree item of a node. */
export function searchTreeItem(search: ShownSearch, node: SearchNode): vscode.TreeItem {
  const item = bareItem(search, node);
  item.id = node.id;
  item.contextValue = node.kind;
  return item;
}

function bareItem(search: ShownSearch, node: SearchNode): vscode.TreeItem {
  switch (node.kind) {
    case 'query':
      return queryItem(search, node);
    case 'advice': {
      const item = new vscode.TreeItem(node.title);
      item.iconPath = new vscode.ThemeIcon(node.icon);
      item.command = {
        command: node.command,
        title: node.title,
        arguments: [...(node.arguments ?? [])],
      };
      return item;
    }
    case 'set':
      return setItem(search);
    case 'role': {
      const { label, icon } = rolePresentation(node.role);
      const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
      const files = node.children.length;
      item.description = filesText(files, t);
      item.iconPath = new vscode.ThemeIcon(icon);
      return item;
    }
    case 'turn':
      return turnItem(search, node.turn);
    case 'step':
      return stepItem(search, node.step);
    case 'folder': {
      const item = new vscode.TreeItem(node.name, vscode.TreeItemCollapsibleState.Expanded);
      item.resourceUri = search.uriOf(node);
      item.iconPath = vscode.ThemeIcon.Folder;
      item.tooltip = search.nameOf(node);
      return item;
    }
    case 'file':
      return fileItem(search, node.file, node.parent?.kind === 'folder');
    default:
      return placeItem(search, node);
  }
}

function queryItem(search: ShownSearch, node: SearchNode): vscode.TreeItem {
  const { state, request, isRunning, forecast } = search;
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const { turns, tokens, cost } = state.trace;
  const usedModel = turns.length > 0 || state.fallback !== undefined || forecast !== undefined;
  // The message above shows the query in full.
  const item = new vscode.TreeItem(
    usedModel ? t('Search model') : t('Local search'),
    node.children.length === 0 ? None : isRunning ? Expanded : Collapsed,
  );
  const folder = request.folder && vscode.workspace.asRelativePath(request.folder);
  const facts = [
    ...(folder === undefined ? [] : [t('in {0}', folder)]),
    ...(forecast
      ? [
          t(
            'at most about {0}',
            forecast.maxUsd === undefined
              ? tokensText(forecast.maxTokens, t)
              : sumUsd(forecast.maxUsd),
          ),
        ]
      : []),
    ...(isRunning && turns.length > 0 ? [t('turn {0}', turns.length)] : []),
    ...(tokens === undefined ? [] : [tokensText(tokens, t)]),
    ...(cost === undefined ? [] : [costText(cost, t)]),
    ...(usedModel || state.searched === undefined
      ? []
      : [
          state.searched === 1
            ? t('1 file searched')
            : t('{0} files searched', state.searched.toLocaleString()),
        ]),
  ];
  item.description = facts.join(' · ');
  item.iconPath = isRunning
    ? new vscode.ThemeIcon('loading~spin')
    : (state.fallback ?? 'nothing') === 'nothing' && search.interruption === undefined
      ? new vscode.ThemeIcon((state.engine ?? 'local') === 'local' ? 'search' : 'sparkle')
      : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  const engine = isRunning ? t('searching…') : searchEngineText(state.engine);
  if (!isRunning && turns.length > 0) {
    facts.unshift(turns.length === 1 ? t('1 turn') : t('{0} turns', turns.length));
  }
  item.tooltip = [
    request.query,
    [engine, ...facts].join(' · '),
    state.usedIndex && t('Files chosen with the search index'),
    forecast && forecastText(forecast),
    fallbackText(state),
  ]
    .filter(Boolean)
    .join('\n');
  item.accessibilityInformation = {
    label: [t('Search for {0}', request.query), engine, ...facts].join(', '),
  };
  return item;
}

/** A result set beside the present search: kept, or of places that belong to a found one. */
function setItem(search: ShownSearch): vscode.TreeItem {
  const { title, note, request, state, filter } = search;
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(title ?? request.query, title ? Expanded : Collapsed);
  const files = search.shown('relevance');
  const facts = [
    files.length > 0 ? placesText(files) : t('no place left'),
    ...(filter === '' ? [] : [t('filter "{0}"', filter)]),
    ...(title === undefined ? [searchEngineText(state.engine)] : []),
  ];
  item.description = facts.join(' · ');
  item.iconPath = new vscode.ThemeIcon(title === undefined ? 'pinned' : 'references');
  const about = note === undefined ? facts : [...facts, note];
  item.tooltip = [title ?? t('Kept: {0}', request.query), ...about].join('\n');
  item.accessibilityInformation = {
    label: [title ?? t('Kept results of {0}', request.query), ...about].join(', '),
  };
  return item;
}

function rolePresentation(role: FileKind): { readonly label: string; readonly icon: string } {
  return {
    source: { label: t('Source'), icon: 'code' },
    test: { label: t('Tests'), icon: 'beaker' },
    docs: { label: t('Documentation'), icon: 'book' },
    aside: { label: t('Examples and Benchmarks'), icon: 'lightbulb' },
    generated: { label: t('Generated and Third-Party'), icon: 'package' },
    data: { label: t('Configuration and Data'), icon: 'settings-gear' },
    tooling: { label: t('Build and Tools'), icon: 'tools' },
  }[role];
}

function fileItem(search: ShownSearch, file: PlaceFile, isInFolder: boolean): vscode.TreeItem {
  const uri = search.uriOf(file);
  const name = search.nameOf(file);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded);
  item.iconPath = vscode.ThemeIcon.File;
  // With several roots, the name starts with that of the root.
  const folder = isInFolder ? '' : name.split('/').slice(0, -1).join('/');
  const by = file.foundBy === undefined ? '' : searchEngineText(file.foundBy);
  const words = wordsOf(file);
  // A narrow view cuts off the end, so what is short and says most comes first.
  const has = words.length === 0 ? '' : t('has {0}', words.slice(0, maxShownWords).join(', '));
  item.description = [by, folder, has].filter(Boolean).join(' · ') || false;
  const places = file.spans.length === 1 ? t('1 place') : t('{0} places', file.spans.length);
  const facts = [name, places, ...(by === '' ? [] : [t('found by: {0}', by)])];
  item.tooltip = [...facts, whyFound(search, file, words)].filter(Boolean).join('\n');
  item.accessibilityInformation = { label: [...facts, has].filter(Boolean).join(', ') };
  return item;
}

function placeItem(search: ShownSearch, node: PlaceNode): vscode.TreeItem {
  const { file, place, number } = node;
  const { startLine, endLine, title, symbol, highlights } = place;
  const lines = spanLines(place);
  const item = new vscode.TreeItem(
    symbol === undefined
      ? { label: title, highlights: highlights.map(([from, to]) => [from, to]) }
      : symbol,
  );
  item.description = symbol === undefined ? lines : `${lines}  ${title}`;
  const uri = search.uriOf(file);
  const name = search.nameOf(file);
  item.tooltip = [`${name}:${lines}`, symbol, title, whyFound(search, file, place.words)]
    .filter(Boolean)
    .join('\n');
  const start = editorRange(place, Number.MAX_SAFE_INTEGER).start;
  // Only for `vscode.open` does the tree distinguish click, double click and Enter.
  const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(start, start) };
  item.command = { command: 'vscode.open', title: t('Open'), arguments: [uri, options] };
  const text = [symbol, title].filter(Boolean).join(', ');
  const count = search.nodes.places.length;
  item.accessibilityInformation = {
    label:
      startLine === endLine
        ? t('{0} of {1}, {2}, line {3}, {4}', number, count, name, startLine, text)
        : t(
            '{0} of {1}, {2}, lines {3} to {4}, {5}',
            number,
            count,
            name,
            startLine,
            endLine,
            text,
          ),
  };
  return item;
}

/** The words of the query that places of a file have, those of the first place first. */
const wordsOf = ({ spans }: PlaceFile): string[] => [
  ...new Set(spans.flatMap(({ words = [] }) => words)),
];

/** Which words of the query a place or a file has, or that the search model chose it. */
function whyFound({ state }: ShownSearch, file: PlaceFile, words: readonly string[] = []): string {
  const by =
    (file.foundBy ?? state.engine) === 'model'
      ? t('Chosen by the search model.')
      : file.foundBy === 'both'
        ? t('Chosen by the search model, and found locally.')
        : file.score === undefined
          ? ''
          : t('{0}% as likely as the best file.', Math.max(1, Math.round(file.score * 100)));
  const has = words.length > 0 ? t('Has: {0}.', words.join(', ')) : '';
  return [has, by].filter(Boolean).join(' ');
}
