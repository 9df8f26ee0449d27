import assert from 'node:assert/strict';
import { applyAnswer } from '../../../../src/apply/answer';
import { applied } from '../../../support/unit/applied';

const texts: Readonly<Record<string, string>> = {
  'src/a.ts': 'const a = 1;\nconst b = 2;\n',
};
const read = (answer: string) => applied(answer, texts);

describe('search/replace blocks in a fence of another language', () => {
  it('are for the file that the line above names', () => {
    const answer =
      'src/new.ts\n```python\n<<<<<<< SEARCH\n=======\nexport const one = 1;\n>>>>>>> REPLACE\n```\n\nsrc/a.ts\n```python\n<<<<<<< SEARCH\nconst b = 2;\n=======\nconst b = 3;\n>>>>>>> REPLACE\n```\n';
    assert.deepEqual(read(answer), {
      files: [
        ['create', 'src/new.ts', 'export const one = 1;\n'],
        ['edit', 'src/a.ts', 'const a = 1;\nconst b = 3;\n'],
      ],
      refused: [],
    });
  });
});

describe('a search/replace block that creates a file', () => {
  const block = '<<<<<<< SEARCH\n=======\n<nlog/>\n>>>>>>> REPLACE\n';

  it('is for the file that the word above names, whatever its kind', () => {
    const created = [['create', 'NLog.config', '<nlog/>\n']];
    assert.deepEqual(read(`NLog.config\n\`\`\`xml\n${block}\`\`\`\n`).files, created);
    assert.deepEqual(read(`It is empty.\n\n**NLog.config**:\n${block}`).files, created);
  });

  it('is for no file that words further up name', () => {
    const { files, refused } = read(`NLog.config\n\nIt is small.\n${block}`);
    assert.deepEqual([files, refused.length], [[], 1]);
  });

  it('leaves a block with lines to search for to its place', () => {
    const edit = '<<<<<<< SEARCH\nconst b = 2;\n=======\nconst b = 3;\n>>>>>>> REPLACE\n';
    const [file] = read(`cart.total\n${edit}`).files;
    assert.deepEqual(file, ['edit', 'src/a.ts', 'const a = 1;\nconst b = 3;\n']);
  });
});

describe('a comment at the top of a block', () => {
  const other = '```ts\n// src/new.ts\nexport const one = 1;\n```\n';
  const created = ['create', 'src/new.ts', 'export const one = 1;\n'];

  it('names the file rather than a heading further up', () => {
    const answer = `src/a.ts\n\`\`\`ts\nconst a = 1;\nconst b = 3;\n\`\`\`\n\nThen the new one:\n\n${other}`;
    assert.deepEqual(read(answer), {
      files: [['edit', 'src/a.ts', 'const a = 1;\nconst b = 3;\n'], created],
      refused: [],
    });
    assert.deepEqual(read(`## src/a.ts\n\nIt needs a helper.\n\n${other}`).files, [created]);
  });

  it('is code where the line above the block names another file', () => {
    const [file] = read(`src/b.ts\n${other}`).files;
    assert.deepEqual(file, ['create', 'src/b.ts', '// src/new.ts\nexport const one = 1;\n']);
  });
});

describe('code that is said to be new', () => {
  const long = Array.from({ length: 200 }, (_, at) => `note(${at}, 'text of line ${at}');\n`).join(
    '',
  );
  const quoted = long.split('\n').slice(50, 56).join('\n');
  const apply = (answer: string) =>
    applyAnswer(answer, { files: () => ['notes.js'], read: () => long });

  it('never replaces a file that only holds its lines', () => {
    const { files } = apply(`I will create this helper:\n\n\`\`\`js\n${quoted}\n\`\`\`\n`);
    assert.deepEqual(files, []);
  });

  it('replaces the file of its name only with a warning', () => {
    const [file] = apply('Create notes.js:\n\n```js\nnote(1);\n```\n').files;
    assert.equal(file?.text, 'note(1);\n');
    assert.equal(file.certain, false);
    assert.match(file.findings[0]?.message ?? '', /calls this file new/);
  });
});
