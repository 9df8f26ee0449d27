import assert from 'node:assert/strict';
import { applyAnswer } from '../../../../../src/apply/answer';
import { transcriptPath, unboxed } from '../../../../../src/apply/answer/dialects/numberedDiff';

const texts: Readonly<Record<string, string>> = {
  'src/app.py': 'def load(path):\n    return open(path)\n\ndef save():\n    pass\n',
  'src/b.ts': 'export const b = 1;\nexport const c = 2;\n',
};
const read = (answer: string) =>
  applyAnswer(answer, { files: () => Object.keys(texts), read: path => texts[path] });
const textsOf = (answer: string) => {
  const { files, refused } = read(answer);
  assert.deepEqual(refused, []);
  return files.map(({ kind, path, text }) => [kind, path, text]);
};

describe('the output of a coding agent in a terminal', () => {
  it('is one change set of the files that it names', () => {
    const answer = `⏺ I change both.

⏺ Update(src/app.py)
  ⎿  Updated src/app.py with 1 addition and 1 removal
       1   def load(path):
       2 -     return open(path)
       2 +     return open(path, 'r')
       3   

⏺ Update(src/b.ts)
  ⎿  Updated src/b.ts with 1 addition
       1   export const b = 1;
       2 + export const x = 1;
       2   export const c = 2;

⏺ Both are done.
`;
    assert.deepEqual(textsOf(answer), [
      ['edit', 'src/app.py', texts['src/app.py']?.replace('(path)\n\n', "(path, 'r')\n\n")],
      ['edit', 'src/b.ts', texts['src/b.ts']?.replace(';\n', ';\nexport const x = 1;\n')],
    ]);
  });

  it('may list several files, and create some', () => {
    const answer = `• Edited 2 files (+3 -1)
  └ src/b.ts (+1 -1)
     1 -export const b = 1;
     1 +export const b = 3;
     2  export const c = 2;

  └ src/new.ts (+2 -0)
     1 +export {};
     2 +// end
`;
    assert.deepEqual(textsOf(answer), [
      ['edit', 'src/b.ts', texts['src/b.ts']?.replace('b = 1', 'b = 3')],
      ['create', 'src/new.ts', 'export {};\n// end\n'],
    ]);
  });

  it('may have a frame', () => {
    const answer = `╭──────────────────────────────╮
│ ✓ Edit src/b.ts              │
│                              │
│ 1 - export const b = 1;      │
│ 1 + export const b = 3;      │
│ 2   export const c = 2;      │
╰──────────────────────────────╯
`;
    assert.deepEqual(textsOf(answer), [
      ['edit', 'src/b.ts', texts['src/b.ts']?.replace('b = 1', 'b = 3')],
    ]);
    const table = ['│ a │', '│ 1 │'];
    assert.equal(unboxed(table), table);
  });

  it('lists what the terminal left out', () => {
    const { files, refused } = read(`⏺ Update(src/b.ts)
  ⎿  Updated src/b.ts
       1 - export const b = 1;
       1 + export const b = 3;
     … +12 lines (ctrl+o to expand)
`);
    assert.equal(files.length, 1);
    assert.deepEqual(
      refused.map(({ path, reason }) => [path, reason]),
      [
        [
          'src/b.ts',
          'The terminal did not show 12 lines here. Expand the edit in the terminal, and copy it again.',
        ],
      ],
    );
  });

  it('never becomes the content of a file where a line is wrapped', () => {
    const { files, refused } = read(`⏺ Update(src/b.ts)
       1 - export const
 b = 1;
       1 + export const
 b = 3;
       2   export const c = 2;
`);
    assert.deepEqual(files, []);
    assert.equal(refused.length, 1);
  });
});

describe('the path in a line of such output', () => {
  const paths: Readonly<Record<string, string | undefined>> = {
    '⏺ Update(src/a.ts)': 'src/a.ts',
    '● Edit(src/a.ts)': 'src/a.ts',
    'Update(src/a.ts)': 'src/a.ts',
    '• Edited src/a.ts (+2 -1)': 'src/a.ts',
    '  └ src/a.ts (+2 -1)': 'src/a.ts',
    '│ ✓ Edit src/a.ts': undefined,
    '✓  Edit src/a.ts: return n + 1; => return n + 2;': 'src/a.ts',
    '✓  WriteFile Writing to src/a.ts': 'src/a.ts',
    '⏺ Bash(npm test)': undefined,
    '⏺ Update src/a.ts and src/b.ts': undefined,
    'src/a.ts': undefined,
    'Update src/a.ts': undefined,
  };
  for (const [line, path] of Object.entries(paths)) {
    it(`is ${path ?? 'none'} in ${line}`, () => assert.equal(transcriptPath(line), path));
  }
});
