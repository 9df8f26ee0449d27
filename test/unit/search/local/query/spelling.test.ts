import assert from 'node:assert/strict';
import { otherSpellingOf } from '../../../../../src/search/local/query/spelling';
import { termsOf } from '../../../../../src/search/local/query/terms';

describe('the other spelling of a word', () => {
  it('is the American one for a British one, and the other way round', () => {
    for (const [british, american] of [
      ['normalise', 'normalize'],
      ['serialisers', 'serializers'],
      ['authorised', 'authorized'],
      ['initialising', 'initializing'],
      ['organisations', 'organizations'],
      ['analyse', 'analyze'],
      ['analyser', 'analyzer'],
      ['colour', 'color'],
      ['behaviours', 'behaviors'],
      ['favourites', 'favorites'],
      ['centre', 'center'],
      ['licences', 'licenses'],
      ['grey', 'gray'],
    ] as const) {
      assert.equal(otherSpellingOf(british), american);
      assert.equal(otherSpellingOf(american), british);
    }
    assert.equal(otherSpellingOf('catalogue'), 'catalog');
    assert.equal(otherSpellingOf('dialogues'), 'dialogs');
  });

  it('is none for other words', () => {
    for (const word of ['size', 'noise', 'raise', 'buzzing', 'basis', 'catalog', 'queue', 'queues'])
      assert.equal(otherSpellingOf(word), undefined, word);
  });

  it('is as good a form of a term as the one that was typed', () => {
    assert.deepEqual(termsOf('normalise'), [
      {
        kind: 'word',
        weight: 1,
        forms: [
          { words: ['normalis'], isSynonym: false, isRunTogether: true },
          { words: ['normaliz'], isSynonym: false },
        ],
        positions: [1],
      },
    ]);
    const [{ forms } = assert.fail()] = termsOf('normaliseHeader');
    assert.deepEqual(forms[0]?.words, ['normalise', 'header']);
  });
});
