import { type StandIn, startStandIn } from '../service/standIn';
import { launchWorkbench, type Workbench, within } from './workbench';

const apiKey = 'sk-ui-models-0123456789';

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
const input = () => page().locator('.quick-input-widget .quick-input-box input');
const row = (text: string) =>
  page().locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
const quiet = () => new Promise(resolve => setTimeout(resolve, 800));
const until = within(20_000);

async function picture(name: string): Promise<void> {
  await quiet();
  await workbench.screenshot(`models-${name}`);
}

describe('the models in the chat view', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey, seed: false });
    standIn.endpoints.create({ state: 'ready', modelId: 'svc-kimik3' });
    workbench = await launchWorkbench({
      files: { 'notes.md': '# Notes\n', '.vscode/settings.json': '{}' },
      settings: {
        'splice.service.baseUrl': standIn.url,
        'chat.byokUtilityModelDefault': 'mainAgent',
      },
    });
    page().setDefaultTimeout(10_000);
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench?.screenshot(`failed-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  it('explores', async () => {
    await workbench.runCommand('Splice: Set API Key…');
    await input().fill(apiKey);
    await page().keyboard.press('Enter');
    await workbench.notification('is stored');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand("Splice: Why Don't I See My Models?");
    await row('not enabled yet').waitFor();
    await picture('1-why');
    await row('not enabled yet').click();
    await page().getByText('Context Size').first().waitFor();
    await picture('2-manage');
    await page().keyboard.press('Escape');
    await page().keyboard.press('Control+Alt+I');
    await quiet();
    await quiet();
    await picture('3-chat');
    console.log(await page().locator('.interactive-input-part').allInnerTexts());
    console.log(await page().locator('.interactive-input-part .action-label').evaluateAll(els => els.map(e => e.outerHTML.slice(0,300))));
    const editor = page().locator('.interactive-input-editor .view-lines').first();
    await editor.click();
    await page().keyboard.type('say "Good morning from the stand-in."');
    await page().keyboard.press('Enter');
    await quiet(); await quiet(); await quiet();
    await picture('4-answer');
    await new Promise(r => setTimeout(r, 5000));
    await picture('5-answer');
    console.log(standIn.requests.map(({ path, body }) => path + ' ' + JSON.stringify(body).length).join('\n'));
  });
});
