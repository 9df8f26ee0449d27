import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { findHits } from '../../../../src/search/local/hits';
import { localSearch } from '../../../../src/search/local/localSearch';
import { TermFinder } from '../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../src/search/local/query/terms';
import { runSearchTool } from '../../../../src/search/tools';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { hitsByFile } from '../local/countedRoot';
import { TestWorkspace } from '../workspace';

const wide = (text: string, isLittle: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isLittle ? bytes : bytes.swap16();
};

/** Files of every kind that a workspace may have. */
const odd: Readonly<Record<string, string | Buffer>> = {
  'src/plain.ts': 'export function quixoticNeedle() {\n  return needle;\n}\n',
  'src/crlf.ts': 'first\r\n\r\n  const quixotic = needle; \r\nlast\r\n',
  'src/noEnd.ts': 'quixotic needle',
  'src/empty.ts': '',
  'src/mark.ts': '\ufeffexport const quixotic = 1;\nneedle();\n',
  'src/little.ts': wide('const quixotic = 1;\r\nneedle();\r\n', true),
  'src/big.ts': wide('const quixotic = 2;\nneedle();\n', false),
  'src/latin.ts': Buffer.from('// caf\xe9\nquixotic needle\n', 'latin1'),
  'src/nulFirst.ts': Buffer.from('\0quixotic\nneedle\n'),
  'src/nulLast.ts': Buffer.from('quixotic\nneedle\n\0'),
  'src/nulFar.ts': Buffer.concat([Buffer.from('quixotic needle\n'.repeat(9000)), Buffer.from([0])]),
  'src/long.js': `a();\nvar needle=1;${'x'.repeat(500_000)}quixotic;${'y'.repeat(10_000)}\nb();\n`,
  'src/wideLine.ts': `  needle("${'ä'.repeat(399)}");\n`,
  'src/emoji.ts': `needle("${'🙂'.repeat(300)}");\n`,
  'src/many.ts': 'quixotic needle needle\n'.repeat(500),
  'src/large.ts': `needle quixotic\n${'z'.repeat(4_000_000)}\n`,
  'src/-dash.ts': 'needle\n',
  'src/short.ts': 'db(my_db, openDb);\ndbus(feedback, adb, DB_URL);\n',
  'src/with space/ünï.ts': 'quixotic needle\n',
  'src/[brackets].ts': 'quixotic needle\n',
  '.gitignore': 'ignored/\n*.tmp\n!kept.tmp\n/only/here.ts\n',
  'ignored/a.ts': 'quixotic needle\n',
  'a.tmp': 'quixotic needle\n',
  'kept.tmp': 'quixotic needle\n',
  'only/here.ts': 'quixotic needle\n',
  'deep/only/here.ts': 'quixotic needle\n',
  'deep/.gitignore': '*.ts\n!here.ts\nnested/\n',
  'deep/gone.ts': 'quixotic needle\n',
  'deep/nested/here.ts': 'quixotic needle\n',
  'deep/.ignore': '!gone.ts\n',
  'deep/down/.gitignore': '!there.ts\n',
  'deep/down/there.ts': 'quixotic needle\n',
  '.hidden/a.ts': 'quixotic needle\n',
  'src/.hidden.ts': 'quixotic needle\n',
  '.env': 'needle=1\n',
  '.github/workflows/kettle.yml': 'name: kettle\njobs:\n  kettles:\n',
  'pack/.eslintrc.cjs': 'module.exports = { kettle: 1 };\n',
  '.github/.cache/kettle.yml': 'kettle\n',
  'keys/server.pem': 'needle\n',
  'node_modules/pack/index.js': 'quixotic needle\n',
};

describe('a search with and without ripgrep, on odd files', () => {
  let files: TestWorkspace;
  const rgPath = ripgrepPath() ?? '';
  before(() => {
    files = new TestWorkspace(odd);
    mkdirSync(path.join(files.root, '.git'));
    files.write('../outside/secret.ts', 'quixotic needle\n');
    if (process.platform === 'win32') return;
    symlinkSync(path.join(files.root, '../outside'), path.join(files.root, 'src/linked'));
    symlinkSync(path.join(files.root, '../outside/secret.ts'), path.join(files.root, 'src/one.ts'));
    symlinkSync(files.root, path.join(files.root, 'src/loop'));
    symlinkSync('nowhere', path.join(files.root, 'src/dangling.ts'));
  });
  after(() => files.remove());

  const exclude = ['**/node_modules'];
  const programs = (): [rgPath: string, usesRipgrep: boolean][] => [
    [rgPath, true],
    [path.join(files.root, 'no-such-program'), false],
  ];

  it('counts the same hits in the same files', async () => {
    const terms = termsOf('quixotic needle');
    const [withRipgrep, without] = await Promise.all(
      programs().map(async ([program, usesRipgrep]) => {
        const options = { rgPath: program, exclude };
        const finder = new TermFinder(terms);
        const hits = await findHits(files.root, finder, terms.length, options, () => undefined);
        assert.equal(hits.usedRipgrep, usesRipgrep);
        // ripgrep notices a NUL only if it reads as far; such a file is no result in any case.
        const byFile = [...hitsByFile(hits.found, terms.length)].sort(([a], [b]) =>
          a < b ? -1 : 1,
        );
        return byFile.map(([file, counts]) =>
          file === 'src/nulFar.ts' ? file : `${file} ${counts.join(' ')}`,
        );
      }),
    );
    assert.deepEqual(withRipgrep, without);
    assert.ok(withRipgrep?.some(file => file.startsWith('src/with space/ünï.ts ')));
  });

  it('finds the same places in the same order', async () => {
    for (const query of [
      'quixotic needle',
      'where is the needle',
      'workflow of the kettle',
      'here',
      'café',
      'var',
      'db',
    ]) {
      const [withRipgrep, without] = await Promise.all(
        programs().map(async ([program]) =>
          localSearch(files.root, query, { limit: 50, rgPath: program, exclude }),
        ),
      );
      const places = (results: typeof withRipgrep) =>
        results?.map(({ path: file, startLine, endLine }) => `${file}:${startLine}-${endLine}`);
      assert.deepEqual(places(withRipgrep), places(without), query);
      assert.ok(!withRipgrep?.some(({ path: file }) => /^src\/nul|cache/.test(file)));
    }
  });

  const calls: [tool: string, args: object][] = [
    ['grep_search', { pattern: 'quixotic', path: 'src/plain.ts' }],
    ['grep_search', { pattern: 'needle', path: 'deep' }],
    ['grep_search', { pattern: 'needle', path: 'src/with space' }],
    ...Object.keys(odd)
      .filter(name => name.startsWith('src/') && !name.includes('many') && !name.includes('nulFar'))
      .map((name): [string, object] => ['grep_search', { pattern: 'needle', path: name }]),
    ['grep_search', { pattern: 'const quixotic = [12]', glob: '*.ts' }],
    ['grep_search', { pattern: 'NEEDLE\\(', case_sensitive: true }],
    ['grep_search', { pattern: '^needle\\(\\)' }],
    ...[
      'deep',
      'deep/down',
      'src/with space/',
      'with*',
      '[cd]eep',
      'here.ts',
      '{kept.tmp,deep}',
    ].map((glob): [string, object] => ['grep_search', { pattern: 'needle', glob }]),
    ['list_directory', { command: 'ls -R' }],
    ['list_directory', { command: 'find deep -type f' }],
    ['list_directory', { command: 'find -iname "HERE.*" -o -name "*.js"' }],
    ['list_directory', { command: 'find . ! -name "*.ts" -not -path "./src/*"' }],
    ['list_directory', { command: 'tree -I "src|deep"' }],
    ['glob', { pattern: '**/here.ts' }],
    ['glob', { pattern: '**/.eslintrc.*' }],
    ['grep_search', { pattern: 'kettle', glob: '*.yml' }],
    ['list_directory', { command: 'ls -a .github' }],
  ];
  for (const [tool, args] of calls)
    it(`answers ${tool} ${JSON.stringify(args)} alike`, async () => {
      const [withRipgrep, without] = await Promise.all(
        [rgPath, undefined].map(async program =>
          runSearchTool(await files.scope({ rgPath: program, excludes: exclude }), tool, args),
        ),
      );
      assert.deepEqual(withRipgrep, without);
    });
});
