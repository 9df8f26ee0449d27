import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import * as vscode from 'vscode';
import { isRecord } from '../../src/base/typeGuards';
import { invokeCompact, prepareCompact } from '../../src/compact/compactTool';
import { compactTool, recallTool, receiptScheme } from '../../src/compact/ids';
import { claudeFolderName } from '../../src/compact/sessions/sessionFolders';
import { type StandIn, startStandIn } from '../service/standIn';
import { compact as compactor } from '../service/standIn/serve';
import { cpuMsOfAsync } from '../support/unit/cpuTime';
import { asRead } from './asRead';
import { print } from './print';
import {
  answer,
  chooseRow,
  closeAll,
  fileUri,
  forgetService,
  invokeTool,
  lensTitles,
  message,
  messages,
  moveDownTo,
  openedQuickPicks,
  openFile,
  pressEnter,
  questionText,
  readFile,
  run,
  setClipboard,
  setSelection,
  setSetting,
  shownMessages,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-compact-test-0123456789';

/** A chat with much output of a tool, and little that matters. */
function transcript(turns = 6, noise = 30): string {
  const parts: string[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    parts.push(`## User\n\nQuestion ${turn}: why does upload_${turn}.ts fail?\n\n## Assistant\n\n`);
    for (let line = 0; line < noise; line++)
      parts.push(`compiling module ${line} of the project\n`);
    parts.push(`The cause is parseHeader in src/net/upload_${turn}.ts:${turn}7.\n\n`);
  }
  return parts.join('');
}

const session = '2f6f2b9e-0000-4000-8000-00000000c0de';

/** A session of Claude Code about the folder, with a tool's long output. */
function claudeSession(folder: string, lines = 40): string {
  const common = { isSidechain: false, cwd: folder, sessionId: session, version: '2.1.0' };
  const output = Array.from({ length: lines }, (_, at) => `line ${at} of a long log`).join('\n');
  const entries = [
    ['user', { role: 'user', content: 'Fix the upload.\nIt fails in parseHeader.' }],
    [
      'assistant',
      {
        role: 'assistant',
        id: 'm1',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } },
        ],
      },
    ],
    [
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: output }] },
    ],
    [
      'assistant',
      { role: 'assistant', id: 'm2', content: [{ type: 'text', text: 'Done.\nIt passes.' }] },
    ],
    ['user', { role: 'user', content: 'Now the docs.' }],
  ] as const;
  return entries
    .map(([type, content], at) =>
      JSON.stringify({
        parentUuid: at === 0 ? null : `u${at}`,
        ...common,
        type,
        message: content,
        uuid: `u${at + 1}`,
        timestamp: `2026-03-02T09:00:0${at}.000Z`,
      }),
    )
    .map(line => `${line}\n`)
    .join('');
}

const receipt = (): vscode.TextEditor => {
  const editor = vscode.window.activeTextEditor;
  assert.equal(editor?.document.uri.scheme, receiptScheme, 'no receipt is in front');
  return editor ?? assert.fail();
};
const document = () => receipt().document;
const isReceiptOpen = () => vscode.window.activeTextEditor?.document.uri.scheme === receiptScheme;
const rowWith = (text: string) => {
  const at = document()
    .getText()
    .split('\n')
    .findIndex(line => line.includes(text));
  assert.ok(at >= 0, `no row with ${text}`);
  return at;
};
const lenses = async () =>
  (await lensTitles(document())).map(title => title.replaceAll('\u00a0', ' '));
const bodyOf = ({ body }: { body: unknown }) => {
  assert.ok(isRecord(body));
  const { input, ...options } = body;
  assert.ok(typeof input === 'string');
  return { input, options };
};
const compact = async (file: string, plan: object = {}) =>
  run('splice.compact.start', fileUri(file), { ratio: 0.3, keepRecent: 0, ...plan });
const copied = async () => {
  await setClipboard('');
  await run('splice.compact.copy');
  return vscode.env.clipboard.readText();
};
const select = async (firstRow: number, lastRow = firstRow, end = 0): Promise<void> => {
  await setSelection(receipt(), new vscode.Selection(firstRow, 0, lastRow, end));
};

/** Every line of `part` is a line of `whole`, in its order. */
function assertLinesOf(part: string, whole: string): void {
  const lines = whole.split('\n');
  let at = 0;
  for (const line of part.split('\n')) {
    // A note says where lines went.
    if (/^\[.* left out(?:; recall \w+)?\]$/.test(line)) continue;
    const found = lines.indexOf(line, at);
    assert.ok(found >= 0, `no line of the chat, or not in its order: ${line}`);
    at = found + 1;
  }
}

const typed = async (
  input: vscode.QuickPick<vscode.QuickPickItem>,
  text: string,
  first: RegExp,
) => {
  input.value = text;
  await pressEnter(input, first);
  await waitFor(() => input.value === '', 'the empty input');
};
const workspace = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail();
const invoke = async (input: object) => invokeTool(compactTool, input);

const ignore = (): void => undefined;

describe('the receipt of a compaction', () => {
  const text = transcript();
  before(async () => writeFile('chat.md', text));
  after(async () => vscode.workspace.fs.delete(fileUri('chat.md')));
  afterEach(closeAll);

  it('shows all lines, what goes and by whom it was chosen, and leaves the file alone', async () => {
    await compact('chat.md');
    assert.equal(document().getText(), text.replace(/\n$/, ''));
    assert.equal(document().languageId, 'splice-receipt');
    assert.match(asRead(document().uri.path), /\/chat\.md \(compacted on this machine\)$/);
    const [head = '', ...others] = await lenses();
    assert.match(
      head,
      /^\$\(fold\) [\d.]+k → \d+ tokens, −\d+% · \d+ of 228 lines · on this machine, [\d.]+ m?s$/,
    );
    assert.ok(others.some(title => /^\$\(add\) Restore \d+ lines · [\d.]+k? tokens$/.test(title)));
    assert.ok(others.includes('$(new-file) Write Back'));
    assert.equal(await readFile('chat.md'), text);
    const folds = await run<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      document().uri,
    );
    const imports = folds.filter(({ kind }) => kind === vscode.FoldingRangeKind.Imports);
    assert.ok(imports.length >= 4 && imports.every(({ start, end }) => end > start));
    const turns = await run<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document().uri,
    );
    assert.deepEqual([...new Set(turns.map(({ name }) => name))], ['User', 'Assistant']);
    assert.ok(turns.length >= 12, String(turns.length));
  });

  it('copies what stays, line for line, and the share that was asked for', async () => {
    await compact('chat.md', { ratio: 0.25 });
    const left = await copied();
    assertLinesOf(left, text);
    assert.ok(left.length <= 0.26 * text.length, `${left.length} of ${text.length}`);
    for (let turn = 1; turn <= 6; turn++) assert.match(left, new RegExp(`upload_${turn}\\.ts:`));
  });

  it('restores a run by its lens, a selection by key, and takes both back', async () => {
    await compact('chat.md');
    const before = await copied();
    const all = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document().uri, 99);
    const lens = all.find(({ command: act }) => act?.title.startsWith('$(add) Restore '));
    assert.ok(lens?.command);
    await run(lens.command.command, ...(lens.command.arguments ?? []));
    const restored = await copied();
    assert.ok(restored.length > before.length + 500);
    assertLinesOf(restored, text);
    assert.ok((await lenses()).includes('$(remove) Restored: leave out again'));
    await select(lens.range.start.line);
    await run('splice.compact.leaveOut');
    assert.equal(await copied(), before);
    await run('splice.compact.undo');
    assert.equal(await copied(), restored);
    await run('splice.compact.undo');
    assert.equal(await copied(), before);

    const row = rowWith('Question 3');
    await select(row, row + 1);
    await run('splice.compact.leaveOut');
    assert.ok(!(await copied()).includes('Question 3'));
    await run('splice.compact.restore');
    assert.equal(await copied(), before);
  });

  it('goes from run to run, around the end', async () => {
    await compact('chat.md');
    const rows: number[] = [];
    do {
      await run('splice.compact.nextRun');
      rows.push(receipt().selection.active.line);
    } while (rows.length < 2 || (rows.at(-1) !== rows[0] && rows.length < 60));
    assert.ok(rows.length > 4 && rows.length < 60, String(rows));
    const once = rows.slice(0, -1);
    assert.deepEqual(
      once,
      once.toSorted((a, b) => a - b),
    );
    await run('splice.compact.previousRun');
    assert.equal(receipt().selection.active.line, once.at(-1));
  });

  it('tells the tokens in the status bar, live', async () => {
    const items: vscode.StatusBarItem[] = [];
    const { createStatusBarItem } = vscode.window;
    stub(vscode.window, 'createStatusBarItem', (...args: never[]) => {
      const item = createStatusBarItem(...args);
      items.push(item);
      return item;
    });
    await compact('chat.md');
    const [head = ''] = await lenses();
    await run('splice.compact.restore', document().uri.toString(), 0, document().lineCount - 1);
    const [whole = ''] = await lenses();
    assert.notEqual(head, whole);
    assert.match(whole, /−0% · 228 of 228 lines/);
  });

  it('keeps pins, the last turns, and what the query names', async () => {
    await compact('chat.md', { ratio: 0.1, pins: ['module 7 of'], keepRecent: 1 });
    const left = await copied();
    assert.equal(left.match(/compiling module 7 of/g)?.length, 6);
    assert.ok(left.endsWith(text.slice(text.lastIndexOf('## Assistant'))));
  });

  it('saves under another name, in the format of the chat, and never over the chat', async () => {
    await compact('chat.md');
    const left = await copied();
    stub(vscode.window, 'showSaveDialog', async () => fileUri('short.md'));
    await run('splice.compact.saveAs');
    assert.equal(await readFile('short.md'), left);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, fileUri('short.md').path);
    await vscode.workspace.fs.delete(fileUri('short.md'));
    await closeAll();
    await compact('chat.md');
    symlinkSync(fileUri('chat.md').fsPath, fileUri('link.md').fsPath);
    for (const name of ['chat.md', 'link.md']) {
      stub(vscode.window, 'showSaveDialog', async () => fileUri(name));
      await run('splice.compact.saveAs');
      await message(/^The chat itself is not overwritten\./);
    }
    rmSync(fileUri('link.md').fsPath);
    assert.equal(await readFile('chat.md'), text);
  });

  it('takes the active editor, saved or not, the clipboard, and a file of the explorer', async () => {
    const picks = openedQuickPicks();
    const take = async (label: string) => {
      picks.length = 0;
      const working = run('splice.compact.start');
      const sources = await waitFor(() => picks[0], 'the sources');
      await waitFor(() => !sources.busy, 'all chats');
      await chooseRow(sources, label);
      await pressEnter(await waitFor(() => picks[1], 'the options'), /Compact to/);
      await working;
      return document().getText();
    };
    const draft = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
    await vscode.window.showTextDocument(draft);
    assert.equal(await take('Active Editor'), text.replace(/\n$/, ''));
    await run('splice.compact.writeBack');
    await message(/^Only a chat that was read from a file can be written back/);
    await setClipboard(text);
    assert.equal(await take('Clipboard'), text.replace(/\n$/, ''));
    picks.length = 0;
    await run('splice.compact.start', fileUri('chat.md'), { ratio: 0.5 });
    assert.match(document().uri.path, /chat\.md/);
  });

  it('asks for all options in one input, and remembers them', async () => {
    const picks = openedQuickPicks();
    const ask = async (act: (input: vscode.QuickPick<vscode.QuickPickItem>) => Promise<void>) => {
      picks.length = 0;
      const working = run('splice.compact.start', fileUri('chat.md'));
      const input = await waitFor(() => picks[0], 'the input');
      assert.match(input.prompt ?? '', /nothing is sent/);
      await act(input);
      await pressEnter(input, /Compact to/);
      await working;
    };
    await ask(async input => {
      await typed(input, '15%', /Keep 15%/);
      await typed(input, 'parseHeader', /What matters next: parseHeader/);
      input.value = 'Question 2';
      await waitFor(() => input.items.length === 2, 'both meanings');
      await moveDownTo(input, () => input.items[1]);
      await pressEnter(input, /./);
      await waitFor(
        () => input.items.some(({ label }) => label.includes('Lines with "Question 2"')),
        'the pin',
      );
      assert.match(input.items[0]?.label ?? '', /Compact to 15%/);
    });
    assert.match(await copied(), /Question 2/);
    await ask(async input => {
      assert.match(input.items[0]?.label ?? '', /Compact to 15%/);
      assert.ok(
        input.items.some(({ description }) => description === 'parseHeader · press Enter to clear'),
      );
    });
  });
});

describe('compacting sessions of tools', () => {
  let home: string;
  let folder: string;
  let file: string;
  const homeBefore = process.env['HOME'];

  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'splice-home-'));
    process.env['HOME'] = home;
    folder = path.join(home, '.claude', 'projects', claudeFolderName(workspace()));
    mkdirSync(folder, { recursive: true });
    file = path.join(folder, `${session}.jsonl`);
    writeFileSync(file, claudeSession(workspace()));
  });
  afterEach(async () => {
    await closeAll();
    if (homeBefore !== undefined) process.env['HOME'] = homeBefore;
    rmSync(home, { recursive: true, force: true });
  });
  const open = async (plan: object = {}, of = file) =>
    run('splice.compact.start', vscode.Uri.file(of), { ratio: 0.4, keepRecent: 0, ...plan });

  it('lists them with tool, title, age and size, and reads no other place before it is asked', async () => {
    const elsewhere = path.join(home, '.claude', 'projects', '-somewhere-else');
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, 'other.jsonl'), claudeSession('/somewhere/else'));
    writeFileSync(path.join(folder, 'broken.jsonl'), '{"type":\n{"a":1}\n');
    writeFileSync(path.join(folder, 'huge.jsonl'), '');
    truncateSync(path.join(folder, 'huge.jsonl'), 257 * 1024 * 1024);
    symlinkSync(file, path.join(folder, 'link.jsonl'));
    const picks = openedQuickPicks();
    const working = run('splice.compact.start');
    const pick = await waitFor(() => picks[0], 'the list');
    await waitFor(
      () => !pick.busy && pick.items.some(({ label }) => label === 'Fix the upload.'),
      'the session',
    );
    const rows = pick.items.map(({ label, detail = '' }) => `${label} | ${detail}`);
    const own = rows.filter(row => row.startsWith('Fix the upload.'));
    // A link to it is no second one.
    assert.equal(own.length, 1, rows.join('\n'));
    assert.match(own[0] ?? '', /\| Claude Code · .* · \d+ kB · [\d.]+k? tokens$/);
    await chooseRow(pick, 'Other Folders');
    await waitFor(
      () => pick.items.filter(({ label }) => label === 'Fix the upload.').length === 2,
      'both',
    );
    const texts = pick.items
      .map(({ label, description = '' }) => `${label} ${description}`)
      .join('\n');
    assert.match(texts, /broken\.jsonl in an unknown format/);
    assert.match(texts, /huge\.jsonl larger than 256 MB/);
    await chooseRow(pick, 'Fix the upload.');
    await pressEnter(await waitFor(() => picks[1], 'the options'), /Compact to/);
    await working;
    assert.match(document().uri.path, /Fix the upload\. \(compacted/);
  });

  it('shows turns, calls and results, and keeps calls whole', async () => {
    await open();
    const rows = asRead(document().getText()).split('\n');
    assert.match(rows[0] ?? '', /^User · /);
    assert.ok(rows.includes('Tool call: Bash'));
    assert.ok(rows.includes('Tool result'));
    const call = rowWith('command: npm test');
    await select(call, call, 5);
    await run('splice.compact.leaveOut');
    await message(/^These lines cannot be left out/);
    const left = await copied();
    assert.match(left, /^## User/);
    assert.match(left, /### Tool call: Bash\n\ncommand: npm test\n/);
    assert.match(left, /Now the docs\.\n$/);
  });

  it('writes a new session beside the old one, tells how to go on, and undoes it', async () => {
    const before = readFileSync(file, 'utf8');
    await open();
    await run('splice.compact.writeBack');
    const { text: said, buttons } = await message(/^Written to/);
    assert.match(
      said,
      /^Written to ~\/\.claude\/projects\/.*\.jsonl\. Run “claude --resume [\w-]+” in the folder/,
    );
    assert.deepEqual(buttons, ['Copy Command', 'Undo']);
    assert.equal(readFileSync(file, 'utf8'), before);
    const [made = ''] = readdirSync(folder).filter(name => name !== path.basename(file));
    assert.equal(readdirSync(folder).length, 2, 'nothing else is left behind');
    const lines = readFileSync(path.join(folder, made), 'utf8').trim().split('\n');
    const entries: Record<string, unknown>[] = lines.map(line => JSON.parse(line));
    assert.ok(entries.every(({ sessionId }) => `${String(sessionId)}.jsonl` === made));
    assert.ok(lines.join('').length < before.length);
    assert.ok((await lenses()).includes('$(discard) Undo Write-Back'));
    await run('splice.compact.writeBack');
    await message(/^It has already been written back/);
    await run('splice.compact.undoWriteBack');
    await message(/^The new session is deleted\./);
    assert.deepEqual(readdirSync(folder), [path.basename(file)]);
    await run('splice.compact.undoWriteBack');
    await message(/^Nothing was written back\./);
  });

  it('undoes a write-back of a session that was continued only when asked again', async () => {
    await open();
    await run('splice.compact.writeBack');
    const [made = ''] = readdirSync(folder).filter(name => name !== path.basename(file));
    writeFileSync(path.join(folder, made), 'continued\n', { flag: 'a' });
    await run('splice.compact.undoWriteBack');
    assert.equal((await message(/has been continued/)).isModal, true);
    assert.ok(readdirSync(folder).includes(made));
    answer(/has been continued/, 'Delete Anyway');
    await run('splice.compact.undoWriteBack');
    assert.ok(!readdirSync(folder).includes(made));
  });

  it('removes selected lines from the file of the session too, once the user agrees', async () => {
    const before = readFileSync(file, 'utf8');
    await open();
    const row = rowWith('line 7 of a long log');
    await select(row, row, 4);
    await run('splice.compact.removeFromFile');
    assert.equal((await message(/^Remove 1 line from /)).isModal, true);
    assert.equal(readFileSync(file, 'utf8'), before, 'nothing without consent');
    answer(/^Remove 1 line from /, 'Remove for Good');
    await run('splice.compact.removeFromFile');
    await message(/^1 line is removed from /);
    const after = readFileSync(file, 'utf8');
    assert.equal(after, before.replace(/line 7 of a long log(?!\d)/g, '[removed]'));
    assert.deepEqual(readdirSync(folder), [path.basename(file)]);
    await waitFor(() => document().getText().includes('[removed]'), 'the receipt shows the file');
    // The file has changed by now, but the receipt is that of the new text.
    await run('splice.compact.writeBack');
    await message(/^Written to/);
  });

  it('says that the file still has what the user left out, and does not touch a file that has grown', async () => {
    await open();
    const row = rowWith('It fails in parseHeader.');
    await select(row, row, 4);
    await run('splice.compact.leaveOut');
    await run('splice.compact.writeBack');
    const { text, buttons } = await message(/^Written to/);
    assert.match(text, /The original still has what you left out, in lines: 1\.$/);
    assert.deepEqual(buttons, ['Copy Command', 'Remove from the File Too…', 'Undo']);
    const grown = `${readFileSync(file, 'utf8')}\n`;
    writeFileSync(file, grown);
    await select(row, row, 0);
    answer(/^Remove 1 line from /, 'Remove for Good');
    await run('splice.compact.removeFromFile');
    await message(/has changed since it was read/);
    assert.equal(readFileSync(file, 'utf8'), grown);
  });

  it('removes what was left out from the notification, whatever is selected', async () => {
    await open();
    const row = rowWith('It fails in parseHeader.');
    await select(row, row, 4);
    await run('splice.compact.leaveOut');
    const other = rowWith('line 7 of a long log');
    await select(other, other, 4);
    answer(/^Written to/, 'Remove from the File Too…');
    answer(/^Remove 1 line from /, 'Remove for Good');
    await run('splice.compact.writeBack');
    await message(/^1 line is removed from /);
    const after = readFileSync(file, 'utf8');
    assert.doesNotMatch(after, /It fails in parseHeader\./);
    assert.match(after, /line 7 of a long log/);
  });

  it('says why nothing can be removed from a compressed session of Codex, and what to do', async () => {
    const sessions = path.join(home, '.codex', 'sessions');
    mkdirSync(sessions, { recursive: true });
    const extension = vscode.extensions.getExtension('splice-code.splice') ?? assert.fail();
    const fixture = path.join(extension.extensionPath, 'test/fixtures/histories/codex.jsonl');
    const compressed = path.join(sessions, 'rollout-2026-03-02T10-00-00-1.jsonl.zst');
    const before = zlib.zstdCompressSync(readFileSync(fixture));
    writeFileSync(compressed, before);
    await open({ ratio: 1 }, compressed);
    const row = rowWith('Only those that are wired.');
    await select(row, row, 4);
    await run('splice.compact.leaveOut');
    answer(/^Written to/, 'Remove from the File Too…');
    await run('splice.compact.writeBack');
    await message(/^Written to/);
    const refusal =
      /^Codex has compressed this session, so that no line of it can be removed\. Open it there once, and compact it again\.$/;
    const { level } = await message(refusal);
    assert.equal(level, 'warning');
    assert.deepEqual(readFileSync(compressed), before);
    await run('splice.compact.removeFromFile');
    await message(refusal);
    await run('splice.compact.undoWriteBack');
    await message(/^The new session is deleted\./);
    assert.deepEqual(readdirSync(sessions), [path.basename(compressed)]);
  });

  it('stays awake while it writes 1 MB without thousands of lines that were left out', async () => {
    writeFileSync(file, claudeSession(workspace(), 40_000));
    await open({ ratio: 1 });
    const row = rowWith('line 0 of a long log');
    await select(row, row + 5999, 4);
    await run('splice.compact.leaveOut');
    let [longest, last] = [0, performance.now()];
    const beat = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 1);
    await run('splice.compact.writeBack');
    clearInterval(beat);
    await message(/^Written to/);
    const [made = ''] = readdirSync(folder).filter(name => name !== path.basename(file));
    const written = readFileSync(path.join(folder, made), 'utf8');
    assert.doesNotMatch(written, /line 5999 of a long log/);
    assert.match(written, /line 6000 of a long log/);
    print(`      1 MB without 6,000 lines: the longest pause was ${longest.toFixed(0)} ms`);
    // It was more than 500 ms when each line was searched on its own. A busy machine adds to it.
    assert.ok(longest < 300, String(longest));
  });

  it('writes one session, however often it is asked to', async () => {
    await open();
    await Promise.all([run('splice.compact.writeBack'), run('splice.compact.writeBack')]);
    assert.equal(readdirSync(folder).length, 2);
    await run('splice.compact.undoWriteBack');
    assert.equal(readdirSync(folder).length, 1);
  });

  it('can be written again after an undo, while the message still stands', async () => {
    await open();
    const shown: (() => void)[] = [];
    stub(vscode.window, 'showInformationMessage', async (...args: unknown[]) => {
      if (String(args[0]).startsWith('Written to'))
        await new Promise<void>(resolve => shown.push(resolve));
      return undefined;
    });
    const first = run('splice.compact.writeBack');
    // The file is there a little earlier than what undoes it.
    await waitFor(() => shown.length === 1, 'the message');
    assert.equal(readdirSync(folder).length, 2);
    await run('splice.compact.undoWriteBack');
    assert.equal(readdirSync(folder).length, 1);
    const second = run('splice.compact.writeBack');
    await waitFor(() => readdirSync(folder).length === 2, 'the session, written again');
    await waitFor(() => shown.length === 2, 'both messages');
    for (const dismiss of shown) dismiss();
    await Promise.all([first, second]);
  });

  it('asks before a session that has grown is written', async () => {
    await open();
    writeFileSync(file, claudeSession(workspace()).replace('"u5"', '"u9"'));
    await run('splice.compact.writeBack');
    assert.equal((await message(/^The chat has changed since/)).isModal, true);
    assert.equal(readdirSync(folder).length, 1);
    answer(/^The chat has changed since/, 'Write Anyway');
    await run('splice.compact.writeBack');
    assert.equal(readdirSync(folder).length, 2);
  });

  it('writes a chat of VS Code where VS Code imports it from, not among its own sessions', async () => {
    const extension = vscode.extensions.getExtension('splice-code.splice') ?? assert.fail();
    const name = 'test/fixtures/histories/vscode-session.jsonl';
    const sessions = path.join(home, 'chatSessions');
    mkdirSync(sessions);
    const own = path.join(sessions, 'a1.jsonl');
    writeFileSync(own, readFileSync(path.join(extension.extensionPath, name)));
    await open({ ratio: 0.9 }, own);
    await run('splice.compact.writeBack');
    const { text: said, buttons } = await message(/^Written to/);
    assert.match(said, /Chat: Import Chat/);
    assert.deepEqual(buttons, ['Open in Chat', 'Undo']);
    assert.deepEqual(readdirSync(sessions), ['a1.jsonl']);
    await run('splice.compact.undoWriteBack');
    await message(/^The new session is deleted\./);
  });

  it('overwrites nothing that is there', async () => {
    await writeFile('notes.md', transcript());
    await writeFile('notes-compacted.md', 'mine');
    await run('splice.compact.start', fileUri('notes.md'), { ratio: 0.3 });
    await run('splice.compact.writeBack');
    await message(/notes-compacted\.md already exists/);
    assert.equal(await readFile('notes-compacted.md'), 'mine');
    for (const name of ['notes.md', 'notes-compacted.md'])
      await vscode.workspace.fs.delete(fileUri(name));
  });

  it('reads a line that is cut short, and says so', async () => {
    writeFileSync(file, claudeSession(workspace()).slice(0, -20));
    await open();
    await message(/ends in the middle of a line/);
    await run('splice.compact.writeBack');
    await message(/^Written to/);
  });

  const hostile: [name: string, text: string, expected: RegExp][] = [
    ['zeros.txt', 'a\0b\n', /of no tool that is known/],
    ['empty.jsonl', '', /empty/],
    [
      'damaged.jsonl',
      '{"role":"user"\n{"role":"user","content":"x"}\n',
      /Chat history|damaged|not known/,
    ],
    ['latin.txt', '\u00ff', /not UTF-8/],
  ];
  for (const [name, text, expected] of hostile)
    it(`refuses ${name} by name, and opens nothing`, async () => {
      const bytes = name === 'latin.txt' ? new Uint8Array([0xe4, 0x20, 0xff]) : Buffer.from(text);
      writeFileSync(path.join(home, name), bytes);
      await open({}, path.join(home, name));
      const { level } = await message(expected);
      assert.equal(level, 'warning');
      assert.ok(!isReceiptOpen());
    });

  it('ends in spite of parents that lead in a circle', async () => {
    writeFileSync(
      file,
      claudeSession(workspace()).replace('"parentUuid":null', '"parentUuid":"u5"'),
    );
    await open();
    assert.match(document().getText(), /Now the docs\./);
    await run('splice.compact.writeBack');
    await message(/^Written to/);
  });

  it('keeps carriage returns, half characters and the missing end of the last line', async () => {
    const text = `## User\r\n\r\nbar 10%\rbar 100%\r\nüê ${'x'.repeat(5000)}\r\n\r\n## Assistant\r\n\r\nDone 🚀`;
    await writeFile('odd.md', text);
    await run('splice.compact.start', fileUri('odd.md'), { ratio: 1 });
    assert.equal(await copied(), text);
    assert.equal(document().lineCount, text.split('\n').length);
    await vscode.workspace.fs.delete(fileUri('odd.md'));
  });

  it('opens 2 MB in 40,000 lines within a second', async () => {
    const text = transcript(560, 66);
    const lines = text.split('\n').length;
    assert.ok(lines > 40_000, String(lines));
    const long = `${text}${'padding for the log, with names such as retry_42 and paths such as src/net/upload.ts\n'.repeat(8000)}`;
    await writeFile('big.md', long);
    // The best of three: what else the machine does at that moment is not meant.
    const opened: number[] = [];
    const restored: number[] = [];
    for (let round = 0; round < 3; round++) {
      opened.push(await cpuMsOfAsync(() => compact('big.md')));
      const uri = document().uri.toString();
      restored.push(await cpuMsOfAsync(async () => run('splice.compact.restore', uri, 100, 400)));
      if (round === 2)
        print(
          `      ${(long.length / 1e6).toFixed(1)} MB, ${document().lineCount} lines: open with ` +
            `${Math.min(...opened).toFixed(0)} ms of CPU, a run restored with ${Math.min(...restored).toFixed(0)} ms`,
        );
      await closeAll();
    }
    assert.ok(Math.min(...opened) < 1000, String(opened));
    assert.ok(Math.min(...restored) < 500, String(restored));
    await vscode.workspace.fs.delete(fileUri('big.md'));
  });

  it('works in a thread on what is large, the editor stays awake, and Cancel ends it', async () => {
    await writeFile('huge.md', transcript(3000, 66));
    let longest = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 10);
    await compact('huge.md');
    clearInterval(beat);
    print(`      8 MB: the longest pause was ${longest.toFixed(0)} ms`);
    assert.ok((await copied()).length > 1_000_000);
    await closeAll();
    // So much that it is still at work when the notification comes, whatever the machine.
    await writeFile('huge.md', transcript(9000, 66));
    let isCanceled = false;
    stub(
      vscode.window,
      'withProgress',
      (options: { title: string }, task: (progress: unknown, token: unknown) => Promise<unknown>) =>
        task(
          { report: () => {} },
          {
            onCancellationRequested: (cancel: () => void) => {
              if (!options.title.startsWith('Compacting')) return;
              isCanceled = true;
              cancel();
            },
          },
        ),
    );
    const startedAt = performance.now();
    await compact('huge.md', { query: 'x' });
    print(`      24 MB: canceled after ${(performance.now() - startedAt).toFixed(0)} ms`);
    assert.ok(isCanceled, 'the notification came');
    assert.ok(!isReceiptOpen(), 'canceled');
    assert.deepEqual(messages(), []);
    await vscode.workspace.fs.delete(fileUri('huge.md'));
  });
});

describe('compacting with the service', () => {
  let standIn: StandIn;
  const text = transcript();
  const route = 'POST /v1/compact';
  before(async () => writeFile('chat.md', text));
  after(async () => vscode.workspace.fs.delete(fileUri('chat.md')));
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, engines: { compact: compactor } });
    await useService(standIn.url, apiKey);
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });
  const sent = () => standIn.requests.filter(({ method }) => method === 'POST');

  it('asks nobody unless the service is chosen', async () => {
    await compact('chat.md');
    assert.deepEqual(sent(), []);
  });

  it('sends the options, proves the answer and names the engine', async () => {
    await setSetting('splice.compact.engine', 'service');
    await compact('chat.md', {
      ratio: 0.4,
      query: 'parseHeader',
      keepRecent: 1,
      pins: ['module 3 of'],
    });
    const { input, options } = bodyOf(sent()[0] ?? assert.fail());
    assert.deepEqual(options, { query: 'parseHeader', compression_ratio: 0.4, preserve_recent: 1 });
    assert.equal(
      input.match(/<keepContext>\ncompiling module 3 of the project\n<\/keepContext>\n/g)?.length,
      6,
    );
    assert.match((await lenses())[0] ?? '', /· by the service, each line proved, [\d.]+ m?s/);
    assert.match(asRead(document().uri.path), /\(compacted by the service\)$/);
    const left = await copied();
    assertLinesOf(left, text);
    assert.ok(!left.includes('keepContext'));
    assert.equal(left.match(/module 3 of/g)?.length, 6);
  });

  it('goes by the other two routes without the options', async () => {
    for (const [name, path_] of [
      ['chat', '/v1/chat/completions'],
      ['responses', '/v1/responses'],
    ] as const) {
      standIn.requests.length = 0;
      await setSetting('splice.compact.route', name);
      await compact('chat.md', { engine: 'service' });
      assert.deepEqual(
        sent().map(({ path: used }) => used),
        [path_],
      );
      assertLinesOf(await copied(), text);
    }
  });

  it('keeps roles and calls of a session on the way to the service and back', async () => {
    await writeFile('session.jsonl', claudeSession('/w'));
    await run('splice.compact.start', fileUri('session.jsonl'), {
      engine: 'service',
      ratio: 0.3,
      keepRecent: 0,
    });
    const { input } = bodyOf(sent()[0] ?? assert.fail());
    assert.match(input, /^## User\n<keepContext>\nFix the upload\./);
    assert.match(input, /\ncommand: npm test\n/);
    const left = await copied();
    const [calls, results] = [/### Tool call: Bash\n\ncommand: npm test\n/, /### Tool result\n/];
    assert.equal(calls.test(left), results.test(left));
    assert.match(left, /^## User\n\nFix the upload\./);
    await vscode.workspace.fs.delete(fileUri('session.jsonl'));
  });

  const lies: [what: string, (output: string) => string, RegExp][] = [
    [
      'edits a line',
      output => output.replace('parseHeader', 'parseheader'),
      /line \d+ is no line of the input/,
    ],
    ['adds a line', output => `${output}I left out the rest.\n`, /is no line of the input/],
    [
      'puts lines in another order',
      output => {
        const [first = '', ...others] = output.split(/(?=Question)/);
        return `${first}${others.reverse().join('')}`;
      },
      /stands before a line|repeats line/,
    ],
    [
      'repeats a line',
      output => output.replace(/Question 1.*\n/, line => line + line),
      /repeats line/,
    ],
    [
      'trims a line',
      output => output.replace(/(Question 2.*)\n/, '$1 \n'),
      /white space|no line of the input/,
    ],
  ];
  for (const [what, lie, reason] of lies)
    it(`uses nothing of an answer that ${what}, says which line, and does not compact by itself`, async () => {
      standIn.compact = request => {
        const done = compactor(request);
        return { ...done, output: lie(done.output), compacted: [] };
      };
      await compact('chat.md', { engine: 'service', ratio: 0.5 });
      const { text: said, buttons, level } = await message(/did not keep the lines/);
      assert.equal(level, 'error');
      assert.match(said, reason);
      assert.deepEqual(buttons, ['Show the Line']);
      assert.ok(!isReceiptOpen());
      answer(/did not keep the lines/, 'Show the Line');
      await compact('chat.md', { engine: 'service', ratio: 0.5 });
      assert.match(document().getText(), /→ \d+ {2}/);
      await run('splice.compact.copy');
      await message(/^Open the receipt of a compaction first/);
    });

  it('rebuilds from the ranges where fillers stand', async () => {
    standIn.compact = request => {
      const done = compactor(request);
      const lines = request.input.split('\n').slice(0, -1);
      const output: string[] = [];
      let at = 0;
      for (const { start, end } of done.compacted) {
        output.push(...lines.slice(at, start - 1), `(filtered ${end - start + 1} lines)`);
        at = end;
      }
      return { ...done, output: [...output, ...lines.slice(at)].join('\n') };
    };
    await compact('chat.md', { engine: 'service' });
    const left = await copied();
    assert.ok(!left.includes('(filtered'));
    assertLinesOf(left, text);
  });

  it('says what failed, and opens nothing', async () => {
    standIn.inject(route, {
      fault: response => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end('{"error":{"code":"unauthorized","message":"invalid API key"}}');
      },
    });
    await compact('chat.md', { engine: 'service' });
    await message(/refused the API key/);
    assert.ok(!isReceiptOpen());
  });

  it('sends nothing where a workspace wants it to stay here', async () => {
    await setSetting('splice.compact.engine', 'local');
    await compact('chat.md', { engine: 'service' });
    await message(/^Only local compaction is allowed here/);
    assert.deepEqual(sent(), []);
  });

  it('does not let a workspace choose the service', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    const settings = vscode.workspace.getConfiguration();
    await settings.update('splice.compact.engine', 'service', Workspace);
    try {
      await compact('chat.md');
      assert.deepEqual(sent(), []);
      assert.match((await lenses())[0] ?? '', /on this machine/);
    } finally {
      await settings.update('splice.compact.engine', undefined, Workspace);
    }
  });
});

describe('the tool splice_compact', () => {
  const text = transcript();
  before(async () => writeFile('chat.md', text));
  after(async () => vscode.workspace.fs.delete(fileUri('chat.md')));
  const client = { isReady: async () => false, compact: () => Promise.reject(new Error('no')) };

  it('gives figures and lines, of a file or a text', async () => {
    for (const input of [{ path: 'chat.md' }, { text }, { path: fileUri('chat.md').fsPath }]) {
      const [head = '', ...lines] = (
        await invoke({ ...input, ratio: 0.2, query: 'parseHeader' })
      ).split('\n');
      assert.match(
        head,
        /^[\d.]+k → \d+ tokens, −\d+%; \d+ of 228 lines are left, each as it was\./,
      );
      assertLinesOf(lines.slice(1).join('\n'), text);
    }
  });

  it('asks first, and names the file and who gets it', async () => {
    const question = questionText(await prepareCompact(client, { path: 'chat.md' }));
    assert.match(question, /^Compact a text.*\?\n.*chat\.md\n\n.* compacted on this machine/);
  });

  it('caps a long result, and says so', async () => {
    const result = await invoke({ text: transcript(900, 20), ratio: 1 });
    assert.ok(result.length < 62_000, String(result.length));
    assert.match(result, /more characters; ask for a smaller ratio\)\n$/);
  });

  it('refuses what it cannot use, in words', async () => {
    const outside = path.join(mkdtempSync(path.join(tmpdir(), 'splice-out-')), 'secret.txt');
    writeFileSync(outside, 'password: x\n');
    const cases: [object, RegExp][] = [
      [{}, /either a "path" or a "text"/],
      [{ path: 'chat.md', text: 'x' }, /either a "path" or a "text"/],
      [{ path: 'chat.md', ratio: 3 }, /"ratio" must be a number/],
      [{ path: 'gone.md' }, /There is no file gone\.md/],
      [{ path: outside }, /Outside the workspace/],
    ];
    for (const [input, expected] of cases) await assert.rejects(invoke(input), expected);
    rmSync(path.dirname(outside), { recursive: true });
    assert.equal(shownMessages().length, 0);
  });

  it('gives no keys to the agent, by the name of a file or by what is in it', async () => {
    const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(8)}`;
    await writeFile('.env', `TOKEN=${key}\n`);
    symlinkSync(fileUri('.env').fsPath, fileUri('harmless.txt').fsPath);
    for (const named of ['.env', 'harmless.txt']) {
      await assert.rejects(invoke({ path: named }), /is not given to an agent\./);
      await assert.rejects(prepareCompact(client, { path: named }), /is not given to an agent\./);
    }
    await writeFile('build.log', `start\nkey ${key}\nend\n`);
    const given = await invoke({ path: 'build.log', ratio: 1 });
    assert.match(given, /start\nkey .*\nend/);
    assert.doesNotMatch(given, /sk-ant-api03-aB3/);
    for (const name of ['.env', 'harmless.txt', 'build.log']) rmSync(fileUri(name).fsPath);
  });

  it('gives no lines of a key whose first line is left out, neither then nor when recalled', async () => {
    const body = Array.from({ length: 200 }, (_, at) => `${at}`.padEnd(64, 'AbC1dEf2'));
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----'];
    await writeFile('key.md', `${text}## User\n\nSee:\n\n${key.join('\n')}\n\n${text}`);
    const given = [await invoke({ path: 'key.md', ratio: 0.2, query: '150AbC1dEf2' })];
    const ids = [...(given[0] ?? '').matchAll(/; recall (\w+)\]/g)].map(([, id]) => id);
    assert.ok(ids.length > 0);
    for (const id of ids) {
      given.push(await invokeTool(recallTool, { id }));
      given.push(await invokeTool(recallTool, { id, from: 60 }));
    }
    for (const line of body) assert.ok(!given.some(one => one.includes(line)), line);
    assert.ok(given.some(one => one.includes('[withheld')));
    rmSync(fileUri('key.md').fsPath);
  });

  it('sends no file to the service that the workspace leaves out', async () => {
    await setSetting('splice.compact.engine', 'service');
    const ready = { ...client, isReady: async () => true };
    await writeFile('.gitignore', 'build.log\n');
    for (const name of ['build.log', 'other.md']) await writeFile(name, 'start\nend\n');
    const asked = async (named: string) =>
      questionText(await prepareCompact(ready, { path: named }));
    assert.match(await asked('other.md'), /The whole text is sent to/);
    assert.match(await asked('build.log'), /compacted on this machine/);
    await setSetting('splice.compact.engine', 'local');
    for (const name of ['.gitignore', 'build.log', 'other.md']) rmSync(fileUri(name).fsPath);
  });

  it('does what the question said when an API key is stored before the run', async () => {
    await setSetting('splice.compact.engine', 'service');
    let isReady = false;
    let calls = 0;
    const changing = {
      isReady: async () => isReady,
      compact: async () => {
        calls++;
        throw new Error('sent');
      },
    };
    const { extensionUri } = vscode.extensions.getExtension('splice-code.splice') ?? assert.fail();
    const globalStorageUri = fileUri('storage');
    const log = { info: ignore, error: ignore, show: ignore, dispose: ignore };
    const host = { context: { extensionUri, globalStorageUri }, log };
    const { token } = new vscode.CancellationTokenSource();
    const input = { text: `${text}\n`, ratio: 0.2 };
    const ran = async () => invokeCompact(host, changing, input, token);
    assert.match(questionText(await prepareCompact(changing, input)), /compacted on this machine/);
    isReady = true;
    const { content } = await ran();
    assert.equal(content.length, 1);
    assert.equal(calls, 0);
    assert.match(questionText(await prepareCompact(changing, input)), /The whole text is sent/);
    await assert.rejects(ran(), /could not be compacted/);
    assert.equal(calls, 1);
    // VS Code does not say that the user declined the first one.
    isReady = false;
    await prepareCompact(changing, input);
    isReady = true;
    const next = questionText(await prepareCompact(changing, input));
    assert.match(next, /on this machine, as an earlier question about the same text said/);
    await ran();
    assert.equal(calls, 1);
    await setSetting('splice.compact.engine', 'local');
  });

  it('is not fooled by a link that leads out of the workspace', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'splice-out-'));
    writeFileSync(path.join(outside, 'secret.txt'), 'password: x\n');
    symlinkSync(path.join(outside, 'secret.txt'), fileUri('inside.txt').fsPath);
    await assert.rejects(invoke({ path: 'inside.txt' }), /Outside the workspace/);
    rmSync(fileUri('inside.txt').fsPath);
    rmSync(outside, { recursive: true });
  });

  it('does not need the receipts', async () => {
    await openFile('chat.md');
    await invoke({ path: 'chat.md' });
    assert.ok(!isReceiptOpen());
    await closeAll();
  });
});

describe('the tool splice_recall', () => {
  const text = transcript();
  before(async () => writeFile('chat.md', text));
  after(async () => vscode.workspace.fs.delete(fileUri('chat.md')));

  it('gives back the lines that a note stands for, and refuses others in words', async () => {
    const left = await invoke({ path: 'chat.md', ratio: 0.2 });
    const ids = [...left.matchAll(/; recall (\w+)\]/g)].map(([, id = '']) => id);
    assert.ok(ids.length > 0);
    for (const id of ids) {
      const lines = await invokeTool(recallTool, { id });
      assert.ok(text.includes(lines));
      assert.ok(!left.includes(lines));
    }
    await assert.rejects(invokeTool(recallTool, { id: 'zzzzz' }), /No lines are known/);
    await assert.rejects(invokeTool(recallTool, { id: '../x' }), /the word after "recall"/);
    await writeFile('chat.md', `new first line\n${text}`);
    await assert.rejects(invokeTool(recallTool, { id: ids[0] }), /has changed since/);
    const ofText = await invoke({ text, ratio: 0.2 });
    assert.match(ofText, /\[.* left out\]/);
    assert.doesNotMatch(ofText, /recall/);
  });
});
