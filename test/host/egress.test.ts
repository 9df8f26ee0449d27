import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import * as vscode from 'vscode';
import { applyTool } from '../../src/apply/ids';
import { sentScheme } from '../../src/platform/ids';
import { searchTool } from '../../src/search/ids';
import { type StandIn, startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import {
  activePreview,
  answer,
  closeAll,
  expectNoChange,
  fileUri,
  forgetMessages,
  forgetService,
  invokeTool,
  lensTitles,
  message,
  openFile,
  readFile,
  run,
  setClipboard,
  setSetting,
  shownMessages,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-egress-test-0123456789';

const searchReplace = (path: string, from: string, to: string) =>
  `${path}\n<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`;
const textOf = async (path: string) =>
  (await vscode.workspace.openTextDocument(fileUri(path))).getText();
const questions = () => shownMessages().filter(({ isModal }) => isModal);

const start = async (...paths: string[]): Promise<void> => {
  for (const path of paths) {
    await openFile(path);
    await setClipboard(searchReplace(path, 'two', 'TWO'));
    await run('splice.apply.clipboard');
    await waitFor(() => activePreview()?.uri.path.includes(path.split('/').at(-1) ?? ''), path);
  }
  forgetMessages();
};

const code = (line: string) => `function a() {\n  start();\n  ${line}\n}\n`;
const snippet = (path: string) =>
  `// ${path}\nfunction a() {\n  start(1);\n// ... existing code ...\n}\n`;

const applyTo = async (path: string): Promise<void> => {
  await openFile(path);
  await setClipboard(snippet(path));
  await run('splice.apply.clipboard');
};

describe('an edit of a file that runs commands', () => {
  const folder = 'commands';
  const task = `${folder}/.vscode/tasks.json`;
  const flow = `${folder}/.github/workflows/ci.yml`;
  const plain = `${folder}/a.ts`;

  beforeEach(async () => {
    for (const path of [task, flow, plain]) await writeFile(path, 'one\ntwo\nthree\n');
    mkdirSync(fileUri(`${folder}/links`).fsPath, { recursive: true });
    symlinkSync('../.vscode/tasks.json', fileUri(`${folder}/links/notes.txt`).fsPath);
  });
  afterEach(async () => {
    await closeAll();
    rmSync(fileUri(folder).fsPath, { recursive: true });
  });

  it('asks for each such file by name in Accept All Files, and takes the others', async () => {
    await start(task, flow, plain);
    await run('splice.apply.acceptAllFiles');
    assert.deepEqual(
      questions()
        .map(({ text }) => text)
        .sort(),
      [`Accept the change to ${flow}?`, `Accept the change to ${task}?`],
    );
    assert.deepEqual(questions()[0]?.buttons, ['Do Not Accept', 'Accept']);
    assert.equal(await textOf(plain), 'one\nTWO\nthree\n');
    assert.equal(await textOf(task), 'one\ntwo\nthree\n');
    assert.equal(await textOf(flow), 'one\ntwo\nthree\n');
  });

  it('asks again at each try, and accepts what the user says', async () => {
    await start(task);
    await run('splice.apply.acceptAll');
    await run('splice.apply.acceptChange');
    assert.equal(questions().length, 2);
    assert.equal(await textOf(task), 'one\ntwo\nthree\n');
    answer(/Accept the change to/, 'Accept');
    await run('splice.apply.acceptAll');
    assert.equal(questions().length, 3);
    assert.match(
      questions()[0]?.detail ?? '',
      /^Editors read this file and may run commands in it\./,
    );
    await waitFor(async () => (await textOf(task)) === 'one\nTWO\nthree\n', 'the change');
  });

  it('asks where a link leads there', async () => {
    const link = `${folder}/links/notes.txt`;
    await start(link);
    await run('splice.apply.acceptAll');
    await message(/^Accept the change to commands\/links\/notes\.txt\?$/);
    assert.equal(await textOf(link), 'one\ntwo\nthree\n');
  });

  it('asks nothing for another file', async () => {
    await start(plain);
    await run('splice.apply.acceptAll');
    assert.deepEqual(questions(), []);
    assert.equal(await textOf(plain), 'one\nTWO\nthree\n');
  });
});

describe('a merge by the service', () => {
  let standIn: StandIn;
  const key = 'sk-proj-CANARYaB3dE5fG7hJ9kL1mN';

  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, merge: text => text.replace('start()', 'start(1)') });
    await useService(standIn.url, apiKey);
    await setSetting('splice.apply.engine', 'service');
    await writeFile('gate/.gitignore', 'generated/\n');
    await writeFile('gate/plain.js', code('stop();'));
    await writeFile('gate/holder.js', code(`connect("${key}");`));
    await writeFile('gate/generated/x.js', code('stop();'));
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
    rmSync(fileUri('gate').fsPath, { recursive: true });
  });

  for (const [path, why] of [
    [
      'gate/holder.js',
      /^Unless you send it, gate\/holder\.js stays on this machine\. It seems to hold a key or a password\./,
    ],
    ['gate/generated/x.js', /An ignore file of the workspace excludes it\./],
  ] as const) {
    it(`asks before it gets ${path}, and gets nothing without an answer`, async () => {
      await expectNoChange(async () => {
        await openFile(path);
        await setClipboard(snippet(path));
        await run('splice.apply.clipboard');
        await run('workbench.action.closeActiveEditor');
      });
      const [question] = questions();
      assert.equal(question?.text, `Send ${path} to ${new URL(standIn.url).host} to be merged?`);
      assert.match(question.detail ?? '', why);
      assert.deepEqual(question.buttons, ['Merge on This Machine', 'Send Anyway']);
      assert.deepEqual(standIn.requests, []);
    });

    it(`merges ${path} here, where the user wants that`, async () => {
      answer(/^Send /, 'Merge on This Machine');
      await applyTo(path);
      const preview = await waitFor(activePreview, 'a review');
      assert.match((await lensTitles(preview))[0] ?? '', /merged locally/);
      assert.deepEqual(standIn.requests, []);
    });
  }

  it('gets such a file where the user says so by name', async () => {
    answer(/^Send /, 'Send Anyway');
    await applyTo('gate/holder.js');
    await waitFor(activePreview, 'a review');
    assert.match(JSON.stringify(standIn.requests[0]?.body), /CANARY/);
  });

  it('asks about a key in the edit of a plain file, and sends what was agreed to', async () => {
    const keyed = snippet('gate/plain.js').replace('start(1)', `start("${key}")`);
    const apply = async (): Promise<void> => {
      await openFile('gate/plain.js');
      await setClipboard(keyed);
      await run('splice.apply.clipboard');
    };
    await expectNoChange(async () => {
      await apply();
      await run('workbench.action.closeActiveEditor');
    });
    const [question] = questions();
    assert.match(
      question?.detail ?? '',
      /^Unless you send it, the edit of gate\/plain\.js stays on this machine\. It seems to hold a key or a password\./,
    );
    assert.equal(standIn.requests.length, 0);
    answer(/^Send /, 'Send Anyway');
    await apply();
    await waitFor(activePreview, 'a review');
    assert.match(JSON.stringify(standIn.requests[0]?.body), /CANARY/);
  });

  it('says so where the edit of such a file holds another key', async () => {
    const other = 'ghp_CANARYabcdefghijklmnopqrstuvwxyz01';
    await openFile('gate/holder.js');
    await setClipboard(snippet('gate/holder.js').replace('start(1)', `start("${other}")`));
    await run('splice.apply.clipboard');
    assert.match(
      questions()[0]?.detail ?? '',
      /The edit also seems to contain a key or a password\.$/,
    );
    assert.equal(standIn.requests.length, 0);
  });

  it('never gets one from an agent, who is told why', async () => {
    for (const path of ['gate/holder.js', 'gate/generated/x.js']) {
      const text = await invokeTool(applyTool, { path, update: snippet(path) });
      assert.match(text, /merged on this machine\./);
      assert.match(text, /stays on this machine/);
    }
    assert.deepEqual(standIn.requests, []);
    assert.deepEqual(questions(), []);
  });

  it('is written down: what left, for what, to whom, and no content', async () => {
    await applyTo('gate/plain.js');
    await waitFor(activePreview, 'a review');
    await run('splice.privacy.showSent');
    const uri = vscode.Uri.from({ scheme: sentScheme, path: '/What Was Sent.md' });
    const report = asRead((await vscode.workspace.openTextDocument(uri)).getText());
    assert.match(report, /^# What Was Sent/);
    assert.match(
      report,
      /merging an edit \| http\\:\/\/127\.0\.0\.1\\:\d+ \| gate\/plain\.js \(\d+ characters\) \| \d+ \| sent/,
    );
    assert.doesNotMatch(report, /function a|start|CANARY/);
    assert.ok(
      vscode.window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ label }) => /What Was Sent/.test(label)),
      ),
      'no tab shows it',
    );
  });
});

describe('the search', () => {
  it('leaves out what files.exclude, search.exclude and ignore files name, whatever a workspace says', async () => {
    await writeFile('found/.gitignore', 'dist/\n');
    for (const path of [
      'found/src/a.ts',
      'found/src/a.js',
      'found/src/b.js',
      'found/dist/a.ts',
      'found/old/a.ts',
      'found/secrets.yml',
    ])
      await writeFile(path, 'export const zanzibarHandler = 1;\n');
    const { Workspace } = vscode.ConfigurationTarget;
    const search = vscode.workspace.getConfiguration('search');
    try {
      await search.update(
        'exclude',
        { '**/old': true, '**/*.js': { when: '$(basename).ts' } },
        Workspace,
      );
      // A repository must not be able to let its ignored files out.
      await search.update('useIgnoreFiles', false, Workspace);
      const text = await invokeTool(searchTool, { query: 'zanzibar handler' });
      assert.match(text, /found\/src\/a\.ts/);
      assert.match(text, /found\/src\/b\.js/);
      assert.doesNotMatch(text, /found\/(?:dist|old|secrets|src\/a\.js)/);
      for (const folder of ['found/dist', 'found/old'])
        await assert.rejects(
          invokeTool(searchTool, { query: 'zanzibar handler', folder }),
          /hidden, ignored or excluded/,
        );
    } finally {
      await search.update('exclude', undefined, Workspace);
      await search.update('useIgnoreFiles', undefined, Workspace);
      rmSync(fileUri('found').fsPath, { recursive: true });
      assert.equal(typeof (await readFile('src/cart.ts')), 'string');
    }
  });
});
