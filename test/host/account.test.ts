import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { listen } from '../service/listen';
import { type StandIn, startStandIn } from '../service/standIn';
import { driver } from './driver';
import {
  activePreview,
  answer,
  closeAll,
  expectNoChange,
  fileUri,
  forgetMessages,
  forgetService,
  letTrialsRun,
  loggedLines,
  message,
  messages,
  openFile,
  restoreStubs,
  run,
  setClipboard,
  setSetting,
  stub,
  typeApiKey,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-canary-4f0c9b1e77aa';
const edit = `// src/cart.ts
// ... existing code ...
  remove(sku: string): boolean {
    this.#coupon = undefined;
    return this.#lines.delete(sku);
  }
// ... existing code ...
`;

const merge = (code: string) => code.replace('shippingFee = 490', 'shippingFee = 590');

/** Removes the key; returns what the user is told. */
async function originKnown(): Promise<string> {
  await run('splice.service.removeApiKey');
  return messages().at(-1) ?? '';
}

describe('the service address and its key', () => {
  let standIn: StandIn;
  let other: StandIn;

  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, merge });
    other = await startStandIn({ apiKey, merge });
    await setSetting('splice.apply.engine', 'service');
    await openFile('src/cart.ts');
    await setClipboard(edit);
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
    await other.close();
  });

  it('stores a key for the origin of the address', async () => {
    await setSetting('splice.service.baseUrl', `${standIn.url}/v1`);
    await typeApiKey(apiKey);
    await message(/^The API key for 127\.0\.0\.1:\d+ is stored\. It was not tried\.$/);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'a review');
    assert.deepEqual(
      standIn.requests.map(({ path: to, headers }) => [to, headers.authorization]),
      [['/v1/chat/completions', `Bearer ${apiKey}`]],
    );
    assert.equal(await originKnown(), `The API key for ${standIn.url} was removed.`);
  });

  /** Types a key and lets it be tried. */
  async function tryKey(key: string, url = standIn.url): Promise<void> {
    await setSetting('splice.service.baseUrl', url);
    letTrialsRun();
    stub(vscode.window, 'showInputBox', async () => key);
    await run('splice.service.setApiKey');
  }

  it('tries a key at once, with a read that costs nothing', async () => {
    await tryKey(` "Bearer ${apiKey}"\n`);
    await message(
      /^The API key for 127\.0\.0\.1:\d+ is stored and works: \d+ models, \d+ endpoints? ready\./,
    );
    assert.deepEqual(
      standIn.requests.map(({ method, headers }) => [method, headers.authorization]),
      [
        ['GET', undefined],
        ['GET', `Bearer ${apiKey}`],
        ['GET', undefined],
      ],
    );
  });

  it('asks whether to keep a key that the service refuses', async () => {
    await tryKey(apiKey);
    forgetMessages();
    answer(/refuses the API key/, 'Use the Previous Key');
    await tryKey('sk-canary-wrong');
    const { buttons, level } = await message(
      /^127\.0\.0\.1:\d+ refuses the API key that is stored/,
    );
    assert.equal(level, 'error');
    assert.deepEqual(buttons, ['Change API Key…', 'Use the Previous Key', 'Keep It']);
    await message(/^The previous API key is stored again\.$/);
    standIn.requests.length = 0;
    await tryKey(apiKey);
    await message(/is stored and works/);
  });

  it('removes a refused key when the user wants that, and keeps it otherwise', async () => {
    await tryKey('sk-canary-wrong');
    await message(/refuses the API key/);
    assert.equal(await originKnown(), `The API key for ${standIn.url} was removed.`);
    forgetMessages();
    answer(/refuses the API key/, 'Remove It');
    await tryKey('sk-canary-wrong');
    await message(/was removed\.$/);
    assert.equal(await originKnown(), 'No API key was stored.');
  });

  it('stores a key for an address that cannot be reached, and says so with the next steps', async () => {
    await standIn.close();
    await tryKey(apiKey);
    const { buttons, text } = await message(
      /^The API key for .* is stored, but it could not be tried\./,
    );
    assert.match(text, /refuses the connection: nothing listens on this port \(ECONNREFUSED\)\./);
    assert.deepEqual(buttons, ['Try Again', 'Set Service URL…', 'Diagnose Connection']);
    assert.equal(await originKnown(), `The API key for ${standIn.url} was removed.`);
  });

  it('says that something else answers at an address', async () => {
    const portal = await listen((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    );
    letTrialsRun();
    stub(vscode.window, 'showInputBox', async () => portal.url);
    await run('splice.service.setUrl');
    const { buttons } = await message(
      /^Requests now go to .*, but something else answers there\. A web page/,
    );
    assert.deepEqual(buttons, ['Try Again', 'Set Service URL…', 'Diagnose Connection']);
    await portal.close();
  });

  it('names a settings file that cannot be written, with a way to open it', async () => {
    stub(vscode.workspace, 'getConfiguration', () => ({
      get: () => undefined,
      inspect: () => undefined,
      update: async () => Promise.reject(new Error('Unable to write into user settings.')),
    }));
    stub(vscode.window, 'showInputBox', async () => standIn.url);
    await run('splice.service.setUrl');
    const { buttons } = await message(/^Unable to write into user settings\.$/);
    assert.deepEqual(buttons, ['Open Settings (JSON)']);
    restoreStubs();
  });

  it('sends nothing after the key is removed', async () => {
    await useService(standIn.url, apiKey);
    await run('splice.service.removeApiKey');
    await expectNoChange(async () => run('splice.apply.clipboard'));
    const { buttons } = await message(
      /^No API key is set for this service\. Nothing was changed\./,
    );
    assert.deepEqual(buttons, ['Use the Local Merge', 'Set API Key…']);
    assert.equal(await originKnown(), 'No API key was stored.');
    assert.deepEqual(standIn.requests, []);
  });

  it('sends no key and no file to another origin', async () => {
    await useService(standIn.url, apiKey);
    letTrialsRun();
    stub(vscode.window, 'showInputBox', async () => other.url);
    await run('splice.service.setUrl');
    await message(
      new RegExp(
        `^Requests now go to ${other.url}, which answers\\. The stored key belongs to ${standIn.url} and`,
      ),
    );
    await expectNoChange(async () => run('splice.apply.clipboard'));
    await message(/^No API key is set for this service\./);
    // The address was tried, without a key.
    assert.deepEqual(
      other.requests.map(({ headers, body }) => [headers.authorization, body]),
      [[undefined, '']],
    );
    assert.deepEqual(standIn.requests, []);
    assert.equal(await originKnown(), `The API key for ${standIn.url} was removed.`);
  });

  it('refuses http to other computers: uses https where it is typed, and nothing from the settings', async () => {
    const wording =
      /^The service address must begin with https:\/\/; http:\/\/ works only for this/;
    let said: unknown;
    stub(
      vscode.window,
      'showInputBox',
      async (options: vscode.InputBoxOptions) =>
        void (said = options.validateInput?.('http://service.example')),
    );
    await run('splice.service.setUrl');
    assert.deepEqual(said, {
      message: 'The address https://service.example is used.',
      severity: vscode.InputBoxValidationSeverity.Info,
    });

    await setSetting('splice.service.baseUrl', 'http://service.example');
    await run('splice.service.setApiKey');
    const { buttons } = await message(wording);
    assert.deepEqual(buttons, ['Set Service URL…', 'Show Log']);
    await expectNoChange(async () => run('splice.apply.clipboard'));
    assert.equal(await originKnown(), 'No API key was stored.');
  });

  it('refuses a key with spaces while it is typed', async () => {
    await setSetting('splice.service.baseUrl', standIn.url);
    let asked: vscode.InputBoxOptions | undefined;
    stub(
      vscode.window,
      'showInputBox',
      async (options: vscode.InputBoxOptions) => void (asked = options),
    );
    await run('splice.service.setApiKey');
    assert.equal(
      asked?.validateInput?.('sk one'),
      'An API key has no spaces or line breaks: this is more than a key.',
    );
    assert.equal(asked?.validateInput?.(` ${apiKey}\n`), undefined);
    assert.equal(await originKnown(), 'No API key was stored.');
  });

  it('takes no address from the settings of a folder', async () => {
    await useService(other.url, apiKey);
    await useService(standIn.url, apiKey);
    const file = fileUri('.vscode/settings.json');
    const hostile = { ['splice.service.baseUrl']: other.url, ['splice.network.transport']: 'host' };
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(hostile)));
    try {
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'a review');
      assert.deepEqual([standIn.requests.length, other.requests.length], [1, 0]);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(file, '..'), { recursive: true });
    }
  });

  it('writes the key into no log and no file', async function () {
    if (!driver.available) this.skip(); // elsewhere the data directory is not known
    await useService(standIn.url, apiKey);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'a review');
    standIn.merge = () => {
      throw new Error('no answer');
    };
    await useService(other.url, 'sk-canary-wrong-key');
    await closeAll();
    await run('splice.apply.clipboard');
    await message(/refused the API key/);
    const log = loggedLines().join('\n');
    assert.match(log, /POST \/v1\/chat\/completions 200 ok/);
    assert.match(log, /POST \/v1\/chat\/completions 401 unauthorized/);
    assert.ok(!log.includes('sk-canary-'), 'the key is in the log');

    // The directory of this launch: the data of the server, its logs, and the workspace.
    const base = path.dirname(fileUri('').fsPath);
    assert.ok(filesIn(base).some(file => file.endsWith('User/settings.json')));
    const leaks = filesIn(base).filter(file => readFileSync(file).includes('sk-canary-'));
    assert.deepEqual(leaks, []);
  });
});

function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return filesIn(file);
    return entry.isFile() ? [file] : [];
  });
}
