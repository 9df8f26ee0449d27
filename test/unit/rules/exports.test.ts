import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/** Checks that tests and benchmarks make from outside; the product has no need of them. */
const forChecks = ['detectFormat', 'openSession', 'proveClaim'];

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(?:ts|mjs)$/.test(name))
    .map(name => `${folder}/${name}`);

const read = (file: string) => ({ file, text: readFileSync(file, 'utf8') });
const sources = filesIn('src').map(read);
const scripts = ['esbuild.mjs', ...filesIn('scripts')].map(read);

const exported = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class) ([\w$]+)/gm;
const words = (text: string): string[] => text.match(/[\w$]+/g) ?? [];

/** How often each word appears in the code that ships or builds what ships. */
const uses = new Map<string, number>();
for (const { text } of [...sources, ...scripts])
  for (const word of words(text)) uses.set(word, (uses.get(word) ?? 0) + 1);

describe('the exports of src', () => {
  it('are used by the product, not by tests alone', () => {
    const unused = sources.flatMap(({ file, text }) =>
      [...text.matchAll(exported)]
        .map(([, name = '']) => name)
        .filter(name => (uses.get(name) ?? 0) < 2 && !forChecks.includes(name))
        .map(name => `${file}: ${name}`),
    );
    assert.deepEqual(unused, []);
  });

  it('that are for checks alone still exist', () => {
    for (const name of forChecks) assert.equal(uses.get(name), 1, name);
  });
});
