// Messages that a tool has replaced by a summary: left out at first, and included when the user wants them.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { compactTool, recallTool, receiptScheme } from '../../src/compact/ids';
import { startStandIn } from '../service/standIn';
import { compact as compactor } from '../service/standIn/serve';
import { summarizedSession } from '../support/unit/summarizedSession';
import {
  allTabs,
  answer,
  closeAll,
  forgetService,
  invokeTool,
  message,
  messages,
  openedQuickPicks,
  pressEnter,
  run,
  setClipboard,
  setSelection,
  setSetting,
  useService,
  waitFor,
} from './support';

const replaced = /^Claude Code no longer sends the earlier messages of this chat/;

const textShown = (): string => {
  const document = vscode.window.activeTextEditor?.document;
  assert.equal(document?.uri.scheme, receiptScheme, 'no receipt is in front');
  return document?.getText() ?? '';
};
const copied = async (): Promise<string> => {
  await setClipboard('');
  await run('splice.compact.copy');
  return vscode.env.clipboard.readText();
};

const givenToAgent = async (input: object): Promise<string> =>
  invokeTool(compactTool, { ratio: 1, ...input });

const earlierRow = (pick: vscode.QuickPick<vscode.QuickPickItem>) =>
  pick.items.find(({ label }) => label === 'Earlier messages');

describe('a session that its tool has summarized', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'splice-earlier-')), 'sessions');
    mkdirSync(folder);
    file = path.join(folder, 'chat.jsonl');
    writeFileSync(file, summarizedSession(folder));
  });
  afterEach(async () => {
    await closeAll();
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });
  const open = async (): Promise<void> =>
    run('splice.compact.start', vscode.Uri.file(file), { ratio: 0.4, keepRecent: 1 });
  const openWhole = async (): Promise<void> => {
    answer(replaced, 'Include Them');
    await open();
    await waitFor(() => textShown().includes('Why does step 0 fail?'), 'the earlier messages');
  };

  it('is compacted as the tool sends it, and says what is not in it', async () => {
    await open();
    const { buttons } = await message(replaced);
    assert.deepEqual(buttons, ['Include Them']);
    assert.match(textShown(), /In short: step 0 fails\.[^]*And now the docs\./);
    assert.doesNotMatch(textShown(), /Why does step 0 fail\?/);
  });

  it('is given to an agent as it is sent, with a word of what is not in it, or whole', async () => {
    const sent = await givenToAgent({ path: file });
    assert.match(sent.split('\n')[1] ?? '', replaced);
    assert.match(sent, /In short: step 0 fails\./);
    assert.doesNotMatch(sent, /Why does step 0 fail\?/);
    const whole = await givenToAgent({ path: file, earlier: true });
    assert.match(whole, /Why does step 0 fail\?[^]*And now the docs\./);
    assert.doesNotMatch(whole, /no longer sends|In short/);
    await assert.rejects(
      givenToAgent({ path: file, earlier: 'yes' }),
      /"earlier" must be true or false/,
    );
  });

  it('has all messages and no summary once they are wanted, also when it is written', async () => {
    await openWhole();
    assert.match(textShown(), /Why does step 0 fail\?[^]*And now the docs\./);
    assert.doesNotMatch(textShown(), /In short/);
    await waitFor(() => allTabs().length === 1, 'the receipt without them is closed');
    assert.equal(messages().filter(text => replaced.test(text)).length, 1);
    await run('splice.compact.writeBack');
    await message(/^Written to/);
    const [made = ''] = readdirSync(folder).filter(name => name !== 'chat.jsonl');
    const written = readFileSync(path.join(folder, made), 'utf8');
    assert.match(written, /Why does step 0 fail\?[^]*And now the docs\./);
    assert.doesNotMatch(written, /compact_boundary|In short/);
    assert.equal(readFileSync(file, 'utf8'), summarizedSession(folder), 'the original stays');
  });

  it('gives lines back to an agent, with earlier messages and without', async () => {
    for (const show of [open, openWhole]) {
      await show();
      const left = await copied();
      const ids = [...left.matchAll(/; recall (\w+)\]/g)].map(([, id = '']) => id);
      assert.ok(ids.length > 0);
      for (const id of ids)
        assert.match(await invokeTool(recallTool, { id }), /row \d+ of the log/);
      await closeAll();
    }
  });

  it('has its earlier messages in and out by the options, which go on from there', async () => {
    const picks = openedQuickPicks();
    const switchAt = async (at: number, was: RegExp): Promise<void> => {
      const pick = await waitFor(() => picks[at], 'the options');
      const own = await waitFor(() => earlierRow(pick), 'the row');
      assert.match(own.description ?? '', was);
      pick.activeItems = [own];
      await pressEnter(pick, /Earlier messages/);
    };
    const working = run('splice.compact.start', vscode.Uri.file(file));
    await switchAt(0, /^Claude Code no longer sends them · press Enter to include them$/);
    await switchAt(1, /^included · press Enter to leave them out$/);
    await switchAt(2, /no longer sends them/);
    await pressEnter(await waitFor(() => picks[3], 'the options'), /Compact to/);
    await working;
    assert.match(textShown(), /Why does step 0 fail\?/);
    picks.length = 0;
    const changing = run('splice.compact.options');
    await switchAt(0, /^included/);
    await pressEnter(await waitFor(() => picks[1], 'the options'), /Compact to/);
    await changing;
    assert.doesNotMatch(textShown(), /Why does step 0 fail\?/);
  });

  it('asks again before earlier messages are sent to the service', async () => {
    const apiKey = 'sk-earlier-test-0123456789';
    const standIn = await startStandIn({ apiKey, engines: { compact: compactor } });
    try {
      await useService(standIn.url, apiKey);
      await setSetting('splice.compact.engine', 'service');
      const picks = openedQuickPicks();
      answer(replaced, 'Include Them');
      await open();
      const asked = await waitFor(() => picks[0], 'the options');
      assert.match(asked.prompt ?? '', /^The whole chat is sent to /);
      const bodies = () =>
        standIn.requests
          .filter(({ method }) => method === 'POST')
          .map(each => JSON.stringify(each));
      assert.equal(bodies().length, 1);
      assert.doesNotMatch(bodies().join(''), /Why does step 0 fail/);
      await pressEnter(asked, /Compact to/);
      await waitFor(() => textShown().includes('Why does step 0 fail?'), 'the earlier messages');
      assert.match(bodies()[1] ?? '', /Why does step 0 fail/);
    } finally {
      await setSetting('splice.compact.engine', undefined);
      await forgetService();
      await standIn.close();
    }
  });

  it('loses lines of earlier messages in its file, which stays a summarized one', async () => {
    await openWhole();
    const rows = textShown().split('\n');
    const at = rows.findIndex(line => line.includes('row 7 of the log'));
    const editor = vscode.window.activeTextEditor ?? assert.fail();
    await setSelection(editor, new vscode.Selection(at, 0, at, 3));
    answer(/^Remove 1 line from /, 'Remove for Good');
    await run('splice.compact.removeFromFile');
    await message(/^1 line is removed from /);
    assert.equal(
      readFileSync(file, 'utf8'),
      summarizedSession(folder).replace('row 7 of the log', '[removed]'),
    );
    await waitFor(() => textShown().includes('[removed]'), 'the receipt shows the file');
    assert.match(textShown(), /Why does step 0 fail\?/);
    const short = textShown().split('\n').indexOf('Short.');
    await setSelection(editor, new vscode.Selection(short, 0, short, 3));
    await run('splice.compact.removeFromFile');
    await message(/too short to be found in the file while earlier messages are included/);
  });
});
