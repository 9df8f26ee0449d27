import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  anchored,
  ExcludeRules,
  globsBelow,
  plainGlobs,
  siblingFilter,
} from '../../../../../src/platform/egress/paths/excludes';

describe('a glob of the workspace, inside one of its folders', () => {
  it('has each choice between braces for itself', () => {
    assert.deepEqual(
      [...new Set(globsBelow('src/{a,b/{c,d}}/*.ts', 'src'))],
      ['a/*.ts', 'b/c/*.ts', 'b/d/*.ts'],
    );
    assert.deepEqual(globsBelow('{src,lib}/old', 'lib'), ['old']);
    assert.deepEqual(globsBelow('{src,lib}', 'src/a'), ['**']);
  });

  it('leaves out everything where it has more choices than anybody writes', () => {
    for (const glob of [
      '{a,b}'.repeat(40),
      `{${'a,'.repeat(3000)}}`,
      '{a,b}'.repeat(14) + '{c}'.repeat(1000),
    ])
      assert.deepEqual(globsBelow(`src/${glob}`, 'src'), ['**']);
  });
});

const hides = (exclude: string, below: string): boolean =>
  new ExcludeRules([anchored(exclude)]).hides(below, () => false);

describe('the excludes of a workspace', () => {
  it('match as in VS Code', () => {
    for (const [exclude, hidden, shown] of [
      ['out', 'out', 'src/out'],
      ['**/out', 'src/out', 'outer'],
      ['/out/', 'out', 'src/out'],
      ['src/*.js', 'src/a.js', 'src/b/a.js'],
      ['**/*.min.js', 'a/b.min.js', 'a/b.js'],
      ['**/.cache', 'a/.cache', 'a/cache'],
      ['**/a (1)', 'a (1)', 'a 1'],
      ['**/[ab].ts', 'a.ts', 'c.ts'],
      ['**/{x,y}.ts', 'y.ts', 'z.ts'],
      ['!a', '!a', 'b'],
    ] as const) {
      assert.equal(hides(exclude, hidden), true, `${exclude} ${hidden}`);
      assert.equal(hides(exclude, shown), false, `${exclude} ${shown}`);
    }
  });

  it('tell which siblings hide a file', () => {
    const rules = new ExcludeRules([
      '**/*.map',
      { glob: '**/*.js', when: '$(basename).ts' },
      { glob: '**/a.*', when: 'lock' },
    ]);
    assert.equal(rules.hasSiblings, true);
    assert.equal(rules.siblingsThatHide('b/x.map'), true);
    assert.equal(rules.siblingsThatHide('b/x.ts'), false);
    assert.deepEqual(rules.siblingsThatHide('b/x.js'), ['x.ts']);
    assert.deepEqual(rules.siblingsThatHide('b/a.js'), ['a.ts', 'lock']);
    assert.deepEqual(rules.siblingsThatHide('$&.js'), ['$&.ts']);
    assert.equal(
      rules.hides('a.js', name => name === 'lock'),
      true,
    );
    assert.equal(
      rules.hides('x.js', name => name === 'lock'),
      false,
    );
    assert.equal(
      rules.hides('x.map', () => false),
      true,
    );
    assert.equal(new ExcludeRules(['a']).hasSiblings, false);
    assert.equal(new ExcludeRules([{ glob: 'a', when: 'b' }]).hasSiblings, true);
  });

  it('give ripgrep those without a condition, anchored', () => {
    const conditional = { glob: '*.js', when: '$(basename).ts' };
    assert.deepEqual(plainGlobs(['a', conditional, '**/b', '/c'].map(anchored)), [
      '/a',
      '**/b',
      '/c',
    ]);
    assert.deepEqual(anchored(conditional), { glob: '/*.js', when: '$(basename).ts' });
  });

  it('hide what ripgrep found beside a sibling, or below a folder that has one', () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'siblings-'));
    try {
      mkdirSync(path.join(root, 'src/made'), { recursive: true });
      for (const name of ['src/a.ts', 'src/a.js', 'src/b.js', 'src/made.json'])
        writeFileSync(path.join(root, name), '');
      const isHidden = siblingFilter(root, [
        { glob: '**/*.js', when: '$(basename).ts' },
        { glob: '**/made', when: '$(basename).json' },
      ]);
      assert.deepEqual(
        ['src/a.js', 'src/b.js', 'src/a.ts', 'src/made/x.md', 'gone/a.js', 'a.js'].map(isHidden),
        [true, false, false, true, false, false],
      );
      assert.equal(siblingFilter(root, ['**/*.js'])('src/a.js'), false);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe('a glob of the workspace, for a folder in it', () => {
  it('loses the folders that it names, and is left out for others', () => {
    for (const [glob, below, globs] of [
      ['/src/a/*.ts', 'src/a', ['*.ts']],
      ['src/*.ts', 'lib', []],
      ['*/out', 'src', ['out']],
      ['**/*.log', 'src/a', ['**/*.log']],
      ['**', 'src', ['**']],
      ['**.log', 'src', ['**.log']],
      ['src', 'src/a', ['**']],
      ['src/a', 'src/a', ['**']],
      ['src/b', 'src/a', []],
      ['a/**/b', 'a', ['**/b']],
      ['x', '', ['x']],
    ] as const)
      assert.deepEqual(new Set(globsBelow(glob, below)), new Set(globs), `${glob} ${below}`);
  });
});
