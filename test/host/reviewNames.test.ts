// What VS Code shows of a review's URI.
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { asRead } from './asRead';
import { driver } from './driver';
import {
  activePreview,
  closeAll,
  openFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

async function review(name: string): Promise<vscode.TextDocument> {
  await writeFile(name, 'one = 1\ntwo = 2\n');
  await openFile(name);
  await setClipboard(`<<<<<<< SEARCH\ntwo = 2\n=======\ntwo = 3\n>>>>>>> REPLACE\n`);
  await run('splice.apply.clipboard', (await openFile(name)).document.uri);
  return waitFor(() => {
    const preview = activePreview();
    return preview?.uri.path.includes(name) && preview;
  }, `the review of ${name}`);
}

const crumbs = async () =>
  (
    await driver.text('.editor-group-container.active .breadcrumbs-control .monaco-breadcrumb-item')
  ).join(' › ');

describe('the names of a review', () => {
  afterEach(closeAll);

  it('are those of the file, without an id', async function () {
    const { uri } = await review('names/cart.ts');
    assert.equal(asRead(uri.path), '/TypeScript review/names/cart.ts (review)');
    assert.match(uri.authority, /^[0-9a-f]{8}$/);
    if (!driver.available) this.skip();
    await waitFor(
      async () => (await crumbs()).startsWith('TypeScript review › names › cart.ts (review)'),
      'the breadcrumb',
    );
    // VS Code puts the extension in an element of its own.
    const tabs = (await driver.text('.tab.active .monaco-icon-label-container')).map(tab =>
      tab.replaceAll('\n', ''),
    );
    assert.deepEqual(tabs, ['cart.ts (review)']);
  });

  // VS Code prefers the language of a whole file name to the one of a folder.
  for (const [name, languageId] of [
    ['names/Makefile', 'makefile'],
    ['names/tsconfig.json', 'jsonc'],
    ['names/a.cpp', 'cpp'],
    ['names/a.cs', 'csharp'],
    ['names/a.unknown', 'plaintext'],
  ] as const) {
    it(`leave a review of ${name} its private language`, async () => {
      const preview = await review(name);
      assert.equal(preview.languageId, `splice-review-${languageId}`);
    });
  }
});
