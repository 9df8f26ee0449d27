import assert from 'node:assert/strict';
import { columnUsd, costText, formatUsd } from '../../../../src/base/format/money';
import { english } from '../../../../src/base/sentence';

describe('amounts of money', () => {
  it('are in full dollars, in cents, or finer below ten cents', () => {
    for (const [usd, text] of [
      [0, '$0'],
      [10, '$10'],
      [12_345, '$12,345'],
      [1234.567, '$1,234.57'],
      [0.426, '$0.43'],
      [0.1234, '$0.12'],
      [0.1, '$0.10'],
      [0.0999, '$0.0999'],
      [0.05, '$0.05'],
      [0.012_345, '$0.0123'],
      [0.0005, '$0.0005'],
      [0.0001, '$0.0001'],
      [0.000_09, 'less than $0.0001'],
    ] as const)
      assert.equal(formatUsd(usd), text);
  });

  it('have four decimals in a column, and are never shown as nothing', () => {
    for (const [usd, text] of [
      [0, '$0.0000'],
      [0.000_01, '<$0.0001'],
      [0.0001, '$0.0001'],
      [0.123_45, '$0.1235'],
      [1234, '$1,234.0000'],
    ] as const)
      assert.equal(columnUsd(usd, 'en-US'), text);
    assert.equal(columnUsd(0.5, 'de'), '$0,5000');
  });

  it('say where the tokens were estimated', () => {
    assert.equal(costText({ usd: 2, isExact: true }, english), '$2');
    assert.equal(costText({ usd: 2, isExact: false }, english), 'about $2');
  });
});
