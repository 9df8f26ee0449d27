import assert from 'node:assert/strict';
import { querySymbolsOf } from '../../../../../src/search/local/query/querySymbols';

const named = (query: string): string[] => querySymbolsOf(query).map(({ name }) => name);
const worth = (query: string): number | undefined => querySymbolsOf(query)[0]?.worth;
const inOtherCase = (query: string): number | undefined =>
  querySymbolsOf(query)[0]?.worthInOtherCase;

describe('the names of code in a query', () => {
  it('are identifiers of several words, calls, members, quoted words and what a kind precedes', () => {
    for (const [query, expected] of [
      ['retryUpload backoff', ['retryUpload', 'backoff']],
      ['parseHead drops max_size of HTTPServer', ['parseHead', 'max_size', 'HTTPServer']],
      ['why does close() wait', ['close']],
      ['Queue.close loses a job', ['Queue', 'close']],
      ['drain of queue::Queue and list->head', ['Queue', 'head']],
      ['where `merge` is called', ['merge']],
      ['the class Message and fn spawn', ['Message', 'spawn']],
    ] as const) {
      assert.deepEqual(named(query), expected, query);
    }
  });

  it('are no words of prose', () => {
    assert.deepEqual(named('how are the uploads limited, then'), []);
    assert.deepEqual(named('how are all of the uploads limited'), []);
    assert.deepEqual(named('The user cannot log in, Safari only'), []);
    assert.deepEqual(named('the type of the value is lost'), []);
    assert.deepEqual(named(`don't retry, it's late`), []);
    assert.deepEqual(named('???'), []);
  });

  it('are the only word there is, which is worth less when it can be one of prose', () => {
    assert.deepEqual(named('theme'), ['theme']);
    assert.deepEqual(named('where is the theme?'), ['theme']);
    assert.equal(worth('AppState'), worth('Message'));
    assert.equal(worth('AppState'), worth('where is AppState defined?'));
    assert.equal(worth('AppState'), worth('definition of theme'));
    assert.ok((worth('theme') ?? 0) < (worth('AppState') ?? 0));
  });

  it('are worth less among words, and there in their own capitals only', () => {
    assert.ok((worth('AppState forgets a selection') ?? 9) < (worth('AppState') ?? 0));
    assert.equal(inOtherCase('AppState forgets a selection'), 0);
    assert.ok((inOtherCase('appstate') ?? 0) > 0);
  });

  it('are all of a few words together, which may be a name with spaces', () => {
    assert.deepEqual(named('app state'), ['appstate']);
    assert.deepEqual(named('app-state'), ['appstate']);
    assert.deepEqual(named('--app-state'), ['appstate']);
    assert.deepEqual(named('add primary key operation'), ['addprimarykeyoperation']);
    assert.deepEqual(named('add theme'), ['theme', 'addtheme']);
    assert.deepEqual(named('app state, of a user'), []);
    assert.ok((inOtherCase('app state') ?? 9) < (worth('AppState') ?? 0));
  });

  it('say nothing when there are many, as in a log', () => {
    const many = Array.from({ length: 13 }, (_, at) => `nameOf_${'x'.repeat(at + 1)}`);
    assert.equal(named(many.slice(1).join(' and ')).length, 12);
    assert.deepEqual(named(many.join(' and ')), []);
  });
});
