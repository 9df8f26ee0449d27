import assert from 'node:assert/strict';
import { isWalkthroughDue } from '../../../src/welcome/offer';

describe('the walkthrough', () => {
  const fresh = { opensWalkthroughs: true, wasUsed: false };

  it('opens by itself after the installation', () => {
    assert.equal(isWalkthroughDue(fresh), true);
  });

  it('does not where the user wants no walkthroughs, or has used an earlier version', () => {
    assert.equal(isWalkthroughDue({ ...fresh, opensWalkthroughs: false }), false);
    assert.equal(isWalkthroughDue({ ...fresh, wasUsed: true }), false);
  });
});
