// A workspace of two folders: one in memory, on a file system that cannot search, and one on the disk.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { asRead } from './asRead';
import { MemoryFiles } from './memoryFiles';
import { rowTree } from './rowTree';
import { activePreview, closeAll, message, run, setClipboard, stub, waitFor } from './support';

const shop = (name: string) => vscode.Uri.from({ scheme: 'memory', path: `/shop/${name}` });
const memory = new MemoryFiles();
vscode.workspace.registerFileSystemProvider('memory', memory, { isCaseSensitive: true });

const cart = `export function add(sku: string): void {
  lines.push(sku);
  changed.emit(sku);
}
`;
const newCart = cart.replace('  changed', '  count++;\n  changed');
const depot = cart.replace('add', 'store').replace('lines.push', 'crates.unload');
const newDepot = depot.replace('  changed', '  count++;\n  changed');
const text = (uri: vscode.Uri): string | undefined => {
  try {
    return new TextDecoder().decode(memory.readFile(uri));
  } catch {
    return undefined;
  }
};

/** Fails the test if the user is asked for the file. */
function neverAsked(): void {
  stub(vscode.window, 'showQuickPick', async (rows: Promise<readonly vscode.QuickPickItem[]>) =>
    assert.fail(`asked: ${(await rows).map(({ label }) => label).join(', ')}`),
  );
}

/** `workspace.saveAll` leaves out what has no tab yet. */
async function saveAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty) assert.ok(await document.save());
  }
}

describe('a workspace on a virtual file system', () => {
  beforeEach(() => {
    for (const [name, content] of Object.entries({
      'src/basket.ts': cart,
      // VS Code may keep the document of a file that another test has changed.
      'src/depot.ts': depot,
      'src/old.ts': 'export const unused = 1;\n',
      'src/util.ts': 'export const twice = (n: number): number => n * 2;\n',
      'node_modules/basket/basket.ts': cart,
    })) {
      memory.writeFile(shop(name), new TextEncoder().encode(content));
    }
    neverAsked();
  });
  afterEach(async () => {
    await closeAll();
    memory.delete(shop('src'));
  });

  it('has the file that a snippet names, by the end of its path and with the name of its folder', async () => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    assert.deepEqual(
      folders.map(({ uri, name }) => [uri.scheme, name]),
      [
        ['memory', 'shop'],
        ['file', 'disk'],
      ],
    );
    for (const named of ['basket.ts', 'src/basket.ts', 'shop/src/basket.ts']) {
      await setClipboard(`${named}\n\`\`\`ts\n${newCart}\`\`\`\n`);
      await run('splice.apply.clipboard');
      const preview = await waitFor(activePreview, 'the review');
      assert.ok(preview.getText().includes('count++'));
      await run('splice.apply.rejectAll');
      await waitFor(() => !activePreview(), 'the end of the review');
    }
  });

  it('has search results in a search editor that finds their files again', async () => {
    const disk = vscode.workspace.workspaceFolders?.[1]?.uri ?? assert.fail();
    const code = new TextEncoder().encode('export function quince() {}\n');
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(disk, 'quince.ts'), code);
    await run('splice.search.start', 'quince');
    await run('splice.search.openInSearchEditor');
    const { document } = vscode.window.activeTextEditor ?? assert.fail();
    assert.match(document.getText(), /^disk • quince\.ts:\n {4}1: export/m);
  });

  it('says that a folder of it cannot be searched', async () => {
    await run('splice.search.inFolder', shop('src'), undefined, 'basket');
    await message(/^This folder is not on a disk, so its files cannot be searched\.$/);
  });

  it('is searched for the file of a snippet that names none', async () => {
    await setClipboard(`\`\`\`ts\n${newCart}\`\`\`\n`);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.ok(preview.getText().includes('count++'));
    await run('splice.apply.acceptAll');
    await saveAll();
    assert.equal(text(shop('src/basket.ts')), newCart);
  });

  it('takes a whole answer: edited, new, deleted and renamed files, and code without a name', async () => {
    await setClipboard(`*** Begin Patch
*** Add File: shop/src/tax.ts
+export const tax = 0.2;
*** Delete File: shop/src/old.ts
*** Update File: shop/src/util.ts
*** Move to: shop/src/numbers.ts
*** End Patch

And this:

\`\`\`ts
${newDepot}\`\`\`
`);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review of the first file');
    const files = (await rowTree(reviewsView).text(2)).filter(row => /\.ts/.test(row));
    assert.equal(files.length, 4, files.join('\n'));
    await run('splice.apply.acceptSet');
    await saveAll();
    await waitFor(() => text(shop('src/depot.ts')) === newDepot, 'the edit');
    assert.equal(text(shop('src/tax.ts')), 'export const tax = 0.2;\n');
    assert.deepEqual([text(shop('src/old.ts')), text(shop('src/util.ts'))], [undefined, undefined]);
    assert.match(text(shop('src/numbers.ts')) ?? '', /twice/);
  });

  it('offers to apply the clipboard to a selection', async () => {
    await vscode.window.showTextDocument(shop('src/basket.ts'));
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      shop('src/basket.ts'),
      new vscode.Range(0, 0, 2, 0),
      vscode.CodeActionKind.RefactorRewrite.value,
    );
    assert.ok(asRead(actions).some(({ title }) => title === 'Apply clipboard edit here'));
  });
});

describe('a workspace of several folders', () => {
  afterEach(closeAll);

  it('puts a new file where its path begins with the name of a folder', async () => {
    const disk = vscode.workspace.workspaceFolders?.[1]?.uri;
    assert.ok(disk);
    await setClipboard('disk/made/here.ts\n```ts\nexport const here = 1;\n```\n');
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review of the new file');
    await run('splice.apply.acceptAll');
    const made = vscode.Uri.joinPath(disk, 'made/here.ts');
    const bytes = await waitFor(async () => {
      try {
        return await vscode.workspace.fs.readFile(made);
      } catch {
        return undefined;
      }
    }, 'the new file');
    assert.equal(new TextDecoder().decode(bytes), 'export const here = 1;\n');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(disk, 'made'), { recursive: true });
  });
});
