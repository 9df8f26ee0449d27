import assert from 'node:assert/strict';
import { applyAnswer } from '../../../../src/apply/answer';
import { cellsOf, withCell } from '../../../../src/apply/answer/notebook/notebookFile';

const loading = 'import pandas as pd\n\nsales = pd.read_csv("sales.csv")';
const plotting = 'ax = sales.plot()\nax.set_title("Sales")\nax.figure.show()';
const cell = (source: unknown, type = 'code') => ({
  cell_type: type,
  ...(type === 'code' && { execution_count: 3, outputs: [] }),
  metadata: {},
  source,
});
const asLines = (text: string): string[] => text.split(/(?<=\n)/);
const notebook = {
  cells: [
    cell(['# Sales\n', 'Per year.'], 'markdown'),
    cell(asLines(loading)),
    cell(asLines(plotting)),
  ],
  metadata: { language_info: { file_extension: '.py', name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};
const file = `${JSON.stringify(notebook, undefined, 1)}\n`;
const fence = (code: string, info = 'python') => `\`\`\`${info}\n${code}\n\`\`\`\n`;

function apply(answer: string, files: Readonly<Record<string, string>> = { 'book.ipynb': file }) {
  return applyAnswer(answer, { files: () => Object.keys(files), read: path => files[path] });
}
const reasonsOf = (answer: string) => {
  const { files, refused } = apply(answer);
  assert.deepEqual(files, []);
  return refused.map(({ reason }) => reason);
};

describe('code for a notebook', () => {
  const titled = plotting.replace('"Sales"', '"Sales by year"');
  const wanted = file.replace('\\"Sales\\"', '\\"Sales by year\\"');

  for (const [form, answer] of Object.entries({
    'a snippet': `book.ipynb\n${fence(`# ... existing code ...\nax.set_title("Sales by year")\nax.figure.show()`)}`,
    'the whole cell': `### book.ipynb\n\n${fence(titled)}`,
    'a search/replace block': `book.ipynb\n${fence('<<<<<<< SEARCH\nax.set_title("Sales")\n=======\nax.set_title("Sales by year")\n>>>>>>> REPLACE')}`,
    'a diff of the cell': fence(
      '--- book.ipynb\n+++ book.ipynb\n@@ @@\n ax = sales.plot()\n-ax.set_title("Sales")\n+ax.set_title("Sales by year")',
      'diff',
    ),
    'a diff of the file': fence(
      `--- a/book.ipynb\n+++ b/book.ipynb\n@@ @@\n    "ax = sales.plot()\\n",\n-    "ax.set_title(\\"Sales\\")\\n",\n+    "ax.set_title(\\"Sales by year\\")\\n",\n    "ax.figure.show()"`,
      'diff',
    ),
  })) {
    it(`changes the lines of its cell, and no other byte of the file, as ${form}`, () => {
      const { files, refused } = apply(answer);
      assert.deepEqual(refused, []);
      assert.deepEqual(
        files.map(({ kind, path }) => [kind, path]),
        [['edit', 'book.ipynb']],
      );
      assert.equal(files[0]?.text, wanted);
    });
  }

  it('goes into several cells, one part after the other', () => {
    const { files } = apply(
      `book.ipynb\n${fence(loading.replace('sales.csv', 'all.csv'))}\nbook.ipynb\n${fence(titled)}`,
    );
    assert.equal(files.length, 1);
    assert.equal(files[0]?.text, wanted.replace('sales.csv', 'all.csv'));
  });

  it('that fits no cell, or several, is refused', () => {
    assert.deepEqual(reasonsOf(`book.ipynb\n${fence('def other():\n    return 1')}`), [
      'It fits none of the cells of the notebook.',
    ]);
    const twice = JSON.stringify({
      ...notebook,
      cells: [cell('a = 1\nb = 2'), cell('a = 1\nb = 2')],
    });
    const answer = `book.ipynb\n${fence('a = 1\nb = 3')}`;
    assert.match(
      apply(answer, { 'book.ipynb': twice }).refused[0]?.reason ?? '',
      /several cells of the notebook: 1, 2/,
    );
  });

  it('never makes a file that is no notebook', () => {
    const broken = `--- a/book.ipynb\n+++ b/book.ipynb\n@@ @@\n-    "ax = sales.plot()\\n",\n+    "ax = sales.plot()\\n"\n`;
    assert.deepEqual(reasonsOf(fence(broken.trimEnd(), 'diff')), [
      'The file would no longer be a notebook.',
    ]);
    const whole = JSON.stringify({
      name: 'write_file',
      input: { path: 'book.ipynb', content: '["source"]' },
    });
    assert.equal(apply(whole).files.length, 0);
  });

  it('goes to the cells of a notebook that is open', () => {
    const texts: Record<string, string> = {
      'book.ipynb#1.py': loading,
      'book.ipynb#2.py': plotting,
    };
    const result = applyAnswer(`book.ipynb\n${fence(titled)}`, {
      files: () => ['book.ipynb'],
      read: path => texts[path],
      cells: path => (path === 'book.ipynb' ? Object.keys(texts) : undefined),
    });
    assert.deepEqual(
      result.files.map(({ kind, path, text }) => [kind, path, text]),
      [['edit', 'book.ipynb#2.py', titled]],
    );
  });
});

const replaced = (text: string, at: number, source: string): unknown => {
  const found = cellsOf(text)?.[at];
  assert.ok(found);
  const parsed: unknown = JSON.parse(withCell(text, found, source));
  return parsed;
};

describe('the source of a cell', () => {
  it('stays what it is: a string, or a list of lines', () => {
    const text = JSON.stringify({ cells: [cell('a'), cell([]), cell(['a\n', 'b'])] });
    assert.deepEqual(replaced(text, 0, 'a\nb'), {
      cells: [cell('a\nb'), cell([]), cell(['a\n', 'b'])],
    });
    assert.deepEqual(replaced(text, 1, 'x\ny'), {
      cells: [cell('a'), cell(['x\n', 'y']), cell(['a\n', 'b'])],
    });
    assert.deepEqual(replaced(text, 2, ''), { cells: [cell('a'), cell([]), cell([])] });
  });

  it('keeps the spelling of the lines that stay', () => {
    const text = `{"cells": [{"cell_type": "code", "source": ["s = '\\u00e9'\\n", "a"]}]}`;
    const found = cellsOf(text)?.[0];
    assert.ok(found);
    assert.equal(withCell(text, found, `s = '\u00e9'\nb`), text.replace('"a"', '"b"'));
  });

  it('is looked for in notebooks only', () => {
    assert.equal(cellsOf('{"cells": 1}'), undefined);
    assert.equal(cellsOf('x = 1'), undefined);
  });
});
