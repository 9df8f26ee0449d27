import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../../src/merge';
import { numberedNewFile, numberedRowsAt } from '../../../../../src/merge/patch/read/numberedDiff';

const python = 'import os\n\ndef load(path):\n    with open(path) as f:\n        return f.read()\n';
const wanted = python.replace('open(path)', "open(path, 'r')");
const go = 'func Load() error {\n\tif ok {\n\t\treturn nil\n\t}\n\treturn read()\n}\n';

const rows = (...lines: string[]): string => lines.join('\n');

const spellings: Readonly<Record<string, string>> = {
  'a blank on both sides of the mark': rows(
    '       3   def load(path):',
    '       4 -     with open(path) as f:',
    "       4 +     with open(path, 'r') as f:",
    '       5           return f.read()',
  ),
  'the code right behind the mark': rows(
    '   3  def load(path):',
    '   4 -    with open(path) as f:',
    "   4 +    with open(path, 'r') as f:",
    '   5          return f.read()',
  ),
  'two columns of numbers': rows(
    '  3   3  def load(path):',
    '  4     -    with open(path) as f:',
    "      4 +    with open(path, 'r') as f:",
    '  5   5          return f.read()',
  ),
  'two columns and no marks': rows(
    '  3 │  3 │def load(path):',
    '  4 │    │    with open(path) as f:',
    "    │  4 │    with open(path, 'r') as f:",
    '  5 │  5 │        return f.read()',
  ),
  'cells of a table': rows(
    '3\t3\t def load(path):',
    '4\t\t-    with open(path) as f:',
    "\t4\t+    with open(path, 'r') as f:",
    '5\t5\t         return f.read()',
  ),
  'a fence around it': rows(
    '```',
    '3   def load(path):',
    '4 -     with open(path) as f:',
    "4 +     with open(path, 'r') as f:",
    '```',
  ),
};

describe('a diff with line numbers', () => {
  for (const [name, text] of Object.entries(spellings)) {
    it(`is applied with ${name}`, () => {
      assert.deepEqual(mergeEdit(python, text, { path: 'a.py' }), {
        kind: 'merged',
        text: wanted,
        certain: true,
      });
    });
  }

  it('keeps the columns where the numbers get longer', () => {
    const file = Array.from({ length: 12 }, (_, at) => `  line ${at + 1}\n`).join('');
    const text = rows('9     line 9', '10 -   line 10', '10 +   line ten', '11     line 11');
    const result = mergeEdit(file, text, {});
    assert.equal(result.kind === 'merged' && result.text, file.replace('line 10', 'line ten'));
  });

  for (const width of [2, 4, 8]) {
    it(`has tabs where the terminal showed ${width} blanks`, () => {
      const text = rows(
        '  2   \tif ok {',
        '  3   \t\treturn nil',
        '  4   \t}',
        '  5 + \tlog()',
        '  5   \treturn read()',
      );
      const result = mergeEdit(go, text.replaceAll('\t', ' '.repeat(width)), { path: 'a.go' });
      assert.equal(
        result.kind === 'merged' && result.text,
        go.replace('\treturn read', '\tlog()\n\treturn read'),
      );
    });
  }

  it('goes to the place of its numbers where its lines stand twice', () => {
    const block = 'a\nb\nc\n';
    const result = mergeEdit(block.repeat(3), rows('4  a', '5 -b', '5 +B', '6  c'), {});
    assert.equal(result.kind === 'merged' && result.text, 'a\nb\nc\na\nB\nc\na\nb\nc\n');
  });

  it('is several hunks where lines are left out', () => {
    const file = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
    const text = rows(' 1  line 1', ' 2 -line 2', '    ⋮', '29  line 29', '30 -line 30', '30 +end');
    const result = mergeEdit(file, text, {});
    assert.equal(
      result.kind === 'merged' && result.text,
      file.replace('line 2\n', '').replace('line 30', 'end'),
    );
  });

  const refusals: Readonly<Record<string, string>> = {
    'the terminal has wrapped a line': rows(
      '  3   def load(path):',
      '  4 -     with open(pa',
      'th) as f:',
      "  4 +     with open(path, 'r') as f:",
      '  5           return f.read()',
    ),
    'it is applied already': rows(
      '  3   def load(path):',
      '  4 -     with open(name) as f:',
      '  4 +     with open(path) as f:',
    ),
  };
  for (const [name, text] of Object.entries(refusals)) {
    it(`is refused where ${name}`, () => {
      const result = mergeEdit(python, text, { path: 'a.py' });
      assert.match(
        result.kind === 'refused' ? result.reason.text : '',
        /does not have the lines that this diff shows/,
      );
    });
  }

  it('is none where the file has such lines, or a list', () => {
    const log = '1 - start\n2 + more\n3   end\n';
    const added = mergeEdit(log, `${log}4 - stop\n`, { path: 'a.log' });
    assert.equal(added.kind === 'merged' && added.text, `${log}4 - stop\n`);
    const list = 'a:\n  - one\n  - two\n';
    const longer = mergeEdit(list, '1 a:\n2   - one\n3   - two\n4   - three\n', { path: 'a.yml' });
    assert.equal(longer.kind === 'merged' && longer.text, `${list}  - three\n`);
  });
});

describe('rows with line numbers', () => {
  it('end behind the last one', () => {
    const lines = ['', '  3  a', '  4 -b', '', '  ...', '  9 +c', '', 'Done.', ''];
    assert.deepEqual(numberedRowsAt(lines, 1), { end: 6, isDiff: true });
    assert.equal(numberedRowsAt(lines, 7), undefined);
  });

  it('are no diff without a mark, or alone', () => {
    assert.deepEqual(numberedRowsAt(['1 a', '2 b'], 0), { end: 2, isDiff: false });
    assert.deepEqual(numberedRowsAt(['1 - a', 'b'], 0), { end: 1, isDiff: false });
    assert.equal(numberedRowsAt(['1. - a', '2. - b'], 0), undefined);
  });
});

describe('a new file with line numbers', () => {
  it('is all of its lines', () => {
    assert.equal(numberedNewFile(['    1 +a', '    2 +', '    3 +  b']), 'a\n\n  b\n');
  });

  it('is none where lines are missing or not added', () => {
    assert.equal(numberedNewFile(['2 +a', '3 +b']), undefined);
    assert.equal(numberedNewFile(['1 +a', '3 +b']), undefined);
    assert.equal(numberedNewFile(['1 +a', '2  b']), undefined);
  });
});
