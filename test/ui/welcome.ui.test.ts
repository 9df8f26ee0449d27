// What a person meets first: an empty profile, without an account.
import assert from 'node:assert/strict';
import { type StandIn, startStandIn } from '../service/standIn';
import {
  hiddenInput,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  themes,
  until,
  type Workbench,
} from './workbench';

const apiKey = 'sk-ui-welcome-0123456789';

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
/** By its title; the one that is unfolded shows its buttons. */
const step = (title: string) => page().locator('.getting-started-step', { hasText: title }).first();
const isTicked = async (id: string): Promise<boolean> =>
  (await page()
    .locator(`[role=checkbox][data-done-step-id$="#${id}"]`)
    .first()
    .getAttribute('aria-checked')) === 'true';
const lightAndDark = themes.filter(([, mark]) => mark === 'vs' || mark === 'vs-dark');

describe('the first minute, in the window', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey, seed: false });
    standIn.endpoints.create({ state: 'ready', modelId: 'svc-kimik3' });
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: { 'workbench.welcomePage.walkthroughs.openOnInstall': true },
    });
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('opens the walkthrough in the first window, and tells nothing', async () => {
    await step('Apply an answer without an account').waitFor();
    assert.equal(await page().locator('.notification-toast').count(), 0);
  });

  it('opens it in no other window', async () => {
    const other = await workbench.openAgain();
    // A window of the same folder begins with the editors of the first one, an empty one with none.
    const { origin } = new URL(other.page.url());
    await other.page.goto(`${origin}/?ew=true`);
    await other.page.locator('.monaco-workbench .statusbar').waitFor();
    // The extension has started by the time that it has run a command.
    await other.runCommand('Splice: Show Costs');
    await other.page.locator('.tab.active', { hasText: 'Costs' }).waitFor();
    assert.deepEqual(await other.page.locator('.tab').allInnerTexts(), ['Splice Costs']);
    await other.close();
    await workbench.runCommand('Splice: Get Started');
  });

  it('shows each step with a picture, readable in any theme', async () => {
    await workbench.runCommand('Splice: Get Started');
    for (const [title, name] of [
      ['Apply an answer', 'apply'],
      ['Search this folder', 'search'],
      ['Compact a chat', 'compact'],
      ['Review what agents wrote', 'external'],
      ['Connect a service', 'connect'],
    ] as const) {
      await step(title).click();
      await lookInThemes(workbench, `welcome-${name}`, { in: lightAndDark });
    }
  });

  it('ticks the first step once an answer is reviewed in the sample', async () => {
    await step('Apply an answer').click();
    assert.equal(await isTicked('apply'), false);
    await page()
      .locator('.gettingStartedContainer')
      .getByRole('button', { name: 'Open Sample' })
      .click();
    const toast = await workbench.notification('answer.md shows only the lines');
    await workbench.screenshot('welcome-sample');
    await toast.getByRole('button', { name: 'Apply the Answer' }).click();
    await page().locator('.tab.active', { hasText: '(review)' }).waitFor();
    await workbench.screenshot('welcome-sample-review');
    await workbench.runCommand('Splice: Get Started');
    await until('the step is ticked', async () => isTicked('apply'));
    await workbench.screenshot('welcome-ticked');
    await workbench.rejectReviews();
  });

  it('begins the side bar with reviews and search, and one view for all that needs a service', async () => {
    await workbench.runCommand('View: Show Splice');
    const headers = page().locator('.sidebar .pane-header');
    await until('the views', async () => (await headers.count()) === 3);
    const names = await headers.evaluateAll(all =>
      all.map(header => header.getAttribute('aria-label')?.split(' ')[0]),
    );
    assert.deepEqual(names, ['Reviews', 'Search', 'Connect']);
    await lookInThemes(workbench, 'welcome-side-bar', { in: lightAndDark });
  });

  it('leads to the first chat answer with four inputs, of which two are text', async () => {
    await workbench.runCommand('Splice: Get Started');
    await step('Connect a service').click();
    await page()
      .locator('.gettingStartedContainer')
      .getByRole('button', { name: 'Connect to Service…' })
      .click();
    const title = page().locator('.quick-input-title');
    const input = page().locator('.quick-input-widget input[type=text]');
    await title.filter({ hasText: '(1 of 2)' }).waitFor();
    // As in an example of the service.
    await input.fill(`${standIn.url}/v1/chat/completions`);
    await page().locator('.quick-input-message', { hasText: 'is used' }).waitFor();
    await lookInThemes(workbench, 'welcome-address', { in: lightAndDark });
    await page().keyboard.press('Enter');

    await hiddenInput(page()).waitFor();
    await hiddenInput(page()).fill(apiKey);
    await workbench.screenshot('welcome-key');
    await page().keyboard.press('Enter');

    const toast = await workbench.notification(
      /Connected to 127\.0\.0\.1:\d+\. The key is accepted: \d+ models, 1 endpoint ready\./,
    );
    assert.match(await toast.innerText(), /without a sign-in/);
    await lookInThemes(workbench, 'welcome-connected', { in: lightAndDark });
    await toast.getByRole('button', { name: 'Use in Chat' }).click();

    const prompt = page().locator('.interactive-input-editor .view-lines').first();
    await page().locator('.interactive-input-part .model-picker-name').waitFor();
    await prompt.click();
    await page().keyboard.type('say "The first answer."');
    await page().keyboard.press('Enter');
    await page()
      .locator('.interactive-session .interactive-response', { hasText: 'The first answer.' })
      .last()
      .waitFor();
    await workbench.screenshot('welcome-first-answer');
    assert.ok(standIn.requests.some(({ path }) => path === '/v1/chat/completions'));
    assert.equal(await page().locator('.tab', { hasText: 'Language Models' }).count(), 0);
    await workbench.runCommand('Splice: Get Started');
    await until('the step is ticked', async () => isTicked('connect'));
    await workbench.screenshot('welcome-done');
  });
});
