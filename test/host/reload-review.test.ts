// Phase 1 leaves a review half decided; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import * as vscode from 'vscode';
import { applyTool, reviewsView } from '../../src/apply/ids';
import { reviewScheme } from '../../src/platform/ids';
import { settings } from '../../src/platform/settings';
import type { TreeRow } from '../../src/platform/tree/rows';
import { asRead } from './asRead';
import { rowTree } from './rowTree';
import {
  activePreview,
  closeTabs,
  fileUri,
  invokeTool,
  lensTitles,
  loggedLines,
  message,
  messages,
  openFile,
  pressUntil,
  readFile,
  reviewTabs,
  run,
  setClipboard,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-reload-0123456789';
const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const patch = `--- a/src/cart.ts
+++ b/src/cart.ts
@@ -20,3 +20,3 @@
-const shippingFee = 490;
+const shippingFee = 590;
 const freeShippingFrom = 5000;
 const maxQuantity = 99;
@@ -57,3 +57,4 @@
   remove(sku: string): boolean {
+    this.#coupon = undefined;
     return this.#lines.delete(sku);
   }
@@ -98,3 +99,3 @@
 export function formatPrice(cents: number): string {
-  const sign = cents < 0 ? '-' : '';
+  const sign = cents < 0 ? '−' : '';
   const amount = Math.abs(cents);
`;

/** Below the ports that a system hands out by itself: free after the reload too. */
const ports = { from: 20_000, to: 30_000 };

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.from + Math.floor(Math.random() * (ports.to - ports.from));
    const server = createServer();
    const isFree = await listen(server, port).then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}

/** How many files the large set has. */
const setSize = 200;
const setFile = (n: number) => `set/file${n}.ts`;
const setText = (n: number) => `export const first = ${n};\nexport const second = ${n};\n`;

/** Folders of stored reviews below a folder. */
function reviewFolders(base: string): string[] {
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter(name => path.basename(name) === 'reviews')
    .map(name => path.join(base, name));
}

let knownFolders: readonly string[] = [];

/** The stored reviews of this window, which are among the user's data. To look through all of that takes long. */
function journals(): string[] {
  if (knownFolders.length === 0)
    knownFolders = reviewFolders(process.env['HOST_TEST_DATA'] ?? assert.fail());
  return knownFolders.flatMap(folder =>
    readdirSync(folder)
      .filter(name => name.endsWith('.journal'))
      .map(name => path.join(folder, name)),
  );
}

async function reviewOf(file: string): Promise<TreeRow['data']> {
  const tree = rowTree(reviewsView);
  const roots = await tree.children();
  // Those of one call of the tool stand below their change set.
  const nested = await Promise.all(roots.map(async root => tree.children(root)));
  const rows = [...roots, ...nested.flat()];
  const row = rows.find(({ data }) => file.endsWith(data.label));
  return row?.data ?? assert.fail(`no review of ${file}`);
}

const lostFile = 'lost.ts';
const lostText = 'export const one = 1;\n';

const uriOf = ({ input }: vscode.Tab) =>
  input instanceof vscode.TabInputText ? input.uri : assert.fail();
const outdatedFile = 'outdated.ts';
const outdatedTabs = () => reviewTabs().filter(({ label }) => label.startsWith(outdatedFile));

async function header(preview: vscode.TextDocument): Promise<string> {
  return (await lensTitles(preview))[0] ?? '';
}

(isFirst ? describe : describe.skip)('before a reload, besides', () => {
  it('has a set of 200 files to review', async function () {
    this.timeout(1_200_000);
    const edits: { path: string; update: string }[] = [];
    for (let n = 0; n < setSize; n++) {
      await writeFile(setFile(n), setText(n));
      const update = `<<<<<<< SEARCH\nexport const second = ${n};\n=======\nexport const second = ${n + 1};\n>>>>>>> REPLACE\n`;
      edits.push({ path: setFile(n), update });
    }
    // At most 20 in one call.
    for (let n = 0; n < setSize; n += 20)
      await invokeTool(applyTool, { edits: edits.slice(n, n + 20) });
    await waitFor(() => journals().length === setSize, 'the stored reviews');
  });

  it('has one accepted and not saved, and one whose storage gets damaged', async () => {
    await openFile(setFile(0));
    await run('splice.apply.acceptAll', (await reviewOf(setFile(0))).subject);
    const file = await vscode.workspace.openTextDocument(fileUri(setFile(0)));
    assert.match(file.getText(), /second = 1;/);
    const { subject } = await reviewOf(setFile(1));
    const journal = journals().find(name => name.includes(`${subject}.journal`));
    assert.ok(journal);
    await run('splice.apply.showReview', subject);
    const closing = reviewTabs().filter(({ label }) => !label.startsWith('file1.ts'));
    await closeTabs(closing);
    writeFileSync(journal, 'damaged\n');
  });

  it('has a review whose file is deleted', async () => {
    await writeFile(lostFile, lostText);
    const update = `<<<<<<< SEARCH\n${lostText}=======\n${lostText.replace('one', 'two')}>>>>>>> REPLACE\n`;
    await invokeTool(applyTool, { edits: [{ path: lostFile, update }] });
    const row = await reviewOf(lostFile);
    await waitFor(
      () => journals().some(name => name.includes(`${row.subject}.journal`)),
      'its journal',
    );
    const closing = reviewTabs().filter(({ label }) => label.startsWith(lostFile));
    await closeTabs(closing);
    await vscode.workspace.fs.delete(fileUri(lostFile));
  });
});

(isFirst ? describe : describe.skip)('before a reload, with a tab of an earlier version,', () => {
  it('has a review in it', async () => {
    await writeFile(`src/${outdatedFile}`, lostText);
    const update = `<<<<<<< SEARCH\n${lostText}=======\n${lostText.replace('one', 'two')}>>>>>>> REPLACE\n`;
    await invokeTool(applyTool, { edits: [{ path: `src/${outdatedFile}`, update }] });
    const { subject } = await reviewOf(`src/${outdatedFile}`);
    await waitFor(
      () => journals().some(name => name.includes(`${subject}.journal`)),
      'its journal',
    );
    const oldPath = `/.splice-review-typescript/${subject}/${outdatedFile} (review)`;
    const uri = vscode.Uri.from({ scheme: reviewScheme, path: oldPath });
    await closeTabs(outdatedTabs());
    await vscode.window.showTextDocument(uri, { preview: false });
    assert.equal(outdatedTabs().length, 1);
  });
});

(isFirst ? describe : describe.skip)('before a reload', () => {
  it('has one change accepted, one rejected, one pending', async () => {
    await useService(`http://127.0.0.1:${await freePort()}`, apiKey);
    await openFile('src/cart.ts');
    await setClipboard(patch);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    assert.match(await header(preview), /: 3 changes/);
    await run('splice.apply.acceptChange');
    await pressUntil('splice.apply.rejectChange', async () =>
      / 1 change /.test(await header(preview)),
    );
    await run('splice.apply.saveFile');
    const text = await readFile('src/cart.ts');
    assert.match(text, /shippingFee = 590/);
    assert.doesNotMatch(text, /#coupon = undefined/);
    assert.deepEqual(messages(), []);
  });
});

(isFirst ? describe.skip : describe)('after a reload, besides', () => {
  it('has each of the 200 files to review, or in the editor as it was accepted', async () => {
    // The view was made before the tests, so the list that the command shows is asked.
    const listed = await waitFor(async () => {
      let labels: string[] = [];
      stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
        labels = items.map(({ label }) => label);
      });
      await run('splice.apply.showReviews');
      return labels.length >= setSize - 2 && labels;
    }, 'the list of reviews');
    const labels = new Set(listed.map(label => label.replace(/^\S+ /, '')));
    for (let n = 2; n < setSize; n++) assert.ok(labels.has(setFile(n)), setFile(n));
    const first = await vscode.workspace.openTextDocument(fileUri(setFile(0)));
    assert.ok(labels.has(setFile(0)) || /second = 1;/.test(first.getText()));
  });

  it('says of the damaged one why it does not come back, and closes its tab', async () => {
    await waitFor(
      () => loggedLines().some(line => /file1\.ts was closed: .* is damaged/.test(line)),
      'the reason',
    );
    await waitFor(
      () => reviewTabs().every(({ label }) => !label.startsWith('file1.ts')),
      'the tab to close',
    );
  });
});

(isFirst ? describe.skip : describe)('after a reload, with a tab of an earlier version,', () => {
  it('has the same review in a tab of this version, behind the one in front', async () => {
    const tab = await waitFor(
      () => outdatedTabs().length === 1 && outdatedTabs().find(shown => uriOf(shown).authority),
      'the new tab alone',
    );
    assert.equal(asRead(uriOf(tab).path), `/TypeScript review/src/${outdatedFile} (review)`);
    await waitFor(() => activePreview()?.uri.path.includes('cart.ts'), 'the one in front');
    const document = await vscode.workspace.openTextDocument(uriOf(tab));
    assert.match(document.getText(), /const one = 1;\nexport const two = 1;/);
    await closeTabs([tab]);
  });
});

(isFirst ? describe.skip : describe)('after a reload', () => {
  it('shows the pending change in its tab again', async () => {
    await waitFor(() => reviewTabs().length === 1, 'the tab of the review');
    const preview = await waitFor(activePreview, 'the review in front');
    const head = await waitFor(async () => {
      const title = await header(preview);
      return title !== '' && title;
    }, 'the header of the review');
    assert.match(head, /src\/cart\.ts: 1 change \(\+1 −1\)/);
    const text = await waitFor(
      () => preview.getText().includes('−') && preview.getText(),
      'the text of the review',
    );
    assert.match(text, /cents < 0 \? '-'/);
    assert.match(text, /cents < 0 \? '−'/);
    assert.doesNotMatch(text, /shippingFee = 490|#coupon = undefined/);
  });

  it('still has the key, and sends it to its service', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await listen(server, Number(new URL(settings.baseUrl).port));
    try {
      await setClipboard('class Cart {\n// ... existing code ...\n  a() {}\n}\n');
      await run('splice.apply.clipboard', fileUri('web/styles.css'));
      await waitFor(() => seen.length > 0, 'a request');
      assert.deepEqual(seen, [`Bearer ${apiKey}`]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('accepts the pending change', async () => {
    const preview = await waitFor(activePreview, 'the review in front');
    await run('splice.apply.acceptChange');
    await waitFor(() => reviewTabs().length === 0, 'the end of the review');
    const document = await vscode.workspace.openTextDocument(fileUri('src/cart.ts'));
    const text = document.getText();
    assert.match(text, /shippingFee = 590/);
    assert.match(text, /cents < 0 \? '−'/);
    assert.doesNotMatch(text, /#coupon = undefined/);
    assert.ok(preview.isClosed || !activePreview());
    await document.save();
    assert.equal(await readFile('src/cart.ts'), text);
  });

  it('shows what waits for a file that is gone, and goes on once the file is back', async () => {
    let row: (vscode.QuickPickItem & { review?: { id: string } }) | undefined;
    stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
      row = items.find(({ label }) => label.endsWith(lostFile));
      return row;
    });
    const openLost = async () => {
      await run('splice.apply.showReviews');
      const tab = await waitFor(
        () => reviewTabs().find(({ label }) => label.startsWith(lostFile)),
        'the review',
      );
      assert.ok(tab.isActive);
      return waitFor(activePreview, 'the review in front');
    };
    assert.match((await openLost()).getText(), /two/);
    await run('splice.apply.acceptAll');
    await message(/^lost\.ts no longer exists, so nothing can be accepted\. Copy what you need/);
    await closeTabs(reviewTabs().filter(({ label }) => label.startsWith(lostFile)));
    await writeFile(lostFile, lostText);
    await openLost();
    await run('splice.apply.acceptAll');
    const document = await vscode.workspace.openTextDocument(fileUri(lostFile));
    assert.equal(document.getText(), lostText.replace('one', 'two'));
    await document.save();
  });
});
