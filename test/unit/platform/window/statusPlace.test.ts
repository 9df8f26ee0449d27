import assert from 'node:assert/strict';
import { StatusPlace } from '../../../../src/platform/window/statusPlace';

class Item {
  isShown = false;

  show(): void {
    this.isShown = true;
  }

  hide(): void {
    this.isShown = false;
  }
}

describe('the place in the status bar', () => {
  it('has one item at a time, the most urgent one', () => {
    const place = new StatusPlace();
    const [receipt, reviews, external] = [new Item(), new Item(), new Item()];
    const shown = () => [receipt, reviews, external].map(({ isShown }) => isShown);

    place.show('external', external);
    assert.deepEqual(shown(), [false, false, true]);
    place.show('reviews', reviews);
    assert.deepEqual(shown(), [false, true, false]);
    place.show('external', external);
    assert.deepEqual(shown(), [false, true, false], 'drawn again behind another one');
    place.show('receipt', receipt);
    assert.deepEqual(shown(), [true, false, false]);
    place.hide('reviews');
    assert.deepEqual(shown(), [true, false, false]);
    place.hide('receipt');
    assert.deepEqual(shown(), [false, false, true]);
    place.hide('external');
    place.hide('receipt');
    assert.deepEqual(shown(), [false, false, false]);
  });
});
