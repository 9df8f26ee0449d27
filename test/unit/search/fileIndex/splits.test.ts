import assert from 'node:assert/strict';
import { splitsOf } from '../../../../src/search/fileIndex/splits';
import { segmentOf } from './segmentOf';

/** The splits of a word in an index of these words, each with its parts and a star behind one that is only begun. */
const splits = (word: string, words: string): string[] =>
  splitsOf(word, segmentOf({ 'a.ts': words })).map(parts =>
    parts
      .map(({ bytes, isWhole }) => Buffer.from(bytes).toString() + (isWhole ? '' : '*'))
      .join(' '),
  );

describe('the splits of a word in an index', () => {
  it('are all parts that the index has, the last one begun', () => {
    assert.deepEqual(splits('basecontextprovid', 'base context provider'), [
      'base context provid*',
    ]);
    assert.deepEqual(splits('retryupload', 'retry uploads'), ['retry upload*']);
  });

  it('are those of the fewest parts and of one more, without very short parts first', () => {
    const words = 'on load on_lo ad onl oad lo';
    assert.deepEqual(splits('onload', words), ['onl oad*', 'on load*', 'on lo ad*']);
    assert.deepEqual(splits('onloadonload', 'on load onload'), [
      'onload onload*',
      'on load onload*',
      'onload on load*',
    ]);
  });

  it('are none of what is no word, of one word, and where a part is missing', () => {
    assert.deepEqual(splits('', 'base'), []);
    assert.deepEqual(splits('base', 'base'), []);
    assert.deepEqual(splits('basecontext', 'base cont'), []);
    assert.deepEqual(splits('basecontext', 'base contexts'), ['base context*']);
    assert.deepEqual(splits('basement', 'basements ment'), [], 'base is none of them');
    assert.deepEqual(splits('abbbbb', 'a bbbbb'), [], 'single letters are no parts');
  });

  it('are few, and cost no time, however many there could be', () => {
    const text = 'ab cd abc dab da bc cda bcd bcda cdab dabc abcd';
    const startedAt = performance.now();
    assert.deepEqual(splits('abcd'.repeat(20), text), [], 'more than a name has');
    assert.equal(splits('abcd'.repeat(4), text).length, 12);
    assert.ok(performance.now() - startedAt < 500);
  });
});
