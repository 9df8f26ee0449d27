// The index of a workspace, made after a search and used by the next one.
import assert from 'node:assert/strict';
import { rm, writeFile as writeOutside } from 'node:fs/promises';
import * as vscode from 'vscode';
import { childrenOf, itemOf, labels } from './searchTree';
import {
  answer,
  closeAll,
  fileUri,
  message,
  openFile,
  run,
  setSetting,
  sleep,
  stub,
  waitFor,
  writeFile,
} from './support';

const start = 'splice.search.start';

/** Indexes that were made or read since the start of a test. */
let built = 0;

async function search(query: string): Promise<string[]> {
  await run(start, query);
  return labels();
}

const finds = async (query: string, file: string): Promise<boolean> =>
  (await search(query)).some(row => row.includes(file));

/** Whether the files of the last search were chosen with an index. */
async function usedIndex(): Promise<boolean> {
  const [query] = await childrenOf();
  const { tooltip } = await itemOf(query ?? assert.fail('no search'));
  return typeof tooltip === 'string' && tooltip.includes('Files chosen with the search index');
}

async function build(): Promise<void> {
  await setSetting('splice.search.index', 'always');
  await search('carousel');
  await waitFor(() => built > 0, 'an index');
  await search('carousel');
  assert.ok(await usedIndex());
}

describe('the search index', () => {
  before(async () => {
    await setSetting('splice.search.engine', 'local');
    await writeFile('indexed/carousel.ts', 'export function turnCarousel() {}\n');
    await writeFile('indexed/other.ts', 'export const other = 1;\n');
  });
  beforeEach(async () => {
    // Closes what another test has opened.
    await setSetting('splice.search.index', 'off');
    await setSetting('splice.search.index', undefined);
    built = 0;
    const { withProgress } = vscode.window;
    stub(
      vscode.window,
      'withProgress',
      (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
        const shown = withProgress.call(vscode.window, options, task);
        if (options.title === 'Indexing for the search') void shown.then(() => built++);
        return shown;
      },
    );
  });
  afterEach(async () => {
    await setSetting('splice.search.index', undefined);
    await run('splice.search.clear');
    await closeAll();
  });
  after(async () => {
    await setSetting('splice.search.engine', undefined);
    await vscode.workspace.fs.delete(fileUri('indexed'), { recursive: true });
  });

  it('is not made for a small folder', async () => {
    await search('carousel');
    assert.ok(!(await usedIndex()));
    await sleep(3000);
    assert.equal(built, 0);
  });

  it('answers the next search, with what has changed since', async () => {
    await build();
    assert.ok((await labels()).some(row => row.includes('carousel.ts')));
    const added = fileUri('indexed/gyroscope.ts');
    await writeOutside(added.fsPath, 'export function spinGyroscope() {}\n');
    await waitFor(async () => finds('gyroscope', 'gyroscope.ts'), 'the new file');
    assert.ok(await usedIndex());
    await rm(added.fsPath);
    await waitFor(async () => !(await finds('gyroscope', 'gyroscope.ts')), 'the file is gone');
  });

  it('knows what was just typed, and what was just saved', async () => {
    await build();
    const editor = await openFile('indexed/other.ts');
    await editor.edit(edit => edit.insert(new vscode.Position(0, 0), '// trampoline\n'));
    assert.ok(await finds('trampoline', 'other.ts'));
    await editor.document.save();
    assert.ok(await finds('trampoline', 'other.ts'));
    assert.ok(await usedIndex());
  });

  it('is deleted on request, and made again unless that is turned off', async () => {
    await build();
    answer(/The search index of this workspace is deleted/, 'Turn Off');
    await run('splice.search.deleteIndex');
    await message(/The next search builds it again, unless it is turned off/);
    assert.equal(vscode.workspace.getConfiguration().get('splice.search.index'), 'off');
    built = 0;
    await search('carousel');
    assert.ok(!(await usedIndex()));
    await sleep(3000);
    assert.equal(built, 0);
  });
});
