import * as vscode from 'vscode';
import type { CommandId } from '../../../platform/commands/contribute';
import { DisposableStore } from '../../../platform/disposables';
import { BlockType } from '../../review/editor/marks/blockType';
import { decisionKeys } from '../../review/model/view/decisionKeys';
import type { ExternalChanges, ExternalFile } from '../externalChanges';
import type { ChangePlace } from './changePlaces';
import { placesIn } from './externalLenses';

const { t } = vscode.l10n;
const isMac = process.platform === 'darwin';

/** How long typing in a file may pause before its marks follow, in milliseconds. */
const typingMs = 150;
/** Beyond the end of any line; VS Code clamps it to the end of the line. */
const maxColumn = 2 ** 30;
/** Lines of removed text that a hover shows. */
const maxHoverLines = 60;

/** Marks pending changes in the editors of their files. */
export class ExternalDecorations implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #resources = new DisposableStore();
  readonly #added = this.#resources.add(new BlockType('inserted'));
  readonly #removed = this.#resources.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      borderWidth: '2px 0 0 0',
      borderStyle: 'dashed',
      borderColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Full,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  /** In a comparison, which marks the changes itself and shows no lenses of files. */
  readonly #hint = this.#resources.add(
    vscode.window.createTextEditorDecorationType({
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  #timer: NodeJS.Timeout | undefined;

  constructor(changes: ExternalChanges) {
    this.#changes = changes;
    const { window, workspace } = vscode;
    const resources = this.#resources;
    resources.add(changes.onDidChange(() => this.#paintAll()));
    resources.add(window.onDidChangeVisibleTextEditors(() => this.#paintAll()));
    // In high contrast a block of lines has a border.
    resources.add(window.onDidChangeActiveColorTheme(() => this.#paintAll()));
    resources.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (changes.of(document.uri)) this.#paintLater();
      }),
    );
    this.#paintAll();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#resources.dispose();
  }

  #paintLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#paintAll(), typingMs);
  }

  #paintAll(): void {
    for (const editor of vscode.window.visibleTextEditors) void this.#paint(editor);
  }

  async #paint(editor: vscode.TextEditor): Promise<void> {
    const file = this.#changes.of(editor.document.uri);
    const all = file ? await this.#places(file, editor) : [];
    // Editors of a comparison of several files belong to no column.
    const isCompared = editor.viewColumn === undefined;
    const places = isCompared ? [] : all;
    this.#added.show(
      editor,
      places.filter(({ count }) => count > 0).map(place => mark(place, place.count, file)),
    );
    editor.setDecorations(
      this.#removed,
      places
        .filter(({ count }) => count === 0)
        .map(place => ({ ...mark(place, 1, file), ...after(goneText(place)) })),
    );
    editor.setDecorations(
      this.#hint,
      isCompared ? all.map(place => ({ ...mark(place, 1, file), ...after(keysText()) })) : [],
    );
  }

  async #places(file: ExternalFile, editor: vscode.TextEditor): Promise<readonly ChangePlace[]> {
    return (await placesIn(this.#changes, file, editor.document)) ?? [];
  }
}

/** What a change is that has no lines in the editor: only a removal, or lines that unsaved text does not have. */
function goneText({ change: { lines, baseLines } }: ChangePlace): string {
  const { length } = lines;
  if (length > 0) {
    return `+ ${length === 1 ? t('1 line on disk only') : t('{0} lines on disk only', length)}`;
  }
  const removed = baseLines.length;
  return `− ${removed === 1 ? t('1 line removed') : t('{0} lines removed', removed)}`;
}

function keysText(): string {
  const { yes, no } = decisionKeys(isMac);
  return t('{0} keep · {1} undo', yes, no);
}

const after = (contentText: string): Pick<vscode.DecorationOptions, 'renderOptions'> => ({
  renderOptions: {
    after: {
      contentText,
      color: new vscode.ThemeColor('descriptionForeground'),
      margin: '0 0 0 3ch',
    },
  },
});

function mark(
  place: ChangePlace,
  count: number,
  file: ExternalFile | undefined,
): vscode.DecorationOptions {
  const last = place.line + count - 1;
  return {
    range: new vscode.Range(place.line, 0, last, maxColumn),
    hoverMessage: file ? [decisionsOf(file, place), hoverOf(place)] : [hoverOf(place)],
  };
}

/** Keep and undo as links. */
function decisionsOf({ id }: ExternalFile, { change }: ChangePlace): vscode.MarkdownString {
  const args = encodeURIComponent(JSON.stringify([id, change.id]));
  const keep = 'splice.external.keepChange' satisfies CommandId;
  const undo = 'splice.external.undoChange' satisfies CommandId;
  const links = new vscode.MarkdownString(
    `[${t('Keep')}](command:${keep}?${args}) · [${t('Undo')}](command:${undo}?${args})`,
  );
  links.isTrusted = { enabledCommands: [keep, undo] };
  return links;
}

/** What the lines were before, or those on disk where unsaved text does not have them. */
function hoverOf({ change: { lines, baseLines }, count }: ChangePlace): vscode.MarkdownString {
  const hover = new vscode.MarkdownString();
  const isMissing = count === 0 && lines.length > 0;
  const shown = isMissing ? lines : baseLines;
  if (shown.length === 0) return hover.appendText(t('These lines are new.'));
  hover.appendText(isMissing ? t('On disk:') : t('Before:'));
  hover.appendCodeblock(
    shown
      .slice(0, maxHoverLines)
      .join('')
      .replace(/\r?\n$/, ''),
  );
  const rest = shown.length - maxHoverLines;
  return rest > 0
    ? hover.appendText(t(rest === 1 ? 'and 1 more line' : 'and {0} more lines', rest))
    : hover;
}
