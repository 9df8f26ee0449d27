import assert from 'node:assert/strict';
import { FileNames, type Location } from '../../../../src/apply/answer/locate';

const names = new FileNames([
  'src/cart.ts',
  'src/api/index.ts',
  'src/view/index.ts',
  'lib/README.md',
  'README.md',
  'Makefile',
]);

const draw = (location: Location): string =>
  location.kind === 'ambiguous'
    ? `ambiguous ${location.paths.join(' ')}`
    : location.kind === 'outside'
      ? 'outside'
      : `${location.kind} ${location.path}`;
const located = (path: string, near?: string): string => draw(names.locate(path, near));
const placed = (path: string): string => draw(names.placeOf(path));

describe('the file that a path of an answer means', () => {
  const cases: [given: string, found: string][] = [
    ['src/cart.ts', 'found src/cart.ts'],
    ['README.md', 'found README.md'],
    ['cart.ts', 'found src/cart.ts'],
    ['api/index.ts', 'found src/api/index.ts'],
    ['CART.TS', 'found src/cart.ts'],
    ['Src/Cart.ts', 'found src/cart.ts'],
    ['makefile', 'found Makefile'],
    ['shop/src/cart.ts', 'found src/cart.ts'],
    ['other/Makefile', 'missing other/Makefile'],
    ['art.ts', 'missing art.ts'],
    ['src/new.ts', 'missing src/new.ts'],
    ['./src/./api/../cart.ts', 'found src/cart.ts'],
    ['src//cart.ts', 'found src/cart.ts'],
    [' src\\cart.ts ', 'found src/cart.ts'],
    ['@src/cart.ts', 'found src/cart.ts'],
    ['@src/new.ts', 'missing @src/new.ts'],
    ['xsrc/cart.ts', 'missing xsrc/cart.ts'],
    ['@index.ts', 'ambiguous src/api/index.ts src/view/index.ts'],
    ['index.ts', 'ambiguous src/api/index.ts src/view/index.ts'],
    ['../cart.ts', 'outside'],
    ['src/../../cart.ts', 'outside'],
    ['.', 'outside'],
    ['/home/me/shop/src/cart.ts', 'found src/cart.ts'],
    ['file:///home/me/shop/src/cart.ts', 'found src/cart.ts'],
    ['C:\\shop\\src\\cart.ts', 'found src/cart.ts'],
    ['/home/me/shop/lib/README.md', 'found lib/README.md'],
    ['/etc/Makefile', 'outside'],
    ['/home/me/shop/../src/cart.ts', 'outside'],
    ['~/shop/src/cart.ts', 'outside'],
  ];
  for (const [given, found] of cases) {
    it(`is ${found} for ${given}`, () => assert.equal(located(given), found));
  }

  it('is the nearest of several, unless two are as near', () => {
    assert.equal(located('index.ts', 'src/view/list.ts'), 'found src/view/index.ts');
    assert.equal(located('index.ts', 'src/view/deep/list.ts'), 'found src/view/index.ts');
    assert.match(located('index.ts', 'src/cart.ts'), /^ambiguous/);
    assert.match(located('index.ts', 'docs/a.md'), /^ambiguous/);
  });

  it('is the one with the longest path behind the name of the open folder', () => {
    const nested = new FileNames(['b/c.ts', 'a/b/c.ts']);
    assert.equal(draw(nested.locate('shop/a/b/c.ts', undefined)), 'found a/b/c.ts');
    assert.equal(draw(nested.locate('/shop/a/b/c.ts', undefined)), 'found a/b/c.ts');
  });

  it('is none of two that differ in case only', () => {
    const twins = new FileNames(['src/Cart.ts', 'src/CART.ts']);
    assert.equal(draw(twins.locate('cart.ts', undefined)), 'missing cart.ts');
  });

  it('knows files that came later', () => {
    const grown = new FileNames([]);
    grown.add('src/a.ts');
    grown.add('src/a.ts');
    assert.equal(draw(grown.locate('a.ts', undefined)), 'found src/a.ts');
  });
});

describe('the place of a new file', () => {
  const cases: [given: string, place: string][] = [
    ['cart.ts', 'missing cart.ts'],
    ['src/cart.ts', 'found src/cart.ts'],
    ['./src/new.ts', 'missing src/new.ts'],
    ['../new.ts', 'outside'],
    ['/home/me/shop/src/cart.ts', 'found src/cart.ts'],
    ['/home/me/new.ts', 'outside'],
  ];
  for (const [given, place] of cases) {
    it(`is ${place} for ${given}`, () => assert.equal(placed(given), place));
  }

  it('is below the folder that is open on this machine', () => {
    const here = new FileNames(['src/a.ts'], path => /^\/work\/(.*)$/.exec(path)?.[1]);
    assert.deepEqual(
      ['/work/src/a.ts', '/work/src/b.ts', '/other/src/b.ts'].map(path => draw(here.placeOf(path))),
      ['found src/a.ts', 'missing src/b.ts', 'outside'],
    );
  });
});
