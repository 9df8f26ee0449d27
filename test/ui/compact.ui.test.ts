import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claudeFolderName } from '../../src/compact/sessions/sessionFolders';
import { type StandIn, startStandIn } from '../service/standIn';
import { compact as compactor } from '../service/standIn/serve';
import { chatSession } from '../support/unit/chatSession';
import { summarizedSession } from '../support/unit/summarizedSession';
import { launchWorkbench, lookInThemes, pictureFailures, until, type Workbench } from './workbench';

const apiKey = 'sk-ui-compact-0123456789';
const sessionId = '5e551047-0000-4000-8000-00000000c0de';

let workbench: Workbench;
let standIn: StandIn;
let folder: string;
const page = () => workbench.page;
const input = () => page().locator('.quick-input-widget .quick-input-box input');
const rows = () => page().locator('.quick-input-list .monaco-list-row');
const lens = (text: string | RegExp) =>
  page()
    .locator('.editor-instance .codelens-decoration :is(a, span):visible', { hasText: text })
    .first();
const status = () => page().locator('.statusbar-item', { hasText: 'tokens (' });

async function picture(name: string): Promise<void> {
  await page().mouse.move(900, 885);
  await new Promise(resolve => setTimeout(resolve, 700));
  await workbench.screenshot(`compact-${name}`);
}

describe('compacting in the window', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey, engines: { compact: compactor } });
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: { 'splice.service.baseUrl': standIn.url, 'splice.compact.showFill': true },
    });
    // The workspace stands in the home of this window's user.
    const projects = path.join(path.dirname(workbench.ws), '.claude/projects');
    folder = path.join(projects, claudeFolderName(workbench.ws));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${sessionId}.jsonl`), chatSession(workbench.ws, sessionId));
    const other = path.join(projects, '-home-ada-kettle');
    mkdirSync(other);
    writeFileSync(path.join(other, 'k.jsonl'), chatSession('/home/ada/kettle', 'k'));
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('lists the chats about this folder, asks for the options, and shows the receipt', async () => {
    await workbench.runCommand('Splice: Compact Chat History…');
    await input().waitFor();
    await rows().filter({ hasText: 'Uploads of more than 100 MB' }).waitFor();
    await picture('1-chats');
    await rows().filter({ hasText: 'Uploads of more than 100 MB' }).click();
    await rows().filter({ hasText: 'Compact to 30%' }).waitFor();
    await picture('2-options');
    await input().fill('the retry');
    await rows().filter({ hasText: 'What matters next: the retry' }).waitFor();
    await picture('3-typed');
    await page().keyboard.press('Enter');
    await rows().filter({ hasText: 'Compact to 30%' }).waitFor();
    await page().keyboard.press('Enter');
    await lens(/tokens, −\d+%/).waitFor();
    await until('runs are folded', async () => {
      const folded = page().locator('.editor-instance .codicon-folding-collapsed');
      return (await folded.count()) > 0;
    });
    await picture('4-receipt');
    assert.match(await status().innerText(), /tokens \(−\d+%\) · local/);
  });

  it('restores a run by a click and by a key, live', async () => {
    const before = await status().innerText();
    await lens(/Restore \d+ lines/).click();
    await lens('leave out again').waitFor();
    await until('the figure changed', async () => (await status().innerText()) !== before);
    await picture('5-restored');
    await page().keyboard.press('F7');
    await page().keyboard.press('Alt+y');
    await page().keyboard.press('Control+z');
    await page().keyboard.press('Control+z');
    await until('as before', async () => (await status().innerText()) === before);
  });

  it('is readable in a light theme and in high contrast, where signs tell what goes', async () => {
    await lens(/Restore \d+ lines/).click();
    await page().mouse.move(900, 885);
    await lookInThemes(workbench, 'compact-6', { reads: '.editor-instance .view-line' });
  });

  it('writes a new session, says how to go on with it, and undoes that', async () => {
    await page().keyboard.press('Shift+Alt+Y');
    const toast = await workbench.notification('claude --resume');
    await picture('7-written');
    assert.equal(readdirSync(folder).length, 2);
    await toast.locator('.monaco-button', { hasText: 'Undo' }).click();
    await workbench.notification('The new session is deleted');
    assert.deepEqual(readdirSync(folder), [`${sessionId}.jsonl`]);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('compacts with the service when it is chosen, and names it', async () => {
    await workbench.runCommand('Splice: Set API Key…');
    await workbench.typeApiKey(apiKey);
    await lens('Options…').click();
    await rows().filter({ hasText: 'This machine' }).click();
    await rows().filter({ hasText: 'The service at' }).waitFor();
    await picture('8-service');
    await rows().filter({ hasText: 'Compact to 30%' }).click();
    await lens(/by the service/).waitFor();
    await picture('9-by-service');
    assert.match(await status().innerText(), /service/);
  });

  it('shows the line of an answer that was not kept as it was', async () => {
    standIn.compact = request => {
      const done = compactor(request);
      return { ...done, output: done.output.replace('backoff', 'back off'), compacted: [] };
    };
    await lens('Options…').click();
    await rows().filter({ hasText: 'Compact to 30%' }).click();
    const toast = await workbench.notification('did not keep the lines');
    await picture('10-refused');
    await toast.locator('.monaco-button', { hasText: 'Show the Line' }).click();
    await page().locator('.tab.active', { hasText: 'Refused answer' }).waitFor();
    await picture('11-line');
    const text = readFileSync(path.join(folder, `${sessionId}.jsonl`), 'utf8');
    assert.equal(text, chatSession(workbench.ws, sessionId));
  });

  it('finds a message in all chats, and opens it at its line', async () => {
    await workbench.runCommand('Splice: Search Chat Histories…');
    const dialog = page().locator('.monaco-dialog-box');
    await dialog.getByText('Search the chat histories of this machine?').waitFor();
    await picture('9-search-consent');
    await dialog.getByRole('button', { name: 'Build the Index' }).click();
    await input().waitFor();
    await page().keyboard.type('100 MB');
    await rows().filter({ hasText: 'Uploads of more than 100 MB' }).first().waitFor();
    await picture('10-search');
    await page().keyboard.press('Enter');
    const line = page().locator('.view-line', { hasText: 'Uploads of more than 100 MB' }).first();
    await line.waitFor();
    await picture('11-search-opened');
  });

  it('shows how full the newest chat is, and compacts it with a click', async () => {
    const item = page().locator('[id$="splice.sessionFill"]');
    // The chat of before has no figures.
    assert.equal(await item.count(), 0);
    const session = chatSession(workbench.ws, 'full');
    const ids = [...session.matchAll(/"uuid":"([^"]+)"/g)];
    const answer = {
      type: 'assistant',
      uuid: 'full-2',
      parentUuid: ids.at(-1)?.[1],
      sessionId: 'full',
      cwd: workbench.ws,
      timestamp: new Date().toISOString(),
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'The upload works.' }],
        usage: { input_tokens: 2000, cache_read_input_tokens: 150_000, output_tokens: 1000 },
      },
    };
    writeFileSync(path.join(folder, 'full.jsonl'), `${session}${JSON.stringify(answer)}\n`);
    await item.getByText('77%').waitFor();
    await picture('12-full');
    writeFileSync(
      path.join(folder, 'full.jsonl'),
      `${session}${JSON.stringify(answer).replace('150000', '180000')}\n`,
    );
    await item.getByText('92%').waitFor();
    await item.click();
    await lens('Write Back').waitFor();
    await picture('13-full-compacted');
  });

  it('says that earlier messages are left out, and includes them at a click or by the options', async () => {
    writeFileSync(path.join(folder, 'summarized.jsonl'), summarizedSession(workbench.ws));
    await workbench.runCommand('Splice: Compact Chat History…');
    await rows().filter({ hasText: 'Why does step 0 fail?' }).click();
    await rows().filter({ hasText: 'Earlier messages' }).waitFor();
    await picture('14-earlier-options');
    await page().keyboard.press('Enter');
    const toast = await workbench.notification('no longer sends the earlier messages');
    await picture('15-earlier-offered');
    await toast.locator('.monaco-button', { hasText: 'Include Them' }).click();
    await page().locator('.editor-instance .view-line', { hasText: 'Why does step 0' }).waitFor();
    await picture('16-earlier-included');
  });
});
