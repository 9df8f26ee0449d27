// Hooks in the settings of an agent, and what Splice makes of the events that they note.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { runHook } from '../support/hooks';
import * as external from './externalRows';
import {
  allTabs,
  answer,
  closeAll,
  fileUri,
  message,
  restoreStubs,
  run,
  stub,
  waitFor,
} from './support';

const folder = 'agents';
const file = fileUri(`${folder}/a.txt`);
const original = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const changed = original.replace('two', 'TWO').replace('five', 'FIVE');
const settings = '{\n    "model": "opus",\n    "permissions": { "allow": ["Bash(ls:*)"] }\n}\n';
const onDisk = () => readFileSync(file.fsPath, 'utf8');

describe('an agent with hooks', () => {
  const ownHome = process.env['HOME'];
  const home = mkdtempSync(path.join(tmpdir(), 'splice-home-'));
  const settingsFile = path.join(home, '.claude', 'settings.json');
  let turns = 0;

  /** Runs the hook of an event as the agent does. */
  const happens = (event: string, more: Readonly<Record<string, unknown>> = {}): string =>
    runHook(settingsFile, event, {
      session_id: 'session',
      prompt_id: `turn ${turns}`,
      cwd: path.dirname(file.fsPath),
      ...more,
    });

  /** A prompt after which the agent has written the file, and is still at work. */
  async function atWork(): Promise<readonly [unknown, unknown]> {
    turns++;
    happens('UserPromptSubmit');
    const call = {
      tool_name: 'Edit',
      tool_use_id: `call ${turns}`,
      tool_input: { file_path: file.fsPath },
    };
    happens('PreToolUse', call);
    writeFileSync(file.fsPath, changed);
    happens('PostToolUse', call);
    return waitFor(async () => {
      const [first, second] = await external.listed(file, 2);
      return first?.data.description?.endsWith('TWO') && ([first, second] as const);
    }, 'the list shows what the agent wrote');
  }

  /** What the agent gets with a prompt. */
  const prompted = (): string => happens('UserPromptSubmit');

  /** Hands a message about an undone change over, with a reason. */
  async function handOver(reason: string): Promise<void> {
    const [first] = await atWork();
    happens('Stop');
    await run('splice.external.undoChange', first);
    await waitFor(() => onDisk() === changed.replace('TWO', 'two'), 'the change is undone');
    answer(/Add your reasons/, 'Hand Over at the Next Prompt');
    const ask = vscode.window.showInformationMessage;
    let isEdited = false;
    stub(vscode.window, 'showInformationMessage', async (...args: [string, ...string[]]) => {
      const editor = vscode.window.activeTextEditor;
      if (!isEdited && args[0].startsWith('Add your reasons')) {
        isEdited = true;
        await editor?.edit(edit => edit.insert(new vscode.Position(0, 0), `${reason}\n`));
      }
      return ask(...args);
    });
    await run('splice.external.messageAgent');
    await closeAll();
  }

  before(async function () {
    if (process.platform === 'win32') this.skip();
    process.env['HOME'] = home;
    mkdirSync(path.dirname(settingsFile));
    writeFileSync(settingsFile, settings);
    await external.follow(true);
    await run('splice.external.reviewFromNow');
    mkdirSync(path.dirname(file.fsPath), { recursive: true });
    writeFileSync(file.fsPath, original);
    await waitFor(async () => external.rowOf(file), 'the new file is seen');
    await run('splice.external.reviewFromNow');
    await external.gone(file);
  });

  afterEach(async () => {
    restoreStubs();
    await closeAll();
  });

  after(async () => {
    process.env['HOME'] = ownHome;
    await external.follow(false);
    rmSync(home, { recursive: true });
    rmSync(path.dirname(file.fsPath), { recursive: true });
  });

  it('gets them after its settings were shown as they will be', async () => {
    stub(vscode.window, 'showQuickPick', async (items: unknown) => items);
    const asked = run('splice.external.connectAgents');
    await message(/shows each change of your settings of Claude Code/);
    assert.ok(allTabs().some(({ label }) => label.startsWith('Hooks of Coding Agents')));
    assert.equal(readFileSync(settingsFile, 'utf8'), settings, 'nothing is written before');
    answer(/each change of your settings/, 'Leave as It Is');
    await asked;
    assert.equal(readFileSync(settingsFile, 'utf8'), settings);
    assert.ok(!allTabs().some(({ label }) => label.startsWith('Hooks of Coding Agents')));
    answer(/each change of your settings/, 'Change the Settings');
    await run('splice.external.connectAgents');
    assert.match(readFileSync(settingsFile, 'utf8'), /"model": "opus"[^]*splice-spool\.sh/);
  });

  it('names the changes of its turn, and finds its lines undone when it has ended', async () => {
    const [first] = await atWork();
    const labels = (await external.rows()).map(({ data }) => data.label);
    assert.ok(
      labels.some(label => label.startsWith('Claude Code, ')),
      labels.join('\n'),
    );
    await run('splice.external.undoChange', first);
    await message(/Claude Code is at work\. The changes in 1 file will be undone/);
    assert.equal(onDisk(), changed, 'nothing is undone yet');
    await waitFor(
      async () =>
        (await external.rowOf(file))?.data.description?.includes('at the end of the turn'),
      'the row says that an undo waits',
    );
    happens('Stop');
    await waitFor(() => onDisk() === changed.replace('TWO', 'two'), 'the first change is undone');
    await external.listed(file, 1);
  });

  it('is not waited for when the user wants that', async () => {
    const [, second] = await atWork();
    await run('splice.external.undoChange', second);
    await run('splice.external.undoQueued', second);
    assert.equal(onDisk(), changed.replace('FIVE', 'five'));
    await run('splice.external.undoFile', file);
    await run('splice.external.cancelQueued');
    happens('Stop');
    await run('splice.external.undoQueued');
    await message(/No undo waits for the end of a turn/);
    assert.equal(onDisk(), changed.replace('FIVE', 'five'));
  });

  it('that has written again, or was stopped, has nothing undone behind its back', async () => {
    const [first] = await atWork();
    await run('splice.external.undoChange', first);
    writeFileSync(file.fsPath, changed.replace('TWO', 'TWO AGAIN'));
    await waitFor(
      async () =>
        (await external.listed(file, 2)).some(({ data }) => data.description?.includes('AGAIN')),
      'the list shows what is there now',
    );
    happens('Stop');
    await message(/The agent has changed again what was to be undone/);
    assert.equal(onDisk(), changed.replace('TWO', 'TWO AGAIN'));
    const [, second] = await atWork();
    await run('splice.external.undoChange', second);
    answer(/The turn was stopped before its end/, 'Undo Now');
    turns++;
    // The next prompt comes although the turn before has not ended.
    happens('UserPromptSubmit');
    happens('Stop');
    await waitFor(() => onDisk() === changed.replace('FIVE', 'five'), 'undone once it is agreed');
  });

  it('can be told what was undone', async () => {
    answer(/Add your reasons/, 'Copy');
    await run('splice.external.messageAgent');
    const told = await vscode.env.clipboard.readText();
    assert.match(told, /^I undid these changes\.[^]*agents\/a\.txt, line 5[^]*-FIVE\n\+five/);
    assert.equal(vscode.window.activeTextEditor?.document.getText().trimEnd(), told);
    // Once is enough.
    await run('splice.external.messageAgent');
    await message(/nothing undone that an agent was not told of/);
  });

  it('gets a message with its next prompt as it was edited, once, and the user is told', async () => {
    await handOver('Because "of" this:');
    const output: unknown = JSON.parse(prompted());
    const text = JSON.stringify(output);
    assert.match(text, /"additionalContext":"Because \\"of\\" this:\\nI undid these changes/);
    assert.match(text, /-TWO\\n\+two/);
    await message(/Your message was handed over to Claude Code with your prompt/);
    assert.equal(prompted(), '');
    happens('Stop');
    await run('splice.external.messageAgent');
    await message(/nothing undone that an agent was not told of/);
    await run('splice.external.takeBackMessage');
    await message(/No message waits for the next prompt/);
  });

  it('gets nothing of a message that the user takes back, which is a draft again', async () => {
    await handOver('Taken back.');
    answer(/Add your reasons/, 'Copy');
    await run('splice.external.takeBackMessage');
    assert.match(await vscode.env.clipboard.readText(), /^Taken back\.\nI undid these changes/);
    assert.equal(prompted(), '');
    happens('Stop');
  });

  it('gives the list a filter', async () => {
    const other = fileUri(`${folder}/by-hand.txt`);
    writeFileSync(other.fsPath, 'script\n');
    await waitFor(async () => external.rowOf(other), 'a file that a script wrote is listed');
    await atWork();
    happens('Stop');
    stub(vscode.window, 'showQuickPick', async (items: readonly { label: string }[]) =>
      items.find(({ label }) => label === 'Since my last prompt'),
    );
    await run('splice.external.filter');
    await external.gone(other);
    const [head] = await external.rows();
    assert.equal(head?.data.description, '1 of 2 files');
    await run('splice.external.keepAll');
    await waitFor(async () => external.rowOf(other), 'with nothing left, all are listed again');
    await external.gone(file);
  });

  it('loses its hooks at once, and has the settings that it had', async () => {
    await run('splice.external.disconnectAgents');
    assert.equal(readFileSync(settingsFile, 'utf8'), settings);
    await run('splice.external.disconnectAgents');
    await message(/No agent has hooks of Splice/);
  });
});
