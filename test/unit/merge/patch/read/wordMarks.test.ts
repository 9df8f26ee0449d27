import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../../src/merge';
import { readWordMarks } from '../../../../../src/merge/patch/read/wordMarks';

const file = 'const a = 1;\nconst b = 2;\n';
const merged = (update: string) => mergeEdit(file, update, { path: 'a.ts' });
const block = (old: string, fresh: string) => `[SEARCH]\n${old}\n[REPLACE]\n${fresh}\n`;
const read = (text: string, known: readonly string[] = []) =>
  readWordMarks(text.split('\n'), new Set(known));
const wanted = { kind: 'merged', text: 'const a = 1;\nconst b = 3;\n', certain: true };

const marks: readonly (readonly [string, string, string])[] = [
  ['[SEARCH]', '[REPLACE]', '[/REPLACE]'],
  ['[SEARCH]', '[/SEARCH]\n[REPLACE]', '[/REPLACE]'],
  ['[SEARCH]', '=======', '[REPLACE]'],
  ['[SEARCH]', '[REPLACE]', '[END]'],
  ['SEARCH:', 'REPLACE:', ''],
  ['SEARCH:', 'REPLACE WITH:', '```'],
  ['**ORIGINAL**', '**UPDATED**', ''],
  ['### OLD ###', '### NEW ###', '### END ###'],
  ['--- BEFORE ---', '--- AFTER ---', ''],
];

describe('marks that are words on lines of their own', () => {
  for (const [start, middle, end] of marks) {
    it(`are read as ${start} ${middle.replace('\n', ' ')} ${end}`, () => {
      const text = `${start}\nconst b = 2;\n${middle}\nconst b = 3;\n${end}\n`;
      assert.deepEqual(merged(end === '```' ? `\`\`\`\n${text}` : text), wanted);
    });
  }

  it('may be of several blocks', () => {
    const result = merged(
      block('const a = 1;', 'let a = 1;') + block('const b = 2;', 'let b = 2;'),
    );
    assert.equal(result.kind === 'merged' && result.text, 'let a = 1;\nlet b = 2;\n');
  });

  it('are refused where a side is missing, and never become the file', () => {
    const text = '[SEARCH]\nconst b = 2;\n[SEARCH]\nconst a = 1;\n[REPLACE]\nlet a = 1;\n';
    assert.equal(merged(text).kind, 'refused');
  });

  it('are none in comments, in small letters, and where the file has them', () => {
    assert.equal(read('// OLD\nconst b = 2;\n// NEW\nconst b = 3;'), undefined);
    assert.equal(read('SEARCH\na\nREPLACE\nb'), undefined, 'words without signs');
    assert.equal(read('[search]\na\n[replace]\nb'), undefined);
    assert.equal(read('[SEARCH]\na\n[REPLACE]\nb', ['[SEARCH]', '[REPLACE]']), undefined);
    assert.equal(read('x = 1\n[SEARCH]\na\n[REPLACE]\nb'), undefined);
  });
});
