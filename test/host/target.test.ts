import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  activePreview,
  closeAll,
  fileUri,
  run,
  setClipboard,
  stub,
  waitFor,
  writeFile,
} from './support';

const count = 120;
const code = (n: number): string => `export const name = 'p${n}';\nexport const size = 1;\n`;
const path = (n: number): string => `packages/p${n}/src/index.ts`;

describe('the file that a snippet names', () => {
  before(async () => {
    for (let n = 0; n < count; n++) await writeFile(path(n), code(n));
  });
  afterEach(closeAll);
  after(() => vscode.workspace.fs.delete(fileUri('packages'), { recursive: true }));

  for (const named of [path(77), `./${path(77)}`, path(77).replaceAll('/', '\\')])
    it(`is found among ${count} files with its name, without a question: ${named}`, async () => {
      let isAsked = false;
      stub(vscode.window, 'showQuickPick', async () => {
        isAsked = true;
      });
      await setClipboard(
        `${named}\n\`\`\`ts\n// ... existing code ...\nexport const size = 2;\n\`\`\`\n`,
      );
      await run('splice.apply.clipboard');
      const preview = await waitFor(() => isAsked || activePreview(), 'the review');
      assert.equal(isAsked, false);
      assert.ok(typeof preview === 'object');
      assert.match(preview.getText(), /name = 'p77'/);
    });
});
