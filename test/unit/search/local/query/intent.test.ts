import assert from 'node:assert/strict';
import { intentOf } from '../../../../../src/search/local/query/intent';

describe('what a query describes', () => {
  const changes = [
    'Fix retries after a timeout',
    'session is lost, should be kept',
    'upload crashes on an empty file',
    "doesn't close the socket",
    'doesn\u2019t close the socket',
    'support proxies',
    'retryUpload crashes',
    'the stack of the worker '.repeat(9),
  ];
  for (const query of changes)
    it(`is a change: ${query.slice(0, 40)}`, () => {
      assert.equal(intentOf(query), 'change');
    });

  const code = [
    'the delay before the next attempt',
    'Returns the number of retries left',
    'where is an update of the cache written',
    'How are failed jobs kept?',
    'address of the prefix',
    '',
    '\u65e5\u672c\u8a9e',
  ];
  for (const query of code)
    it(`is code: ${query.slice(0, 40)}`, () => {
      assert.equal(intentOf(query), 'code');
    });

  for (const query of ['retryUpload backoff', 'where is max_size changed', 'HTTPServer'])
    it(`is names: ${query}`, () => {
      assert.equal(intentOf(query), 'names');
    });
});
