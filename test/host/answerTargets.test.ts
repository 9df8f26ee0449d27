import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { type StandIn, startStandIn } from '../service/standIn';
import { rowTree } from './rowTree';
import {
  activePreview,
  closeAll,
  fileUri,
  forgetService,
  message,
  openFile,
  readFile,
  run,
  setClipboard,
  setSetting,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const fence = (code: string, info = 'ts'): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;
const removeFolder = async (): Promise<void> =>
  vscode.workspace.fs.delete(fileUri('targets'), { recursive: true });

const cell = (text: string) => ({
  cell_type: 'code',
  execution_count: null,
  metadata: {},
  outputs: [],
  source: text.split(/(?<=\n)/),
});

/** Another file for each test: VS Code keeps a notebook for a while. */
const openNotebook = async (name: string): Promise<vscode.NotebookDocument> => {
  const uri = fileUri(name);
  await run('vscode.openWith', uri, 'jupyter-notebook');
  return waitFor(() => {
    const { notebook } = vscode.window.activeNotebookEditor ?? {};
    return notebook?.uri.toString() === uri.toString() ? notebook : undefined;
  }, 'the notebook');
};

const file = (...texts: readonly string[]) =>
  `${JSON.stringify({ cells: texts.map(cell), metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 4 }, undefined, 1)}\n`;

describe('an answer for a notebook', () => {
  const loading = 'import csv\n\nrows = list(csv.reader(open("sales.csv")))';
  const plotting = 'total = sum(int(row[1]) for row in rows)\nprint("Sales", total)';
  const titled = plotting.replace('"Sales"', '"Sales by year"');
  const notebook = file(loading, plotting);

  beforeEach(async () => writeFile('targets/book.ipynb', notebook));
  afterEach(async () => {
    await closeAll();
    await removeFolder();
  });

  it('changes the cell in the file while the notebook is closed, beside other files', async () => {
    await setClipboard(
      `### targets/book.ipynb\n\n${fence(titled, 'python')}\n### targets/new.py\n\n${fence('new = 1', 'python')}`,
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptAllFiles');
    await vscode.workspace.saveAll();
    await waitFor(async () => (await readFile('targets/book.ipynb')) !== notebook, 'the edit');
    assert.equal(await readFile('targets/book.ipynb'), file(loading, titled));
    assert.equal(await readFile('targets/new.py'), 'new = 1\n');
  });

  it('changes the cell in the editor of the notebook, saved or not', async () => {
    await writeFile('targets/edited.ipynb', notebook);
    const opened = await openNotebook('targets/edited.ipynb');
    const { document } = opened.cellAt(1);
    const unsaved = new vscode.WorkspaceEdit();
    unsaved.insert(document.uri, new vscode.Position(0, 0), '# Sum\n');
    await vscode.workspace.applyEdit(unsaved);
    await setClipboard(`targets/edited.ipynb\n${fence(titled, 'python')}`);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /Sales by year/);
    await run('splice.apply.acceptAll');
    await waitFor(() => document.getText().includes('Sales by year'), 'the edit');
    assert.equal(opened.cellAt(0).document.getText(), loading);
    await run('vscode.openWith', fileUri('targets/edited.ipynb'), 'jupyter-notebook');
    await run('workbench.action.revertAndCloseActiveEditor');
  });

  it('as a diff of the file asks to save the notebook first', async () => {
    await writeFile('targets/saved.ipynb', notebook);
    const opened = await openNotebook('targets/saved.ipynb');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(opened.cellAt(0).document.uri, new vscode.Position(0, 0), '# Load\n');
    await vscode.workspace.applyEdit(edit);
    await waitFor(() => opened.isDirty, 'the change is known');
    const diff = `--- a/targets/saved.ipynb\n+++ b/targets/saved.ipynb\n@@ @@\n    "total = sum(int(row[1]) for row in rows)\\n",\n-    "print(\\"Sales\\", total)"\n+    "print(\\"All sales\\", total)"`;
    await setClipboard(fence(diff, 'diff'));
    await run('splice.apply.clipboard');
    await message(/changes in the notebook editor that are not saved/);
    await run('workbench.action.revertAndCloseActiveEditor');
  });
});

describe('an answer for the service', () => {
  let standIn: StandIn;
  const apiKey = 'sk-test-targets';
  const cart =
    'export function add(sku) {\n  lines.push(sku);\n}\n\nexport function clear() {\n  lines.length = 0;\n}\n';

  beforeEach(async () => {
    standIn = await startStandIn({
      apiKey,
      merge: code => code.replace('push(sku)', 'push(sku, 1)').replace('= 0', '= 1'),
    });
    await useService(standIn.url, apiKey);
    await setSetting('splice.apply.engine', 'service');
    await writeFile('targets/cart.js', cart);
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
    await removeFolder();
  });

  it('sends all code for a file in one call, by whatever path it is named', async () => {
    await setClipboard(
      `targets/cart.js\n${fence('export function add(sku) {\n  lines.push(sku, 1);\n}', 'js')}\n.\\targets\\cart.js\n${fence('export function clear() {\n  lines.length = 1;\n}', 'js')}\ntargets/new.js\n${fence('export const fresh = 1;', 'js')}`,
    );
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /push\(sku, 1\)[^]*length = 1/);
    assert.equal(standIn.requests.length, 1);
    assert.match(
      JSON.stringify(standIn.requests[0]?.body),
      /push\(sku, 1\)[^]*existing code[^]*length = 1/,
    );
  });

  it('merges a file with blocks beside code on this machine', async () => {
    await setClipboard(
      `targets/cart.js\n${fence('<<<<<<< SEARCH\n  lines.push(sku);\n=======\n  lines.push(sku, 1);\n>>>>>>> REPLACE', '')}\ntargets/cart.js\n${fence('export function clear() {\n  lines.length = 1;\n}', 'js')}`,
    );
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /push\(sku, 1\)[^]*length = 1/);
    assert.deepEqual(standIn.requests, []);
  });
});

const store = (name: string) =>
  `export class ${name} {\n  restockShelf(crate: Crate): void {\n    this.shelfCrates.push(crate);\n    this.shelfWeight += crate.weight;\n  }\n}\n`;

describe('code of an answer that names no file', () => {
  afterEach(async () => {
    await closeAll();
    await removeFolder();
  });

  const snippet = fence(
    '// ... existing code ...\n  restockShelf(crate: Crate): void {\n    this.shelfCrates.push(crate);\n    crate.sealShelf();\n    this.shelfWeight += crate.weight;\n  }\n// ... existing code ...',
  );

  it('goes to the closed file that holds its lines', async () => {
    await writeFile('targets/deep/folder/store.ts', store('Store'));
    await setClipboard(`targets/new.ts\n${fence('export const fresh = 1;')}\nAnd:\n\n${snippet}`);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    const rows = await rowTree(reviewsView).text(2);
    assert.ok(
      rows.some(row => row.includes('store.ts')),
      rows.join('\n'),
    );
  });

  it('is not applied where two files hold its lines, which are named', async () => {
    await writeFile('targets/a/store.ts', store('Store'));
    await writeFile('targets/b/depot.ts', store('Depot'));
    await setClipboard(`targets/new.ts\n${fence('export const fresh = 1;')}\nAnd:\n\n${snippet}`);
    await run('splice.apply.clipboard');
    const { text } = await message(/was not applied/);
    assert.match(text, /depot\.ts/);
    assert.match(text, /store\.ts/);
    stub(vscode.window, 'showQuickPick', async (steps: readonly vscode.QuickPickItem[]) =>
      steps.find(({ label }) => label.includes('Remove from List')),
    );
    await run('splice.apply.placeRefused');
  });
});

const part = (n: number) => `function f${n}(a){return a+${n}}`;

describe('a minified file', () => {
  afterEach(async () => {
    await closeAll();
    await removeFolder();
  });

  it('takes an exact edit within its only line, and refuses a snippet that it does not hold', async () => {
    const minified = Array.from({ length: 20_000 }, (_, n) => part(n)).join(';');
    await writeFile('targets/app.min.js', minified);
    await openFile('targets/app.min.js');
    const edit = {
      path: 'targets/app.min.js',
      old_string: part(777),
      new_string: part(777).replace('a+', 'a-'),
    };
    await setClipboard(
      JSON.stringify([
        { name: 'edit', input: edit },
        { name: 'write', input: { path: 'targets/b.js', content: 'b\n' } },
      ]),
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptAllFiles');
    await vscode.workspace.saveAll();
    const text = await waitFor(async () => {
      const now = await readFile('targets/app.min.js');
      return now === minified ? undefined : now;
    }, 'the edit');
    assert.equal(text, minified.replace(part(777), part(777).replace('a+', 'a-')));
    await setClipboard(`targets/app.min.js\n${fence('function other(a) {\n  return a;\n}', 'js')}`);
    await run('splice.apply.clipboard');
    await message(/app\.min\.js/);
  });
});
