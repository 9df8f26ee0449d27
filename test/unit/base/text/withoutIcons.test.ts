import assert from 'node:assert/strict';
import { withoutIcons } from '../../../../src/base/text/withoutIcons';

describe('a label', () => {
  it('has no icons of its text', () =>
    assert.equal(withoutIcons('$(alert) $(x)'), '$ (alert) $ (x)'));
});
