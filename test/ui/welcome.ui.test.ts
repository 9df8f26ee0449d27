// What a person meets first: an empty profile, without an account.
import assert from 'node:assert/strict';
import {
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  themes,
  until,
  type Workbench,
} from './workbench';

let workbench: Workbench;
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
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: { 'workbench.welcomePage.walkthroughs.openOnInstall': true },
    });
  });
  after(async () => workbench?.dispose());
  pictureFailures(() => workbench);

  it('opens the walkthrough in the first window, and tells nothing', async () => {
    await step('Apply an answer without an account').waitFor();
    assert.equal(await page().locator('.notification-toast').count(), 0);
  });

  it('shows each step with a picture, readable in any theme', async () => {
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

  it('opens it in no other window', async () => {
    const other = await workbench.openAgain();
    await other.runCommand('Splice: Get Started');
    await other.page.locator('.getting-started-step').first().waitFor();
    await other.runCommand('View: Close All Editors');
    await other.page.reload();
    await other.page.locator('.monaco-workbench .statusbar').waitFor();
    // By now the extension has run a command, so that it was active before.
    await other.runCommand('Splice: Show Costs');
    await other.page.locator('.tab.active', { hasText: 'Costs' }).waitFor();
    assert.equal(await other.page.locator('.tab', { hasText: 'Welcome' }).count(), 0);
    await other.close();
  });
});
