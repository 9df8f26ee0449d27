// What the user sees of agents with hooks: the change of their settings, undos that wait, the draft.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runHook } from '../support/hooks';
import {
  drawn,
  extremeThemes,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  showViews,
  until,
  type Workbench,
} from './workbench';

const cart = readFileSync('test/fixtures/sample/src/cart.ts', 'utf8');
const changed = cart
  .replace('= 490;', '= 590;')
  .replace('return this.#lines.delete(sku);', 'return this.#lines.delete(sku.trim());');
const settings = `{
  "model": "opus",
  "permissions": {
    "allow": ["Bash(npm test:*)"]
  }
}
`;

let workbench: Workbench;
const page = () => workbench.page;
const cartFile = () => path.join(workbench.ws, 'src/cart.ts');
const row = (text: string | RegExp) =>
  page().locator('.pane-body .monaco-list-row', { hasText: text });

describe('agents with hooks', function () {
  if (process.platform === 'win32') return;
  const home = mkdtempSync(path.join(tmpdir(), 'splice-agents-'));
  const settingsFile = path.join(home, 'settings.json');

  /** Runs the hook of an event as the agent does. */
  const happens = (event: string, more: Readonly<Record<string, unknown>> = {}): string =>
    runHook(settingsFile, event, { session_id: 's', prompt_id: 't', cwd: workbench.ws, ...more });

  before(async () => {
    writeFileSync(settingsFile, settings);
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: {
        'splice.externalChanges.follow': true,
        // Themes are changed there.
        'splice.externalChanges.ignore': ['.vscode/**'],
      },
      env: { CLAUDE_CONFIG_DIR: home },
    });
    await workbench.runCommand('Splice: Review External Changes from Now On');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    rmSync(home, { recursive: true });
  });

  it('get their hooks after the whole change was shown', async () => {
    await workbench.runCommand('Splice: Label External Changes by Agent and Turn…');
    const agent = page().locator('.quick-input-list .monaco-list-row', { hasText: 'Claude Code' });
    await agent.waitFor();
    await workbench.screenshot('hooks-agents');
    await page().locator('.quick-input-widget', { hasText: '1 Selected' }).waitFor();
    await page().keyboard.press('Enter');
    const question = await workbench.notification('each change of your settings of Claude Code');
    await page()
      .locator('.multiDiffEntry .view-line', { hasText: 'splice-spool' })
      .first()
      .waitFor();
    await drawn();
    await lookInThemes(workbench, 'hooks-change', { in: extremeThemes });
    assert.equal(readFileSync(settingsFile, 'utf8'), settings);
    await question.getByRole('button', { name: 'Change the Settings' }).click();
    await until('the settings have the hooks', async () =>
      readFileSync(settingsFile, 'utf8').includes('splice-spool'),
    );
  });

  it('are waited for by undos', async () => {
    happens('UserPromptSubmit');
    const call = { tool_name: 'Edit', tool_use_id: 'c', tool_input: { file_path: cartFile() } };
    happens('PreToolUse', call);
    writeFileSync(cartFile(), changed);
    happens('PostToolUse', call);
    await workbench.openFile('src/cart.ts');
    await workbench.runCommand('Splice: Focus on Reviews View');
    await showViews(page(), 'Reviews');
    await row(/Claude Code/)
      .first()
      .waitFor();
    await workbench.openFile('src/cart.ts');
    await workbench.runCommand('Splice: Undo External Changes in File');
    await workbench.notification('Claude Code is at work');
    await row('undone at the end of the turn').first().waitFor();
    await drawn();
    await lookInThemes(workbench, 'hooks-waiting', { in: extremeThemes });
    happens('Stop');
    await until('the file is as it was', async () => readFileSync(cartFile(), 'utf8') === cart);
  });

  it('can be told what was undone', async () => {
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('Splice: Tell the Agent What You Undid…');
    await workbench.notification('Add your reasons');
    await drawn();
    await workbench.screenshot('hooks-draft');
  });

  it('get it with the next prompt, when the user hands it over', async () => {
    const question = await workbench.notification('Add your reasons');
    await question.getByRole('button', { name: 'Hand Over at the Next Prompt' }).click();
    const item = page().locator('.statusbar-item', { hasText: 'Message waits' });
    await item.waitFor();
    await drawn();
    await lookInThemes(workbench, 'hooks-message', { in: extremeThemes });
    await item.click();
    const again = await workbench.notification('Add your reasons');
    await item.waitFor({ state: 'detached' });
    assert.equal(happens('UserPromptSubmit'), '');
    await again.getByRole('button', { name: 'Hand Over at the Next Prompt' }).click();
    await item.waitFor();
    assert.match(happens('UserPromptSubmit'), /"additionalContext":"I undid these changes/);
    await workbench.notification('was handed over to Claude Code with your prompt');
    await item.waitFor({ state: 'detached' });
    await workbench.screenshot('hooks-message-gone');
    assert.equal(happens('UserPromptSubmit'), '');
  });
});
