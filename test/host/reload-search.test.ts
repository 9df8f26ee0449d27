// Phase 1 leaves a search in the history; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  fileUri,
  messages,
  openedQuickPicks,
  pressEnter,
  readFile,
  run,
  setClipboard,
  waitFor,
} from './support';

const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const query = 'shippingFee freeShippingFrom';

(isFirst ? describe : describe.skip)('a search before a reload', () => {
  it('finds something', async () => {
    await run('splice.search.start', query);
    await setClipboard('');
    await run('splice.search.copyAll');
    assert.match(await vscode.env.clipboard.readText(), /^src\/cart\.ts:\d+-\d+/);
    // Below the lines that were found, and not seen by the search.
    const text = `${await readFile('src/cart.ts')}\n// end\n`;
    await vscode.workspace.fs.writeFile(fileUri('src/cart.ts'), new TextEncoder().encode(text));
  });
});

(isFirst ? describe.skip : describe)('a search after a reload', () => {
  it('is shown again from the history', async () => {
    const picks = openedQuickPicks();
    const picking = run('splice.search.history');
    const list = await waitFor(() => picks[0], 'the list');
    await pressEnter(list, RegExp(query));
    await picking;
    await setClipboard('');
    await run('splice.search.copyAll');
    assert.match(
      await vscode.env.clipboard.readText(),
      /^src\/cart\.ts:\d+-\d+ {2}.*(?:shippingFee|freeShippingFrom)/m,
    );
    assert.deepEqual(messages(), []);
  });
});
