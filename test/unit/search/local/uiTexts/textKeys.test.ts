import assert from 'node:assert/strict';
import { readQuery } from '../../../../../src/search/local/query/requestedRoute';
import { termsOf } from '../../../../../src/search/local/query/terms';
import {
  keyTermsOf,
  likelyTexts,
  withUiTexts,
} from '../../../../../src/search/local/uiTexts/textKeys';

const text = (file: string, ...names: string[]) => ({ file, line: 1, names });

describe('the keys of texts', () => {
  it('are those of the language that others are translated from, each once', () => {
    const english = text('locales/en.json', 'menu', 'out');
    const found = [
      text('locales/de.json', 'menu', 'out'),
      english,
      text('b/en.json', 'menu', 'out'),
    ];
    assert.deepEqual(likelyTexts(found), [english]);
    assert.deepEqual(likelyTexts([text('api.yaml', 'summary'), english]), [english]);
    assert.deepEqual(likelyTexts([]), []);
  });

  it('are looked for beside the words of the query', () => {
    const { terms, uiTexts } = withUiTexts(readQuery('Sign out'), [
      text('en.json', 'menu', 'sign-out'),
    ]);
    const words = terms.map(({ forms }) => forms[0]?.words.join(' '));
    assert.ok(words.includes('sign out') && words.includes('menu'), words.join());
    assert.equal(uiTexts?.length, 1);
  });

  it('are in a file with their last name, or with the last two where that is one word', () => {
    const needed = (...names: string[]): string[] => {
      const terms = termsOf(names.join(' '));
      return keyTermsOf([text('en.json', ...names)], terms)
        .flat()
        .map(number => terms[number]?.forms[0]?.words.join(' ') ?? '');
    };
    assert.deepEqual(needed('menu', 'signOut'), ['sign out']);
    assert.deepEqual(needed('menu', 'cart').sort(), ['cart', 'menu']);
    assert.deepEqual(needed('cart'), ['cart']);
    assert.deepEqual(keyTermsOf([text('en.json', 'cart')], termsOf('other')), []);
  });
});
