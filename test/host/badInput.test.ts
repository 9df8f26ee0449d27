import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  closeAll,
  expectNoChange,
  fileUri,
  message,
  messages,
  openFile,
  run,
  setClipboard,
  stub,
  writeFile,
} from './support';

const applyClipboard = 'splice.apply.clipboard';
const applySelection = 'splice.apply.selection';
/** No line of it stands in a file. */
const foreign = '  async launch(pad) {\n    await pad.ignite();\n    return pad.count(10);\n  }\n';
const edit = '  remove(sku: string): boolean {\n    return false;\n  }\n';

async function expectRefusal(text: string, wording: RegExp, ...args: unknown[]): Promise<void> {
  await expectRefusalWith([], text, wording, ...args);
}

async function expectRefusalWith(
  steps: readonly string[],
  text: string,
  wording: RegExp,
  ...args: unknown[]
): Promise<void> {
  await setClipboard(text);
  await expectNoChange(async () => run(applyClipboard, ...args));
  const { level, buttons } = await message(wording);
  assert.deepEqual([level, buttons, messages().length], ['warning', steps, 1]);
}

describe('input that cannot be applied', () => {
  afterEach(closeAll);

  const clipboards: [string, string, RegExp][] = [
    ['nothing', '', /^The clipboard is empty\. Copy the code/],
    ['white space', ' \n\t\n', /^The clipboard holds only white space\. Copy the code/],
    [
      'prose',
      'Please call me back about the cart.',
      /^The clipboard holds text, but no code\. Copy the code/,
    ],
    [
      'a web address',
      'https://example.com/a',
      /^The clipboard holds a web address, not code\. Copy the code/,
    ],
    ['binary data', 'a\0b\u0001c', /^The clipboard holds binary data, not text\. Copy the code/],
  ];
  for (const [name, text, wording] of clipboards) {
    it(`says that the clipboard holds ${name}`, async () => {
      await openFile('src/cart.ts');
      await expectRefusal(text, wording);
    });
  }

  it('says that no line of the snippet stands in the file', async () => {
    await openFile('src/cart.ts');
    await expectRefusal(
      `// src/cart.ts\n${foreign}`,
      /^No line of the snippet is in cart\.ts, so it is unclear where it goes\./,
    );
  });

  it('says that the file is binary', async () => {
    await writeFile('blob.bin', Uint8Array.from([0x7f, 0x45, 0, 0, 1, 2, 0xff, 0xfe, 10, 0]));
    await expectRefusal(edit, /^blob\.bin is a binary file, so an edit/, fileUri('blob.bin'));
  });

  it('says that the file is too large', async () => {
    await writeFile('large.ts', new Uint8Array(50 * 1024 * 1024).fill(0x20));
    try {
      const wording = /^large\.ts is 50 MB\. Splice applies edits to files of up to 5 MB\.$/;
      await expectRefusal(edit, wording, fileUri('large.ts'));
    } finally {
      await vscode.workspace.fs.delete(fileUri('large.ts'));
    }
  });

  it('says that the file is a folder or gone', async () => {
    await expectRefusal(edit, /^src is a folder\. Pick a file\.$/, fileUri('src'));
    await setClipboard(edit);
    await expectNoChange(async () => run(applyClipboard, fileUri('src/gone.ts')));
    await message(/^src\/gone\.ts does not exist\.$/);
  });

  it('says that the file of the snippet is not in the workspace', async () => {
    await expectRefusalWith(
      ['Choose File…', 'Open File…'],
      `// src/checkout/basket.ts\n${foreign}`,
      /^src\/checkout\/basket\.ts is not in this workspace\. Open the file that the edit is meant for/,
    );
  });

  it('asks for the file when another one is open, and takes no for an answer', async () => {
    await openFile('src/cart.ts');
    let title = '';
    stub(
      vscode.window,
      'showQuickPick',
      async (_: unknown, options: vscode.QuickPickOptions) => void (title = options.title ?? ''),
    );
    await setClipboard(`// src/checkout/basket.ts\n${edit}`);
    await expectNoChange(async () => run(applyClipboard));
    assert.equal(title, 'The snippet is for src/checkout/basket.ts. Apply it to which file?');
    assert.deepEqual(messages(), []);
  });

  it('says that a file must be open or lines be selected', async () => {
    await expectRefusalWith(
      ['Choose File…', 'Open File…'],
      foreign,
      /^Open the file that the edit is meant for, then run/,
    );
    await openFile('src/cart.ts');
    await expectNoChange(async () => run(applySelection));
    await message(/^Select the lines that may change, then run the command again\.$/);
  });

  for (const id of ['splice.apply.acceptChange', 'splice.apply.openDiff']) {
    it(`says that there is no review: ${id}`, async () => {
      await expectNoChange(async () => run(id));
      await message(/^No review is open\. Copy an edit and run "Splice: Apply Clipboard Edit"\.$/);
    });
  }
});
