// A window that is used by the keyboard alone, and what a screen reader would read in it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { faultsOf, type Spoken, spoken } from '../support/ui/spoken.mjs';
import { until, type Workbench } from './workbench';

let workbench: Workbench | undefined;
const page = (): Workbench['page'] => (workbench ?? assert.fail('no window yet')).page;

/** The window that all of this is about. */
export function useWindow(window: Workbench): void {
  workbench = window;
}

/** All that was read in the test, in its order. */
const heard: string[] = [];

/** What was read since the last call, line by line. */
export const takeHeard = (): string => `${heard.splice(0).join('\n')}\n`;

const lineOf = ({ role, name, states, value, within }: Spoken): string =>
  [
    `${role} ${JSON.stringify(name)}`,
    ...states,
    ...(value ? [`= ${JSON.stringify(value)}`] : []),
    ...(within ? [`in ${within}`] : []),
  ].join(' ');

/** Waits until this is read, and fails with what is wrong in it. */
export async function hears(wanted: RegExp): Promise<Spoken> {
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

export async function press(...keys: string[]): Promise<void> {
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

export const pressUntil = (what: string, keys: readonly string[], holds: () => Promise<boolean>) =>
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
export async function walk(key: string, wanted: RegExp, most = 30): Promise<Spoken> {
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
export async function command(title: string): Promise<void> {
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
export async function inView(name: string, row: string): Promise<void> {
  await page().locator('.sidebar .monaco-list-row', { hasText: row }).first().waitFor();
  await hears(new RegExp(`tree "?${name}`));
}

/** Puts the focus into a view that has a row with this text. */
export async function focusView(name: string, row: string): Promise<void> {
  await command(`Splice: Focus on ${name} View`);
  await inView(name, row);
}

/** Opens a file by Quick Open. */
export async function open(name: string): Promise<void> {
  const asked = /^textbox "Search files by name|in textbox "?Search files by name/;
  await pressUntil('files are searched by name', ['Control+P'], () => isRead(asked));
  await page().keyboard.insertText(name);
  await hears(new RegExp(`^option "${path.basename(name)}`));
  await press('Enter');
  await hears(new RegExp(`^textbox "${path.basename(name)}`));
}

/** Waits until a page in the window has its content and the focus. */
export async function inFrame(content: string): Promise<void> {
  const frame = page().frameLocator('iframe.webview').frameLocator('#active-frame');
  await frame.locator(content).first().waitFor();
  await until('the page has the focus', async () =>
    page().evaluate<boolean>('document.activeElement?.tagName === "IFRAME"'),
  );
}
