import * as vscode from 'vscode';
import { DisposableStore } from '../host/disposables';
import type { SearchNode } from './nodes';
import { type ShownSearch, rangeOf } from './shownSearch';

type PlaceNode = SearchNode & { readonly kind: 'place' };

/** Opens places and marks the lines of the one that was opened last. */
export class OpenPlaces implements vscode.Disposable {
  readonly #store = new DisposableStore();
  #mark = makeMark();
  #marked: { readonly search: ShownSearch; readonly node: PlaceNode } | undefined;

  constructor() {
    this.#store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()));
    this.#store.add(
      vscode.window.onDidChangeActiveColorTheme(() => {
        this.#mark.dispose();
        this.#mark = makeMark();
        this.#draw();
      }),
    );
  }

  /** Marks the place as soon as an editor shows it. */
  mark(search: ShownSearch, node: PlaceNode): void {
    this.#marked = { search, node };
    this.#draw();
  }

  clear(): void {
    this.#marked = undefined;
    this.#draw();
  }

  async open(
    search: ShownSearch,
    node: SearchNode & { readonly kind: 'place' | 'file' },
    options: vscode.TextDocumentShowOptions,
  ): Promise<void> {
    if (node.kind === 'place') this.mark(search, node);
    const uri = search.uriOf(node.file);
    const document = await vscode.workspace.openTextDocument(uri);
    const place = node.kind === 'place' ? node.place : undefined;
    const start = place && rangeOf(place, document.lineCount).start;
    await vscode.window.showTextDocument(document, {
      ...options,
      ...(start ? { selection: new vscode.Range(start, start) } : {}),
    });
  }

  dispose(): void {
    this.#mark.dispose();
    this.#store.dispose();
  }

  #draw(): void {
    const marked = this.#marked;
    const address = marked && marked.search.uriOf(marked.node.file).toString();
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const isIt = marked !== undefined && document.uri.toString() === address;
      editor.setDecorations(
        this.#mark,
        isIt ? [rangeOf(marked.node.place, document.lineCount)] : [],
      );
    }
  }
}

function makeMark(): vscode.TextEditorDecorationType {
  const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  // These themes have no colour behind ranges.
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
