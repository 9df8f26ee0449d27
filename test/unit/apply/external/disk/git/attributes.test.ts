import assert from 'node:assert/strict';
import {
  GitAttributes,
  readConversionConfig,
  withoutFilters,
} from '../../../../../../src/apply/external/disk/git/attributes';
import { GitRoot, gitOf, withoutUserSettings } from '../gitRoot';

describe('what the configuration says about conversions', () => {
  withoutUserSettings();
  let disk: GitRoot;
  beforeEach(() => {
    disk = new GitRoot();
  });
  afterEach(() => disk.remove());

  it('is nothing where it is not set', async () => {
    const config = await readConversionConfig(await gitOf(disk.root));
    assert.deepEqual(config, { autocrlf: 'false', eol: 'native', filters: new Set() });
  });

  for (const [value, expected] of [
    ['true', 'true'],
    ['Yes', 'true'],
    ['ON', 'true'],
    ['1', 'true'],
    ['010', 'true'],
    ['input', 'input'],
    ['Input', 'input'],
    ['false', 'false'],
    ['no', 'false'],
    ['0', 'false'],
    ['', 'false'],
  ] as const) {
    it(`is ${expected} for autocrlf=${JSON.stringify(value)}`, async () => {
      disk.git('config', 'core.autocrlf', value);
      assert.equal((await readConversionConfig(await gitOf(disk.root))).autocrlf, expected);
    });
  }

  it('is true for a name without a value, and the last value counts', async () => {
    disk.write('.git/config', '[core]\n\tautocrlf = input\n\teol = lf\n\tautocrlf\n\teol = CRLF\n');
    const config = await readConversionConfig(await gitOf(disk.root));
    assert.deepEqual([config.autocrlf, config.eol], ['true', 'crlf']);
  });

  it('has the filters that run a program, and how they are turned off', async () => {
    disk.git('config', 'filter.a.b.clean', 'x');
    disk.git('config', 'filter.LFS.process', 'x');
    disk.git('config', 'filter.none.required', 'true');
    const git = await gitOf(disk.root);
    assert.deepEqual([...(await readConversionConfig(git)).filters], ['a.b', 'LFS']);
    const options = await withoutFilters(git);
    for (const name of ['a.b', 'LFS'])
      for (const setting of ['clean=', 'smudge=', 'process=', 'required=false'])
        assert.ok(options.includes(`filter.${name}.${setting}`), `${name} ${setting}`);
    assert.equal(options.length, 16);
  });
});

describe('the attributes of paths', () => {
  withoutUserSettings();

  it('are those of the attribute files, for any name and many at once', async () => {
    const disk = new GitRoot({
      '.gitattributes':
        '*.txt text=auto eol=crlf\n*.bin binary filter=lfs\n*.id ident crlf=input\n',
      'in/.gitattributes': '*.txt -text working-tree-encoding=UTF-16\n',
    });
    try {
      const attributes = new GitAttributes(await gitOf(disk.root));
      const names = ['a.txt', 'in/ü\n.txt', 'b.bin', 'c.id', 'none'];
      const read = await Promise.all(names.map(name => attributes.of(name)));
      const none = {
        text: 'unspecified',
        crlf: 'unspecified',
        eol: 'unspecified',
        filter: 'unspecified',
        ident: 'unspecified',
        encoding: 'unspecified',
      };
      assert.deepEqual(read, [
        { ...none, text: 'auto', eol: 'crlf' },
        { ...none, text: 'unset', eol: 'crlf', encoding: 'UTF-16' },
        { ...none, text: 'unset', filter: 'lfs' },
        { ...none, crlf: 'input', ident: 'set' },
        none,
      ]);
      attributes.dispose();
    } finally {
      disk.remove();
    }
  });
});
