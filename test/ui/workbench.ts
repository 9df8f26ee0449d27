// A VS Code window as a user has it, with the packaged extension installed.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
// Not bundled: this path is right from test/ui and from out/ui.
import {
  openWindow,
  patience,
  pictures,
  setClipboard,
  type Window,
  type WindowOptions,
} from '../../test/support/ui/window.mjs';
import { type StandIn, type StandInOptions, startStandIn } from '../service/standIn';
import { type Contrasts, unreadable } from '../support/ui/readability.mjs';

export interface Workbench {
  page: Page;
  /** The folder the window shows. */
  ws: string;
  /** By the command palette; waits until the palette knows the command. */
  runCommand(title: string): Promise<void>;
  /** By its path in the workspace; the editor has the focus afterwards. */
  openFile(name: string): Promise<void>;
  setClipboard(text: string): Promise<void>;
  /** The menu of actions at the cursor; its row with this text. */
  openLightbulb(text: string | RegExp): Promise<Locator>;
  /** Rejects every review and closes all editors: a review whose tab is closed still waits. */
  rejectReviews(): Promise<void>;
  /** The notification with this text, once it is drawn. */
  notification(text: string | RegExp): Promise<Locator>;
  /** Answers the input that asks for an API key, and clears what is said of it. */
  typeApiKey(key: string): Promise<void>;
  screenshot(name: string): Promise<string>;
  /** @param mark class of the page in that theme, `vs-dark` or so. */
  useTheme(name: string, mark: string): Promise<void>;
  /** Another window of the same user on the same folder. */
  openAgain(): Promise<Workbench>;
  /** Ends this window as a user does who closes its tab. */
  close(): Promise<void>;
  /** Ends everything, also the other windows. */
  dispose(): Promise<void>;
}

/** Names of themes, with the class of the page in each. */
export const themes = [
  ['Default Light Modern', 'vs'],
  ['Default High Contrast', 'hc-black'],
  ['Default High Contrast Light', 'hc-light'],
  ['Default Dark Modern', 'vs-dark'],
] as const;

/** The usual one and the one that is furthest from it; the usual one last. */
export const extremeThemes = themes.filter(([, mark]) => mark === 'hc-light' || mark === 'vs-dark');

/** What VS Code takes to draw all in a new theme, or a menu that opens, in milliseconds. */
const drawnMs = 600;

export const drawn = async (): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, drawnMs));

export interface ThemeLook {
  /** All of them where it is left out. */
  in?: readonly (typeof themes)[number][];
  /** Brings into sight what is looked at, in a theme with this class of the page. */
  show?: (mark: string) => Promise<unknown>;
  /** Selects what must be readable: enough contrast in the picture, and no text that is cut off. */
  reads?: string;
  /** The contrasts that are enough in a theme; those of WCAG where it is left out. */
  least?: (mark: string) => Contrasts | undefined;
  /** Puts away what `show` has opened. */
  leave?: (mark: string) => Promise<unknown>;
}

/** Takes a picture in each theme, and fails with all that cannot be read in one of them. */
export async function lookInThemes(
  workbench: Workbench,
  name: string,
  { in: chosen = themes, show, reads, least, leave }: ThemeLook = {},
): Promise<void> {
  const faults: string[] = [];
  for (const [theme, mark] of chosen) {
    await workbench.useTheme(theme, mark);
    await show?.(mark);
    await drawn();
    const picture = await readFile(await workbench.screenshot(`${name}-${mark}`));
    if (reads !== undefined)
      for (const fault of await unreadable(workbench.page, picture, reads, least?.(mark)))
        faults.push(`${theme}: ${fault}`);
    await leave?.(mark);
  }
  assert.deepEqual(faults, []);
}

const views = ['Reviews', 'Search', 'Endpoints', 'Batches', 'Fine-Tuning', 'Connect'] as const;

export type SideBarView = (typeof views)[number];

/** Opens exactly these views of the side bar, which must be in sight. */
export async function showViews(page: Page, ...names: SideBarView[]): Promise<void> {
  for (const name of views) {
    const header = page.locator(`.sidebar .pane-header[aria-label^="${name}"]`);
    // Those of the account are there only with a key, and the other one only without.
    if (!names.includes(name) && (await header.count()) === 0) continue;
    if (names.includes(name)) await header.waitFor();
    const isOpen = (await header.getAttribute('aria-expanded')) === 'true';
    if (isOpen !== names.includes(name)) await header.click();
  }
}

const lookAgainMs = 50;

/** Waits for what the page shows, and fails when it does not come. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patience;
  while (performance.now() < end) {
    if (await holds()) return;
    await new Promise(resolve => setTimeout(resolve, lookAgainMs));
  }
  assert.fail(`not so after ${patience / 1000} s: ${what}`);
}

/** Takes pictures of the window after each test that failed, the second one with all notifications. */
export function pictureFailures(workbench: () => Workbench | undefined): void {
  afterEach(async function () {
    const shown = workbench();
    if (this.currentTest?.state !== 'failed' || !shown) return;
    const name = `failed-${this.currentTest.title.replace(/\W+/g, '-')}`;
    await shown.screenshot(name);
    await shown.page.keyboard.press('Escape');
    await shown.runCommand('Notifications: Show Notifications');
    await shown.screenshot(`${name}-notifications`);
    await shown.page.keyboard.press('Escape');
  });
}

/** A copy of this project's own sources. */
export function sources(): Record<string, string> {
  const files: Record<string, string> = { '.vscode/settings.json': '{}' };
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    const file = path.join('src', name);
    if (statSync(file).isFile()) files[file] = readFileSync(file, 'utf8');
  }
  return files;
}

/** A window with a stand-in of the service, and a key for it. */
export async function launchWithKey(
  { apiKey, ...service }: StandInOptions & { apiKey: string },
  { settings, ...options }: WindowOptions = {},
): Promise<{ workbench: Workbench; standIn: StandIn }> {
  const standIn = await startStandIn({ apiKey, ...service });
  const workbench = await launchWorkbench({
    ...options,
    settings: { 'splice.service.baseUrl': standIn.url, ...settings },
  });
  await workbench.runCommand('Splice: Set API Key…');
  await workbench.typeApiKey(apiKey);
  return { workbench, standIn };
}

/** The only input that hides what is typed: the one that asks for the API key. */
export const hiddenInput = (page: Page): Locator =>
  page.locator('.quick-input-widget input[type=password]');

export async function launchWorkbench(options: WindowOptions = {}): Promise<Workbench> {
  const { page, ...window } = await openWindow(options);
  return workbenchIn(page, window);
}

function workbenchIn(page: Page, window: Omit<Window, 'page' | 'log'>): Workbench {
  const { workspace, openAgain, dispose } = window;
  const input = page.locator('.quick-input-widget input[type=text]');
  const rows = page.locator('.quick-input-list .monaco-list-row');

  /** A quick input shows what was known when it opened, so it is opened again until it fits. */
  const pick = async (key: string, text: string, label: string): Promise<void> => {
    const wanted = rows.filter({ hasText: label }).first();
    for (let left = patience; left > 0; left -= 1000) {
      await page.keyboard.press(key);
      // A focus that comes late closes the input again, at times before it is seen.
      const picked = await input
        .waitFor({ timeout: 5000 })
        .then(async () => input.fill(text, { timeout: 1000 }))
        .then(async () => wanted.waitFor({ timeout: 1000 }))
        // Long: what is picked and not told in time would be picked again.
        .then(async () => wanted.click({ timeout: 10_000 }))
        .then(
          () => true,
          () => false,
        );
      if (picked) return;
      // An Escape for the editor would end its selection.
      if (await input.isVisible()) await page.keyboard.press('Escape');
    }
    throw new Error(`nothing named ${JSON.stringify(label)} to pick`);
  };

  const runCommand = (title: string): Promise<void> => pick('F1', `>${title}`, title);

  const notification = async (text: string | RegExp): Promise<Locator> => {
    const toast = page.locator('.notification-toast', { hasText: text }).first();
    await toast.waitFor();
    return toast;
  };

  return {
    page,
    ws: workspace,
    dispose,
    openAgain: async () => workbenchIn((await openAgain()).page, window),
    async close() {
      // Playwright closes a page without the events by which the window tells its extensions to end.
      await page.goto('about:blank');
      await page.close();
    },
    async openFile(name) {
      const tab = page.locator('.tab.active', { hasText: path.basename(name) });
      // A list that is drawn anew at that moment takes no notice of the click.
      await until(`${name} is open`, async () => {
        await pick('Control+P', name, path.basename(name));
        return tab.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      });
      await page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
    },
    setClipboard: text => setClipboard(page, text),
    async openLightbulb(text) {
      const action = page.locator('.action-widget .monaco-list-row', { hasText: text }).first();
      for (let left = patience; left > 0; left -= 3000) {
        // A cursor or problems that come late close the menu again, or keep it from opening.
        await page.keyboard.press('Control+.');
        const isShown = await action.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
        if (isShown) return action;
        await page.keyboard.press('Escape');
      }
      throw new Error(`no action named ${text}`);
    },
    runCommand,
    async rejectReviews() {
      const waiting = page.locator('.statusbar-item', { hasText: 'to review' });
      const reviews = page.locator('.tab', { hasText: '(review)' });
      // A review that is shown late opens its tab after the others were closed.
      const closeEditors = () =>
        until('no review is open', async () => {
          await runCommand('View: Close All Editors');
          return reviews
            .first()
            .waitFor({ state: 'detached', timeout: 3000 })
            .then(
              () => true,
              () => false,
            );
        });
      await closeEditors();
      // The status item is hidden for a moment while documents close.
      const isWaiting = () =>
        waiting.waitFor({ timeout: 1500 }).then(
          () => true,
          () => false,
        );
      for (let left = 10; left > 0 && (await isWaiting()); left--) {
        const [before] = await waiting.allInnerTexts();
        if (before === undefined) continue;
        await runCommand('Splice: Reopen Closed Review');
        await reviews.first().waitFor();
        await runCommand('Splice: Reject All Changes');
        await until(
          'one review less',
          async () => !(await waiting.allInnerTexts()).includes(before),
        );
        await closeEditors();
      }
      await waiting.waitFor({ state: 'detached' });
    },
    notification,
    async useTheme(name, mark) {
      await writeFile(
        path.join(workspace, '.vscode/settings.json'),
        JSON.stringify({ 'workbench.colorTheme': name }),
      );
      await page.locator(`.monaco-workbench.${mark}`).waitFor();
    },
    async typeApiKey(key) {
      const hidden = hiddenInput(page);
      await hidden.waitFor();
      await hidden.fill(key);
      await page.keyboard.press('Enter');
      await notification('is stored');
      await runCommand('Notifications: Clear All Notifications');
    },
    async screenshot(name) {
      mkdirSync(pictures, { recursive: true });
      const file = path.join(pictures, `${name}.png`);
      await page.screenshot({ path: file });
      return file;
    },
  };
}
