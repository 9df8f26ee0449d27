import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { PlaceNode, SearchNode } from './nodes';
import { editorRange, type ShownSearch, unreadableError } from './shownSearch';

/** Opens places and highlights the lines of the last opened one. */
export class PlaceOpener implements vscode.Disposable {
  readonly #store = new DisposableStore();
  #decoration = createDecoration();
  #highlighted: { readonly search: ShownSearch; readonly node: PlaceNode } | undefined;

  constructor() {
    this.#store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()));
    this.#store.add(
      vscode.window.onDidChangeActiveColorTheme(() => {
        this.#decoration.dispose();
        this.#decoration = createDecoration();
        this.#draw();
      }),
    );
  }

  /** Highlights the place in every editor that shows it. */
  highlight(search: ShownSearch, node: PlaceNode): void {
    this.#highlighted = { search, node };
    this.#draw();
  }

  clear(): void {
    this.#highlighted = undefined;
    this.#draw();
  }

  async open(
    search: ShownSearch,
    node: SearchNode & { readonly kind: 'place' | 'file' },
    options: vscode.TextDocumentShowOptions,
  ): Promise<void> {
    if (node.kind === 'place') this.highlight(search, node);
    const uri = search.uriOf(node.file);
    const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => {
      throw unreadableError(search, node.file);
    });
    const place = node.kind === 'place' ? node.place : undefined;
    const start = place && editorRange(place, document.lineCount).start;
    await vscode.window.showTextDocument(document, {
      ...options,
      ...(start ? { selection: new vscode.Range(start, start) } : {}),
    });
  }

  dispose(): void {
    this.#decoration.dispose();
    this.#store.dispose();
  }

  #draw(): void {
    const highlighted = this.#highlighted;
    const address = highlighted && highlighted.search.uriOf(highlighted.node.file).toString();
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const isIt = highlighted !== undefined && document.uri.toString() === address;
      editor.setDecorations(
        this.#decoration,
        isIt ? [editorRange(highlighted.node.place, document.lineCount)] : [],
      );
    }
  }
}

function createDecoration(): vscode.TextEditorDecorationType {
  const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  // High contrast themes have no background color for ranges.
  const isContrast = kind === HighContrast || kind === HighContrastLight;
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.findRangeHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.findMatchForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    ...(isContrast
      ? {
          borderColor: new vscode.ThemeColor('focusBorder'),
          borderStyle: 'solid',
          borderWidth: '0 0 0 2px',
        }
      : {}),
  });
}
