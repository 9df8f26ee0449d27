import * as vscode from 'vscode';
import { callsText, filesText, linesText } from '../../base/format/counts';
import { costText } from '../../base/format/money';
import { tokensText } from '../../base/format/numbers';
import { durationText } from '../../base/format/times';
import { trimEndOf, whiteSpace } from '../../base/text/scan';
import type { ShownSearch } from './shownSearch';
import type { TraceStep, TraceTurn } from './trace';

const { t } = vscode.l10n;

export function turnItem(search: ShownSearch, turn: TraceTurn): vscode.TreeItem {
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    t('Turn {0}', turn.turn),
    search.isRunning ? Expanded : turn.steps.length > 0 ? Collapsed : None,
  );
  const calls = callsText(turn.steps.length, t);
  const facts = [
    calls,
    durationText(turn.ms, t),
    ...(turn.tokens === undefined ? [] : [tokensText(turn.tokens, t)]),
    ...(turn.cost === undefined ? [] : [costText(turn.cost, t)]),
  ];
  item.description = [calls, durationText(turn.ms, t)].join(' · ');
  item.iconPath = new vscode.ThemeIcon('comment');
  item.tooltip = facts.join(' · ');
  item.accessibilityInformation = { label: [t('Turn {0}', turn.turn), ...facts].join(', ') };
  return item;
}

export function stepItem(search: ShownSearch, step: TraceStep): vscode.TreeItem {
  const { tool, what, ms, hits = 0, isError } = step;
  const { name, icon, count } = toolPresentation(tool, hits);
  const item = new vscode.TreeItem(`${name} ${shortStep(search, step)}`.trim());
  const result = isError === true ? t('refused') : count;
  item.description = ms === undefined ? t('running…') : `${result} · ${durationText(ms, t)}`;
  item.iconPath =
    isError === true
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon(ms === undefined ? 'loading~spin' : icon);
  item.tooltip = `${name} ${what}\n${item.description}`;
  item.accessibilityInformation = { label: `${name} ${what}, ${item.description}` };
  return item;
}

/** A path without trailing ranges such as ` 12-40, 80-95`. */
function withoutRanges(what: string): string {
  const rest = trimEndOf(what, `0123456789,-${whiteSpace}`);
  const blank = what.indexOf(' ', rest.length);
  return blank < 0 || blank === what.length - 1 ? what : what.slice(0, blank);
}

/** A shortened step, so that its result fits next to it; the tooltip shows all. */
function shortStep({ roots }: ShownSearch, { tool, what }: TraceStep): string {
  if (tool === 'read') return withoutRanges(what).replace(/^.*\//, '');
  return roots.reduce(
    (text, { fsPath }) => text.replaceAll(`${fsPath}/`, '').replaceAll(fsPath, '.'),
    what,
  );
}

/** Describes a step, for example `Grep: "token" in src`. */
export function stepText({ tool, what }: TraceStep): string {
  return t('{0}: {1}', toolPresentation(tool, 0).name, what);
}

/** Name, icon and count of a tool call. */
function toolPresentation(
  tool: string,
  hits: number,
): { name: string; icon: string; count: string } {
  const files = filesText(hits, t);
  switch (tool) {
    case 'grep_search':
      return {
        name: t('Grep'),
        icon: 'regex',
        count: hits === 1 ? t('1 hit') : t('{0} hits', hits),
      };
    case 'read':
      return {
        name: t('Read'),
        icon: 'eye',
        count: linesText(hits, t),
      };
    case 'list_directory':
      return {
        name: t('List'),
        icon: 'list-tree',
        count: hits === 1 ? t('1 entry') : t('{0} entries', hits),
      };
    case 'glob':
      return { name: t('Find'), icon: 'files', count: files };
    case 'finish':
      return { name: t('Answer'), icon: 'check', count: files };
    default:
      return { name: tool, icon: 'tools', count: hits === 1 ? t('1 hit') : t('{0} hits', hits) };
  }
}
