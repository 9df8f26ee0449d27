import assert from 'node:assert/strict';
import { globMatcher } from '../../../../src/search/workspace/files';

const files = ['a.ts', 'src/a.ts', 'src/lib/b.ts', 'old/src/lib/b.ts', 'src/lib.md', '.x/a.yml'];
const matching = (glob: string): string => files.filter(globMatcher(glob)).join(' ');

describe('a glob of the search model', () => {
  it('matches names in every folder, and paths from the root', () => {
    assert.equal(matching('*.md'), 'src/lib.md');
    assert.equal(matching('b.ts'), 'src/lib/b.ts old/src/lib/b.ts');
    for (const glob of ['src/*.ts', '/src/*.ts', './src/*.ts'])
      assert.equal(matching(glob), 'src/a.ts', glob);
    assert.equal(matching('**/*.ts'), 'a.ts src/a.ts src/lib/b.ts old/src/lib/b.ts');
  });

  it('matches all that is below a folder', () => {
    assert.equal(matching('lib'), 'src/lib/b.ts old/src/lib/b.ts');
    assert.equal(matching('src/lib'), 'src/lib/b.ts');
    assert.equal(matching('old'), 'old/src/lib/b.ts');
    assert.equal(matching('lib/'), 'src/lib/b.ts old/src/lib/b.ts');
    assert.equal(matching('src/lib/'), 'src/lib/b.ts');
    assert.equal(matching('src/l*'), 'src/lib/b.ts src/lib.md');
  });

  it('matches no folder where it names an extension', () => {
    const inFolder = 'chart.js/a.md';
    for (const glob of ['*.js', '**/*.{js,ts}', 'c*.js'])
      assert.equal(globMatcher(glob)(inFolder), false, glob);
    for (const glob of ['chart.js', 'chart.*', '{lib,*.js}', '{*.md,chart.js}'])
      assert.equal(globMatcher(glob)(inFolder), true, glob);
  });

  it('matches only from the root after a slash, and any case where asked to', () => {
    assert.equal(matching('/*.ts'), 'a.ts');
    assert.equal(matching('/old'), 'old/src/lib/b.ts');
    assert.deepEqual(files.filter(globMatcher('LIB.*', true)), ['src/lib.md']);
  });

  it('matches all others where it is negated', () => {
    assert.equal(matching('!*.ts'), 'src/lib.md .x/a.yml');
    assert.equal(matching('!src/lib'), 'a.ts src/a.ts old/src/lib/b.ts src/lib.md .x/a.yml');
  });
});

describe('a glob that could take very long', () => {
  it('is refused, and one with as many wildcards as anyone needs is fast', () => {
    for (const glob of [
      `*${'a*'.repeat(6)}b`,
      '**/a/**/b/**/c/**/d/**',
      `+(a|${'a'.repeat(9)})+(a)b`,
    ]) {
      const startedAt = performance.now();
      let isRefused = false;
      try {
        globMatcher(glob)(`src/${'a'.repeat(60)}.ts`);
      } catch (error) {
        isRefused = error instanceof Error && error.message.startsWith('[GLOB ERROR]');
      }
      assert.ok(isRefused || performance.now() - startedAt < 1000, glob);
      assert.equal(isRefused, !glob.startsWith('+'), glob);
    }
    for (const glob of ['***/*.ts', '*a*a*a*', '**/a/**/b/**/*.{ts,tsx}'])
      assert.doesNotThrow(() => globMatcher(glob)('src/a.ts'), glob);
  });
});
