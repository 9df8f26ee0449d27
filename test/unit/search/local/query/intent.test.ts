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

  const sentences = [
    'the delay before the next attempt',
    'How are failed jobs kept?',
    'where is an update of the cache written',
    'closes the socket that has no reader',
    'wo wird die Sitzung geschlossen',
  ];
  for (const query of sentences)
    it(`is code, in a sentence: ${query}`, () => {
      assert.equal(intentOf(query), 'sentence');
    });

  const words = [
    'address of the prefix',
    'Returns the number of retries left',
    '',
    '\u65e5\u672c\u8a9e',
  ];
  for (const query of words)
    it(`is code, in a few words: ${query}`, () => {
      assert.equal(intentOf(query), 'words');
    });

  for (const query of ['retryUpload backoff', 'where is max_size changed', 'HTTPServer'])
    it(`is names: ${query}`, () => {
      assert.equal(intentOf(query), 'names');
    });
});
