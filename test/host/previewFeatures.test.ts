import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pageScheme } from '../../src/platform/ids';
import { asRead } from './asRead';
import {
  activePreview,
  closeAll,
  fileUri,
  openFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

const name = 'features/words.txt';
const other = 'features/other.txt';
const text = 'alpha one\nbeta two\ngamma three\nbeta four\n';
const edit =
  '<<<<<<< SEARCH\nalpha one\nbeta two\ngamma three\n=======\nalpha one\nnew row\nbeta zwei\ngamma three\n>>>>>>> REPLACE\n';
/** Rows: 0 is the header, 1 `alpha one`, then the change, then these. */
const [gammaRow, lastRow] = [5, 6];

const at = (line: number, character = 0) => new vscode.Position(line, character);
const wordAt = (document: vscode.TextDocument, position: vscode.Position): vscode.Range =>
  document.getWordRangeAtPosition(position) ?? assert.fail('no word');
const spans = ({ start, end }: vscode.Range) =>
  `${start.line}:${start.character}-${end.line}:${end.character}`;

const sideOfPage = async (side: 'before' | 'proposed') =>
  waitFor(
    () =>
      vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === pageScheme && uri.query === side,
      ),
    `the ${side} side`,
  );

/** What a language extension would say of the file itself. */
function registerFakes(): vscode.Disposable {
  const selector = { scheme: 'file', pattern: '**/features/*.txt' };
  const remote = { ...selector, scheme: 'vscode-remote' };
  const both = [selector, remote];
  const { languages, Hover, Location } = vscode;
  return vscode.Disposable.from(
    languages.registerHoverProvider(both, {
      provideHover: (document, position) => {
        const range = wordAt(document, position);
        return new Hover(`word ${document.getText(range)} of line ${position.line}`, range);
      },
    }),
    languages.registerDefinitionProvider(both, {
      provideDefinition: (document, position) => {
        const origin = wordAt(document, position);
        const targetUri = document.getText(origin) === 'four' ? fileUri(other) : document.uri;
        const targetRange = new vscode.Range(2, 0, 2, 5);
        return [
          {
            originSelectionRange: origin,
            targetUri,
            targetRange,
            targetSelectionRange: targetRange,
          },
        ];
      },
    }),
    languages.registerReferenceProvider(both, {
      provideReferences: document => [
        new Location(document.uri, new vscode.Range(1, 0, 1, 4)),
        new Location(document.uri, new vscode.Range(3, 0, 3, 4)),
        new Location(fileUri(other), new vscode.Range(1, 0, 1, 4)),
      ],
    }),
    languages.registerDocumentSymbolProvider(both, {
      provideDocumentSymbols: () => {
        const { Namespace, Key } = vscode.SymbolKind;
        const all = new vscode.Range(0, 0, 3, 9);
        const root = new vscode.DocumentSymbol(
          'all',
          '',
          Namespace,
          all,
          new vscode.Range(0, 0, 0, 5),
        );
        const last = new vscode.Range(3, 0, 3, 9);
        root.children = [new vscode.DocumentSymbol('last', '', Key, last, last)];
        return [root];
      },
    }),
  );
}

describe('language features in a review', () => {
  let fakes: vscode.Disposable;
  let preview: vscode.TextDocument;

  before(() => {
    fakes = registerFakes();
  });
  after(() => fakes.dispose());
  beforeEach(async () => {
    await writeFile(name, text);
    await writeFile(other, text);
    await openFile(name);
    await setClipboard(edit);
    await run('splice.apply.clipboard', fileUri(name));
    preview = await waitFor(activePreview, 'the review');
    assert.equal(
      preview.getText().replace(/^.*\n/, ''),
      'alpha one\nbeta two\nnew row\nbeta zwei\ngamma three\nbeta four\n',
    );
  });
  afterEach(closeAll);

  const hoverAt = async (position: vscode.Position) =>
    vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      preview.uri,
      position,
    );
  const definitionAt = async (position: vscode.Position) =>
    vscode.commands.executeCommand<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider',
      preview.uri,
      position,
    );

  it('are those of the file on its unchanged lines', async () => {
    const [hover] = await hoverAt(at(lastRow, 6));
    const [said] = hover?.contents ?? [];
    assert.equal(typeof said === 'string' ? said : said?.value, 'word four of line 3');
    assert.equal(hover?.range && spans(hover.range), `${lastRow}:5-${lastRow}:9`);

    const [here] = await definitionAt(at(1));
    assert.equal(here?.targetUri.toString(), preview.uri.toString());
    assert.equal(spans(here.targetRange), `${gammaRow}:0-${gammaRow}:5`);
    const [elsewhere] = await definitionAt(at(lastRow, 6));
    assert.equal(elsewhere?.targetUri.toString(), fileUri(other).toString());
    assert.equal(spans(elsewhere.targetRange), '2:0-2:5');

    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      preview.uri,
      at(lastRow),
    );
    // The first one is on the removed line.
    assert.deepEqual(
      references.map(({ uri, range }) => [uri.toString(), spans(range)]),
      [
        [preview.uri.toString(), '2:0-2:4'],
        [preview.uri.toString(), `${lastRow}:0-${lastRow}:4`],
        [fileUri(other).toString(), '1:0-1:4'],
      ],
    );
  });

  it('say nothing on lines that are added or removed', async () => {
    for (const row of [0, 2, 3, 4]) {
      assert.deepEqual(await hoverAt(at(row)), [], `row ${row}`);
      assert.deepEqual(await definitionAt(at(row)), [], `row ${row}`);
    }
  });

  it('are those of the file on both sides of the page', async () => {
    await run('splice.apply.openPage');
    const hoversOf = async ({ uri }: vscode.TextDocument, line: number) => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        at(line),
      );
      return hovers.map(({ contents: [said], range }) => [
        typeof said === 'object' ? said.value : said,
        range && spans(range),
      ]);
    };
    const before = await sideOfPage('before');
    assert.deepEqual(await hoversOf(before, 1), [['word beta of line 1', '1:0-1:4']]);
    const proposed = await sideOfPage('proposed');
    // The added lines are 1 and 2.
    assert.deepEqual(await hoversOf(proposed, 1), []);
    assert.deepEqual(await hoversOf(proposed, 2), []);
    assert.deepEqual(await hoversOf(proposed, 4), [['word beta of line 3', '4:0-4:4']]);
    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      proposed.uri,
      at(4),
    );
    assert.deepEqual(
      references.map(({ uri, range }) => [uri.toString(), spans(range)]),
      [
        [proposed.uri.toString(), '1:0-1:4'],
        [proposed.uri.toString(), '4:0-4:4'],
        [fileUri(other).toString(), '1:0-1:4'],
      ],
    );
  });

  it('list the symbols at their rows in one for the whole review, also after an edit of the file', async () => {
    const symbols = async () => {
      const [whole] = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
        'vscode.executeDocumentSymbolProvider',
        preview.uri,
      );
      assert.ok(whole?.range.start.line === 0 && whole.range.end.line >= preview.lineCount - 1);
      assert.equal(whole.selectionRange.end.line, 0);
      assert.match(asRead(whole.name), /^change 1 of 1$/);
      const [root] = whole.children;
      return root && [spans(root.range), ...root.children.map(({ range }) => spans(range))];
    };
    assert.deepEqual(await symbols(), [`1:0-${lastRow}:9`, `${lastRow}:0-${lastRow}:9`]);
    const editor = vscode.window.activeTextEditor ?? assert.fail();
    assert.equal(editor.document, preview);
    const file = await vscode.workspace.openTextDocument(fileUri(name));
    const change = new vscode.WorkspaceEdit();
    change.insert(file.uri, at(0), 'before\nall\n');
    assert.ok(await vscode.workspace.applyEdit(change));
    await waitFor(() => preview.lineCount === 10, 'the new first rows');
    // Line 3 of the file is the removed one now.
    assert.deepEqual(await symbols(), ['1:0-4:9', '4:0-4:9']);
  });
});
