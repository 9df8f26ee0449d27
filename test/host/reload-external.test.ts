// Phase 1 leaves external changes half decided; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { runHook } from '../support/hooks';
import { rowTree } from './rowTree';
import { answer, fileUri, message, run, stub, waitFor } from './support';

const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const tree = rowTree(reviewsView);
const uri = (): vscode.Uri => fileUri('reloaded-external.txt');

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const original = `${lines.join('\n')}\n`;
const changed = original
  .replace('line 3\n', 'line three\n')
  .replace('line 15\n', 'line fifteen\n')
  .replace('line 28\n', 'line 28\nline 28b\n');

const onDisk = (): string => readFileSync(uri().fsPath, 'utf8');
const changes = async () => {
  const rows = await tree.shown();
  return rows.find(({ data }) => data.subject === uri().toString())?.children ?? [];
};
const listed = async (count: number) =>
  waitFor(async () => {
    const rows = await changes();
    return rows.length === count && rows;
  }, `${count} changes`);
const follow = async (isOn: boolean): Promise<void> =>
  vscode.workspace
    .getConfiguration()
    .update('splice.externalChanges.follow', isOn, vscode.ConfigurationTarget.Global);

/** The extension starts by itself, a moment after the window. */
const activate = async (): Promise<void> => {
  const own = vscode.extensions.all.find(({ id }) => id.toLowerCase().endsWith('.splice'));
  assert.ok(own);
  await own.activate();
};

describe(`external changes, ${isFirst ? 'before' : 'after'} a reload`, () => {
  before(activate);

  if (isFirst) {
    before(async () => {
      writeFileSync(uri().fsPath, original);
      await follow(true);
      await run('splice.external.reviewFromNow');
    });

    it('are told to the agent that made them, with its next prompt', async function () {
      if (process.platform === 'win32') this.skip();
      const home = mkdtempSync(path.join(tmpdir(), 'splice-home-'));
      process.env['CLAUDE_CONFIG_DIR'] = home;
      stub(vscode.window, 'showQuickPick', async (items: readonly { description: string }[]) =>
        items.filter(({ description }) => description.startsWith(home)),
      );
      answer(/each change of your settings/, 'Change the Settings');
      await run('splice.external.connectAgents');
      const happens = (event: string): string =>
        runHook(path.join(home, 'settings.json'), event, { session_id: 'reloaded', cwd: home });
      const told = fileUri('told.txt');
      happens('UserPromptSubmit');
      runHook(path.join(home, 'settings.json'), 'PreToolUse', {
        session_id: 'reloaded',
        tool_name: 'Write',
        tool_input: { file_path: told.fsPath },
      });
      writeFileSync(told.fsPath, 'told\n');
      await waitFor(
        async () =>
          (await tree.shown()).some(({ data }) => data.label.startsWith('Claude Code, ')) &&
          (await tree.shown()).some(({ data }) => data.subject === told.toString()),
        'the new file is listed',
      );
      happens('Stop');
      await run('splice.external.undoFile', told);
      await waitFor(() => !existsSync(told.fsPath), 'the new file is undone');
      answer(/Add your reasons/, 'Hand Over at the Next Prompt');
      await run('splice.external.messageAgent');
      rmSync(home, { recursive: true });
      await run('workbench.action.revertAndCloseActiveEditor');
    });

    it('are kept in part', async () => {
      writeFileSync(uri().fsPath, changed);
      const [first] = await listed(3);
      await run('splice.external.keepChange', first);
      await listed(2);
    });
  } else {
    it('are still in the message that waits', async function () {
      if (process.platform === 'win32') this.skip();
      answer(/Add your reasons/, 'Copy');
      await run('splice.external.takeBackMessage');
      assert.match(await vscode.env.clipboard.readText(), /told\.txt: the new file is gone again/);
      await run('splice.external.takeBackMessage');
      await message(/No message waits for the next prompt/);
      await run('workbench.action.revertAndCloseActiveEditor');
    });

    it('are still pending, and so is the undo of what was decided', async () => {
      await listed(2);
      await run('splice.external.undoDecision');
      const rows = await listed(3);
      await run('splice.external.undoChange', rows[1]);
      await listed(2);
      assert.equal(onDisk(), changed.replace('line fifteen\n', 'line 15\n'));
      await run('splice.external.undoFile', uri());
      await listed(0);
      assert.equal(onDisk(), original);
      await follow(false);
    });
  }
});
