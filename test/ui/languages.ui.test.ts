import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../src/base/typeGuards';
import { launchWorkbench, pictureFailures, type Workbench } from './workbench';

const languages = ['de', 'es', 'ja', 'zh-cn'] as const;

/** The translation of a text, from a file of the project. */
function translation(file: string, key: string): string {
  const texts: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const text = isRecord(texts) ? texts[key] : undefined;
  return typeof text === 'string' ? text : assert.fail(`${file} has no ${key}`);
}

const edit = 'web/styles.css\n```css\n.cart {\n  color: red;\n}\n```\n';

describe('the window in another language', () => {
  let workbench: Workbench | undefined;
  pictureFailures(() => workbench);
  afterEach(async () => {
    await workbench?.dispose();
    workbench = undefined;
  });

  for (const language of languages)
    it(`has the texts of Splice in ${language}`, async () => {
      const inCode = (text: string) =>
        translation(path.join('l10n', `bundle.l10n.${language}.json`), text);
      workbench = await launchWorkbench({
        language,
        files: { '.vscode/settings.json': '{}', 'web/styles.css': '.cart {\n  color: blue;\n}\n' },
      });
      const { page } = workbench;
      await workbench.setClipboard(edit);
      const title = translation(`package.nls.${language}.json`, 'command.apply.clipboard');
      await workbench.runCommand(`Splice: ${title}`);
      const lens = page.locator('.codelens-decoration', { hasText: inCode('Accept All') }).first();
      await lens.waitFor();
      assert.ok((await lens.innerText()).includes(inCode('Reject All')), await lens.innerText());
      // The badge lies above the icon.
      const icon = page.locator('.activitybar .action-label[aria-label^="Splice"]');
      await icon.click({ force: true });
      await page
        .locator('.pane-header', {
          hasText: translation(`package.nls.${language}.json`, 'view.reviews'),
        })
        .first()
        .waitFor();
      await workbench.screenshot(`language-${language}`);
    });
});
