import assert from 'node:assert/strict';
import { type StandIn, startStandIn } from '../service/standIn';
import { spoken } from '../support/ui/spoken.mjs';
import {
  extremeThemes,
  hiddenInput,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  type SideBarView,
  showViews,
  until,
  type Workbench,
} from './workbench';

const apiKey = 'sk-ui-endpoints-0123456789';
const minuteMs = 60_000;

let workbench: Workbench;
let standIn: StandIn;
/** The endpoint that a test has watched. */
let watched: string;
const page = () => workbench.page;
const rows = () => page().locator('.sidebar .pane-body .monaco-list-row');
const row = (text: string | RegExp) => rows().filter({ hasText: text }).first();
const pane = (name: string) => page().locator(`.sidebar .pane-header[aria-label^="${name}"]`);

const quiet = () => new Promise(resolve => setTimeout(resolve, 600));

async function picture(name: string): Promise<void> {
  await page().mouse.move(1100, 885);
  await quiet();
  await workbench.screenshot(`endpoints-${name}`);
}

async function open(text: string | RegExp): Promise<void> {
  await row(text).click();
  await page().keyboard.press('ArrowRight');
}

/** The name of what has the focus. */
const focused = async () => (await spoken(page()))?.name;

/** Shows one view of the container alone. */
async function only(name: SideBarView): Promise<void> {
  await showViews(page(), name);
  await quiet();
}

async function widen(): Promise<void> {
  const { x = 0, width = 0 } = (await page().locator('.part.sidebar').boundingBox()) ?? {};
  await page().mouse.move(x + width + 1, 400);
  await page().mouse.down();
  await page().mouse.move(x + width + 130, 400, { steps: 5 });
  await page().mouse.up();
}

describe('endpoints and jobs in the window', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey, seed: true });
    workbench = await launchWorkbench({
      files: { 'notes.md': '# Notes\n', '.vscode/settings.json': '{}' },
      settings: { 'splice.service.baseUrl': standIn.url },
    });
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('are one view without a key, which says what for and connects', async () => {
    await page().locator('.activitybar .action-label[aria-label^="Splice"]').click();
    await pane('Connect').waitFor();
    for (const name of ['Endpoints', 'Batches', 'Fine-Tuning'])
      assert.equal(await pane(name).count(), 0, name);
    await only('Connect');
    await widen();
    const welcome = page().locator('.sidebar .welcome-view-content', {
      hasText: 'adds chat models',
    });
    await welcome.waitFor();
    await picture('1-no-key');
    await welcome.locator('.monaco-button', { hasText: 'Connect to Service…' }).click();
    await page().locator('.quick-input-title', { hasText: '(1 of 2)' }).waitFor();
    await page().keyboard.press('Enter');
    await hiddenInput(page()).waitFor();
    await hiddenInput(page()).fill(apiKey);
    await page().keyboard.press('Enter');
    await workbench.notification('Connected to');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await only('Endpoints');
    assert.equal(await pane('Connect').count(), 0);
    await row('Needs Attention').waitFor();
    await page().locator('.activitybar .badge-content', { hasText: /^3$/ }).first().waitFor();
  });

  it('shows every state, and what is below', async () => {
    await picture('2-all-states');
    await open('Ended');
    await picture('3-ended');
    await row('Ended').click();
    await page().keyboard.press('ArrowLeft');
    await open('6/7 ');
    await row('Timeline').waitFor();
    await open('Timeline');
    await picture('4-starting');
    await row('6/7 ').click();
    await page().keyboard.press('ArrowLeft');
    await open(/Ready · /);
    await row('Connection').waitFor();
    await open('Connection');
    await row('Requests at once').waitFor();
    await row('Connection').hover();
    await quiet();
    await workbench.screenshot('endpoints-5-connection');
  });

  it('is readable in a light theme and in high contrast', async () => {
    await lookInThemes(workbench, 'endpoints-6', {
      show: () => page().mouse.move(1100, 885),
      reads: '.sidebar .pane-body .monaco-list-row .label-name',
    });
  });

  it('follows a watched endpoint in the status bar, and tells when it is ready', async () => {
    const id = standIn.endpoints.create();
    standIn.clock.advance(6 * minuteMs);
    await workbench.runCommand('Splice: Refresh Endpoints');
    await row(/[56]\/7 /).waitFor();
    standIn.endpoints.play(id, 'deploying');
    await workbench.runCommand('Splice: Refresh Endpoints');
    await until(
      'two are loading',
      async () => (await rows().filter({ hasText: '6/7 ' }).count()) === 2,
    );
    const newest = row('6/7 ');
    await newest.hover();
    await newest.locator('.action-label[aria-label^="Watch Endpoint"]').click();
    await page().locator('.statusbar-item', { hasText: 'step 6 of 7' }).waitFor();
    await picture('7-watched');
    standIn.endpoints.play(id, 'ready');
    await workbench.runCommand('Splice: Refresh Endpoints');
    await workbench.notification('is ready.');
    await row('Ready').filter({ hasText: '2' }).waitFor();
    await quiet();
    await workbench.screenshot('endpoints-8-ready');
    await workbench.runCommand('Notifications: Clear All Notifications');
    watched = id;
  });

  it('tells that somebody else has canceled an endpoint, and until when it serves', async () => {
    standIn.endpoints.cancel(watched, standIn.clock.now() + 30 * 24 * 60 * minuteMs);
    await workbench.runCommand('Splice: Refresh Endpoints');
    await workbench.notification(/was canceled by .* It serves until/);
    await lookInThemes(workbench, 'endpoints-8-canceled', { in: extremeThemes });
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('keep the focus when their content arrives', async () => {
    for (const [name, route, first] of [
      ['Batches', 'GET /v1/batches', 'batch_'],
      ['Fine-Tuning', 'GET /v1/fine_tuning/jobs', 'commit-kind'],
    ] as const) {
      const release = standIn.hold(route);
      await workbench.runCommand(`Splice: Focus on ${name} View`);
      await row('Reading…').waitFor();
      await quiet();
      assert.equal(await focused(), name);
      release();
      await row(first).waitFor();
      await row('Reading…').waitFor({ state: 'detached' });
      await quiet();
      assert.equal(await focused(), name);
      await page().keyboard.press('ArrowDown');
      await until(`a row of ${name} is read`, async () => {
        const { role, within } = (await spoken(page())) ?? {};
        return role === 'treeitem' && within === `tree ${name}`;
      });
    }
  });

  it('shows batches and fine-tuning jobs', async () => {
    await only('Batches');
    await row('batch_').waitFor();
    await open(/failed/);
    await row('Error').waitFor();
    await picture('9-batches');
    await only('Fine-Tuning');
    await row('accuracy').waitFor();
    await open(/accuracy/);
    await row('Classes').waitFor();
    await picture('10-fine-tuning');
  });

  it('keeps what it has while the service is ill', async () => {
    await only('Endpoints');
    standIn.inject('GET /api/v1/dedicated/endpoints', {
      fault: response => {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '300' });
        response.end('{"error":"Too many requests"}');
      },
    });
    await workbench.runCommand('Splice: Refresh Endpoints');
    await until('the message', async () =>
      /Try again after/.test(await page().locator('.sidebar .message').first().innerText()),
    );
    await workbench.runCommand('Notifications: Clear All Notifications');
    await picture('11-limited');
    standIn.heal();
  });
});
