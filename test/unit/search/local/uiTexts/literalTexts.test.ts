import assert from 'node:assert/strict';
import { LiteralTextFinder } from '../../../../../src/search/local/uiTexts/literalTexts';
import { shownTextsOf } from '../../../../../src/search/local/uiTexts/shownTexts';

const finder = new LiteralTextFinder(shownTextsOf('Sign out now'));
const lineIn = (text: string): number | undefined => finder.placeIn(text)?.line;

const worth = (query: string): number | undefined =>
  new LiteralTextFinder(shownTextsOf(query)).placeIn(`"${query}"`)?.worth;

describe('a text of the user interface in code', () => {
  it('is whole: a string, between tags, or a line', () => {
    for (const code of [
      'alert("Sign out now")',
      "label = 'Sign out now…'",
      '<b>Sign out now</b>',
      '<b>\n  Sign out now!\n</b>',
      '`Sign out now`',
    ]) {
      assert.equal(lineIn(`\n${code}`), code.includes('\n') ? 3 : 2, code);
    }
    for (const code of ['"Sign out now or never"', '// To Sign out now', '"Re-Sign out now"']) {
      assert.equal(lineIn(code), undefined, code);
    }
    assert.equal(lineIn('"Sign out now or never"\n"Sign out now"'), 2);
    assert.equal(lineIn('"sign out now"'), undefined);
  });

  it('is worth more the more words it has', () => {
    assert.deepEqual(['Sign out', 'Sign out now', 'Sign out right now'].map(worth), [6, 9, 12]);
  });
});
