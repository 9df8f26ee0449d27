import assert from 'node:assert/strict';
import path from 'node:path';
import { type GrepArguments, grep } from '../../../../src/search/tools/grep';
import { readLines } from '../../../../src/search/tools/readFile';
import { Sandbox } from '../../../../src/search/workspace/sandbox';
import type { SearchWorkspace } from '../../../../src/search/workspace/workspace';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { TestWorkspace } from '../workspace';

const engines = [['ripgrep', ripgrepPath()] as const, ['Node', undefined] as const].filter(
  ([name, rgPath]) => name === 'Node' || rgPath !== undefined,
);
/** Lines so far apart that each match has context of its own. */
const needles = (count: number, word = 'needle'): string =>
  Array.from({ length: count }, (_, n) => `${word} ${n + 1}\n\n\n\n`).join('');

const linesOf = (text: string): string[] =>
  text.split('\n').filter(line => /[:-]\d+[:-]/.test(line));
const countIn = (text: string, file: string): number =>
  linesOf(text).filter(line => line.startsWith(file)).length;

for (const [engine, rgPath] of engines) {
  describe(`what a search shows by ${engine}`, () => {
    let files: TestWorkspace;
    before(() => {
      files = new TestWorkspace({
        'src/b.ts': needles(150),
        'src/a.ts': 'first\n  needle\nlast\n',
        'src/c.ts': needles(2),
        'test/a.test.ts': needles(30),
        'docs/a.md': needles(30),
        'rare/one.ts': 'x\nsolitary\n\ty\n',
        'rare/one.md': 'solitary\n',
        'lib/chart.js/a.md': 'deeply\n',
        'lib/chart.js/in/b.ts': 'deeply\n',
        'ends.ts': 'edge\nmiddle\nedge\n',
      });
    });
    after(() => files.remove());

    const search = async (
      more: Partial<GrepArguments> & { pattern: string },
      workspace: Partial<SearchWorkspace> = {},
    ) => grep(await files.scope({ rgPath, ...workspace }), { isCaseSensitive: false, ...more });

    it('is each match with a line above and below, without indentation', async () => {
      const { text, hits, files: shown, isError } = await search({ pattern: 'solitary' });
      assert.equal(
        text,
        'rare/one.md:1:solitary\n--\nrare/one.ts-1-x\nrare/one.ts:2:solitary\nrare/one.ts-3-y',
      );
      assert.deepEqual([hits, shown, isError], [2, ['rare/one.md', 'rare/one.ts'], false]);
      const edge = await search({ pattern: 'edge' });
      assert.equal(edge.text, 'ends.ts:1:edge\nends.ts-2-middle\nends.ts:3:edge');
    });

    it('has a share of each file where there is too much, sources before others', async () => {
      const { text, hits, files: shown } = await search({ pattern: 'needle', limit: 20 });
      assert.equal(hits, 213);
      assert.equal(linesOf(text).length, 19, 'one has only three');
      assert.deepEqual(shown, ['src/a.ts', 'src/b.ts', 'src/c.ts', 'docs/a.md', 'test/a.test.ts']);
      for (const file of shown ?? [])
        assert.equal(countIn(text, file), file === 'src/a.ts' ? 3 : 4, `${file} in ${text}`);
      assert.match(
        text,
        /\n\.\.\. \(output truncated at 20 lines; narrow the path, the glob or the pattern\)$/,
      );
    });

    it('has three lines of a file at least, of as many files as there is room for', async () => {
      const { text, files: shown } = await search({ pattern: 'needle', limit: 7 });
      assert.deepEqual(shown, ['src/a.ts', 'src/b.ts', 'src/c.ts']);
      assert.deepEqual(
        shown?.map(file => countIn(text, file)),
        [3, 3, 1],
      );
    });

    it('has matches before context, and as much context as there is room for', async () => {
      const shown = async (limit: number): Promise<string[]> =>
        linesOf((await search({ pattern: 'middle|last', limit })).text);
      assert.deepEqual(await shown(1), ['ends.ts:2:middle']);
      const of = async (limit: number): Promise<string[]> =>
        linesOf((await search({ pattern: 'needle', path: 'src/c.ts', limit })).text);
      assert.deepEqual(await of(2), ['src/c.ts:1:needle 1', 'src/c.ts:5:needle 2']);
      assert.deepEqual(await of(3), ['src/c.ts:1:needle 1', 'src/c.ts-2-', 'src/c.ts:5:needle 2']);
      const all = await search({ pattern: 'needle', path: 'src/b.ts' });
      assert.equal(all.text.match(/:needle/g)?.length, 150);
    });

    it('has at most 200 lines, whatever is asked for', async () => {
      const { text } = await search({ pattern: 'needle', limit: 900 });
      assert.ok(linesOf(text).length <= 200);
      assert.match(text, /truncated at 200 lines/);
    });

    it('is all of it where that fits', async () => {
      const { text, hits } = await search({ pattern: 'needle', path: 'src/c.ts', limit: 6 });
      assert.deepEqual([hits, linesOf(text).length], [2, 5]);
      assert.doesNotMatch(text, /truncated/);
      const less = await search({ pattern: 'needle', path: 'src/c.ts', limit: 4 });
      assert.match(less.text, /truncated at 4 lines/);
    });

    it('is of one file, whatever the glob says', async () => {
      const { text } = await search({ pattern: 'solitary', path: 'rare/one.md', glob: '*.ts' });
      assert.equal(text, 'rare/one.md:1:solitary');
      const { files: shown } = await search({ pattern: 'solitary', path: 'rare', glob: '*.ts' });
      assert.deepEqual(shown, ['rare/one.ts']);
      for (const glob of ['**', '!*.md', 'one.{ts,js}', '**/one.ts', 'rare/*.ts'])
        assert.ok(
          (await search({ pattern: 'solitary', glob })).files?.includes('rare/one.ts'),
          glob,
        );
    });

    it('is of all files below the folders that the glob names', async () => {
      const solitary = ['rare/one.md', 'rare/one.ts'];
      for (const glob of ['rare', 'rare/', '/rare', 'ra*', '{rare,lib}', '**/rare/**', 'rare/*'])
        assert.deepEqual((await search({ pattern: 'solitary', glob })).files, solitary, glob);
      const deep = await search({ pattern: 'deeply', glob: 'lib/chart.js' });
      assert.deepEqual(deep.files, ['lib/chart.js/a.md', 'lib/chart.js/in/b.ts']);
      const byExtension = await search({ pattern: 'deeply', glob: 'lib/**/*.js' });
      assert.equal(byExtension.text, 'no matches');
      const none = await search({ pattern: 'solitary', glob: 'rarer' });
      assert.equal(none.text, 'no matches');
    });

    it('is of an absolute glob below a root, and says where it is below none', async () => {
      const inRoot = (name: string): string => path.join(files.root, name);
      for (const glob of ['rare/*.ts', 'rare/one.ts', '**/one.ts'].map(inRoot))
        assert.deepEqual(
          (await search({ pattern: 'solitary', glob })).files,
          ['rare/one.ts'],
          glob,
        );
      const whole = await search({ pattern: 'solitary', glob: files.root });
      assert.equal(whole.hits, 2);
      const others = await search({ pattern: 'solitary', glob: `!${inRoot('rare/*.md')}` });
      assert.deepEqual(others.files, ['rare/one.ts']);
      const ends = await search({ pattern: 'edge|first', glob: inRoot('*.ts') });
      assert.deepEqual(ends.files, ['ends.ts'], 'not that of a folder further down');
      const roots = ['rare', 'src'].map(inRoot);
      const two = await files.scope({ rgPath, roots });
      const found = await grep(two, { pattern: 'x|first', isCaseSensitive: false, glob: roots[0] });
      assert.deepEqual(found.files, [inRoot('rare/one.ts')]);
      for (const [glob, base] of [
        ['/elsewhere/**/*.ts', '/elsewhere'],
        [`${files.root}-twin/*.ts`, `${files.root}-twin`],
        [inRoot('gone/*.ts'), inRoot('gone')],
      ] as const)
        await assert.rejects(
          search({ pattern: 'solitary', glob }),
          ({ name, message }: Error) =>
            name === 'ToolError' &&
            message.includes(`"${base}"`) &&
            /(?:in|outside of) the workspace\. Write the glob relative to a folder/.test(message),
          glob,
        );
    });

    it('has the text of the editor, of files below the place and that fit the glob', async () => {
      const unsaved = new Map([
        [path.join(files.root, 'rare/one.ts'), 'other\nlonely\n'],
        [path.join(files.root, 'src/a.ts'), 'lonely too\n'],
        [path.join(files.root, 'rarely.ts'), 'lonely elsewhere\n'],
      ]);
      files.write('rarely.ts', '');
      const found = async (more: Partial<GrepArguments>): Promise<readonly string[] | undefined> =>
        (await search({ pattern: 'lonely', ...more }, { unsaved })).files;
      assert.deepEqual(await found({}), ['rare/one.ts', 'rarely.ts', 'src/a.ts']);
      assert.deepEqual(await found({ path: 'rare' }), ['rare/one.ts']);
      assert.deepEqual(await found({ path: 'rare/one.ts' }), ['rare/one.ts']);
      assert.deepEqual(await found({ glob: 'src/**' }), ['src/a.ts']);
      assert.equal(await found({ path: 'rare/one.md' }), undefined);
      const old = await search({ pattern: 'solitary', glob: '*.ts' }, { unsaved });
      assert.equal(old.text, 'no matches', 'not the text on the disk');
      files.delete('rarely.ts');
    });

    it('is nothing of a file that the rules of the workspace refuse', async () => {
      const { workspace, signal } = await files.scope({ rgPath });
      const sandbox = await Sandbox.open({ ...workspace, excludes: ['**/one.md'] });
      const strict = { workspace, sandbox, signal };
      const { text, hits } = await grep(strict, { pattern: 'solitary', isCaseSensitive: false });
      assert.equal(text, 'rare/one.ts-1-x\nrare/one.ts:2:solitary\nrare/one.ts-3-y');
      assert.equal(hits, 1);
    });

    it('is of files up to a size, and says which named one is larger', async () => {
      const line = `${'x'.repeat(99)}\n`;
      const large = new TestWorkspace({
        'fits.ts': `${line.repeat(49_999)}${'huge needle'.padEnd(99)}\n`,
        'over.ts': `huge needle\n${line.repeat(50_000)}`,
      });
      const scope = await large.scope({ rgPath });
      const find = async (more: Partial<GrepArguments>) =>
        grep(scope, { pattern: 'huge needle', isCaseSensitive: false, ...more });
      for (const more of [{}, { path: 'fits.ts' }])
        assert.deepEqual((await find(more)).files, ['fits.ts']);
      await assert.rejects(find({ path: 'over.ts' }), {
        name: 'ToolError',
        message:
          '[UNREADABLE FILE] "over.ts" has 5000012 bytes, and files of more than 5000000 are not searched. Read a range of its lines.',
      });
      const unsaved = new Map([[path.join(large.root, 'over.ts'), 'huge needle\n']]);
      const edited = { ...scope, workspace: { ...scope.workspace, unsaved } };
      const request = { pattern: 'huge', path: 'over.ts', isCaseSensitive: false };
      assert.equal((await grep(edited, request)).text, 'over.ts:1:huge needle');
      await assert.rejects(readLines(scope, 'over.ts', undefined), {
        message: '[UNREADABLE FILE] "over.ts" has 5000012 bytes. Read a range of lines.',
      });
      large.remove();
    });

    it('says what is wrong with a pattern', async () => {
      for (const pattern of ['(open', 'a(?=b)', '(?<!a)b', '[z-a]'])
        await assert.rejects(
          search({ pattern }),
          /^ToolError: \[R(?:EGEX|IPGREP) ERROR\] [A-Za-z]/,
          pattern,
        );
    });
  });
}

describe('a search without ripgrep', () => {
  it('says that it ended before all files were listed', async () => {
    const files = new TestWorkspace({ 'one/a.ts': 'needle\n', 'two/b.ts': 'needle\n' });
    const roots = ['one', 'two'].map(name => path.join(files.root, name));
    const { workspace, signal } = await files.scope({ rgPath: undefined, roots });
    const request = { pattern: 'needle', isCaseSensitive: false };
    const sandbox = await Sandbox.open(workspace);
    await assert.rejects(
      grep({ workspace: { ...workspace, maxListMs: -1 }, sandbox, signal }, request),
      /^ToolError: \[TIMEOUT\] Nothing was found in time\./,
    );
    let listed = 0;
    const slow = {
      ...workspace,
      /** Enough for the first root. */
      get maxListMs() {
        return listed++ === 0 ? undefined : -1;
      },
    };
    const { text, hits } = await grep({ workspace: slow, sandbox, signal }, request);
    assert.equal(
      text,
      `${path.join(files.root, 'one/a.ts')}:1:needle\n... (stopped by the deadline; narrow the path, the glob or the pattern)`,
    );
    assert.equal(hits, 1);
    files.remove();
  });

  it('tells a pattern that cannot be read from one that is not supported', async () => {
    const files = new TestWorkspace({ 'a.ts': 'x\n' });
    const scope = await files.scope({ rgPath: undefined });
    const said = (pattern: string): Promise<unknown> =>
      grep(scope, { pattern, isCaseSensitive: false }).catch((error: unknown) => String(error));
    for (const pattern of ['a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b'])
      assert.match(String(await said(pattern)), /Look-around is not supported/, pattern);
    for (const pattern of ['(open', 'a{2', '[z-a]'])
      assert.match(String(await said(pattern)), /cannot be read: an unclosed group/, pattern);
    files.remove();
  });
});
