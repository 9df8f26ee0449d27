// Any extension may run our commands, with whatever arguments.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startStandIn } from '../service/standIn';
import { watchWindow } from './paletteWalk';
import { hideServiceViewsAfter } from './rowTree';
import {
  closeAll,
  fileUri,
  forgetMessages,
  forgetService,
  readFile,
  shownMessages,
  useService,
} from './support';

const apiKey = 'sk-foreign-CANARY-0123456789';
/** A command that still waits for its user gives nothing back. */
const patienceMs = 1500;

const odd: readonly (readonly unknown[])[] = [
  ['splice'],
  [{ key: apiKey.length, toString: 'x', uri: null }],
  [null, -1, [[]]],
  [fileUri('../outside.txt'), { startLine: 0, endLine: Infinity }],
];

describe('our commands, run by another extension', function () {
  this.timeout(600_000);
  hideServiceViewsAfter();
  afterEach(async () => {
    await closeAll();
    await forgetService();
  });

  it('give nobody the key, change no file and send none, whatever the arguments', async () => {
    const standIn = await startStandIn({ apiKey });
    await useService(standIn.url, apiKey);
    const before = await readFile('src/cart.ts');
    const seen: string[] = [];
    watchWindow(what => seen.push(what));
    const all = await vscode.commands.getCommands(true);
    const own = all.filter(
      id =>
        id.startsWith('splice.') &&
        !/\.(?:focus|open|resetViewLocation|removeView|toggleVisibility)$/.test(id),
    );
    assert.ok(own.length > 40, `${own.length}`);
    // Without the one that takes the key away, which the others need.
    for (const id of own.filter(one => one !== 'splice.service.removeApiKey'))
      for (const args of odd) {
        const given = await Promise.race([
          Promise.resolve(vscode.commands.executeCommand(id, ...args)).catch(String),
          new Promise(resolve => setTimeout(resolve, patienceMs)),
        ]);
        const told = JSON.stringify([given ?? null, shownMessages(), seen]);
        assert.ok(!told.includes(apiKey), `${id}: ${told}`);
        forgetMessages();
        seen.length = 0;
      }
    assert.equal(await readFile('src/cart.ts'), before);
    const bodies = JSON.stringify(standIn.requests.map(({ body }) => body ?? null));
    assert.doesNotMatch(bodies, /class Cart|remove\(sku/);
    await standIn.close();
  });
});
