// The main flows by the keyboard alone, and what a screen reader would read in each of them.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claudeFolderName } from '../../src/compact/sessions/sessionFolders';
import { ledgerLine, monthOf } from '../../src/service/billing/ledger';
// Not bundled: this path is right from test/ui and from out/ui.
import { pictures } from '../../test/support/ui/window.mjs';
import { type StandIn, startStandIn } from '../service/standIn';
import { faultsOf, type Spoken, spoken } from '../support/ui/spoken.mjs';
import { chatSession } from '../support/unit/chatSession';
import { launchWorkbench, pictureFailures, until, type Workbench } from './workbench';

const apiKey = 'sk-ui-keyboard-0123456789';
const sessionId = '5e551047-0000-4000-8000-00000000c0de';
const hourMs = 3_600_000;

const readme = readFileSync('test/fixtures/sample/README.md', 'utf8');

/** The clipboard of the README's section: what is inside its outer fence. */
function snippet(section: number): string {
  const body = readme.split(/^## \d\. .*$/m)[section] ?? '';
  return /^(`{3,4})\w+\n(?<code>[^]*?\n)\1$/m.exec(body)?.groups?.['code'] ?? assert.fail();
}

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
const items = () => page().locator('.statusbar-item[id^="splice-code.splice"]');
const reviewsItem = () => items().filter({ hasText: 'to review' });

/** Waits until so many changes wait, and looks for what else the status bar has of this extension. */
async function toReview(count: number): Promise<void> {
  await reviewsItem()
    .filter({ hasText: `Splice: ${count} to review` })
    .waitFor();
  assert.deepEqual(await items().count(), 1, 'one status item at a time');
}

/** All that was read in the test, in its order. */
let heard: string[] = [];

const lineOf = ({ role, name, states, value, within }: Spoken): string =>
  [
    `${role} ${JSON.stringify(name)}`,
    ...states,
    ...(value ? [`= ${JSON.stringify(value)}`] : []),
    ...(within ? [`in ${within}`] : []),
  ].join(' ');

/** Waits until this is read, and fails with what is wrong in it. */
async function hears(wanted: RegExp): Promise<Spoken> {
  let last: Spoken | undefined;
  await until(`${wanted} is read`, async () => {
    last = await spoken(page());
    return last !== undefined && wanted.test(lineOf(last));
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; read is: ${last && lineOf(last)}`);
  });
  assert.ok(last);
  heard.push(lineOf(last));
  assert.deepEqual(faultsOf(last), [], lineOf(last));
  return last;
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page().keyboard.press(key);
}

/** Looks for a while: a key that comes while VS Code draws is lost, and a user presses it again. */
async function soon(holds: () => Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < 30; looks++) {
    if (await holds()) return true;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return false;
}

/** Waits for the header and the lenses of the review of inventory.py to show as many changes. */
const untilShown = (count: number) =>
  until('the header and the lenses agree', async () => {
    const lenses = await page().locator('.codelens-decoration').allInnerTexts();
    const rows = await page().locator('.editor-instance .view-line').allInnerTexts();
    return (
      lenses.some(text => text.includes(`inventory.py: ${count} changes`)) &&
      lenses.filter(text => /Accept\s*\|/.test(text)).length === count &&
      rows.some(text => new RegExp(`change.\\d.of.${count}`).test(text))
    );
  });

const pressUntil = (what: string, keys: readonly string[], holds: () => Promise<boolean>) =>
  until(what, async () => {
    await press(...keys);
    return soon(holds);
  });

const isRead = (wanted: RegExp): Promise<boolean> =>
  soon(async () => {
    const now = await spoken(page());
    return now !== undefined && wanted.test(lineOf(now));
  });

/** Presses the key until this is read; each step must be read well, and none twice. */
async function walk(key: string, wanted: RegExp, most = 30): Promise<Spoken> {
  const passed: string[] = [];
  for (let steps = 0; steps < most; steps++) {
    const before = await spoken(page());
    let now = before;
    await pressUntil(`${key} goes on from ${before && lineOf(before)}`, [key], async () => {
      now = await spoken(page());
      return now !== undefined && JSON.stringify(now) !== JSON.stringify(before);
    });
    if (!now) continue;
    passed.push(lineOf(now));
    heard.push(lineOf(now));
    assert.deepEqual(faultsOf(now), [], lineOf(now));
    if (wanted.test(lineOf(now))) return now;
  }
  return assert.fail(`${wanted} is not reached by ${key}:\n${passed.join('\n')}`);
}

/** By the command palette, with keys only. */
async function command(title: string): Promise<void> {
  const chosen = new RegExp(`^option "${title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
  // The palette lists what was known when it opened, and a list that closes late takes it along.
  await until(`the palette has ${title}`, async () => {
    await press('F1');
    if (!(await isRead(/Type the name of a command/))) return false;
    await page().keyboard.insertText(title);
    if (await isRead(chosen)) return true;
    await press('Escape');
    return false;
  });
  await press('Enter');
}

/** Waits for a row with this text in the view, which has the focus. */
async function inView(name: string, row: string): Promise<void> {
  await page().locator('.sidebar .monaco-list-row', { hasText: row }).first().waitFor();
  await hears(new RegExp(`tree "?${name}`));
}

/** Puts the focus into a view that has a row with this text. */
async function focusView(name: string, row: string): Promise<void> {
  await command(`Splice: Focus on ${name} View`);
  await inView(name, row);
}

/** Opens a file by Quick Open. */
async function open(name: string): Promise<void> {
  await press('Control+P');
  await hears(/^textbox "Search files by name|in textbox "?Search files by name/);
  await page().keyboard.insertText(name);
  await hears(new RegExp(`^option "${path.basename(name)}`));
  await press('Enter');
  await hears(new RegExp(`^textbox "${path.basename(name)}`));
}

/** Waits until a page in the window has its content and the focus. */
async function inFrame(content: string): Promise<void> {
  const frame = page().frameLocator('iframe.webview').frameLocator('#active-frame');
  await frame.locator(content).first().waitFor();
  await until('the page has the focus', async () =>
    page().evaluate<boolean>('document.activeElement?.tagName === "IFRAME"'),
  );
}

/** Waits until the cursor is at the first line of the search result with this number, whose row is selected. */
async function isAt(number: number): Promise<void> {
  const row = page().locator('.sidebar .monaco-list-row.selected');
  await until(`result ${number} is shown`, async () => {
    const [, at, name, line] =
      /^(\d+) of \d+, (.+), lines (\d+) to/.exec((await row.getAttribute('aria-label')) ?? '') ??
      [];
    const tab = await page().locator('.tab.active').first().innerText();
    const cursor = await page().locator('#status\\.editor\\.selection').innerText();
    return (
      at === `${number}` &&
      path.basename(name ?? '') === tab.replaceAll(/\s/g, '') &&
      cursor.startsWith(`Ln ${line},`)
    );
  });
}

/** Files as other programs and other windows leave them. */
function seed(): void {
  const home = path.dirname(workbench.ws);
  const sessions = path.join(home, '.claude/projects', claudeFolderName(workbench.ws));
  mkdirSync(sessions, { recursive: true });
  writeFileSync(path.join(sessions, `${sessionId}.jsonl`), chatSession(workbench.ws, sessionId));
  const now = Date.now();
  const storage = path.join(home, 'data/data/User/globalStorage/splice-code.splice');
  mkdirSync(storage, { recursive: true });
  const call = {
    at: now,
    operation: 'chat' as const,
    model: 'svc-kimik3',
    promptTokens: 900,
    completionTokens: 120,
    usd: 0.5,
    isExact: true,
    ms: 800,
    attempts: 1,
    result: 'ok' as const,
  };
  writeFileSync(path.join(storage, `costs-${monthOf(now)}.jsonl`), ledgerLine(call));
}

describe('by the keyboard alone', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey, seed: false });
    standIn.endpoints.create({ state: 'ready', ageMs: 30 * hourMs });
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: { 'splice.service.baseUrl': standIn.url, 'editor.accessibilitySupport': 'on' },
    });
    seed();
    // All changes of a file are in sight.
    await page().setViewportSize({ width: 1400, height: 2000 });
  });
  beforeEach(() => {
    heard = [];
  });
  afterEach(function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-');
    mkdirSync(pictures, { recursive: true });
    writeFileSync(path.join(pictures, `spoken-${name}.txt`), `${heard.join('\n')}\n`);
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });

  it('an edit is applied, and reviewed change by change', async () => {
    await open('src/inventory.py');
    await workbench.setClipboard(snippet(2));
    await press('Control+K', 'Control+V');
    await hears(/inventory\.py \(review\)/);
    await toReview(4);
    await press('F7');
    await press('Alt+Y');
    await toReview(3);
    // A decision on what is not drawn yet is refused.
    await untilShown(3);
    await press('Alt+N');
    await toReview(2);
    await press('Control+Z');
    await toReview(3);
    await untilShown(3);
    await command('Splice: Describe Change');
    await hears(/option/);
    await press('Escape');
    await hears(/inventory\.py \(review\)/);
    await command('View: Focus Status Bar');
    await walk('ArrowRight', /To review: 3 changes in 1 file, change \d of 3/);
    await press('Control+1');
    await hears(/inventory\.py \(review\)/);
    await press('Shift+Alt+Y');
    await hears(/^textbox "inventory\.py(?! \(review)/);
  });

  it('reviews are listed, opened and decided in their view', async () => {
    await workbench.setClipboard(snippet(3));
    await press('Control+K', 'Control+V');
    await hears(/cart\.ts \(review\)/);
    await focusView('Reviews', 'styles.css');
    await walk('ArrowDown', /styles\.css/);
    await press('Enter');
    await hears(/styles\.css \(review\)/);
    await press('Control+K', 'Control+Y');
    await until('nothing is left', async () => (await reviewsItem().count()) === 0);
  });

  it('a service is connected', async () => {
    await command('Splice: Connect to Service…');
    await hears(/^textbox ".*\(1 of 2\)/);
    await press('Enter');
    await hears(/^password ".*\(2 of 2\)/);
    await page().keyboard.insertText(apiKey);
    await press('Enter');
    await workbench.notification('Connected to');
    await command('Notifications: Focus Notification Toast');
    await hears(/Connected to/);
    await command('Notifications: Clear All Notifications');
  });

  it('a chat is compacted', async () => {
    await command('Splice: Compact Chat History…');
    await hears(/^option "Uploads of more/);
    await press('Enter');
    await hears(/^option "Compact to 30/);
    await walk('ArrowDown', /The service at|This machine/);
    await walk('ArrowUp', /Compact to 30/);
    await press('Enter');
    await hears(/^textbox "Uploads of more/);
    const figure = items().filter({ hasText: 'tokens (' });
    const before = await figure.innerText();
    await pressUntil(
      'lines are restored',
      ['F7', 'Alt+Y'],
      async () => (await figure.innerText()) !== before,
    );
    await pressUntil(
      'they are left out again',
      ['Alt+N'],
      async () => (await figure.innerText()) === before,
    );
    assert.equal(await items().count(), 1, 'one status item at a time');
    await workbench.setClipboard('');
    await command('Splice: Copy Compacted Chat');
    await until('the chat is copied', async () => {
      const copied = await page().evaluate<string>('navigator.clipboard.readText()');
      return copied.includes('100 MB');
    });
  });

  it('code is searched, and results are read and opened', async () => {
    await press('Control+Alt+G');
    await hears(/Describe what the code does/);
    await page().keyboard.insertText('remove a line from the cart');
    await hears(/^option "Search for/);
    await press('Enter');
    await inView('Search', 'cart.ts');
    // Rows that come late move the focus.
    const isSearching = async () =>
      (await page().locator('.sidebar').innerText()).includes('searching…');
    await until('the search is done', async () => !(await isSearching()));
    await walk('ArrowDown', /cart\.ts/);
    await walk('ArrowDown', /line/i);
    await press('Enter');
    await hears(/^textbox "cart\.ts/);
    await isAt(1);
    await press('F4');
    await isAt(2);
    await press('Shift+F4');
    await isAt(1);
  });

  it('endpoints are listed, and their page is read', async () => {
    await focusView('Endpoints', 'Ready');
    await walk('ArrowDown', /Ready/);
    await press('ArrowRight');
    await page().locator('.sidebar .monaco-list-row', { hasText: 'Connection' }).waitFor();
    await walk('ArrowDown', /Timeline/);
    await command('Splice: Show Endpoint Page');
    await hears(/^option "glm52/);
    await press('Enter');
    await inFrame('button');
    await walk('Tab', /^button/);
  });

  it('costs are read', async () => {
    await command('Splice: Show Costs');
    await inFrame('table');
    await walk('Tab', /Budget/i);
    await walk('Tab', /region/i);
  });
});
