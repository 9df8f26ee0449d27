import assert from 'node:assert/strict';
import { ShownTexts } from '../../../../../src/apply/review/page/shownTexts';

describe('ShownTexts', () => {
  let texts: ShownTexts;
  beforeEach(() => {
    texts = new ShownTexts();
    texts.gave('a', 'one');
  });

  it('takes the first text as what is shown', () => {
    assert.deepEqual(texts.baseOf('a'), ['one']);
    assert.equal(texts.baseOf('b'), undefined);
  });

  it('does not take a text as shown that a document with unsaved text was given', () => {
    texts.shows('a', 'one typed');
    texts.gave('a', 'two');
    texts.shows('a', 'one typed on');
    assert.deepEqual(texts.baseOf('a'), ['one']);
    texts.shows('a', 'two');
    assert.deepEqual(texts.baseOf('a'), ['two']);
  });

  it('takes what was saved as shown, with any line ends', () => {
    texts.saved('a', 'x\r\ny');
    assert.deepEqual(texts.baseOf('a'), ['x', 'y']);
    texts.shows('a', 'one');
    assert.deepEqual(texts.baseOf('a'), ['one']);
  });

  it('forgets a document', () => {
    assert.deepEqual(texts.uris, ['a']);
    texts.forget('a');
    assert.deepEqual(texts.uris, []);
  });
});
