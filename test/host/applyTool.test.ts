import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { prepareApply } from '../../src/apply/applyTool';
import { applyTool } from '../../src/apply/ids';
import { type StandIn, startStandIn } from '../service/standIn';
import {
  activePreview,
  closeAll,
  fileUri,
  forgetService,
  invokeTool,
  openFile,
  questionText,
  readFile,
  reviewTabs,
  run,
  setSetting,
  shownMessages,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-apply-tool-0123456789';
const code = 'export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n';
const update = (from: string, to: string) =>
  `// ... existing code ...\nexport function ${from}() {\n  return ${to};\n}\n// ... existing code ...\n`;
const twin = (name: string) => `function ${name}() {\n  start();\n  work();\n  stop();\n}\n`;
const diffs = (text: string) => [...text.matchAll(/^[-+](?![-+]).*$/gm)].map(([line]) => line);

const invoke = async (input: object, token?: vscode.CancellationToken) =>
  invokeTool(applyTool, input, token);

const confirmation = async (isReady: boolean, input: object): Promise<string> => {
  const client = { isReady: async () => isReady, apply: () => assert.fail('nothing is sent') };
  return questionText(await prepareApply(client, input));
};

describe('the tool splice_apply', () => {
  beforeEach(async () => writeFile('tool/a.ts', code));
  afterEach(async () => {
    await closeAll();
    await vscode.workspace.fs.delete(fileUri('tool'), { recursive: true });
  });

  it('opens a review, writes nothing, leaves the focus, and tells the agent what would change', async () => {
    const { document } = await openFile('src/cart.ts');
    const text = await invoke({ path: 'tool/a.ts', update: update('two', '22') });
    assert.match(text, /^Nothing is written yet\./);
    assert.match(text, /tool\/a\.ts: a review is open, \+1 −1 lines, merged on this machine\./);
    assert.deepEqual(diffs(text), ['-  return 2;', '+  return 22;']);
    assert.equal(reviewTabs().length, 1);
    assert.equal(await readFile('tool/a.ts'), code);
    assert.equal(document.isDirty, false);
    assert.equal(shownMessages().length, 0);
    const { input } = reviewTabs()[0] ?? assert.fail();
    assert.ok(input instanceof vscode.TabInputText);
    await vscode.window.showTextDocument(input.uri);
    await run('splice.apply.acceptAll');
    const file = await vscode.workspace.openTextDocument(fileUri('tool/a.ts'));
    await waitFor(() => file.getText() === code.replace('return 2', 'return 22'), 'the change');
    assert.match(
      await invoke({ path: 'tool/a.ts', update: update('two', '22') }),
      /already holds this edit/,
    );
  });

  it('merges into unsaved text, and later edits on top of what is undecided', async () => {
    const { document } = await openFile('tool/a.ts');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// unsaved\n');
    await vscode.workspace.applyEdit(edit);
    await invoke({ path: 'tool/a.ts', update: update('one', '11') });
    const text = await invoke({
      path: path.join(fileUri('tool').fsPath, 'a.ts'),
      update: update('two', '22'),
    });
    assert.match(text, /also holds the changes that were undecided before/);
    assert.deepEqual(diffs(text), ['-  return 2;', '+  return 22;']);
    assert.equal(reviewTabs().length, 1);
    const { input } = reviewTabs()[0] ?? assert.fail();
    assert.ok(input instanceof vscode.TabInputText);
    // Documents of reviews before this one stay known to VS Code for a while.
    const preview = await vscode.workspace.openTextDocument(input.uri);
    const shown = preview.getText();
    for (const line of ['// unsaved', '  return 11;', '  return 22;'])
      assert.ok(shown.split('\n').includes(line), line);
    assert.match(
      await invoke({ path: 'tool/a.ts', update: update('one', '11') }),
      /has not decided yet, already holds/,
    );
  });

  it('takes several edits, and refuses one of them with what to send instead', async () => {
    await writeFile('tool/b.ts', code);
    const text = await invoke({
      edits: [
        { path: 'tool/a.ts', update: update('one', '11') },
        { path: 'tool/gone.ts', update: 'x' },
        {
          path: 'tool/b.ts',
          update: '<<<<<<< SEARCH\nno such line\n=======\nx\n>>>>>>> REPLACE\n',
        },
      ],
    });
    assert.match(text, /tool\/a\.ts: a review is open/);
    assert.match(text, /tool\/gone\.ts: refused\. There is no file/);
    assert.match(text, /tool\/b\.ts: refused\. /);
    assert.match(text, /Nothing of it was applied\. Read the file again/);
    assert.equal(reviewTabs().length, 1);
  });

  it('shows the first file of several, and the next one after each decision', async () => {
    const names = ['a', 'b', 'c'];
    for (const name of names) await writeFile(`tool/${name}.ts`, code);
    const edits = names.map(name => ({ path: `tool/${name}.ts`, update: update('one', '11') }));
    await invoke({ edits });
    for (const name of names) {
      const [tab] = await waitFor(
        () => reviewTabs().some(({ label }) => label.startsWith(name)) && reviewTabs(),
        name,
      );
      assert.equal(reviewTabs().length, 1);
      assert.ok(tab?.input instanceof vscode.TabInputText);
      await vscode.window.showTextDocument(tab.input.uri);
      await run('splice.apply.acceptAll');
    }
    await waitFor(() => reviewTabs().length === 0, 'the end of the last review');
    for (const name of names) {
      const file = await vscode.workspace.openTextDocument(fileUri(`tool/${name}.ts`));
      assert.equal(file.getText(), code.replace('return 1', 'return 11'));
    }
  });

  it('refuses paths that lead out of the workspace, or to what may hold keys', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'splice-out-'));
    writeFileSync(path.join(outside, 'a.ts'), code);
    symlinkSync(path.join(outside, 'a.ts'), fileUri('tool/link.ts').fsPath);
    await writeFile('tool/.env', 'A=1\n');
    const cases: [string, RegExp][] = [
      ['tool/link.ts', /outside the workspace/],
      [path.join(outside, 'a.ts'), /outside the workspace/],
      ['../../../../../../etc/hosts', /outside the workspace|There is no file/],
      ['tool/.env', /hidden or may contain keys/],
      ['tool', /is a folder/],
    ];
    for (const [named, wording] of cases) {
      const text = await invoke({ path: named, update: update('one', '11') });
      assert.match(text, wording);
      assert.ok(!text.includes('return 1'), 'no content');
    }
    assert.equal(reviewTabs().length, 0);
    rmSync(outside, { recursive: true });
  });

  it('refuses wrong input in a sentence', async () => {
    await assert.rejects(invoke({ path: 'tool/a.ts' }), /"update" is the changed code/);
    await assert.rejects(invoke({ path: 'a', update: 'x', edits: [{}] }), /Give either "path"/);
  });

  it('says before it runs which file, how much, and whether it leaves the machine', async () => {
    const sure = { path: 'tool/a.ts', update: update('one', '11') };
    const local = await confirmation(true, sure);
    assert.match(local, /^Open a review of an edit\?\n/);
    assert.match(local, /tool\/a\.ts: 5 lines/);
    assert.match(local, /merged on this machine; nothing is sent/);
    assert.match(local, /Nothing is written until you accept/);
    await setSetting('splice.service.baseUrl', 'https://service.example');
    await setSetting('splice.apply.engine', 'service');
    assert.match(
      await confirmation(true, sure),
      /complete files and the edits are sent to service.example/,
    );
    await forgetService();
  });

  describe('with the service', () => {
    let standIn: StandIn;
    beforeEach(async () => {
      standIn = await startStandIn({
        apiKey,
        merge: text => text.replace('return 1', 'return 11'),
      });
      await useService(standIn.url, apiKey);
      await setSetting('splice.apply.engine', 'service');
    });
    afterEach(async () => {
      await forgetService();
      await standIn.close();
    });

    it('sends the instruction along, and names who merged', async () => {
      const text = await invoke({
        path: 'tool/a.ts',
        update: update('one', '11'),
        instruction: 'I make one eleven.',
      });
      assert.match(text, /merged by the service/);
      assert.ok(JSON.stringify(standIn.requests[0]?.body).includes('I make one eleven.'));
    });

    it('says why the service, which auto asked, did not merge', async () => {
      await setSetting('splice.apply.engine', 'auto');
      await writeFile('tool/a.ts', `${twin('first')}\n${twin('second')}`);
      standIn.inject('POST /v1/chat/completions', {
        fault: response => {
          response.writeHead(401, { 'content-type': 'application/json' });
          response.end('{"error":{"code":"unauthorized","message":"invalid API key"}}');
        },
      });
      const text = await invoke({
        path: 'tool/a.ts',
        update: '// ... existing code ...\n  work();\n  log();\n// ... existing code ...\n',
      });
      assert.match(text, /The service refused the API key/);
    });

    it('can be canceled, and leaves no request and no review', async () => {
      let aborted = false;
      standIn.inject('POST /v1/chat/completions', {
        fault: response => {
          response.on('close', () => (aborted = true));
        },
      });
      const source = new vscode.CancellationTokenSource();
      const pending = invoke({ path: 'tool/a.ts', update: update('one', '11') }, source.token);
      const end = assert.rejects(pending, /Cancel/i);
      await waitFor(() => standIn.requests.length > 0, 'the request');
      source.cancel();
      await end;
      await waitFor(() => aborted, 'the end of the connection');
      assert.equal(activePreview(), undefined);
      assert.equal(reviewTabs().length, 0);
    });
  });
});
