import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  activePreview,
  closeAll,
  lensTitles,
  openFile,
  readFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

const text = [
  'function first() {  ',
  '    call(one, two);\t',
  '    return 1;  ',
  '}',
  '',
  'function second() {',
  '    call(',
  '        three,',
  '        four',
  '    );',
  '    return 2;  ',
  '}',
].join('\n');

const changes = [
  ['    return 1;  ', '    return one;  '],
  ['        three,', '        five,'],
  ['    return 2;  ', '    return two;  '],
] as const;

const settings: readonly (readonly [string, unknown])[] = [
  ['files.trimTrailingWhitespace', true],
  ['files.insertFinalNewline', true],
  ['editor.formatOnSave', true],
];

/** Indents by two and joins calls. */
const formatted = (code: string) =>
  code
    .replaceAll(/\(\n\s+(\w+),\n\s+(\w+)\n\s*\)/g, '($1, $2)')
    .replaceAll(/^ {4}/gm, '  ')
    .replaceAll(/^ {8}/gm, '    ');

const pendingIn = async (preview: vscode.TextDocument) => {
  const titles = await lensTitles(preview);
  return titles.filter(title => title.startsWith('$(discard)')).length;
};
const untilPending = (preview: vscode.TextDocument, count: number) =>
  waitFor(async () => (await pendingIn(preview)) === count, `${count} pending changes`);
const untilText = (file: vscode.TextDocument, lines: readonly string[]) =>
  waitFor(
    () => file.getText() === lines.join('\n'),
    () => `the text; it is ${JSON.stringify(file.getText())}`,
  );

describe('a save in the middle of a review', () => {
  let formatter: vscode.Disposable;

  before(async () => {
    const config = vscode.workspace.getConfiguration();
    for (const [name, value] of settings) {
      await config.update(name, value, vscode.ConfigurationTarget.Workspace);
    }
    formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/saved.txt' },
      {
        provideDocumentFormattingEdits: document => {
          const end = document.lineAt(document.lineCount - 1).range.end;
          const all = new vscode.Range(new vscode.Position(0, 0), end);
          return [vscode.TextEdit.replace(all, formatted(document.getText()))];
        },
      },
    );
  });

  after(async () => {
    formatter.dispose();
    const config = vscode.workspace.getConfiguration();
    for (const [name] of settings) {
      await config.update(name, undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  afterEach(closeAll);

  it('formats the file without a conflict, and every decision can still be made and undone', async () => {
    await writeFile('saved.txt', text);
    const { document: file } = await openFile('saved.txt');
    const blocks = changes.map(
      ([from, to]) => `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE`,
    );
    await setClipboard(`saved.txt\n${blocks.join('\n')}\n`);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    await untilPending(preview, 3);
    await run('splice.apply.acceptChange');
    await untilPending(preview, 2);

    await file.save();
    const saved = [
      'function first() {',
      '  call(one, two);',
      '  return one;',
      '}',
      '',
      'function second() {',
      '  call(three, four);',
      '  return 2;',
      '}',
      '',
    ];
    assert.equal(await readFile('saved.txt'), saved.join('\n'));
    const changed = () => preview.getText().includes('  call(three, four);');
    await waitFor(changed, 'the preview of the formatted file');
    await untilPending(preview, 2);
    const titles = await lensTitles(preview);
    assert.ok(!titles.some(title => /Keep Mine|You changed/.test(title)), titles.join('\n'));

    await run('splice.apply.undoDecision');
    await untilText(file, saved.toSpliced(2, 1, '  return 1;'));
    await untilPending(preview, 3);
    await run('splice.apply.acceptAll');
    await untilText(file, [
      ...saved.slice(0, 6),
      '    call(',
      '        five,',
      '        four',
      '    );',
      '  return two;',
      ...saved.slice(8),
    ]);
  });
});
