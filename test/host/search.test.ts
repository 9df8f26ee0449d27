import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { searchTool } from '../../src/search/ids';
import { localSearch } from '../../src/search/local/localSearch';
import { initialSearchState, type SearchState } from '../../src/search/runSearch';
import { prepareSearch, resultText } from '../../src/search/searchTool';
import { openSearchTarget, ripgrepPath } from '../../src/search/searchWorkspace';
import { searchMessage } from '../../src/search/view/searchMessage';
import { ShownSearch } from '../../src/search/view/shownSearch';
import { type StandIn, startStandIn } from '../service/standIn';
import {
  childrenOf,
  itemOf,
  labelOf,
  type Node,
  nodeNamed,
  said,
  treeProvider,
  view,
} from './searchTree';
import {
  closeAll,
  fileUri,
  forgetService,
  invokeTool,
  message,
  messages,
  openedQuickPicks,
  openFile,
  pressEnter,
  questionText,
  run,
  setClipboard,
  setSetting,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-search-test-0123456789';
const chat = 'POST /v1/chat/completions';

/** The tree as it is drawn, two blanks per level; descriptions in brackets, times as `n ms`. */
async function treeText(node?: Node, indent = ''): Promise<string[]> {
  const rows: string[] = [];
  for (const child of await childrenOf(node)) {
    const item = await itemOf(child);
    const { description } = item;
    const more = typeof description === 'string' && description !== '' ? ` [${description}]` : '';
    const row = `${indent}${labelOf(item)}${more}`.replaceAll('\u00a0', ' ');
    rows.push(
      row
        .replaceAll(/[\d.]+ m?s\b/g, 'n ms')
        .replaceAll(/[\d.,]+k? (tokens|files? searched)/g, 'n $1'),
    );
    rows.push(...(await treeText(child, `${indent}  `)));
  }
  return rows;
}

const upload = `import { backoff } from './backoff';

export async function retryUpload(file: File): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    await backoff(attempt);
  }
}
`;
const backoff = `/** Milliseconds before the next upload is tried. */
export function backoff(attempt: number): number {
  return 100 * 2 ** attempt;
}
`;
const files = { 'transfer/retry.ts': upload, 'transfer/wait/backoff.ts': backoff };
const query = 'retryUpload backoff';

const notCalled = () => Promise.reject(new Error('not to be called'));

const noPrices = async () => ({ price: undefined, runs: [] });

/** A model that answers at once with these places. */
const finishing = (places: string) => () => ({
  toolCalls: [{ name: 'finish', arguments: { files: places } }],
});

const selectedLabel = async () => {
  const [node] = view().selection;
  return node && labelOf(await itemOf(node));
};

/** Names of the files in the tree, from top to bottom. */
const fileNames = async () =>
  (await treeText()).filter(row => /^\w+\.ts/.test(row)).map(row => row.split(' ')[0]);

const invoke = async (input: object, token?: vscode.CancellationToken) =>
  invokeTool(searchTool, input, token);

const client = (isReady: boolean) => ({
  isReady: async () => isReady,
  chat: notCalled,
  rerank: notCalled,
});

async function clearAll(): Promise<void> {
  await run('splice.search.clear');
  await run('splice.search.sortByRelevance');
  await run('splice.search.showAsList');
}

describe('the search view', () => {
  before(async () => {
    for (const [name, text] of Object.entries(files)) await writeFile(name, text);
  });
  after(async () => {
    await closeAll();
    await vscode.workspace.fs.delete(fileUri('transfer'), { recursive: true });
  });
  beforeEach(clearAll);
  afterEach(closeAll);

  it('shows files and places of a local search', async () => {
    await run('splice.search.start', query);
    assert.deepEqual(await treeText(), [
      'Local search [n files searched]',
      'retry.ts [transfer · has backoff, retry, upload]',
      '  retryUpload [1-7  export async function retryUpload(file: File): Promise<void> {]',
      'backoff.ts [transfer/wait · has upload, backoff]',
      '  backoff [1-4  export function backoff(attempt: number): number {]',
    ]);
    assert.match(said(), /^"retryUpload backoff" — 2 places in 2 files · [\d.]+ m?s · local$/);
    assert.equal(view().badge?.value, 2);
    const place = await itemOf(await nodeNamed(/^retryUpload$/));
    const { accessibilityInformation, label } = place;
    assert.equal(
      accessibilityInformation?.label,
      '1 of 2, transfer/retry.ts, lines 1 to 7, retryUpload, export async function retryUpload(file: File): Promise<void> {',
    );
    assert.equal(label, 'retryUpload');
    const tooltip = typeof place.tooltip === 'string' ? place.tooltip : '';
    assert.match(tooltip, /^transfer\/retry\.ts:1-7\nretryUpload\n/);
    assert.match(tooltip, /Has: .*upload.*\. 100% as likely as the best file\.$/);
  });

  it('reads a place of one line as one line', async () => {
    await writeFile('transfer/quagmire.txt', 'quagmire');
    await run('splice.search.start', 'quagmire');
    const { accessibilityInformation, tooltip } = await itemOf(await nodeNamed(/^quagmire$/));
    assert.equal(
      accessibilityInformation?.label,
      '1 of 1, transfer/quagmire.txt, line 1, quagmire',
    );
    assert.match(typeof tooltip === 'string' ? tooltip : '', /^transfer\/quagmire\.txt:1\n/);
  });

  it('shows eight likely files, and the others after More', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `transfer/many/part${at}.ts`);
    for (const name of many) await writeFile(name, 'export function gargantuan() {}\n');
    try {
      await run('splice.search.start', 'gargantuan');
      assert.equal((await fileNames()).length, 8);
      assert.match(said(), /8 places in 8 files/);
      assert.equal((await treeText()).at(-1), 'More… (4 less likely files)');
      await run('splice.search.showMore');
      assert.equal((await fileNames()).length, 12);
      assert.doesNotMatch((await treeText()).at(-1) ?? '', /More/);
      const [focused] = view().selection;
      assert.equal(focused?.kind, 'file');
      await setSetting('splice.search.engine', 'local');
      const text = await invoke({ query: 'gargantuan' });
      assert.match(text, /^8 places in 8 files/);
      assert.match(text, /4 more files were found, less likely ones\. .* "maxFiles": 12\.\n$/);
      const all = await invoke({ query: 'gargantuan', maxFiles: 12 });
      assert.match(all, /^12 places in 12 files/);
      assert.doesNotMatch(all, /more files were found/);
      await assert.rejects(invoke({ query, maxFiles: 0 }), /whole number from 1 to 50/);
    } finally {
      await setSetting('splice.search.engine', undefined);
      await vscode.workspace.fs.delete(fileUri('transfer/many'), { recursive: true });
    }
  });

  it('says what a search lacks, and what git changes in the order', async () => {
    await run('splice.search.start', query);
    const target = await openSearchTarget();
    const found: SearchState = {
      ...initialSearchState(query),
      isRunning: false,
      engine: 'local',
      files: [
        {
          root: 0,
          path: 'a.ts',
          spans: [{ startLine: 1, endLine: 2, title: 'a', highlights: [] }],
        },
      ],
    };
    const messageOf = (more: Partial<SearchState>): string => {
      const search = new ShownSearch({ query }, target.roots, { ...found, ...more });
      return searchMessage(search, search.sureFiles);
    };
    assert.match(messageOf({ cut: 'time' }), /stopped at its time limit, so files may be missing/);
    assert.match(messageOf({ cut: 'size' }), /more hits than a search can count/);
    assert.match(messageOf({ cut: 'time', files: [] }), /stopped at its time limit/);
    assert.match(messageOf({ history: 'reading' }), /history is still being read/);
    assert.match(messageOf({ history: 'late' }), /Sorted anew, after git's history/);
    assert.match(messageOf({ history: 'missing' }), /history was not read in time/);
    for (const state of [{}, { cut: 'time', history: 'late', engine: 'model' } as const])
      assert.doesNotMatch(messageOf(state), /limit|history/);
    const cut = new ShownSearch({ query }, target.roots, { ...found, cut: 'time', files: [] });
    assert.match(await resultText(cut, undefined), /stopped at its time limit/);
  });

  it('runs the ripgrep of the editor', async () => {
    const rgPath = await ripgrepPath();
    assert.ok(rgPath, `no ripgrep for ${vscode.env.appRoot}`);
    const { workspace } = await openSearchTarget();
    assert.equal(workspace.rgPath, rgPath);
    let usedRipgrep = false;
    await localSearch(workspace.roots[0] ?? '', query, {
      limit: 5,
      rgPath,
      onSummary: summary => {
        ({ usedRipgrep } = summary);
      },
    });
    assert.equal(usedRipgrep, true);
  });

  it('says how many files held nothing, and what was left out', async () => {
    await run('splice.search.start', 'zyxwvut');
    assert.deepEqual(await treeText(), ['Local search [n files searched]']);
    assert.match(
      said(),
      /Nothing was found in \d+ files\. Try words .* Not searched: files that are ignored/,
    );
    assert.equal(view().badge, undefined);
  });

  it('says that a query has no word to search for', async () => {
    for (const none of ['???', 'the', '\u{1f389}']) {
      await run('splice.search.start', none);
      assert.match(said(), /There is no word in this that the local search could look for/);
      assert.deepEqual(await treeText(), ['Local search']);
    }
  });

  it('says what it took for a misspelled word', async () => {
    await run('splice.search.start', 'retryUplaod');
    assert.match(said(), /local\. No file has "Uplaod", so "Upload" was looked for\.$/);
    assert.equal((await treeText())[1], 'retry.ts [transfer · has retry, upload]');
  });

  it('finds a name that is typed without spaces or capitals', async () => {
    await run('splice.search.start', 'retryupload');
    assert.match(said(), /local$/);
    assert.match((await treeText())[1] ?? '', /^retry\.ts \[transfer/);
  });

  it('searches for what was pasted, without colors of a terminal', async () => {
    await run('splice.search.start', '\u001b[31mbackoff\u001b[0m');
    assert.match(said(), /^"backoff" — /);
  });

  it('searches for a selected traceback, whose error is its last line', async () => {
    const frames = '  File "/usr/lib/python3/runner.py", line 7, in run\n    step(upload)\n'.repeat(
      60,
    );
    const trace = `Traceback (most recent call last):\n${frames}ValueError: quandong\n`;
    await writeFile('transfer/quandong.ts', 'export const quandong = 1;\n');
    const document = await vscode.workspace.openTextDocument({ content: trace });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, document.lineCount, 0);
    await run('splice.search.selection');
    const rows = (await treeText()).join('\n');
    assert.match(rows, /^quandong\.ts \[transfer · has quandong/m);
    await vscode.workspace.fs.delete(fileUri('transfer/quandong.ts'));
  });

  it('follows a file that is renamed, and says when one is gone', async () => {
    await writeFile('moved/from/quince.ts', 'export function quince() {}\n');
    await run('splice.search.start', 'quince');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(fileUri('moved/from'), fileUri('moved/to'));
    await vscode.workspace.applyEdit(edit);
    await waitFor(
      async () => (await treeText())[1] === 'quince.ts [moved/to · has quince]',
      'the new folder',
    );
    await vscode.workspace.fs.delete(fileUri('moved'), { recursive: true });
    await run('splice.search.nextResult');
    await message(/^moved\/to\/quince\.ts can no longer be read\. Run the search again\.$/);
  });

  it('honours excludes, and finds what is not saved', async () => {
    const { document } = await openFile('transfer/retry.ts');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// quagmire\n');
    await vscode.workspace.applyEdit(edit);
    await run('splice.search.start', 'quagmire');
    assert.match(
      (await treeText()).join('\n'),
      /retry\.ts \[transfer · has quagmire\]\n {2}\S+ \[1-8 /,
    );
    await setSetting('search.exclude', { '**/transfer': true });
    try {
      await run('splice.search.start', 'quagmire');
      assert.deepEqual(await treeText(), ['Local search [n files searched]']);
    } finally {
      await setSetting('search.exclude', undefined);
    }
  });

  it('searches in a folder alone, and in none outside', async () => {
    await run('splice.search.inFolder', fileUri('transfer/wait'), undefined, 'backoff');
    assert.deepEqual(await treeText(), [
      'Local search [in transfer/wait · n file searched]',
      'backoff.ts [transfer/wait · has backoff]',
      '  backoff [2-4  export function backoff(attempt: number): number {]',
    ]);
    await run('splice.search.inFolder', vscode.Uri.file('/etc'), undefined, 'passwd');
    await message(/^Only a folder of this workspace/);
  });

  it('shows folders as a tree, and keeps that', async () => {
    await run('splice.search.start', query);
    await run('splice.search.showAsTree');
    assert.deepEqual((await treeText()).slice(1), [
      'transfer',
      '  retry.ts [has backoff, retry, upload]',
      '    retryUpload [1-7  export async function retryUpload(file: File): Promise<void> {]',
      '  wait',
      '    backoff.ts [has upload, backoff]',
      '      backoff [1-4  export function backoff(attempt: number): number {]',
    ]);
    await run('splice.search.start', query);
    assert.equal((await treeText())[1], 'transfer');
  });

  it('sorts by path and by last change', async () => {
    await run('splice.search.start', 'backoff attempt upload');
    await writeFile('transfer/wait/backoff.ts', backoff);
    await run('splice.search.sortByPath');
    assert.deepEqual(await fileNames(), ['retry.ts', 'backoff.ts']);
    await run('splice.search.sortByLastChange');
    assert.deepEqual(await fileNames(), ['backoff.ts', 'retry.ts']);
    // Also the results of the next search, whose times are not known yet.
    await writeFile('transfer/retry.ts', upload);
    await run('splice.search.start', 'backoff attempt upload');
    await waitFor(async () => (await fileNames())[0] === 'retry.ts', 'the order of the changes');
  });

  it('filters by path and line', async () => {
    await run('splice.search.start', query);
    await run('splice.search.filter', 'wait backoff');
    assert.equal((await treeText()).length, 3);
    assert.match(said(), /1 place in 1 file · filter "wait backoff"/);
    assert.equal(view().badge?.value, 1);
    await run('splice.search.clearFilter');
    assert.equal((await treeText()).length, 5);
  });

  it('dismisses a place, a file and a folder', async () => {
    await run('splice.search.start', query);
    await run('splice.search.dismiss', await nodeNamed(/^backoff$/));
    assert.equal((await treeText()).length, 3);
    await run('splice.search.dismiss', await nodeNamed(/^retry\.ts$/));
    assert.equal((await treeText()).length, 1);
    await run('splice.search.start', query);
    await run('splice.search.showAsTree');
    await run('splice.search.dismiss', await nodeNamed(/^wait$/));
    assert.equal((await treeText()).length, 4);
  });

  it('gives the focus to another row when one is dismissed', async () => {
    await run('splice.search.start', query);
    for (const [gone, next] of [
      [/^backoff$/, 'retryUpload'],
      [/^retryUpload$/, 'Local search'],
    ] as const) {
      await run('splice.search.dismiss', await nodeNamed(gone));
      await waitFor(async () => (await selectedLabel()) === next, `the row ${next}`);
    }
  });

  it('follows edits, and opens the lines where they are now', async () => {
    await run('splice.search.start', query);
    const { document } = await openFile('transfer/retry.ts');
    const changed: (string | undefined)[] = [];
    const listening = treeProvider()?.onDidChangeTreeData?.(node =>
      changed.push(node && !Array.isArray(node) ? node.kind : undefined),
    );
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// one\n// two\n');
    edit.insert(document.uri, new vscode.Position(3, 0), '  // three\n');
    await vscode.workspace.applyEdit(edit);
    await waitFor(
      async () => (await treeText()).some(row => row.includes('[1-10  ')),
      'the moved place',
    );
    // The other rows are left alone.
    assert.deepEqual([...new Set(changed)], ['file']);
    listening?.dispose();
    await run('splice.search.nextResult');
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, document.uri.path);
    const undo = new vscode.WorkspaceEdit();
    undo.delete(document.uri, new vscode.Range(0, 0, document.lineCount, 0));
    await vscode.workspace.applyEdit(undo);
    await waitFor(
      async () => (await treeText()).some(row => row.includes('[1  ')),
      'the clamped place',
    );
  });

  it('goes from result to result, around the end', async () => {
    await run('splice.search.start', query);
    const names: (string | undefined)[] = [];
    for (const id of [
      'splice.search.nextResult',
      'splice.search.nextResult',
      'splice.search.nextResult',
    ]) {
      await run(id);
      names.push(vscode.window.activeTextEditor?.document.uri.path.split('/').at(-1));
    }
    await run('splice.search.previousResult');
    names.push(vscode.window.activeTextEditor?.document.uri.path.split('/').at(-1));
    assert.deepEqual(names, ['retry.ts', 'backoff.ts', 'retry.ts', 'backoff.ts']);
    const [tab] = vscode.window.tabGroups.activeTabGroup.tabs;
    assert.equal(tab?.isPreview, true);
    await waitFor(() => view().selection[0]?.kind === 'place', 'the selected place');
  });

  it('opens places by the command that tells a click from Enter', async () => {
    await run('splice.search.start', query);
    const item = await itemOf(await nodeNamed(/^backoff$/));
    assert.equal(item.command?.command, 'vscode.open');
    const [uri, options] = item.command.arguments ?? [];
    assert.equal(String(uri), String(fileUri('transfer/wait/backoff.ts')));
    assert.deepEqual(options, { selection: new vscode.Range(0, 0, 0, 0) });
  });

  it('copies places, one and all, and as context; and shows them in an editor', async () => {
    await run('splice.search.start', query);
    await setClipboard('');
    await run('splice.search.copyAll');
    assert.equal(
      await vscode.env.clipboard.readText(),
      'transfer/retry.ts:1-7  export async function retryUpload(file: File): Promise<void> {\n' +
        'transfer/wait/backoff.ts:1-4  export function backoff(attempt: number): number {',
    );
    await run('splice.search.copy', await nodeNamed(/^backoff$/));
    assert.match(
      await vscode.env.clipboard.readText(),
      /^transfer\/wait\/backoff\.ts:1-4 {2}export/,
    );
    await run('splice.search.copyPath', await nodeNamed(/^backoff\.ts$/));
    assert.equal(await vscode.env.clipboard.readText(), fileUri('transfer/wait/backoff.ts').fsPath);
    await run('splice.search.copyAsMarkdown');
    const markdown = await vscode.env.clipboard.readText();
    assert.ok(markdown.includes(`### transfer/wait/backoff.ts:1-4\n\n\`\`\`ts\n${backoff}\`\`\``));
    await run('splice.search.openInEditor');
    const { document } = vscode.window.activeTextEditor ?? assert.fail();
    assert.equal(document.getText(), markdown);
    assert.deepEqual([document.languageId, document.isDirty], ['markdown', false]);
    await run('splice.search.openInSearchEditor');
    const editor = vscode.window.activeTextEditor ?? assert.fail();
    assert.deepEqual(
      [editor.document.languageId, editor.document.isDirty],
      ['search-result', false],
    );
    assert.match(editor.document.getText(), /^transfer\/retry\.ts:\n {4}1: import/m);
  });

  it('asks what to search for, with past searches below, and says that nothing is sent', async () => {
    await run('splice.search.start', query);
    const picks = openedQuickPicks();
    const asking = run('splice.search.start');
    const input = await waitFor(() => picks[0], 'the input');
    assert.match(input.prompt ?? '', /nothing is sent/);
    input.value = 'backoff';
    await waitFor(() => /Search for "backoff"/.test(input.items[0]?.label ?? ''), 'the first row');
    assert.ok(input.items.some(({ label }) => label.includes(query)));
    await pressEnter(input, /Search for "backoff"/);
    await asking;
    assert.match(said(), /^"backoff" — /);
  });

  it('runs no past search that nobody chose, as when the text is too long for the input', async () => {
    await run('splice.search.start', query);
    const before = said();
    const picks = openedQuickPicks();
    const asking = run('splice.search.start');
    const input = await waitFor(() => picks[0], 'the input');
    assert.ok(input.items.length > 0);
    await waitFor(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return /more than 32,000 characters/.test(input.prompt ?? '');
    }, 'what to do instead');
    assert.deepEqual(input.activeItems, []);
    input.hide();
    await asking;
    assert.equal(said(), before);
  });

  it('shows a past search again where its places are now', async () => {
    await run('splice.search.start', query);
    await run('splice.search.start', 'zyxwvut');
    const picks = openedQuickPicks();
    const picking = run('splice.search.history');
    const list = await waitFor(() => picks[0], 'the list');
    assert.equal(list.items[0]?.label, 'zyxwvut');
    list.value = query;
    await waitFor(() => list.activeItems[0]?.label === query, 'the row');
    assert.match(list.activeItems[0]?.description ?? '', /2 places in 2 files · local/);
    await pressEnter(list, RegExp(query));
    await picking;
    assert.equal((await treeText()).length, 5);
    assert.match(said(), /2 places in 2 files · as of .* · local/);
    await run('splice.search.runAgain');
    assert.match(said(), /2 places in 2 files · [\d.]+ m?s · local/);
  });

  it('says that there is nothing to work on', async () => {
    await run('splice.search.nextResult');
    await message(/^There are no search results\./);
    await run('splice.search.runAgain');
    await message(/^There is no search to repeat\.$/);
  });
});

describe('the search view with the search model', () => {
  let standIn: StandIn;

  before(async () => {
    for (const [name, text] of Object.entries(files)) await writeFile(name, text);
  });
  after(async () => {
    await closeAll();
    await vscode.workspace.fs.delete(fileUri('transfer'), { recursive: true });
  });
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey });
    await useService(standIn.url, apiKey);
    await clearAll();
  });
  afterEach(async () => {
    await closeAll();
    await setSetting('splice.search.engine', undefined);
    await forgetService();
    await standIn.close();
  });

  it('shows what the model found, and how', async () => {
    let updates = 0;
    const listening = treeProvider()?.onDidChangeTreeData?.(() => updates++);
    const startedAt = Date.now();
    await run('splice.search.start', query);
    listening?.dispose();
    // Ten per second, and those of the beginning and the end.
    assert.ok(updates >= 2 && updates <= 4 + (Date.now() - startedAt) / 100, String(updates));
    const rows = await treeText();
    assert.match(rows[0] ?? '', /^Search model \[n tokens/);
    const turns = rows.filter(row => /^ {2}Turn/.test(row));
    assert.deepEqual(turns, [
      '  Turn 1 [3 calls · n ms]',
      '  Turn 2 [2 calls · n ms]',
      '  Turn 3 [1 call · n ms]',
    ]);
    assert.ok(rows.includes('    Grep "retryUpload" [1 hit · n ms]'), rows.join('\n'));
    assert.ok(rows.some(row => /^ {4}Read retry\.ts \[\d+ lines · n ms\]$/.test(row)));
    assert.ok(rows.some(row => row.startsWith('retry.ts [model and local · transfer · has ')));
    assert.match(said(), / · model and local$/);
    const asked = standIn.requests.filter(({ route }) => route === chat);
    assert.equal(asked.length, 3);
    assert.match(JSON.stringify(asked[0]?.body), /"model":"svc-warp-grep-v2\.1".*"temperature":0/);
  });

  it('says before the first turn what it will take at most, from the prompt that is sent', async () => {
    const release = standIn.hold(chat);
    const done = run('splice.search.start', query);
    const [row] = await waitFor(async () => {
      const found = (await treeText()).slice(0, 1);
      return found.some(text => text.includes('at most')) && found;
    }, 'the forecast');
    assert.equal(row, 'Search model [at most about n tokens]');
    const first = await itemOf(await nodeNamed(/^Search model/));
    assert.ok(typeof first.tooltip === 'string');
    assert.match(
      first.tooltip,
      /^The price of the search model is not known here\. A search usually uses about [\d.]+k tokens, and at most about 5\d\dk tokens\.$/m,
    );
    assert.match(first.accessibilityInformation?.label ?? '', /, at most about 5\d\dk tokens/);
    release();
    await done;
    assert.match((await treeText())[0] ?? '', /^Search model \[n tokens/);
  });

  it('keeps the order of the model, and clamps and drops what is not there', async () => {
    standIn.search = finishing(
      'transfer/wait/backoff.ts:2-900\ntransfer/retry.ts:3-4\n/etc/passwd:1-5\ngone.ts:1-2',
    );
    await run('splice.search.start', query);
    assert.deepEqual(
      (await treeText()).filter(row => !/Search model|Turn|Answer/.test(row)),
      [
        'backoff.ts [model and local · transfer/wait · has upload, backoff]',
        '  backoff [1-4  export function backoff(attempt: number): number {]',
        'retry.ts [model and local · transfer · has backoff, retry, upload]',
        '  retryUpload [1-7  export async function retryUpload(file: File): Promise<void> {]',
      ],
    );
  });

  const failures: [what: string, fault: 'unauthorized' | 'limited' | 'cut', wording: RegExp][] = [
    ['a refused key', 'unauthorized', /The service refused the API key\./],
    ['too many requests', 'limited', /has had too many requests\. Try again after/],
    ['an answer in another form', 'cut', /answered in a form/],
  ];
  for (const [what, fault, wording] of failures)
    it(`keeps the local places after ${what}, and says why`, async () => {
      standIn.inject(chat, {
        fault:
          fault === 'cut'
            ? 'notJson'
            : (response: ServerResponse) => {
                const status = fault === 'unauthorized' ? 401 : 429;
                response.writeHead(status, {
                  'content-type': 'application/json',
                  ...(status === 429 ? { 'retry-after': '600' } : {}),
                });
                response.end('{"error":{"code":"x","message":"no"}}');
              },
      });
      await run('splice.search.start', query);
      const text = said();
      assert.match(
        text,
        /2 places in 2 files · [\d.]+ m?s · local\. The search model could not help/,
      );
      assert.match(text, wording);
      assert.match(text, /These are the places that the local search found\.$/);
      const rows = await treeText();
      assert.equal(rows.includes('Change API Key…'), fault === 'unauthorized');
      assert.deepEqual(messages(), []);
    });

  it('keeps the local places when the model takes too long', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    stub(AbortSignal, 'timeout', (ms: number) => timeout(Math.min(ms, 200)));
    standIn.search = () => new Promise(() => undefined);
    await run('splice.search.start', query);
    assert.match(said(), /local\. The search model took too long\. These are the places/);
    assert.equal((await treeText()).length, 5);
  });

  it('stops when asked, and keeps what it has', async () => {
    standIn.search = () => new Promise(() => undefined);
    const searching = run('splice.search.start', query);
    await waitFor(() => /still searching/.test(said()), 'the local places');
    await run('splice.search.stop');
    await searching;
    assert.match(said(), /2 places in 2 files .* local\. The search was stopped\.$/);
    assert.equal((await treeText()).length, 5);
  });

  it('keeps the places of the search before, when the next one is stopped without any', async () => {
    standIn.search = finishing('transfer/retry.ts:3-4');
    await run('splice.search.start', query);
    standIn.search = () => new Promise(() => undefined);
    const searching = run('splice.search.start', 'zyxwvut');
    await waitFor(() => said().startsWith('"zyxwvut"'), 'the next search');
    await waitFor(
      () => standIn.requests.filter(({ route }) => route === chat).length > 1,
      'a turn',
    );
    await run('splice.search.stop');
    await searching;
    assert.match(
      said(),
      /^The search for "zyxwvut" was stopped\. "retryUpload backoff" — 2 places/,
    );
    assert.ok(
      (await treeText()).some(row => row.startsWith('retry.ts [model and local · transfer ')),
    );
  });

  it('leaves a search for a newer one, whose answer alone counts', async () => {
    let isFirst = true;
    standIn.search = async () => {
      if (!isFirst) return finishing('transfer/retry.ts:3-3')();
      isFirst = false;
      return new Promise(() => undefined);
    };
    const first = run('splice.search.start', 'backoff');
    await waitFor(() => standIn.requests.length > 0, 'the first question');
    await run('splice.search.start', query);
    await first;
    assert.match(said(), /^"retryUpload backoff" — 2 places in 2 files .* model and local$/);
  });

  it('asks nobody when the user or the workspace says local', async () => {
    const folder = vscode.ConfigurationTarget.Workspace;
    try {
      await vscode.workspace.getConfiguration().update('splice.search.engine', 'local', folder);
      await run('splice.search.start', query);
      assert.match(said(), / · local$/);
      await setSetting('splice.search.engine', 'local');
      await vscode.workspace.getConfiguration().update('splice.search.engine', 'auto', folder);
      await run('splice.search.start', query);
      assert.match(said(), / · local$/);
    } finally {
      await vscode.workspace.getConfiguration().update('splice.search.engine', undefined, folder);
    }
    assert.deepEqual(standIn.requests, []);
  });

  it('sorts by rerank', async () => {
    standIn.search = finishing('transfer/wait/backoff.ts:1-4\ntransfer/retry.ts:1-7');
    await run('splice.search.start', 'retryUpload');
    await run('splice.search.sortByRerank');
    const names = (await treeText()).filter(row => /^\w+\.ts/.test(row));
    assert.deepEqual(names, [
      'retry.ts [model and local · transfer · has retry, upload]',
      'backoff.ts [model and local · transfer/wait · has upload]',
    ]);
    assert.ok(standIn.requests.some(({ path }) => path === '/v1/rerank'));
  });

  it('shows as many files of each engine as the settings say', async () => {
    await setSetting('splice.search.maxResults', 1);
    standIn.search = finishing('transfer/wait/backoff.ts:1-4\ntransfer/retry.ts:1-7');
    await run('splice.search.start', query);
    assert.match(said(), /2 places in 2 files/);
    await setSetting('splice.search.engine', 'local');
    await run('splice.search.start', query);
    assert.match(said(), /1 place in 1 file/);
    await setSetting('splice.search.maxResults', undefined);
  });

  describe('the tool', () => {
    it('gives an agent the places with their code, and names the engine', async () => {
      await setSetting('splice.search.engine', 'local');
      const text = await invoke({ query });
      assert.match(text, /^2 places in 2 files, found by local search by words\./);
      assert.ok(text.includes(`### transfer/wait/backoff.ts:1-4\n\n\`\`\`ts\n${backoff}`));
      const within = await invoke({ query, folder: 'transfer/wait' });
      assert.match(within, /^1 place in 1 file/);
      assert.deepEqual(standIn.requests, []);
    });

    it('asks the model where it may', async () => {
      standIn.search = finishing('transfer/retry.ts:3-4');
      const text = await invoke({ query });
      assert.match(
        text,
        /^2 places in 2 files, found by the search model and a local search by words\./,
      );
    });

    it('asks before something leaves the machine, and says what and where to', async () => {
      const asked = await prepareSearch(client(true), noPrices, { query });
      assert.match(
        questionText(asked),
        new RegExp(`at ${new URL(standIn.url).host} gets the question "${query}"`),
      );
      assert.match(questionText(asked), /A search uses at most about 655k tokens\.$/);
      const priced = await prepareSearch(
        client(true),
        async () => ({ price: { input: 0.5, output: 2 }, runs: [{ tokens: 9000, usd: 0.0123 }] }),
        { query },
      );
      assert.match(
        questionText(priced),
        /A search usually costs about \$0\.0123, and at most about \$0\.35\.$/,
      );
      for (const isReady of [true, false]) {
        await setSetting('splice.search.engine', isReady ? 'local' : 'auto');
        const { confirmationMessages } = await prepareSearch(client(isReady), noPrices, { query });
        assert.equal(confirmationMessages, undefined);
      }
    });

    it('stays within its length', async () => {
      await setSetting('splice.search.engine', 'local');
      const line = `const gargantuan = '${'x'.repeat(3000)}';\n`;
      await writeFile('transfer/large.ts', line.repeat(30));
      const text = await invoke({ query: 'gargantuan backoff' });
      assert.ok(text.length <= 24_000, String(text.length));
      assert.match(text, /Without their code: /);
      await vscode.workspace.fs.delete(fileUri('transfer/large.ts'));
    });

    const wrong: [what: string, input: object, wording: RegExp][] = [
      ['no query', {}, /needs a "query"/],
      ['a query that is no text', { query: 5 }, /needs a "query"/],
      ['a folder outside', { query, folder: '../..' }, /Only a folder of this workspace/],
      ['an absolute folder', { query, folder: '/etc' }, /Only a folder of this workspace/],
    ];
    for (const [what, input, wording] of wrong)
      it(`refuses ${what} in a sentence`, () => assert.rejects(invoke(input), wording));

    it('can be canceled', async () => {
      standIn.search = () => new Promise(() => undefined);
      const source = new vscode.CancellationTokenSource();
      const pending = invoke({ query }, source.token);
      await waitFor(() => standIn.requests.length > 0, 'the question');
      source.cancel();
      await assert.rejects(pending, /Cancel/i);
    });
  });
});
