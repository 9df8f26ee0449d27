import assert from 'node:assert/strict';
import * as counts from '../../../../src/base/format/counts';
import { english } from '../../../../src/base/sentence';

describe('things by number', () => {
  for (const [name, text] of Object.entries(counts)) {
    const thing = name.replace('Text', '');
    it(`are one ${thing.slice(0, -1)} or several ${thing}`, () => {
      assert.equal(text(1, english), `1 ${thing.slice(0, -1)}`);
      assert.deepEqual(
        [text(0, english), text(2, english), text(1200, english, '1.2k')],
        [`0 ${thing}`, `2 ${thing}`, `1.2k ${thing}`],
      );
    });
  }
});
