import assert from 'node:assert/strict';
import { labelText } from '../../../../src/base/format/text';

describe('labelText', () => {
  it('leaves nothing that VS Code reads as a link or an icon', () => {
    assert.equal(
      labelText('[pay](command:x) $(trash)\u202e\nend'),
      '[pay] (command:x) $ (trash) end',
    );
    assert.equal(labelText('x'.repeat(100)).length, 80);
  });
});
