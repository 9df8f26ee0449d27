import assert from 'node:assert/strict';
import { mergeOperation, type TextOperation } from '../../../../src/apply/answer/mergeOperation';
import { english, written } from '../../../../src/base/sentence';

const before = 'one();\ntwo();\nthree();\n';

/** The new text, or why there is none. */
function merged(operation: TextOperation, text = before, isTouched = false): string {
  const result = mergeOperation(text, operation, { path: 'a.js', isTouched, t: english });
  return result.kind === 'edited' ? result.text : `refused: ${written(result.reason)}`;
}
const write = (text: string): TextOperation => ({ kind: 'write', path: 'a.js', text });
const insert = (line: number, text: string): TextOperation => ({
  kind: 'insert',
  path: 'a.js',
  line,
  text,
});

describe('a file that is written as a whole', () => {
  it('keeps its line ends, its byte order mark and its last newline', () => {
    assert.equal(merged(write('a\nb\n'), 'x\r\ny\r\n'), 'a\r\nb\r\n');
    assert.equal(merged(write('a\nb'), 'x\ny\n'), 'a\nb\n');
    assert.equal(merged(write('a\nb\n'), 'x\ny'), 'a\nb');
    assert.equal(merged(write('a\n\n\n'), 'x\n'), 'a\n');
    assert.equal(merged(write('a\n'), '\uFEFFx\n'), '\uFEFFa\n');
    assert.equal(merged(write('a'), ''), 'a\n');
    assert.equal(merged(write(''), 'x\n'), '');
  });
});

describe('lines that are inserted', () => {
  it('go behind a line, or to the top', () => {
    assert.equal(merged(insert(0, 'x'), 'a\nb\n'), 'x\na\nb\n');
    assert.equal(merged(insert(1, 'x\ny\n'), 'a\nb\n'), 'a\nx\ny\nb\n');
    assert.equal(merged(insert(2, 'x'), 'a\nb\n'), 'a\nb\nx\n');
    assert.equal(merged(insert(2, 'x'), 'a\nb'), 'a\nb\nx');
    assert.equal(merged(insert(0, 'x'), ''), 'x\n');
  });

  it('go to no line that is not there', () => {
    const reason = 'the file has 2 lines.';
    assert.equal(
      merged(insert(3, 'x'), 'a\nb\n'),
      `refused: The text is to go behind line 3, but ${reason}`,
    );
    assert.match(merged(insert(-1, 'x'), 'a\nb\n'), /^refused: /);
  });
});

const replace = (search: string, text: string): TextOperation => ({
  kind: 'blocks',
  path: 'a.js',
  blocks: [{ search, replace: text }],
  isEverywhere: true,
});

describe('a text that is replaced everywhere', () => {
  it('is replaced as it is, also by what looks like a pattern', () => {
    assert.equal(merged(replace('()', '($&)')), 'one($&);\ntwo($&);\nthree($&);\n');
  });

  it('has to be in the file', () => {
    const reason = 'refused: The text to replace is not in the file.';
    assert.equal(merged(replace('four', 'five')), reason);
    assert.equal(merged(replace('', 'five')), reason);
  });
});

const snippet = (text: string, more: object = {}): TextOperation => ({
  kind: 'snippet',
  path: 'a.js',
  text,
  ...more,
});

const file = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `call${at}(${at});\n\n`).join('');

describe('a snippet', () => {
  const other = 'const alpha = 1;\nconst beta = 2;\n';

  it('that fits nowhere replaces a file of up to twice its size, never for certain', () => {
    const replaced = (text: string, isTouched = false) =>
      mergeOperation(text, snippet(other), { path: 'a.js', isTouched, t: english });
    assert.deepEqual(replaced(file(4)), {
      kind: 'edited',
      text: other,
      certain: false,
      findings: [
        {
          kind: 'wholeFile',
          severity: 'warning',
          line: 1,
          message: 'The code fits no place of the file, so it would replace the whole file.',
        },
      ],
    });
    assert.equal(replaced(file(5)).kind, 'refused');
    assert.equal(replaced(file(4), true).kind, 'refused', 'the answer has changed it before');
  });

  it('that names no file, or shows a part, replaces none', () => {
    assert.match(merged(snippet(other, { path: undefined })), /^refused: /);
    assert.match(
      merged(snippet(`// ... existing code ...\n${other}// ... existing code ...\n`)),
      /^refused: /,
    );
  });

  it('of a new file replaces the one that is there, unless it shows a part', () => {
    assert.equal(merged(snippet('two();\n', { isNew: true })), 'two();\n');
    assert.equal(
      merged(snippet('two();\nmore();\n// ... existing code ...\n', { isNew: true })),
      'one();\ntwo();\nmore();\nthree();\n',
    );
  });
});
