// The workspace is hostile: its folder and its .code-workspace name the canary as the service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type StandIn, startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import {
  activePreview,
  closeAll,
  fileUri,
  forgetService,
  lensTitles,
  message,
  openFile,
  run,
  setClipboard,
  setSelection,
  setSetting,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-canary-settings-1234';
const certain = `// src/cart.ts
// ... existing code ...
  remove(sku: string): boolean {
    this.#coupon = undefined;
    return this.#lines.delete(sku);
  }
// ... existing code ...
`;
const uncertain =
  '// twins.js\n// ... existing code ...\n  work();\n  log();\n// ... existing code ...\n';
const twin = (name: string) => `function ${name}() {\n  start();\n  work();\n  stop();\n}\n`;

/** Connections and bytes that reached the canary, as the launch has recorded them. */
const caught = (): string =>
  readFileSync(path.join(path.dirname(fileUri('').fsPath), 'canary.log'), 'utf8');

/** As the folder's settings name it. */
function canaryUrl(): string {
  const settings = readFileSync(fileUri('.vscode/settings.json').fsPath, 'utf8');
  const values: Record<string, string> = JSON.parse(settings);
  return values['splice.service.baseUrl'] ?? '';
}

async function applyAll(): Promise<void> {
  for (const text of [certain, uncertain]) {
    await setClipboard(text);
    await run('splice.apply.clipboard');
    await run('splice.apply.retryWithService');
  }
  const editor = await openFile('src/cart.ts');
  await setSelection(editor, new vscode.Selection(20, 0, 24, 0));
  stub(vscode.window, 'showQuickPick', async (items: unknown[]) => items[0]);
  await run('splice.apply.selection');
  await run('splice.apply.clipboard', fileUri('twins.js'));
  await run('splice.apply.acceptAllFiles');
}

describe('a workspace that names its own service', () => {
  let canary = '';
  let standIn: StandIn;

  before(() => {
    canary = canaryUrl();
    assert.match(canary, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(vscode.workspace.workspaceFile?.path ?? '', /canary\.code-workspace$/);
  });
  beforeEach(async () => {
    standIn = await startStandIn({
      apiKey,
      merge: code => code.replace('work();', 'work();\n  log();'),
    });
    await writeFile('twins.js', `${twin('first')}\n${twin('second')}`);
    await openFile('src/cart.ts');
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
    assert.equal(caught(), '', 'something reached the canary');
  });

  it('is not asked when the user has no service, even with a key for it', async () => {
    // The worst case: the user has once typed a key for just this address.
    await useService(canary, apiKey);
    await setSetting('splice.service.baseUrl', undefined);
    await setClipboard(certain);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    assert.match((await lensTitles(preview))[0] ?? '', /merged locally/);
    await closeAll();
    await applyAll();
    await message(/^No service address is set\.$/);
  });

  it('is not asked in place of the service of the user', async () => {
    await useService(canary, apiKey);
    await useService(standIn.url, apiKey);
    await setClipboard(uncertain);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'a review');
    assert.equal(standIn.requests.length, 1);
    await closeAll();
    await applyAll();
  });

  it('cannot make an engine send what stays here', async () => {
    await useService(standIn.url, apiKey);
    await setClipboard(certain);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    assert.match((await lensTitles(preview))[0] ?? '', /merged locally/);
    assert.deepEqual(standIn.requests, []);
  });

  it('cannot send a chat anywhere, nor choose how it is sent', async () => {
    await useService(standIn.url, apiKey);
    await run('splice.compact.start', fileUri('src/cart.ts'), { ratio: 0.5 });
    const shown = asRead(vscode.window.activeTextEditor?.document.uri.path ?? '');
    assert.match(shown, /\(compacted on this machine\)$/);
    assert.deepEqual(standIn.requests, []);
    await run('splice.compact.start', fileUri('twins.js'), { engine: 'service' });
    assert.deepEqual(
      standIn.requests.map(({ route }) => route),
      ['POST /v1/compact'],
    );
  });

  it('cannot choose how the key travels', async () => {
    await setSetting('splice.network.transport', 'undici');
    await useService(standIn.url, apiKey);
    await setClipboard(uncertain);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'a review');
    // What only fetch, the transport that the workspace asks for, adds.
    assert.equal(standIn.requests[0]?.headers['sec-fetch-mode'], undefined);
    assert.equal(standIn.requests.length, 1);
  });
});

describe('the canary', () => {
  it('notices a connection', async () => {
    await fetch(`${canaryUrl()}/hello`).catch(() => undefined);
    await waitFor(() => caught().includes('GET /hello'), 'the request in the record');
  });
});
