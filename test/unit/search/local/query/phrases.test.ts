import assert from 'node:assert/strict';
import { phrasesOf } from '../../../../../src/search/local/query/phrases';

const texts = (query: string): string[] => phrasesOf(query).map(({ text }) => text);
const worth = (query: string): number => phrasesOf(query)[0]?.worth ?? 0;

describe('the phrases of a query', () => {
  it('are its lines, and what is between the values in a message', () => {
    assert.deepEqual(texts('Could not start the worker.'), ['Could not start the worker']);
    assert.deepEqual(texts('Error: the queue is full: retry in 30 seconds'), [
      'Error: the queue is full: retry in 30 seconds',
      'the queue is full',
    ]);
    assert.deepEqual(texts(`Cannot find module './a/b' imported from the entry`), [
      `Cannot find module './a/b' imported from the entry`,
      'imported from the entry',
      'Cannot find module',
    ]);
    assert.deepEqual(texts('"open the lid first"\n\n  return lid.open(angle);'), [
      'open the lid first',
      'return lid.open(angle)',
    ]);
  });

  it('are no names, and not of a few words', () => {
    assert.deepEqual(texts('BaseContextProvider'), []);
    assert.deepEqual(texts('session token'), []);
    assert.deepEqual(texts('a b c d'), []);
    assert.deepEqual(texts('word '.repeat(80)), []);
  });

  it('are no lines that only say what is used', () => {
    for (const line of [
      "import { parseHead } from './http/head';",
      "import type { Head } from './http/head'",
      "import './http/head/polyfill-of-old-ones.js'",
      'import static java.util.stream.Collectors.toList;',
      'import java.util.concurrent.Future;',
      'from celery.utils.log import get_logger',
      'use crate::ui::text::Text;',
      'using System.Collections.Generic;',
      '#include "server.h" // of all',
    ])
      assert.deepEqual(texts(line), [], line);
    for (const line of [
      'import wizard of a big project',
      'from the queue to one',
      'use one for all',
    ])
      assert.deepEqual(texts(line), [line]);
  });

  it('are worth more the more words they have, up to a limit', () => {
    assert.equal(worth('parse config file'), 1);
    assert.equal(worth('parse the config file'), 2);
    assert.equal(worth('if (!isOpen) reopenAll(theFiles);'), 5);
    assert.equal(worth('one two three four five six seven eight nine'), 5);
  });

  it('are few, however long a log is, and cost no time', () => {
    const log = Array.from({ length: 5000 }, (_, at) => `line of a log ${'"'.repeat(at % 7)} more`);
    const startedAt = performance.now();
    assert.equal(phrasesOf(log.join('\n')).length, 8);
    phrasesOf(`${'.'.repeat(20_000)}x`);
    phrasesOf('" : '.repeat(5000));
    assert.ok(performance.now() - startedAt < 200);
  });
});
