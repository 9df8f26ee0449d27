import assert from 'node:assert/strict';
import { readFile as readOnDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { pageScheme } from '../../src/platform/ids';
import { rowTree } from './rowTree';
import {
  activePreview,
  allTabs,
  closeAll,
  closeTabs,
  fileUri,
  lensTitles,
  openFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

const cart = `export function total(items: number[]): number {
  return items.reduce((sum, item) => sum + item, 0);
}

export const currency = 'EUR';

export function count(items: number[]): number {
  return items.length;
}
`;
/** A folder for each test: VS Code keeps the text of a file for a while. */
let folder = '';
let folders = 0;

const gitDiff = (): string => `diff --git a/${folder}/cart.ts b/${folder}/cart.ts
--- a/${folder}/cart.ts
+++ b/${folder}/cart.ts
@@ -1,9 +1,9 @@
-export function total(items: number[]): number {
+export function totalOf(items: number[]): number {
   return items.reduce((sum, item) => sum + item, 0);
 }
 
 export const currency = 'EUR';
 
-export function count(items: number[]): number {
+export function countOf(items: number[]): number {
   return items.length;
 }
diff --git a/${folder}/tax.ts b/${folder}/tax.ts
new file mode 100644
--- /dev/null
+++ b/${folder}/tax.ts
@@ -0,0 +1,2 @@
+export const tax = 0.2;
+export const rate = 1 + tax;
diff --git a/${folder}/old.ts b/${folder}/old.ts
deleted file mode 100644
--- a/${folder}/old.ts
+++ /dev/null
@@ -1 +0,0 @@
-export const unused = 1;
diff --git a/${folder}/util.ts b/${folder}/numbers.ts
similarity index 100%
rename from ${folder}/util.ts
rename to ${folder}/numbers.ts
`;

const onDisk = async (name: string): Promise<string | undefined> =>
  readOnDisk(fileUri(name).fsPath, 'utf8').catch(() => undefined);

const pageTabs = () => allTabs().filter(({ label }) => label.startsWith('Answer at '));

/** The documents of the page, by what follows the folder of the language. */
function documentOf(name: string, side: 'before' | 'proposed'): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) =>
      !isClosed && uri.scheme === pageScheme && uri.path.endsWith(name) && uri.query === side,
  );
}

const proposedOf = async (name: string) =>
  waitFor(() => documentOf(name, 'proposed'), `the proposed ${name}`);

async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${from} is not in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
  edit.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

async function openPage(): Promise<void> {
  await writeFile(`${folder}/cart.ts`, cart);
  await writeFile(`${folder}/old.ts`, 'export const unused = 1;\n');
  await writeFile(`${folder}/util.ts`, 'export const twice = (n: number): number => n * 2;\n');
  await setClipboard(gitDiff());
  await run('splice.apply.clipboard');
  await waitFor(activePreview, 'the review of the first file');
  await run('splice.apply.openPage');
  await waitFor(() => pageTabs().length === 1, 'the page');
}

describe('the page of a change set', () => {
  beforeEach(() => {
    folder = `page${folders++}`;
  });
  afterEach(async () => {
    await closeAll();
    assert.deepEqual(await rowTree(reviewsView).text(2), []);
    await vscode.workspace.fs.delete(fileUri(folder), { recursive: true });
  });

  it('shows each file with its lenses, without ids in names', async () => {
    await openPage();
    const proposed = await proposedOf('cart.ts');
    assert.match(proposed.uri.path, /^\/Splice review of typescript\/page\d\/cart\.ts$/);
    assert.equal(documentOf('cart.ts', 'before')?.getText(), cart);
    assert.match(proposed.getText(), /totalOf.*countOf/s);
    assert.deepEqual(await lensTitles(proposed), [
      '$(check) Accept',
      '$(discard) Reject',
      '1/2  +1 −1',
      '$(check-all) Accept File',
      '$(close-all) Reject File',
      '$(check) Accept',
      '$(discard) Reject',
      '2/2  +1 −1',
    ]);
    assert.equal(pageTabs()[0]?.label.endsWith('(4 files)'), true, pageTabs()[0]?.label);
    const deleted = await proposedOf('old.ts');
    assert.equal(deleted.getText(), '');
    assert.deepEqual(await lensTitles(deleted), [
      '$(git-compare) deleted (+0 −1)',
      '$(check-all) Delete File',
      '$(close-all) Keep File',
    ]);
  });

  it('deletes a file with its lens', async () => {
    await openPage();
    const deleted = await proposedOf('old.ts');
    const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', deleted.uri, 99);
    const lens = lenses.find(({ command }) => command?.title === '$(check-all) Delete File');
    await run('splice.apply.acceptAll', ...(lens?.command?.arguments ?? []));
    await waitFor(async () => (await onDisk(`${folder}/old.ts`)) === undefined, 'the deletion');
    await waitFor(
      async () => (await lensTitles(deleted)).join().includes('Nothing is left'),
      'no lens',
    );
    assert.equal(pageTabs().length, 1);
  });

  it('takes what is typed into the proposal, which accepting all then writes', async () => {
    await openPage();
    const proposed = await proposedOf('cart.ts');
    await replace(proposed, 'totalOf', 'sumOf');
    await replace(proposed, "'EUR'", "'CHF'");
    const tax = await proposedOf('tax.ts');
    await replace(tax, '0.2', '0.25');
    await waitFor(() => !proposed.isDirty && !tax.isDirty, 'both to be stored');
    await run('splice.apply.acceptSet');
    await waitFor(() => pageTabs().length === 0, 'the page to close');
    const { document } = await openFile(`${folder}/cart.ts`);
    const typed = cart
      .replace('total(', 'sumOf(')
      .replace("'EUR'", "'CHF'")
      .replace('count(', 'countOf(');
    assert.equal(document.getText(), typed);
    assert.match((await onDisk(`${folder}/tax.ts`)) ?? '', /tax = 0\.25/);
    assert.equal(await onDisk(`${folder}/old.ts`), undefined);
    assert.equal(await onDisk(`${folder}/util.ts`), undefined);
    await document.save();
  });

  for (const [name, text] of [
    ['Makefile', 'build:\n\tmake all\n'],
    ['tsconfig.json', '{\n  "strict": false\n}\n'],
    ['Dockerfile', 'FROM scratch\nRUN make\n'],
  ] as const) {
    it(`stores what is typed in a file with an exact name: ${name}`, async () => {
      await writeFile(`${folder}/${name}`, text);
      const fenced = text
        .replace('all', 'most')
        .replace('false', 'true')
        .replace('RUN make', 'RUN cmake');
      await setClipboard(
        `**${folder}/${name}**\n\`\`\`\n${fenced}\`\`\`\n\n**${folder}/more.ts**\n\`\`\`ts\nexport {};\n\`\`\`\n`,
      );
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'the review of the first file');
      await run('splice.apply.openPage');
      const proposed = await proposedOf(name);
      await waitFor(() => proposed.languageId.startsWith('splice-page-'), 'the language');
      const word = /most|true|cmake/.exec(fenced)?.[0] ?? '';
      await replace(proposed, word, 'typed');
      await waitFor(() => !proposed.isDirty, 'the typing to be stored');
      await replace(proposed, 'typed', 'again');
      await waitFor(() => !proposed.isDirty, 'more typing to be stored');
      await run('splice.apply.acceptSet');
      await waitFor(() => pageTabs().length === 0, 'the page to close');
      const { document } = await openFile(`${folder}/${name}`);
      assert.equal(document.getText(), fenced.replace(word, 'again'));
      await document.save();
    });
  }

  it('takes along what is typed in the moment of a decision', async () => {
    await openPage();
    const proposed = await proposedOf('cart.ts');
    await replace(proposed, 'totalOf', 'sumOf');
    const [lens] = (
      await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', proposed.uri, 99)
    ).filter(({ command }) => command?.title === '$(check) Accept');
    await replace(proposed, 'sumOf', 'addUp');
    await run('splice.apply.acceptChange', ...(lens?.command?.arguments ?? []));
    const { document } = await openFile(`${folder}/cart.ts`);
    assert.equal(document.getText(), cart.replace('total(', 'addUp('));
    await document.save();
  });

  it('follows a decision, and the file, without losing what is typed', async () => {
    await openPage();
    const proposed = await proposedOf('cart.ts');
    const before = await waitFor(() => documentOf('cart.ts', 'before'), 'the left side');
    const [first] = await run<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      proposed.uri,
      99,
    ).then(lenses => lenses.filter(({ command }) => command?.title === '$(check) Accept'));
    await run('splice.apply.acceptChange', ...(first?.command?.arguments ?? []));
    await waitFor(() => before.getText().includes('totalOf'), 'the accepted change on the left');
    assert.equal(pageTabs().length, 1);
    const file = await vscode.workspace.openTextDocument(fileUri(`${folder}/cart.ts`));
    await Promise.all([replace(proposed, 'countOf', 'size'), replace(file, "'EUR'", "'CHF'")]);
    await waitFor(
      () => proposed.getText().includes("'CHF'") && proposed.getText().includes('size('),
      'both edits on the right',
    );
    assert.ok(!proposed.getText().includes("'EUR'"));
    assert.match(before.getText(), /CHF/);
    await file.save();
  });

  it('decides nothing when it is closed, opens at the line to edit, and undo takes typing back', async () => {
    await openPage();
    await proposedOf('cart.ts');
    await closeTabs(pageTabs());
    const [row] = await rowTree(reviewsView).children();
    assert.equal(row?.children.length, 4);
    await run('splice.apply.editChange', row.children[0]?.data.subject, 2);
    const editor = await waitFor(() => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.scheme === pageScheme && active.selection.active.line === 6
        ? active
        : undefined;
    }, 'the cursor on the second change');
    const { document } = editor;
    const before = document.getText();
    assert.ok(await editor.edit(edit => edit.insert(new vscode.Position(6, 0), '/* typed */ ')));
    await waitFor(() => !document.isDirty, 'the typing to be stored');
    await run('undo');
    await waitFor(() => document.getText() === before && !document.isDirty, 'the text as it was');
    assert.equal(document.uri.query, 'proposed');
  });
});
