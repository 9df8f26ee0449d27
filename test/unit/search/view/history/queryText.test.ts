import assert from 'node:assert/strict';
import { queryOf } from '../../../../../src/search/view/history/queryText';

describe('a query', () => {
  it('has no colors of a terminal, and no control characters', () => {
    assert.equal(queryOf('\u001b[1;31merror\u001b[0m: lost \0port\u0007 '), 'error: lost  port');
    assert.equal(queryOf('Traceback:\n\tline 1\r\n'), 'Traceback:\n\tline 1');
    assert.equal(queryOf('\u0001 \u001b'), '');
  });

  it('has no headers of a copied request', () => {
    assert.equal(
      queryOf(`curl 'https://a.example/x' \\\n  -H 'authorization: Bearer secret' -b 'a=secret'`),
      'GET https://a.example/x',
    );
  });

  it('is as long as a search reads', () => {
    assert.equal(queryOf('word '.repeat(20_000)).length, 19_999);
  });
});
