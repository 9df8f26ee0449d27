// Phase 1 leaves external changes half decided; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { rowTree } from './rowTree';
import { fileUri, run, waitFor } from './support';

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
    it('are kept in part', async () => {
      writeFileSync(uri().fsPath, original);
      await follow(true);
      await run('splice.external.reviewFromNow');
      writeFileSync(uri().fsPath, changed);
      const [first] = await listed(3);
      await run('splice.external.keepChange', first);
      await listed(2);
    });
  } else {
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
