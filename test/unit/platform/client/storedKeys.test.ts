import assert from 'node:assert/strict';
import { keysIn } from '../../../../src/platform/client/storedKeys';

const one = { origin: 'https://one.test', key: 'k1', url: 'https://one.test/v1' };
const two = { origin: 'https://two.test', key: 'k2', url: 'https://two.test/api' };

describe('the stored keys', () => {
  it('are those of a list', () => {
    assert.deepEqual(keysIn(JSON.stringify([one, two])), [one, two]);
    assert.deepEqual(keysIn('[]'), []);
  });

  it('are the only one that an earlier version stored', () => {
    assert.deepEqual(keysIn(JSON.stringify(one)), [one]);
    const { origin, key } = one;
    assert.deepEqual(keysIn(JSON.stringify({ origin, key })), [{ origin, key, url: origin }]);
  });

  it('are none of what nobody could use', () => {
    for (const text of ['', '{', 'null', '1', '"key"']) assert.deepEqual(keysIn(text), [], text);
    for (const changed of [{ origin: 1 }, { key: undefined }, { key: 2 }, { url: 3 }])
      assert.deepEqual(keysIn(JSON.stringify([two, { ...one, ...changed }])), [two]);
  });

  it('have nothing else with them', () => {
    assert.deepEqual(keysIn(JSON.stringify([{ ...one, more: true }])), [one]);
  });
});
