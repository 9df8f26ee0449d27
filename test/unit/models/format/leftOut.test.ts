import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import type { Part } from '../../../../src/models/format/conversation';
import { leftOutOf } from '../../../../src/models/format/leftOut';

const image = (mediaType: string, bytes = 4): Part => ({
  type: 'image',
  mediaType,
  data: new Uint8Array(bytes).fill(1),
});
const text = (words: string): Part => ({ type: 'text', text: words });
const unknown = (what: string): Part => ({ type: 'unknown', what });
const leftOut = (parts: readonly Part[], takesImages = true, role: 'user' | 'assistant' = 'user') =>
  leftOutOf({ turns: [{ role, parts }], tools: [], toolMode: 'auto' }, takesImages, english);

describe('what a model does not get of a prompt', () => {
  it('is nothing where all is sent', () => {
    assert.deepEqual(leftOut([text('hello'), image('image/png')]), { text: '', isAll: false });
    assert.deepEqual(leftOut([]), { text: '', isAll: false });
    assert.deepEqual(leftOut([unknown('cache_control')]), { text: '', isAll: false });
  });

  it('is named, and how often', () => {
    assert.equal(
      leftOut([text('see'), image('image/png')], false).text,
      'Left out: a picture, because this model takes none.',
    );
    assert.equal(
      leftOut([
        text('see'),
        image('image/tiff'),
        unknown('application/pdf'),
        unknown('application/pdf'),
      ]).text,
      'Left out: a picture of the type image/tiff, which models do not take; an attachment of the type application/pdf, which models do not take (2 times).',
    );
    assert.equal(leftOut([image('image/png', 0)]).text, 'Left out: a picture without data.');
    for (const type of ['audio/wav', 'video/mp4', 'font/woff'])
      assert.match(leftOut([unknown(type)]).text, /^Left out: an attachment of the type \w+\/\w+,/);
    assert.doesNotMatch(leftOut([unknown(`application/${'x'.repeat(100)}`)]).text, /x{49}/);
  });

  it('may be all of it', () => {
    assert.equal(leftOut([image('image/png')], false).isAll, true);
    assert.equal(leftOut([text(' \n'), image('image/png')], false).isAll, true);
    assert.equal(leftOut([text('a'), image('image/png')], false).isAll, false);
    assert.equal(leftOut([image('image/png'), unknown('application/pdf')]).isAll, false);
    assert.equal(leftOut([unknown('other'), unknown('application/pdf')]).isAll, true);
  });

  it('is told of the last turn only, and only of the user', () => {
    assert.equal(leftOut([image('image/png')], false, 'assistant').text, '');
    assert.equal(leftOutOf({ turns: [], tools: [], toolMode: 'auto' }, true, english).text, '');
  });
});
