import assert from 'node:assert/strict';
import { applyAnswer } from '../../../../../src/apply/answer';
import { applied } from '../../../../support/unit/applied';

const texts: Readonly<Record<string, string>> = {
  'src/a.ts': 'const a = 1;\nconst b = 2;\n',
};
const read = (answer: string) => applied(answer, texts);

describe('tags in the place of fences', () => {
  for (const tag of ['source', 'codeblock', 'sourcecode']) {
    it(`hold whole files that the lines above name: <${tag}>`, () => {
      const answer = `Both files:\n\nsrc\\a.ts\n<${tag}>\nexport {};\n</${tag}>\n\ndocs/use.md\n<${tag}>\n# Use\n\n\`\`\`sh\nnpm start\n\`\`\`\n</${tag}>\n\nThat is all.\n`;
      assert.deepEqual(read(answer), {
        files: [
          ['edit', 'src/a.ts', 'export {};\n'],
          ['create', 'docs/use.md', '# Use\n\n```sh\nnpm start\n```\n'],
        ],
        refused: [],
      });
    });
  }

  it('hold search/replace blocks', () => {
    const answer =
      'src/a.ts\n<source>\n<<<<<<< SEARCH\nconst b = 2;\n=======\nconst b = 3;\n>>>>>>> REPLACE\n</source>\n';
    assert.deepEqual(read(answer), {
      files: [['edit', 'src/a.ts', 'const a = 1;\nconst b = 3;\n']],
      refused: [],
    });
  });

  it('hold a part of a file where others use them for that', () => {
    const answer = 'src/a.ts\n<pre>\nconst a = 1;\nconst b = 3;\n</pre>\n';
    assert.deepEqual(read(answer).files, [['edit', 'src/a.ts', 'const a = 1;\nconst b = 3;\n']]);
  });

  it('are listed with their file where nothing closes them, and stop no other part', () => {
    const answer =
      'src/a.ts\n<source>\nexport {};\n\n```ts\n// src/new.ts\nexport const one = 1;\n```\n';
    assert.deepEqual(read(answer), {
      files: [['create', 'src/new.ts', 'export const one = 1;\n']],
      refused: [['src/a.ts', '<source>\nexport {};\n']],
    });
  });

  it('are code where no file is named above them', () => {
    const page = '<pre>\nnpm start\n</pre>\n';
    const answer = `public/use.html\n\`\`\`html\n${page}\`\`\`\n`;
    assert.deepEqual(read(answer).files, [['create', 'public/use.html', page]]);
  });

  it('cost no more than their length where none is closed', () => {
    const answer = 'src/a.ts\n<source>\nconst a = 1;\n'.repeat(20_000);
    const start = process.cpuUsage();
    applyAnswer(answer, { files: () => [], read: () => undefined });
    const { user } = process.cpuUsage(start);
    assert.ok(user < 30e6, `${user / 1e6} s`);
  });
});
