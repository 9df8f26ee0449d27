import assert from 'node:assert/strict';
import { localSearch } from '../../../../src/search/local/localSearch';
import { runSearchTool } from '../../../../src/search/tools';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { recorder } from '../recorder';
import { TestWorkspace } from '../workspace';

describe('what ripgrep is told', () => {
  let files: TestWorkspace;
  before(function () {
    if (process.platform === 'win32') this.skip();
    files = new TestWorkspace({ '-/a.ts': 'needle\n', '--pre=sh/a.ts': 'needle\n' });
  });
  after(() => files?.remove());

  it('paths behind -- and below ./, patterns behind -e, and no configuration', async () => {
    const { program, calls } = recorder(files, 'rg');
    const scope = await files.scope({ rgPath: program });
    for (const folder of ['-', '--pre=sh', undefined])
      for (const [tool, args] of [
        ['grep_search', { pattern: '--pre=sh', path: folder }],
        ['list_directory', { path: folder }],
        ['glob', { pattern: '*', path: folder }],
      ] as const)
        await runSearchTool(scope, tool, args);
    await localSearch(files.root, 'needle', { limit: 3, rgPath: program });
    const all = calls();
    assert.ok(all.length >= 11, `${all.length} calls`);
    for (const args of all) {
      const end = args.indexOf('--');
      assert.ok(end > 0 && end === args.length - 2, `no -- before the path: ${args.join(' ')}`);
      assert.match(
        args.at(-1) ?? '',
        /^\.\//,
        'a path that may be taken for an option or for stdin',
      );
      assert.equal(args[0], '--no-config');
      const options = args.slice(0, end);
      const pattern = options.indexOf('--pre=sh');
      assert.ok(pattern < 0 || options[pattern - 1] === '-e', 'the pattern is an option');
    }
  });

  it('a folder that is named like stdin is searched as a folder', async function () {
    const rgPath = ripgrepPath();
    if (rgPath === undefined) this.skip();
    const scope = await files.scope({ rgPath });
    for (const folder of ['-', '--pre=sh']) {
      const { text } = await runSearchTool(scope, 'grep_search', {
        pattern: 'needle',
        path: folder,
      });
      assert.equal(text, `${folder}/a.ts:1:needle`);
    }
  });
});
