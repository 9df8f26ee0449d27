import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  activePreview,
  closeAll,
  fileUri,
  openFile,
  run,
  setClipboard,
  stub,
  waitFor,
  writeFile,
} from './support';

const count = 120;
const code = (n: number): string => `export const name = 'p${n}';\nexport const size = 1;\n`;
const path = (n: number): string => `packages/p${n}/src/index.ts`;

describe('the file that a snippet names', () => {
  before(async () => {
    for (let n = 0; n < count; n++) await writeFile(path(n), code(n));
  });
  afterEach(closeAll);
  after(() => vscode.workspace.fs.delete(fileUri('packages'), { recursive: true }));

  for (const named of [path(77), `./${path(77)}`, path(77).replaceAll('/', '\\')])
    it(`is found among ${count} files with its name, without a question: ${named}`, async () => {
      let isAsked = false;
      stub(vscode.window, 'showQuickPick', async () => {
        isAsked = true;
      });
      await setClipboard(
        `${named}\n\`\`\`ts\n// ... existing code ...\nexport const size = 2;\n\`\`\`\n`,
      );
      await run('splice.apply.clipboard');
      const preview = await waitFor(() => isAsked || activePreview(), 'the review');
      assert.equal(isAsked, false);
      assert.ok(typeof preview === 'object');
      assert.match(preview.getText(), /name = 'p77'/);
    });
});

describe('a snippet that names a file by the end of its path', () => {
  afterEach(closeAll);
  after(() => vscode.workspace.fs.delete(fileUri('pages'), { recursive: true }));

  const cases: readonly { readonly name: string; readonly named: string; readonly file: string }[] =
    [
      {
        name: 'signs that are special in globs',
        named: '[id]/page.tsx',
        file: 'pages/[id]/page.tsx',
      },
      { name: 'another case', named: 'Pages/Lower.ts', file: 'pages/deep/pages/lower.ts' },
      { name: 'an ignored folder', named: 'made/Only.ts', file: 'pages/made/Only.ts' },
    ];
  for (const { name, named, file } of cases)
    it(`is for that file, with ${name}`, async () => {
      await writeFile('pages/.gitignore', 'made\n');
      await writeFile(
        'pages/xidx/page.tsx',
        "export const name = 'other';\nexport const size = 1;\n",
      );
      await writeFile(file, "export const name = 'this';\nexport const size = 1;\n");
      let isAsked = false;
      stub(vscode.window, 'showQuickPick', async () => {
        isAsked = true;
      });
      await setClipboard(
        `${named}\n\`\`\`ts\n// ... existing code ...\nexport const size = 2;\n\`\`\`\n`,
      );
      await run('splice.apply.clipboard');
      const preview = await waitFor(() => isAsked || activePreview(), 'the review');
      assert.equal(isAsked, false);
      assert.ok(typeof preview === 'object');
      assert.match(preview.getText(), /name = 'this';[^]*size = 2;/);
    });
});

const shop = (name: string): string =>
  `export class ${name} {\n  restock(crate: Crate): void {\n    this.crates.push(crate);\n    this.weight += crate.weight;\n  }\n}\n`;

const rowsOf = (rows: readonly vscode.QuickPickItem[] = []) =>
  rows.map(({ label, description = '' }) => `${label} ${description}`.trim());
const labelled = (label: RegExp) => (rows: readonly vscode.QuickPickItem[]) =>
  rows.find(row => label.test(row.label));

describe('the file that a snippet without a name is for', () => {
  const snippet =
    '```ts\n// ... existing code ...\n  restock(crate: Crate): void {\n    this.crates.push(crate);\n    crate.seal();\n    this.weight += crate.weight;\n  }\n// ... existing code ...\n```\n';
  let offered: readonly (readonly vscode.QuickPickItem[])[] = [];

  /** Answers each list with the row that `pick` chooses. */
  function answerWith(pick: (rows: readonly vscode.QuickPickItem[]) => unknown): void {
    offered = [];
    stub(vscode.window, 'showQuickPick', async (items: Promise<vscode.QuickPickItem[]>) => {
      const rows = await items;
      offered = [...offered, rows];
      return pick(rows);
    });
  }
  before(() => writeFile('found/store.ts', shop('Store')));
  afterEach(async () => {
    await closeAll();
    await vscode.workspace.fs.delete(fileUri('found/twin'), { recursive: true }).then(
      () => undefined,
      () => undefined,
    );
  });
  after(() => vscode.workspace.fs.delete(fileUri('found'), { recursive: true }));

  for (const isOtherOpen of [false, true])
    it(`is found while it is closed, ${isOtherOpen ? 'another one' : 'none'} being open`, async () => {
      if (isOtherOpen) await openFile('src/cart.ts');
      answerWith(() => undefined);
      await setClipboard(snippet);
      await run('splice.apply.clipboard');
      const preview = await waitFor(() => offered.length > 0 || activePreview(), 'the review');
      assert.deepEqual(offered, []);
      assert.ok(typeof preview === 'object');
      assert.match(preview.getText(), /class Store[^]*crate\.seal\(\);/);
    });

  it('is chosen from its twins, which are shown with the line', async () => {
    await writeFile('found/twin/depot.ts', shop('Depot'));
    answerWith(labelled(/depot/));
    await setClipboard(snippet);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /class Depot[^]*crate\.seal\(\);/);
    assert.equal(offered.length, 1);
    const rows = rowsOf(offered[0]);
    assert.deepEqual(rows.slice(0, 2).toSorted(), [
      'found/store.ts line 2: restock(crate: Crate): void {',
      'found/twin/depot.ts line 2: restock(crate: Crate): void {',
    ]);
    assert.match(rows.at(-1) ?? '', /Choose another file…$/);
  });

  it('is the one with the text in the editor, saved or not', async () => {
    await writeFile('found/twin/empty.ts', '// nothing yet\n');
    const editor = await openFile('found/twin/empty.ts');
    await editor.edit(change => change.insert(new vscode.Position(0, 0), shop('Draft')));
    await openFile('src/cart.ts');
    answerWith(labelled(/empty/));
    await setClipboard(snippet);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /class Draft[^]*crate\.seal\(\);/);
    assert.match(rowsOf(offered[0])[0] ?? '', /^found\/twin\/empty\.ts line 2/);
    await run('workbench.action.revertAndCloseActiveEditor');
  });

  it('is found in a folder that was deleted and made again since the last lookup', async () => {
    answerWith(() => undefined);
    const sealed = snippet.replaceAll('crate', 'parcel');
    for (const name of ['First', 'Second']) {
      await writeFile(`found/twin/${name}.ts`, shop(name).replaceAll('crate', 'parcel'));
      await setClipboard(sealed);
      await run('splice.apply.clipboard');
      const preview = await waitFor(() => offered.length > 0 || activePreview(), 'the review');
      assert.deepEqual(offered, []);
      assert.ok(typeof preview === 'object');
      assert.match(preview.getText(), new RegExp(`class ${name}[^]*parcel\\.seal\\(\\);`));
      await closeAll();
      await vscode.workspace.fs.delete(fileUri('found/twin'), { recursive: true });
    }
  });

  it('is none that an ignore file excludes', async () => {
    answerWith(() => undefined);
    await writeFile('found/twin/copy.ts', shop('Copy'));
    await writeFile('found/twin/.gitignore', 'copy.ts\n');
    await setClipboard(snippet);
    await run('splice.apply.clipboard');
    const preview = await waitFor(() => offered.length > 0 || activePreview(), 'the review');
    assert.deepEqual(offered, []);
    assert.ok(typeof preview === 'object');
    assert.match(preview.getText(), /class Store/);
  });

  it('may be any other one', async () => {
    await writeFile('found/twin/depot.ts', shop('Depot'));
    await writeFile('found/twin/other.ts', shop('Other').replace('restock', 'refill'));
    answerWith(rows => labelled(/twin\/other/)(rows) ?? labelled(/Choose another/)(rows));
    await setClipboard(snippet.replace('crate.seal();', 'crate.seal(); // twice'));
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    assert.ok(rowsOf(offered.at(-1)).some(row => row.startsWith('found/twin/other.ts')));
  });

  it('is asked for when the file that it names does not exist', async () => {
    answerWith(labelled(/store/));
    await setClipboard(`src/gone/warehouse.ts\n${snippet}`);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /class Store[^]*crate\.seal\(\);/);
    assert.equal(rowsOf(offered[0])[0], 'found/store.ts line 2: restock(crate: Crate): void {');
  });
});
