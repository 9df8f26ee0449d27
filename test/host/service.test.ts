import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type FaultServer, startFaultServer } from '../service/faultServer';
import type { FaultName } from '../service/faults';
import { type StandIn, startStandIn } from '../service/standIn';
import { newLine, oldLine, snippet } from './sampleEdit';
import {
  activePreview,
  answer,
  closeAll,
  expectNoChange,
  fileUri,
  forgetService,
  lensTitles,
  message,
  messages,
  openFile,
  readFile,
  reviewTabs,
  run,
  setClipboard,
  setSetting,
  shownMessages,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-host-test-0123456789';
const certain = `// src/cart.ts\n${snippet}\n`;
const twins = `function first() {
  start();
  work();
  stop();
}

function second() {
  start();
  work();
  stop();
}
`;
/** Fits into both functions. */
const uncertain = `// twins.js
// ... existing code ...
  work();
  log();
// ... existing code ...
`;

describe('apply with the service', () => {
  let standIn: StandIn;

  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, merge: code => code.replace(oldLine, newLine) });
    await useService(standIn.url, apiKey);
    await openFile('src/cart.ts');
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });

  it('merges there when the settings say so, and the review names the model', async () => {
    await setSetting('splice.apply.engine', 'service');
    const original = await readFile('src/cart.ts');
    await setClipboard(certain);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    assert.match((await lensTitles(preview))[0] ?? '', /1 change .* merged by svc-v3-fast in /);
    assert.equal(standIn.requests.length, 1);
    assert.match(JSON.stringify(standIn.requests[0]?.body), /"stream":true/);
    await run('splice.apply.acceptAll');
    const document = await vscode.workspace.openTextDocument(fileUri('src/cart.ts'));
    assert.equal(document.getText(), original.replace(oldLine, newLine));
    assert.deepEqual(messages(), []);
  });

  it('sends nothing for a certain merge', async () => {
    await setClipboard(certain);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    assert.match((await lensTitles(preview))[0] ?? '', /merged locally/);
    assert.deepEqual(standIn.requests, []);
  });

  it('sends an uncertain merge once', async () => {
    await writeFile('twins.js', twins);
    standIn.merge = code => code.replace('work();', 'work();\n  log();');
    await setClipboard(uncertain);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    assert.match(
      (await lensTitles(preview))[0] ?? '',
      /^\$\(git-compare\) twins\.js: .* merged by/,
    );
    assert.equal(standIn.requests.length, 1);
  });

  it('keeps an uncertain merge here when the engine is local', async () => {
    await writeFile('twins.js', twins);
    await setSetting('splice.apply.engine', 'local');
    await setClipboard(uncertain);
    await expectNoChange(async () => run('splice.apply.clipboard'));
    await message(/^The snippet fits at two places of twins\.js: lines? \d+/);
    assert.deepEqual(standIn.requests, []);
  });

  it('asks once more before a merge that the audit calls wrong is accepted', async () => {
    await setSetting('splice.apply.engine', 'service');
    // Leaves a marker behind and forgets the change.
    standIn.merge = code => code.replace('  shipping()', '// ... existing code ...\n  shipping()');
    const original = await readFile('src/cart.ts');
    await setClipboard(certain);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    const titles = await lensTitles(preview);
    assert.ok(
      titles.some(title => /^\$\(error\) \d+ findings?$/.test(title)),
      titles.join('\n'),
    );

    await run('splice.apply.acceptAll');
    const question = await message(/^The merge of cart\.ts may be wrong\.$/);
    assert.deepEqual(question.buttons, ['Do Not Accept', 'Accept Anyway']);
    assert.ok(question.isModal);
    assert.match(question.detail ?? '', /Line \d+: A placeholder for existing code was left/);
    const document = await vscode.workspace.openTextDocument(fileUri('src/cart.ts'));
    assert.equal(document.getText(), original, 'accepted without a confirmation');
    assert.equal(activePreview(), preview, 'the review is gone');

    answer(/may be wrong/, 'Accept Anyway');
    await run('splice.apply.acceptAll');
    assert.match(document.getText(), /^\/\/ \.\.\. existing code \.\.\.$/m);
    assert.equal(await readFile('src/cart.ts'), original, 'saved without being asked to');
  });

  it('merges again with the large model in place of the review', async () => {
    await setClipboard(certain);
    await run('splice.apply.clipboard');
    const local = await waitFor(activePreview, 'a review');
    await run('splice.apply.retryWithService');
    const preview = await waitFor(() => {
      const now = activePreview();
      return now?.uri.toString() !== local.uri.toString() && now;
    }, 'another review');
    assert.match((await lensTitles(preview))[0] ?? '', /merged by/);
    assert.match(JSON.stringify(standIn.requests[0]?.body), /"model":"svc-v3-large"/);
    assert.equal(reviewTabs().length, 1);
  });
});

describe('a service that fails', () => {
  let server: FaultServer;

  beforeEach(async () => {
    server = await startFaultServer();
    await useService(server.url, apiKey);
    await setSetting('splice.apply.engine', 'service');
    await openFile('src/cart.ts');
    await setClipboard(certain);
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await server.close();
  });

  const failures: [FaultName, RegExp, requests: number, ...string[]][] = [
    [
      'status401',
      /^The service refused the API key\. Nothing was changed\.$/,
      1,
      'Change API Key…',
      'Diagnose Connection',
    ],
    [
      'retryAfterLong',
      /^The service has had too many requests\. Try again after \d\d:\d\d:\d\d/,
      1,
    ],
    [
      'status500',
      /^The service failed \(500\)\. It said: server says no\. Nothing was changed\.$/,
      3,
      'Diagnose Connection',
    ],
    ['streamNoDone', /^The answer ended before it was complete\. Nothing was changed\.$/, 1],
    ['streamCut', /^The (connection|answer) .* Nothing was changed\.$/, 1],
  ];
  for (const [fault, wording, requests, ...buttons] of failures) {
    it(`changes nothing and says why: ${fault}`, async () => {
      server.script(fault);
      await expectNoChange(async () => run('splice.apply.clipboard'));
      const shown = await message(wording);
      // How a connection ends that is cut is up to the system.
      if (shown.text.startsWith('The connection')) buttons.push('Diagnose Connection');
      assert.deepEqual(shown.buttons, ['Use the Local Merge', ...buttons]);
      assert.equal(shownMessages().length, 1);
      assert.equal(server.requests.length, requests);
    });
  }

  it('merges locally when that is wanted', async () => {
    server.script('streamNoDone');
    answer(/^The answer ended/, 'Use the Local Merge');
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'a review');
    assert.match((await lensTitles(preview))[0] ?? '', /1 change .* merged locally/);
  });

  it('leads to the key when it is refused', async () => {
    server.script('status401');
    answer(/refused the API key/, 'Change API Key…');
    let asked: vscode.InputBoxOptions | undefined;
    stub(vscode.window, 'showInputBox', async (options: vscode.InputBoxOptions) => {
      asked = options;
    });
    await expectNoChange(async () => run('splice.apply.clipboard'));
    assert.match(asked?.title ?? '', /^API key for 127\.0\.0\.1:\d+$/);
    assert.equal(asked?.password, true);
  });

  it('says what is wrong when there is no local merge to offer', async () => {
    await writeFile('twins.js', twins);
    server.script('status401');
    await setClipboard(uncertain);
    await expectNoChange(async () => run('splice.apply.clipboard'));
    const { level, buttons } = await message(/^The service refused the API key\.$/);
    assert.deepEqual(
      [level, buttons],
      ['error', ['Change API Key…', 'Diagnose Connection', 'Show Log']],
    );
  });

  it('ends a stalled call when the user cancels it, without a word', async () => {
    server.script('streamStall');
    const source = new vscode.CancellationTokenSource();
    let isShown = false;
    stub(
      vscode.window,
      'withProgress',
      async (
        options: vscode.ProgressOptions,
        task: (progress: object, token: vscode.CancellationToken) => PromiseLike<unknown>,
      ) => {
        isShown = options.cancellable === true;
        await task({ report: () => undefined }, source.token);
      },
    );
    await expectNoChange(async () => {
      const applied = run('splice.apply.clipboard');
      await waitFor(() => isShown, 'a progress with a Cancel button');
      source.cancel();
      await applied;
    });
    assert.deepEqual(messages(), []);
    await waitFor(() => server.requests[0]?.cut, 'the end of the connection');
    assert.equal(server.requests.length, 1);
  });
});
