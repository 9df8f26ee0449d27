import assert from 'node:assert/strict';
import { CodeReader } from '../../../../src/base/text/codes';

const codesIn = (text: string) => Array.from(text, (_, at) => text.charCodeAt(at));

describe('the characters of a text as numbers', () => {
  it('are its UTF-16 units, whatever the text was made of', () => {
    const reader = new CodeReader();
    const whole = `${'ab'.repeat(20)}é漢${'z'.repeat(20)}`;
    for (const text of ['', 'a', 'é', '漢字', whole, whole.slice(3, 30), ['x', whole].join('')]) {
      const codes = reader.read(text, 0, text.length);
      assert.deepEqual([...codes.subarray(0, text.length)], codesIn(text), text);
    }
  });

  it('are those of the part that is asked for', () => {
    const codes = new CodeReader().read('one two', 4, 7);
    assert.deepEqual([...codes.subarray(0, 3)], codesIn('two'));
  });

  it('can be read again after the memory was given back', () => {
    const reader = new CodeReader();
    reader.read('x'.repeat(5000), 0, 5000);
    reader.clear();
    assert.deepEqual([...reader.read('ab', 0, 2).subarray(0, 2)], codesIn('ab'));
  });
});
