import assert from 'node:assert/strict';
import type { StandIn } from '../service/standIn';
import {
  extremeThemes,
  launchWithKey,
  lookInThemes,
  pictureFailures,
  until,
  type Workbench,
} from './workbench';

const apiKey = 'sk-ui-egress-0123456789';
const secret = 'ghp_CANARYabcdefghijklmnopqrstuvwxyz01';
const code = (line: string) => `function a() {\n  start();\n  ${line}\n}\n`;
const snippet = (path: string) =>
  `// ${path}\nfunction a() {\n  start(1);\n// ... existing code ...\n}\n`;
const change = (path: string) => `${path}\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n`;
const merge = (text: string): string => text.replace('start()', 'start(1)');
const commands = ['.github/workflows/release.yml', '.vscode/tasks.json'];

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
const dialog = () => page().locator('.monaco-dialog-box');

/** The question that is open, with its details and buttons; it is taken a picture of and answered. */
async function question(name: string, answer: string): Promise<string> {
  const button = dialog().locator('.monaco-button', { hasText: answer });
  await button.waitFor();
  const text = (await dialog().innerText()).replaceAll('\u00a0', ' ');
  await workbench.screenshot(`egress-${name}`);
  const isOpen = async (): Promise<boolean> =>
    (await dialog().count()) > 0 &&
    (await dialog().innerText()).replaceAll('\u00a0', ' ').includes(text);
  await until('the answer', async () => {
    // A dialog takes no click while it is still drawn.
    if (await isOpen()) await button.click();
    return !(await isOpen());
  });
  return text;
}

async function apply(text: string): Promise<void> {
  await workbench.setClipboard(text);
  await workbench.runCommand('Splice: Apply Clipboard Edit');
}

describe('what leaves, in the window', () => {
  before(async () => {
    ({ workbench, standIn } = await launchWithKey(
      { apiKey, merge },
      {
        files: {
          'src/holder.js': code(`connect("${secret}");`),
          'src/plain.js': code('stop();'),
          '.vscode/settings.json': '{}',
          ...Object.fromEntries(commands.map(name => [name, 'one\ntwo\nthree\n'])),
        },
        settings: { 'splice.apply.engine': 'service' },
      },
    ));
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  for (const [theme, mark] of extremeThemes)
    it(`asks before a file with a key is sent, and names it, in ${theme}`, async () => {
      await workbench.useTheme(theme, mark);
      await workbench.openFile('src/holder.js');
      await apply(snippet('src/holder.js'));
      const text = await question(`1-file-${mark}`, 'Cancel');
      assert.match(text, /Send src\/holder\.js to .* to be merged\?/);
      assert.match(text, /It seems to hold a key or a password\./);
      assert.match(text, /Merge on This Machine/);
      assert.match(text, /Send Anyway/);
    });

  for (const [theme, mark] of extremeThemes)
    it(`asks before an edit of a file that runs commands is accepted, in ${theme}`, async () => {
      await workbench.useTheme(theme, mark);
      for (const name of commands) {
        await apply(change(name));
        await page().locator('.codelens-decoration', { hasText: name }).first().waitFor();
      }
      await workbench.runCommand('Splice: Accept All Changes in All Files');
      const texts = [
        await question(`2-command-a-${mark}`, 'Do Not Accept'),
        await question(`2-command-b-${mark}`, 'Do Not Accept'),
      ];
      for (const name of commands)
        assert.ok(
          texts.some(text => text.includes(`Accept the change to ${name}?`)),
          texts.join(),
        );
      await workbench.rejectReviews();
    });

  it('lists what was sent, in dark and in light high contrast', async () => {
    await workbench.openFile('src/plain.js');
    await apply(snippet('src/plain.js'));
    await until('a request', async () => standIn.requests.length > 0);
    await workbench.runCommand('Splice: Show What Was Sent');
    await until('the tab', async () =>
      (await page().locator('.tab.active').innerText()).includes('What Was Sent'),
    );
    await lookInThemes(workbench, 'egress-3-sent', { in: extremeThemes });
    await workbench.rejectReviews();
  });
});
