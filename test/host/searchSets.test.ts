// Result sets beside a search: kept ones, and the callers and tests of a place.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { childrenOf, itemOf, labels, nodeNamed, said, selected } from './searchTree';
import {
  closeAll,
  fileUri,
  message,
  messages,
  openFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

/** Files in a language that no extension knows. */
const files = {
  'sets/retry.calls': 'function retryUpload(file) {\n  backoff(1);\n}\n',
  'sets/backoff.calls': 'function backoff(attempt) {\n  return 100 * attempt;\n}\n',
  'sets/test/backoff.test.calls': 'check(backoff(2) === 200);\n',
  'sets/test/other.test.calls': 'check(backoffs(2) === 200);\n',
  'sets/notes.md': '# Notes\n\nThe function backoff waits.\n',
};
const [start, keep] = ['splice.search.start', 'splice.search.keep'];

async function dismissAll(): Promise<void> {
  for (const node of await childrenOf()) {
    if (node.kind === 'set') await run('splice.search.dismiss', node);
  }
  await run('splice.search.clear');
}

const providers: vscode.Disposable[] = [];
const selector = { pattern: '**/*.calls' };
const backoffUri = () => fileUri('sets/backoff.calls');
const retryUri = () => fileUri('sets/retry.calls');

const itemAt = (name: string, uri: vscode.Uri, line: number) => {
  const range = new vscode.Range(line, 9, line, 9 + name.length);
  return new vscode.CallHierarchyItem(vscode.SymbolKind.Function, name, '', uri, range, range);
};

/** A language extension that knows one caller. */
function provideCalls(
  calls: (
    token: vscode.CancellationToken,
  ) => vscode.ProviderResult<vscode.CallHierarchyIncomingCall[]>,
) {
  providers.push(
    vscode.languages.registerCallHierarchyProvider(selector, {
      prepareCallHierarchy: ({ uri }, { line }) => itemAt('backoff', uri, line),
      provideCallHierarchyIncomingCalls: (_, token) => calls(token),
      provideCallHierarchyOutgoingCalls: () => [],
    }),
  );
}

describe('result sets beside a search', () => {
  before(async () => {
    for (const [name, text] of Object.entries(files)) await writeFile(name, text);
  });
  after(async () => {
    await closeAll();
    await vscode.workspace.fs.delete(fileUri('sets'), { recursive: true });
  });
  beforeEach(async () => {
    await dismissAll();
    await run('splice.search.showAsList');
  });
  afterEach(async () => {
    for (const one of providers.splice(0)) one.dispose();
    await dismissAll();
    await closeAll();
  });

  it('groups files by role, keeps that, and dismisses a role', async () => {
    await run(start, 'backoff');
    await run('splice.search.showMore');
    const flat = await labels();
    assert.ok(flat.includes('backoff.calls'), flat.join('\n'));
    await run('splice.search.showByRole');
    const roles = (await labels()).filter(row => !row.startsWith(' '));
    assert.ok(roles.includes('Tests') && roles.includes('Documentation'), roles.join('\n'));
    const tests = await itemOf(await nodeNamed(/^Tests$/));
    assert.match(`${tests.description}`, /^\d files?$/);
    await run(start, 'backoff');
    await run('splice.search.showMore');
    assert.ok((await labels()).includes('Tests'));
    await run('splice.search.dismiss', await nodeNamed(/^Tests$/));
    assert.ok(!(await labels()).includes('Tests'));
  });

  it('keeps results above those of the next search until they are dismissed', async () => {
    await run(start, 'retryUpload');
    await run(keep);
    assert.match(said(), / · kept$/);
    assert.ok(!(await childrenOf()).some(({ kind }) => kind === 'set'), 'not shown twice');
    await run(start, 'zyxwvut');
    const rows = await labels();
    assert.equal(rows[0], 'retryUpload');
    assert.ok(rows.includes('  retry.calls'), rows.join('\n'));
    const [set] = await childrenOf();
    assert.ok(set);
    const item = await itemOf(set);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.match(`${item.description}`, /^\d places? in \d files? · local$/);
    await setClipboard('');
    await run('splice.search.copy', set);
    assert.match(await vscode.env.clipboard.readText(), /^sets\/retry\.calls:1-3 /m);
    await run('splice.search.nextResult');
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? 'none', /none|calls$/);
    await run('splice.search.clear');
    assert.equal((await labels())[0], 'retryUpload', 'clearing leaves what is kept');
    await run('splice.search.nextResult');
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /\/sets\//);
    await run('splice.search.dismiss', set);
    assert.deepEqual(await labels(), []);
  });

  it('follows edits in kept results', async () => {
    await run(start, 'retryUpload');
    await run(keep);
    await run(start, 'zyxwvut');
    const { document } = await openFile('sets/retry.calls');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// one\n// two\n');
    await vscode.workspace.applyEdit(edit);
    await waitFor(async () => {
      const place = await itemOf(
        await nodeNamed(/^retryUpload$/, await nodeNamed(/^retry\.calls$/)),
      );
      return `${place.description}`.startsWith('1-5 ');
    }, 'the moved place');
  });

  it('keeps at most ten, and drops none of them for another', async () => {
    for (let at = 0; at < 10; at++) {
      await run(start, `backoff attempt ${at}`);
      await run(keep);
    }
    await run(start, 'retryUpload');
    await run(keep);
    await message(/^10 result sets are kept already\. Dismiss one in the Search view first\.$/);
    assert.equal((await childrenOf()).filter(({ kind }) => kind === 'set').length, 10);
  });

  it('shows the callers that a language extension knows', async () => {
    provideCalls(() => [
      new vscode.CallHierarchyIncomingCall(itemAt('retryUpload', retryUri(), 0), [
        new vscode.Range(1, 2, 1, 9),
      ]),
    ]);
    await run(start, 'backoff attempt');
    const before = await labels();
    await run(
      'splice.search.showCallers',
      await nodeNamed(/^backoff$/, await nodeNamed(/^backoff\.calls$/)),
    );
    const rows = await labels();
    assert.deepEqual(rows.slice(0, 3), ['Callers of backoff', '  retry.calls', '    retryUpload']);
    assert.deepEqual(rows.slice(3), before, 'the search stays');
    assert.deepEqual(messages(), []);
    await run(
      'splice.search.showCallers',
      await nodeNamed(/^backoff$/, await nodeNamed(/^backoff\.calls$/)),
    );
    assert.deepEqual((await labels()).slice(0, 3), rows.slice(0, 3), 'not listed twice');
  });

  it('shows the references where nobody knows the callers', async () => {
    providers.push(
      vscode.languages.registerReferenceProvider(selector, {
        provideReferences: () => [
          new vscode.Location(backoffUri(), new vscode.Range(0, 9, 0, 16)),
          new vscode.Location(retryUri(), new vscode.Range(1, 2, 1, 9)),
        ],
      }),
    );
    await run(start, 'backoff attempt');
    await run(
      'splice.search.showCallers',
      await nodeNamed(/^backoff$/, await nodeNamed(/^backoff\.calls$/)),
    );
    const rows = (await labels()).slice(0, 3);
    assert.deepEqual(rows, ['References to backoff', '  retry.calls', '    retryUpload']);
    assert.deepEqual(messages(), []);
  });

  it('shows the lines with the name where nobody knows the references', async () => {
    await run(start, 'backoff attempt');
    await run(
      'splice.search.showCallers',
      await nodeNamed(/^backoff$/, await nodeNamed(/^backoff\.calls$/)),
    );
    const rows = await labels();
    assert.deepEqual(rows.slice(0, 3), ['Mentions of backoff', '  retry.calls', '    retryUpload']);
    const [set] = await childrenOf();
    assert.ok(set);
    const { tooltip, accessibilityInformation } = await itemOf(set);
    assert.match(
      typeof tooltip === 'string' ? tooltip : '',
      /^Mentions of backoff\n.*\nNo language extension knows who uses it/,
    );
    assert.match(accessibilityInformation?.label ?? '', /No language extension knows/);
    assert.deepEqual(messages(), []);
  });

  it('says so when nothing calls or mentions it', async () => {
    provideCalls(() => []);
    await run(start, 'retryUpload');
    const place = await nodeNamed(/^retryUpload$/, await nodeNamed(/^retry\.calls$/));
    await run('splice.search.showCallers', place);
    await message(/^The language extension of this file knows no call of "retryUpload"\. Try/);
    await run('splice.search.showTests', place);
    const { buttons } = await message(/^No test file mentions "retryUpload"\./);
    assert.ok(buttons.includes('Search Code'));
  });

  it('shows the tests that mention a symbol as a whole word', async () => {
    await run(start, 'backoff attempt');
    await run(
      'splice.search.showTests',
      await nodeNamed(/^backoff$/, await nodeNamed(/^backoff\.calls$/)),
    );
    const rows = await labels();
    assert.deepEqual(rows.slice(0, 2), ['Tests of backoff', '  backoff.test.calls']);
    assert.ok(!rows.includes('  other.test.calls'));
    assert.equal(selected()[0]?.kind, 'set');
  });

  it('shows the tests right after the callers, whose row is selected then', async () => {
    await run(start, 'backoff attempt');
    const place = await nodeNamed(/^backoff$/, await nodeNamed(/^backoff\.calls$/));
    await run('splice.search.showCallers', place);
    await waitFor(() => selected()[0]?.kind === 'set', 'the row of the callers');
    await run('splice.search.showTests');
    assert.deepEqual(messages(), []);
    assert.equal((await labels())[0], 'Tests of backoff');
  });

  it('asks for a place when none is selected', async () => {
    await run(start, 'backoff attempt');
    await run('splice.search.showTests', await nodeNamed(/^Local search$/));
    await message(/^Select a place in the search results first\.$/);
  });

  it('ends when it is canceled', async () => {
    let isAsked = false;
    provideCalls(
      () =>
        new Promise(() => {
          isAsked = true;
        }),
    );
    const { withProgress } = vscode.window;
    const source = new vscode.CancellationTokenSource();
    Object.defineProperty(vscode.window, 'withProgress', {
      value: (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) =>
        options.cancellable === true
          ? task({ report: () => undefined }, source.token)
          : withProgress(options, task),
      configurable: true,
    });
    try {
      await run(start, 'backoff attempt');
      const before = await labels();
      const asking = run(
        'splice.search.showCallers',
        await nodeNamed(/^backoff$/, await nodeNamed(/^backoff\.calls$/)),
      );
      await waitFor(() => isAsked, 'the question');
      setTimeout(() => source.cancel(), 600);
      await asking;
      assert.deepEqual(await labels(), before);
      assert.deepEqual(messages(), []);
    } finally {
      Object.defineProperty(vscode.window, 'withProgress', {
        value: withProgress,
        configurable: true,
      });
    }
  });
});
