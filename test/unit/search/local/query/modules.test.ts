import assert from 'node:assert/strict';
import { modulesOf } from '../../../../../src/search/local/query/modules';

/** Each with the number of names that were left out. */
const told = (name: string): string[] =>
  modulesOf(name).map(({ path, leftOut }) => `${path} ${leftOut}`);

describe('the modules that a name may be in', () => {
  it('have its names as folders, with and without the first and the last one', () => {
    assert.deepEqual(told('tea.cup'), ['tea/cup 0']);
    assert.deepEqual(told('tea.cup.lid'), ['tea/cup/lid 0', 'cup/lid 1', 'tea/cup 1']);
    assert.deepEqual(told('tea_app::cup::lid::open'), [
      'tea_app/cup/lid/open 0',
      'cup/lid/open 1',
      'tea_app/cup/lid 1',
      'cup/lid 2',
    ]);
    assert.deepEqual(told('crate::cup::lid'), ['cup/lid 0']);
    assert.deepEqual(told('App\\Http'), ['app/http 0']);
  });

  it('are written as one word, or as several', () => {
    assert.deepEqual(told('Tea::BigCup'), ['tea/bigcup 0', 'tea/big_cup 0']);
    assert.deepEqual(told('tea._cup'), ['tea/_cup 0']);
  });

  it('are none of a word, a call or a path', () => {
    for (const name of ['tea', 'tea.', 'tea/cup', 'tea.cup()', '1.2', 'crate::tea', '']) {
      assert.deepEqual(told(name), [], name);
    }
  });
});
