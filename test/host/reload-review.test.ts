// Phase 1 leaves a review half decided; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as vscode from 'vscode';
import { settings } from '../../src/host/settings';
import { ids } from '../../src/manifest';
import {
  activePreview,
  fileUri,
  lensTitles,
  messages,
  openFile,
  readFile,
  reviewTabs,
  run,
  setClipboard,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-reload-0123456789';
const { command } = ids;
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

async function header(preview: vscode.TextDocument): Promise<string> {
  return (await lensTitles(preview))[0] ?? '';
}

(isFirst ? describe : describe.skip)('before a reload', () => {
  it('has one change accepted, one rejected, one pending', async () => {
    await useService(`http://127.0.0.1:${await freePort()}`, apiKey);
    await openFile('src/cart.ts');
    await setClipboard(patch);
    await run(command.applyClipboard);
    const preview = await waitFor(activePreview, 'a review');
    assert.match(await header(preview), /: 3 changes/);
    await run(command.acceptChange);
    await run(command.rejectChange);
    assert.match(await header(preview), /: 1 change /);
    await run(command.saveFile);
    const text = await readFile('src/cart.ts');
    assert.match(text, /shippingFee = 590/);
    assert.doesNotMatch(text, /#coupon = undefined/);
    assert.deepEqual(messages(), []);
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
      await run(command.applyClipboard, fileUri('web/styles.css'));
      await waitFor(() => seen.length > 0, 'a request');
      assert.deepEqual(seen, [`Bearer ${apiKey}`]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('accepts the pending change', async () => {
    const preview = await waitFor(activePreview, 'the review in front');
    await run(command.acceptChange);
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
});
