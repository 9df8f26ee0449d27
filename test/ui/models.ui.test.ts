import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claudeFolderName } from '../../src/compact/sessions/sessionFolders';
import { type StandIn, startStandIn } from '../service/standIn';
import { chatSession } from '../support/unit/chatSession';
import { launchWorkbench, lookInThemes, pictureFailures, until, type Workbench } from './workbench';

const apiKey = 'sk-ui-models-0123456789';

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
const row = (text: string) =>
  page().locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
/** For one step in a menu, in milliseconds: longer once the window has shown that it is slow. */
let stepMs = 3000;
const longestStepMs = 12_000;
/** How often a menu is opened. */
const tries = 15;
const quiet = (ms = 800) => new Promise(resolve => setTimeout(resolve, ms));

async function picture(name: string): Promise<void> {
  await quiet();
  await workbench.screenshot(`models-${name}`);
}

const answers = () => page().locator('.interactive-session .interactive-response');

async function answered(text: string): Promise<void> {
  await answers().filter({ hasText: text }).last().waitFor();
}

async function say(text: string): Promise<void> {
  await page().locator('.interactive-input-editor .view-lines').first().click();
  await page().keyboard.type(text);
  await page().keyboard.press('Enter');
}

const input = () => page().locator('.interactive-input-part');
const menuRow = (text: string) =>
  page().locator('.action-widget .monaco-list-row', { hasText: text }).first();

/**
 * Opens a menu of the chat view, until a step in it succeeds: the view finds its width while answers and
 * editors come and go, which moves the button that is clicked, closes the menu, or leaves it where nobody
 * sees its rows.
 */
async function inMenu(button: string, step: () => Promise<void>): Promise<void> {
  for (let left = tries; ; left--)
    try {
      await input().locator(button).click({ timeout: stepMs });
      return await step();
    } catch (error) {
      if (left <= 1) throw error;
      stepMs = Math.min(2 * stepMs, longestStepMs);
      await page().keyboard.press('Escape');
    }
}

async function openPicker(): Promise<void> {
  const more = page().locator('.action-widget').getByText('Other Models').first();
  const model = menuRow('glm53flash');
  await inMenu('.model-picker-name', async () => {
    await more.waitFor({ timeout: stepMs });
    await quiet();
    if (!(await model.isVisible())) await more.click({ timeout: stepMs });
    await model.waitFor({ timeout: stepMs });
  });
}

/** Clicks a row of a menu. */
async function pickIn(button: string, text: string): Promise<void> {
  await inMenu(button, () => menuRow(text).click({ timeout: stepMs }));
}

const agentMenu = '.action-label[aria-label^="Agent"]';

/** The extension that offers Ask belongs to VS Code, and on a busy machine some windows are without it. */
async function offersAsk(): Promise<boolean> {
  for (let left = tries; left > 0; left--) {
    await inMenu(agentMenu, () => menuRow('Agent').waitFor({ timeout: stepMs }));
    await quiet();
    const isOffered = await menuRow('Ask').isVisible();
    await page().keyboard.press('Escape');
    if (isOffered) return true;
    await quiet(2000);
  }
  return false;
}

async function choose(name: string): Promise<void> {
  await openPicker();
  await menuRow(name).click();
}

/** What the command says that the answer in front took. */
async function costsSay(text: RegExp): Promise<void> {
  await workbench.runCommand('Splice: Show Cost of Last Answer');
  await workbench.notification(text);
  await workbench.runCommand('Notifications: Clear All Notifications');
}

/** Bodies of the chat completions so far. */
const turns = () =>
  standIn.requests
    .filter(({ path: route }) => route === '/v1/chat/completions')
    .map(({ body }) => body);

/** How often what the model was sent tells the date, which each question does. */
const datesIn = (turn: unknown): number =>
  JSON.stringify(turn).split('The current date is').length - 1;

/** The chats of all windows of this user, as VS Code keeps them. */
function chatTexts(): string[] {
  const storages = path.join(path.dirname(workbench.ws), 'data/data/User/workspaceStorage');
  return readdirSync(storages, { recursive: true, encoding: 'utf8' })
    .filter(file => /chatSessions[\\/].+\.jsonl$/.test(file))
    .map(file => readFileSync(path.join(storages, file), 'utf8'));
}

describe('the models in the chat view', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey, seed: false });
    standIn.endpoints.create({ state: 'ready', modelId: 'svc-kimik3' });
    workbench = await launchWorkbench({
      files: {
        'my_own_notes.md': '# Notes\n',
        'long.ts': Array.from({ length: 120 }, (_, at) => `let v${at} = ${at};\n`).join(''),
        '.vscode/settings.json': '{}',
      },
      settings: {
        'splice.service.baseUrl': standIn.url,
        'chat.byokUtilityModelDefault': 'mainAgent',
      },
    });
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('says what is missing, and turns chat on without a sign-in', async () => {
    await workbench.runCommand("Splice: Why Don't I See My Models?");
    await row('No API key is set').waitFor();
    await row('not enabled yet').waitFor();
    await picture('1-why');
    await row('No API key is set').click();
    await workbench.typeApiKey(apiKey);
    await workbench.runCommand("Splice: Why Don't I See My Models?");
    await row('not enabled yet').click();
    await page().getByText('kimik3 #0001').first().waitFor();
    await picture('2-manage');
    await page().keyboard.press('Escape');
    await page().keyboard.press('Escape');
  });

  it('is in the picker, with what it costs', async () => {
    await page().keyboard.press('Control+Alt+I');
    await page().locator('.interactive-input-part .model-picker-name').waitFor();
    await lookInThemes(workbench, 'models-3-picker', {
      show: openPicker,
      leave: () => page().keyboard.press('Escape'),
    });
    await choose('kimik3-fast');
  });

  it('answers in agent mode, with a tool of VS Code', async () => {
    await say(`use tool list_dir with {"path": ${JSON.stringify(workbench.ws)}}`);
    await answered('The tool list_dir answered');
    const [first, second] = turns().slice(-2);
    assert.ok(JSON.stringify(first).includes('"list_dir"'));
    assert.ok(JSON.stringify(second).includes('tool_call_id'));
    await picture('4-agent');
    await costsSay(/The last answer in the chat took 2 calls, [\d.]+k tokens, \$\d/);
  });

  it('asks before an agent opens a review, and opens it', async () => {
    const edit = {
      path: 'my_own_notes.md',
      update: '# Notes\n\nWritten by an agent.\n',
      instruction: 'I add a line.',
    };
    await say(`use tool splice_apply with ${JSON.stringify(edit)}`);
    const chat = page().locator('.interactive-session');
    const shown = (text: string) => chat.locator('p:visible', { hasText: text }).first();
    await shown('my_own_notes.md: 3 lines').waitFor();
    await shown('nothing is sent').waitFor();
    await picture('4-confirm');
    await chat.getByRole('button', { name: 'Allow' }).first().click();
    await answered('The tool splice_apply answered');
    await page().locator('.tab', { hasText: 'my_own_notes.md (review)' }).waitFor();
    await picture('4-review');
    await workbench.runCommand('View: Close All Editors');
  });

  it('is sent of a compacted chat what is left', async () => {
    const read = { filePath: path.join(workbench.ws, 'long.ts'), startLine: 1, endLine: 120 };
    await say(`use tool read_file with ${JSON.stringify(read)}`);
    await answered('The tool read_file answered');
    for (const word of ['pelican', 'walrus']) {
      await say(`say "The word is ${word}."`);
      await answered(`The word is ${word}.`);
    }
    const before = datesIn(turns().at(-1));
    await until('VS Code has written the chat', async () =>
      chatTexts().some(text => /walrus/.test(text)),
    );
    await workbench.runCommand('Splice: Compact Chat History…');
    // A chat is titled by what was typed first, and is the only one of this folder.
    await row('use tool list_dir').waitFor();
    await row('use tool list_dir').click();
    await row('Compact to 30%').waitFor();
    await page().keyboard.press('Enter');
    await page().locator('.codelens-decoration', { hasText: 'Restore' }).first().waitFor();
    await page().keyboard.press('Shift+Alt+Y');
    const toast = await workbench.notification('Chat: Import Chat');
    await picture('4-written');
    await toast.locator('.monaco-button', { hasText: 'Open in Chat' }).click();
    await workbench.runCommand('View: Close All Editors');
    let count = 0;
    // The first may be said to the chat that was there before.
    await until('the chat in the view is the compacted one', async () => {
      await say(`say "Onward ${++count}."`);
      await answered(`Onward ${count}.`);
      return datesIn(turns().at(-1)) < before;
    });
    assert.match(JSON.stringify(turns().at(-1)), /walrus/);
    await picture('4-imported');
  });

  it('is sent a chat of another tool that is continued here', async () => {
    const id = '5e551047-0000-4000-8000-00000000c0de';
    const projects = path.join(path.dirname(workbench.ws), '.claude/projects');
    const folder = path.join(projects, claudeFolderName(workbench.ws));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${id}.jsonl`), chatSession(workbench.ws, id));
    await workbench.runCommand('Splice: Compact Chat History…');
    await row('Uploads of more than 100 MB').click();
    await row('Compact to 30%').waitFor();
    await page().keyboard.press('Enter');
    await page().locator('.codelens-decoration', { hasText: 'Restore' }).first().waitFor();
    await workbench.runCommand('Splice: Continue In…');
    // Rows may still move.
    await row('VS Code Chat').waitFor();
    await page().keyboard.type('VS Code Chat');
    await row('Gemini CLI').waitFor({ state: 'hidden' });
    await page().keyboard.press('Enter');
    const toast = await workbench.notification('Open it in the Chat view');
    await toast.locator('.monaco-button', { hasText: 'Open in Chat' }).click();
    await page().locator('.interactive-session', { hasText: 'Now write the changelog' }).waitFor();
    await workbench.runCommand('View: Close All Editors');
    await say('say "Uploads it is."');
    await answered('Uploads it is.');
    assert.match(JSON.stringify(turns().at(-1)), /do not touch the public API/);
    await picture('4-continued');
  });

  it('answers in ask mode', async function () {
    if (!(await offersAsk())) this.skip();
    await pickIn(agentMenu, 'Ask');
    await input().locator('.action-label[aria-label^="Ask"]').waitFor();
    await quiet();
    await say('say "Good morning from the service."');
    await answered('Good morning from the service.');
    await costsSay(/The last answer in the chat took [\d.]+k tokens, \$\d/);
    await answers()
      .last()
      .getByText(/^Splice: [\d.]+k tokens, \$\d/)
      .waitFor();
    await lookInThemes(workbench, 'models-5-ask');
  });

  it('sends no model what an earlier answer took', async () => {
    await say('say "And good night."');
    await answered('And good night.');
    await answers()
      .last()
      .getByText(/^Splice: [\d.]+k tokens, \$\d/)
      .waitFor();
    await say('say "Sleep well."');
    await answered('Sleep well.');
    const sent = JSON.stringify(turns().at(-1));
    assert.ok(sent.includes('And good night.'), 'the earlier answer is sent');
    assert.doesNotMatch(sent, /Splice: [\d.]/);
  });

  it('thinks as hard as is chosen in the picker, and shows what it thinks', async () => {
    const { chat } = standIn;
    standIn.chat = () => ({ reasoning: 'The user greets me.', text: 'Good evening.' });
    await pickIn('.model-picker-config', 'High');
    await picture('6-effort');
    await page().keyboard.press('Escape');
    await page().locator('.action-widget').first().waitFor({ state: 'hidden' });
    await say('hello again');
    await answered('Good evening.');
    const { reasoning } = Object(turns().at(-1));
    assert.deepEqual(reasoning, { effort: 'high' });
    // Each of the two folds what is within it; one that is open already must not be clicked.
    const thought = answers().last().getByText('The user greets me.');
    await until('what it thinks', async () => {
      if (await thought.isVisible()) return true;
      const inner = answers()
        .last()
        .getByText(/^Finished/);
      const outer = answers()
        .last()
        .getByText(/^Completed/);
      const folded = (await inner.isVisible()) ? inner : outer;
      await folded.click({ timeout: stepMs }).catch(() => undefined);
      await quiet();
      return false;
    });
    await picture('7-thinking');
    standIn.chat = chat;
  });

  it('takes an endpoint from its view', async () => {
    await workbench.runCommand('View: Show Splice');
    await page().locator('.sidebar .pane-header[aria-label^="Endpoints"]').click();
    await page().locator('.sidebar .monaco-list-row', { hasText: 'kimik3' }).first().waitFor();
    await workbench.runCommand('Splice: Use Endpoint in Chat');
    await row('kimik3').click();
    await page().locator('.model-picker-name[aria-label*="#0001"]').waitFor();
    await say('say "From your own GPUs."');
    await answered('From your own GPUs.');
    assert.ok(standIn.requests.some(({ path: route }) => /^\/endpoints\/.*\/chat/.test(route)));
    await picture('8-endpoint');
    await choose('kimik3-fast');
  });

  it('shows a failure in words', async () => {
    standIn.inject('POST /v1/chat/completions', { fault: 'status401' });
    await say('say "never"');
    await answered('refused the API key');
    assert.doesNotMatch(await answers().last().innerText(), /\.js:\d|\bat \w+/);
    await picture('9-refused');
    standIn.heal();
  });
});
