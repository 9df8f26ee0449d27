import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import type { CommandId } from '../../../platform/commands/contribute';
import { withProgress } from '../../../platform/progress';
import { initialSearchState } from '../../runSearch';
import type { SearchTarget } from '../../searchWorkspace';
import { linesOfText } from '../../tools/readFile';
import type { PlaceNode } from '../nodes';
import { describeFile, type RawFile } from '../results';
import { currentText, ShownSearch, unreadableError } from '../shownSearch';
import { findCalls, findReferences } from './callers';
import { findTests, findUses } from './symbolFiles';
import { type NamedSymbol, namedSymbolOf } from './symbolName';

const { t } = vscode.l10n;

/** Opens what a search covers. */
export type OpenTarget = () => Promise<SearchTarget>;

/** What belongs to a found place. */
export type Relation = 'callers' | 'references' | 'tests';

/**
 * Finds the callers, references or tests of what a place is in.
 * @throws {UserError} when there are none, with what can be done instead.
 * @throws {AbortError} when the user cancels.
 */
export async function searchRelated(
  relation: Relation,
  search: ShownSearch,
  node: PlaceNode,
  openTarget: OpenTarget,
): Promise<ShownSearch> {
  const uri = search.uriOf(node.file);
  const text = await currentText(uri);
  if (text === undefined) throw unreadableError(search, node.file);
  const symbol = namedSymbolOf(linesOfText(text), node.place, node.file.path);
  if (!symbol) {
    throw new UserError(
      t('This place is in no function or class with a name. Select a place that has one.'),
    );
  }
  const startedAt = performance.now();
  const { title, note, files, roots } = await withProgress(
    progressTitle(relation, symbol),
    signal =>
      relation === 'tests'
        ? testsOf(symbol, node, signal, openTarget)
        : usesOf(relation, symbol, uri, node, signal, openTarget),
  );
  const name = symbol.names.at(-1) ?? '';
  const shown = new ShownSearch({ query: name }, roots, initialSearchState(name), {
    title,
    note,
    subject: { search, node },
  });
  const described = await Promise.all(
    files.map(async file => {
      const current = await currentText(shown.uriOf(file));
      const whole = current === undefined ? undefined : describeFile(file, current, name);
      // All of them have the name, so that its words say nothing.
      return whole && { ...whole, spans: whole.spans.map(span => ({ ...span, words: [] })) };
    }),
  );
  const ms = performance.now() - startedAt;
  shown.state = {
    ...shown.state,
    isRunning: false,
    engine: 'local',
    files: described.filter(file => file !== undefined),
    ms,
  };
  shown.showsAll = true;
  return shown;
}

interface Found {
  readonly title: string;
  readonly note?: string;
  readonly files: readonly RawFile[];
  readonly roots: readonly vscode.Uri[];
}

async function testsOf(
  symbol: NamedSymbol,
  node: PlaceNode,
  signal: AbortSignal,
  openTarget: OpenTarget,
): Promise<Found> {
  const { workspace, roots } = await openTarget();
  const { files, isCut } = await findTests(workspace, symbol, node.file.path, signal);
  const name = symbol.symbol;
  if (files.length === 0) {
    throw new UserError(
      t(
        'No test file mentions "{0}". Search for tests in plain words to find those that reach it another way.',
        name,
      ),
      searchInstead(t('tests of {0}', name)),
    );
  }
  const title = isCut ? t('Tests of {0} (some may be missing)', name) : t('Tests of {0}', name);
  return { title, files, roots };
}

/** Callers or references, as a language extension knows them. Where none does, the lines that have the name. */
async function usesOf(
  relation: 'callers' | 'references',
  symbol: NamedSymbol,
  uri: vscode.Uri,
  node: PlaceNode,
  signal: AbortSignal,
  openTarget: OpenTarget,
): Promise<Found> {
  const name = symbol.symbol;
  const position = new vscode.Position(symbol.line, symbol.character);
  if (relation === 'callers') {
    const calls = await findCalls(uri, position, signal);
    if (calls && calls.length > 0) return { title: t('Callers of {0}', name), ...byFile(calls) };
    if (calls) {
      throw new UserError(
        t('The language extension of this file knows no call of "{0}". Try its references.', name),
        {
          title: t('Show References'),
          command: 'splice.search.showCallers' satisfies CommandId,
          arguments: [node, undefined, 'references' satisfies Relation],
        },
      );
    }
  }
  const locations = await findReferences(uri, position, signal);
  if (locations.length > 0) return { title: t('References to {0}', name), ...byFile(locations) };
  return namedUsesOf(symbol, node, signal, openTarget);
}

async function namedUsesOf(
  symbol: NamedSymbol,
  node: PlaceNode,
  signal: AbortSignal,
  openTarget: OpenTarget,
): Promise<Found> {
  const { workspace, roots } = await openTarget();
  const { files, isCut } = await findUses(workspace, symbol, node.file.path, signal);
  const name = symbol.symbol;
  if (files.length === 0) {
    throw new UserError(
      t(
        'No language extension knows a use of "{0}", and no other line mentions it. Search for its uses in plain words.',
        name,
      ),
      searchInstead(t('where is {0} used', name)),
    );
  }
  return {
    title: isCut ? t('Mentions of {0} (some may be missing)', name) : t('Mentions of {0}', name),
    note: t(
      'No language extension knows who uses it, so these are the lines with its name. Some may be about another one of the same name.',
    ),
    files,
    roots,
  };
}

const searchInstead = (query: string): UserError['step'] => ({
  title: t('Search Code'),
  command: 'splice.search.start' satisfies CommandId,
  arguments: [query],
});

/** Files outside of the workspace have their folder as root. */
function byFile(locations: readonly vscode.Location[]): Pick<Found, 'files' | 'roots'> {
  const roots: vscode.Uri[] = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const files = new Map<string, RawFile & { ranges: [number, number][] }>();
  for (const { uri, range } of locations) {
    const lines: [number, number] = [range.start.line + 1, range.end.line + 1];
    const known = files.get(uri.toString());
    if (known) {
      known.ranges.push(lines);
      continue;
    }
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
    const at = roots.findIndex(root => root.toString() === folder.toString());
    const root = at < 0 ? roots.push(folder) - 1 : at;
    const path = uri.path.slice(folder.path.length).replace(/^\//, '');
    files.set(uri.toString(), { root, path, ranges: [lines] });
  }
  return { files: [...files.values()], roots };
}

function progressTitle(relation: Relation, { symbol }: NamedSymbol): string {
  return relation === 'tests'
    ? t('Finding tests of {0}', symbol)
    : relation === 'callers'
      ? t('Finding callers of {0}', symbol)
      : t('Finding references to {0}', symbol);
}
