import assert from 'node:assert/strict';
import { tokenKind } from '../../../../../src/compact/core/scan/tokenTable';
import {
  characterClasses,
  digit,
  digitBlindHash,
  joiner,
  lowerCase,
  tokenKindOf,
  upperCase,
} from '../../../../../src/compact/core/scan/words';

describe('the class of a character', () => {
  for (const [characters, expected] of [
    ['azéß', lowerCase],
    ['AZ', upperCase],
    ['09', digit],
    ['./\\-@+~', joiner],
    [' (){}[]`@'.slice(0, -1), 0],
    ['/:;<=>?'.slice(1), 0],
  ] as const)
    it(`is the same for ${characters}`, () => {
      for (const character of characters)
        assert.equal(characterClasses[character.charCodeAt(0)], expected, character);
    });

  it('is one for what joins the words of a name', () => {
    assert.equal(characterClasses['_'.charCodeAt(0)], characterClasses['$'.charCodeAt(0)]);
    assert.notEqual(characterClasses['_'.charCodeAt(0)], joiner);
  });
});

/** The kind of a word, as the scan would call it. */
function kindOf(word: string): number {
  let seen = 0;
  for (const character of word) seen |= 1 << (characterClasses[character.charCodeAt(0)] ?? 0);
  const isCamel = /[a-z][A-Z]/.test(word);
  return tokenKindOf(seen, word.length, isCamel, /[g-z]/.test(word));
}

describe('the kind of a word', () => {
  for (const [words, kind] of [
    ['12 word WORD abc a1b __ ____ Word', 0],
    ['123 99999', tokenKind.number],
    ['deadbe1 0a0b0c0d', tokenKind.hex],
    ['a1b2 v1234 deadbe1g DEADBE1 dead12', tokenKind.name],
    ['camelCase isOk snake_case LOUDLY MAX_SIZE $name', tokenKind.name],
  ] as const)
    it(`is ${kind} for ${words}`, () => {
      for (const word of words.split(' ')) assert.equal(kindOf(word), kind, word);
    });
});

const codesOf = (text: string) => Uint16Array.from(text, character => character.charCodeAt(0));
const hash = (text: string) => digitBlindHash(codesOf(text), 0, text.length);

describe('the hash of a line without its numbers', () => {
  it('is the same for lines that differ in numbers alone', () => {
    for (const [one, other] of [
      ['took 5 ms', 'took 1200 ms'],
      ['09:59 a', '10:00 a'],
      ['at 0', 'at 9'],
    ] as const)
      assert.equal(hash(one), hash(other), one);
    for (const [one, other] of [
      ['took 5 ms', 'took ms'],
      ['a1', 'a1b2'],
      ['a/1', 'a:1'],
      ['1 1', '11'],
    ] as const)
      assert.notEqual(hash(one), hash(other), one);
  });

  it('is of the part that is asked for', () => {
    assert.equal(digitBlindHash(codesOf('xx took 5 ms'), 3, 9), hash('took 7'));
  });
});
