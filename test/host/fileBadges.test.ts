import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FileBadges } from '../../src/apply/review/fileBadges';
import { asRead } from './asRead';
import { driver } from './driver';
import {
  activePreview,
  closeAll,
  fileUri,
  openFile,
  run,
  setClipboard,
  stub,
  waitFor,
  writeFile,
} from './support';

const review = (uri: vscode.Uri, changes: number) => ({
  fileUri: uri,
  model: { hunks: Array.from({ length: changes }) },
});

const blocks = [1, 2, 3]
  .map(
    n =>
      `<<<<<<< SEARCH\nexport const n${n} = ${n};\n=======\nexport const n${n} = 1${n};\n>>>>>>> REPLACE\n`,
  )
  .join('\n');
const text = [1, 2, 3]
  .map(n => `export const n${n} = ${n};\n// nothing\n// here\n// at all\n`)
  .join('');

/** On the tab and in the Explorer; the badge's text is in a style sheet. */
const marks = async () => driver.count('[class*="monaco-decoration-itemBadge"]');

describe('the badge of a file with changes to review', () => {
  afterEach(closeAll);

  it('says how many, and tells VS Code only about files whose count changes', () => {
    const [one, two] = [fileUri('badge/one.ts'), fileUri('badge/two.ts')];
    let registered = 0;
    stub(vscode.window, 'registerFileDecorationProvider', () => {
      registered++;
      return new vscode.Disposable(() => {});
    });
    const badges = new FileBadges();
    const events: string[][] = [];
    badges.onDidChangeFileDecorations(uris => events.push(uris.map(String)));
    try {
      badges.show([]);
      badges.show([review(two, 0)]);
      assert.equal(registered, 0, 'asked before there is anything to mark');
      badges.show([review(one, 3)]);
      assert.equal(registered, 1);
      const decoration = badges.provideFileDecoration(one);
      assert.equal(decoration?.badge, '3');
      assert.equal(asRead(decoration.tooltip), '3 changes to review');
      assert.ok(decoration.propagate && decoration.color);
      assert.equal(badges.provideFileDecoration(two), undefined);

      badges.show([review(one, 3), review(two, 12)]);
      assert.deepEqual(events.splice(0), [[two.toString()]]);
      assert.equal(badges.provideFileDecoration(two)?.badge, '9+');
      badges.show([review(one, 3), review(two, 12)]);
      assert.deepEqual(events, []);
      // The review of the same file's name.
      badges.show([review(two, 12), review(one.with({ fragment: 'path' }), 1)]);
      assert.deepEqual(events.splice(0), [[one.toString()]]);
      assert.equal(asRead(badges.provideFileDecoration(one)?.tooltip), '1 change to review');
      badges.show([]);
      assert.deepEqual(events, [[two.toString(), one.toString()]]);
      assert.equal(badges.provideFileDecoration(one), undefined);
      assert.equal(registered, 1);
    } finally {
      badges.dispose();
    }
  });

  it('is seen until the last change is decided', async function () {
    if (!driver.available) this.skip();
    await writeFile('badge/three.ts', text);
    await openFile('badge/three.ts');
    await setClipboard(blocks);
    await run('splice.apply.clipboard', fileUri('badge/three.ts'));
    await waitFor(activePreview, 'the review');
    await waitFor(async () => (await marks()) > 0, 'the badge');
    await run('splice.apply.rejectAll');
    await waitFor(async () => (await marks()) === 0, 'no badge');
  });
});
