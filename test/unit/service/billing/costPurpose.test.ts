import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import {
  costPurposes,
  isCostPurpose,
  purposeName,
} from '../../../../src/service/billing/costPurpose';

describe('the purposes of calls', () => {
  it('have different names', () => {
    const names = costPurposes.map(purpose => written(purposeName(purpose)));
    assert.ok(names.every(name => name !== ''));
    assert.equal(new Set(names).size, costPurposes.length);
  });

  it('are those that are known', () => {
    assert.ok(costPurposes.every(isCostPurpose));
    for (const value of ['', 'Chat', 'mining', 7, undefined, ['chat']])
      assert.equal(isCostPurpose(value), false);
  });
});
