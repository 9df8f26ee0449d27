import * as vscode from 'vscode';
import { splitLines } from '../../../base/text/textLines';
import type { CommandId, Commands } from '../../../platform/commands/contribute';
import { commandItem } from '../../../platform/commands/registerCommands';
import { labelLens } from '../../review/editor/reviewLenses';
import { agentName } from '../agents/core/hookEvents';
import type { ExternalChanges, ExternalFile } from '../externalChanges';
import { baselineScheme } from '../ids';
import { wholeText } from '../rows/externalRows';
import { type ChangePlace, changePlaces } from './changePlaces';

const { t } = vscode.l10n;

/** Keep and undo above each change, in the editor of the file and in comparisons. */
export class ExternalLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listener: vscode.Disposable;

  constructor(changes: ExternalChanges) {
    this.#changes = changes;
    this.#listener = changes.onDidChange(() => this.#changed.fire());
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> {
    const file = this.#fileOf(document.uri);
    if (!file) return [];
    if (file.pending.whole !== undefined) return wholeLenses(file);
    const places = await placesIn(this.#changes, file, document);
    if (token.isCancellationRequested || !places) return [];
    return places.flatMap((place, index) => [
      ...changeLenses(file, place, index, places.length),
      ...(index === 0 && places.length > 1 ? fileLenses(file, place.line) : []),
    ]);
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  /** The right side of a deleted file is an empty document, whose path is that of the file. */
  #fileOf(uri: vscode.Uri): ExternalFile | undefined {
    if (uri.scheme !== baselineScheme) return this.#changes.of(uri);
    return uri.query === ''
      ? undefined
      : this.#changes.files.find(({ uri: { path } }) => path === uri.path);
  }
}

/** Where a document shows the changes of its file; undefined when the file has none any more. */
export async function placesIn(
  changes: ExternalChanges,
  file: ExternalFile,
  document: vscode.TextDocument,
): Promise<readonly ChangePlace[] | undefined> {
  const shown = await changes.changes(file);
  return shown && changePlaces(shown.changes, shown.lines, splitLines(document.getText()));
}

function changeLenses(
  file: ExternalFile,
  { change, line, isTouched }: ChangePlace,
  index: number,
  count: number,
): vscode.CodeLens[] {
  const at = new vscode.Range(line, 0, line, 0);
  const lens = <Id extends CommandId>(title: string, id: Id, ...args: Commands[Id]) =>
    new vscode.CodeLens(at, commandItem(title, id, ...args));
  const size = `+${change.lines.length} −${change.baseLines.length}`;
  const facts = [
    `${index + 1}/${count}  ${size}`,
    ...(change.isWhitespace ? [t('white space only')] : []),
    ...(change.isEdited ? [t('edited by you')] : []),
    ...(index === 0 ? writerOf(file) : []),
  ].join(' · ');
  if (isTouched) {
    return [labelLens(at, `$(edit) ${t('You are editing this change: save the file to decide')}`)];
  }
  return [
    lens(`$(check) ${t('Keep')}`, 'splice.external.keepChange', file.id, change.id),
    lens(`$(discard) ${t('Undo')}`, 'splice.external.undoChange', file.id, change.id),
    labelLens(at, facts),
  ];
}

function fileLenses({ id }: ExternalFile, line: number): vscode.CodeLens[] {
  const at = new vscode.Range(line, 0, line, 0);
  return [
    new vscode.CodeLens(
      at,
      commandItem(`$(check-all) ${t('Keep File')}`, 'splice.external.keepFile', id),
    ),
    new vscode.CodeLens(
      at,
      commandItem(`$(close-all) ${t('Undo File')}`, 'splice.external.undoFile', id),
    ),
  ];
}

function wholeLenses(file: ExternalFile): vscode.CodeLens[] {
  const at = new vscode.Range(0, 0, 0, 0);
  const [keep, undo] = wholeTitles(file);
  const facts = [wholeText(file.pending, t), ...writerOf(file)].filter(Boolean).join(' · ');
  return [
    labelLens(at, `$(git-compare) ${facts}`),
    new vscode.CodeLens(at, commandItem(`$(check) ${keep}`, 'splice.external.keepFile', file.id)),
    ...(undo === undefined
      ? []
      : [
          new vscode.CodeLens(
            at,
            commandItem(`$(discard) ${undo}`, 'splice.external.undoFile', file.id),
          ),
        ]),
  ];
}

/** Titles of the two decisions about a whole file; no second one where its earlier bytes are not known. */
function wholeTitles({
  pending: { whole },
}: ExternalFile): readonly [keep: string, undo: string | undefined] {
  switch (whole) {
    case 'created':
      return [t('Keep New File'), t('Delete File')];
    case 'deleted':
      return [t('Keep Deleted'), t('Restore File')];
    case 'renamed':
      return [t('Keep New Name'), t('Undo Rename')];
    case 'unknown':
    case 'lost':
      return [t('Keep File'), undefined];
    default:
      return [t('Keep File'), t('Undo File')];
  }
}

function writerOf({ pending: { labels } }: ExternalFile): string[] {
  const agent = labels.at(-1)?.agent;
  return agent === undefined ? [] : [agentName(agent)];
}
