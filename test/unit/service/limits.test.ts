import assert from 'node:assert/strict';
import { sentence, written } from '../../../src/base/sentence';
import {
  catalogueItems,
  delayMsInMessage,
  perMillion,
  searchTurnNote,
  windowTokens,
} from '../../../src/service/assumptions';
import { endpoint, isLoopback, parseBaseUrl, pathId } from '../../../src/service/baseUrl';
import { ServiceError } from '../../../src/service/errors';
import { checkRange, checkRatio, checkTokens } from '../../../src/service/limits';
import { estimateTokens, estimateTokensOf } from '../../../src/service/tokens';
import { truncationText } from '../../../src/service/truncation';
import { readUsage } from '../../../src/service/usage';

/** The message of the refusal; 'none' where it is allowed. */
function refusal(check: () => void): string {
  try {
    check();
    return 'none';
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.kind === 'limit');
    return error.message;
  }
}

const tokensRefusal = (text: string | string[], limit: number): string =>
  refusal(() => checkTokens(text, limit, sentence('The text')));

describe('the tokens of a text', () => {
  it('are estimated by kind of character', () => {
    for (const [text, tokens] of [
      ['', 0],
      ['word', 1],
      ['longer', 1],
      ['language', 2],
      ['internationalization', 5],
      ['two words', 2],
      ['camelCaseName', 3],
      ['HTTPServer', 2],
      ['123', 1],
      ['1234', 2],
      ['a1b', 3],
      ['        ', 0],
      ['\t\t\t\t', 1],
      ['----------', 1],
      ['"},{"', 2],
      ['();', 2],
      ['éà', 1],
      ['привет', 3],
      ['漢字漢字漢', 4],
    ] as const)
      assert.equal(estimateTokens(text), tokens, JSON.stringify(text));
  });

  it('are estimated of each part of a text as of the part alone, however long it is', () => {
    const parts = ['a'.repeat(70_000), '\n', 'word '.repeat(30_000), '-'.repeat(65_535), '--12'];
    const starts = [0];
    for (const { length } of parts) starts.push((starts.at(-1) ?? 0) + length);
    assert.deepEqual(
      [...estimateTokensOf(parts.join(''), starts)],
      [Math.ceil((20 + (70_000 - 6) * 5) / 20), 1, 30_000, 1, 2],
    );
    assert.deepEqual([...estimateTokensOf('', [0])], []);
  });

  it('are refused only where they certainly are too many', () => {
    assert.equal(tokensRefusal('x'.repeat(10), 10), 'none');
    assert.equal(tokensRefusal('word '.repeat(114), 100), 'none');
    assert.equal(
      tokensRefusal('word '.repeat(1160), 1000),
      'The text is about 1,160 tokens long; the limit is 1,000 tokens.',
    );
    assert.notEqual(tokensRefusal(['word '.repeat(60), 'word '.repeat(60)], 100), 'none');
  });

  it('are read under each name that the service uses', () => {
    for (const [wire, usage] of [
      [
        { prompt_tokens: 1, completion_tokens: 2 },
        { promptTokens: 1, completionTokens: 2 },
      ],
      [
        {
          prompt_tokens: 1,
          completion_tokens: 2,
          prompt_tokens_details: { cached_tokens: 1 },
          completion_tokens_details: { reasoning_tokens: 2 },
        },
        { promptTokens: 1, completionTokens: 2, cachedTokens: 1, reasoningTokens: 2 },
      ],
      [
        {
          input_tokens: 3,
          output_tokens: 4,
          input_tokens_details: { cached_tokens: 2 },
          output_tokens_details: { reasoning_tokens: 1 },
        },
        { promptTokens: 3, completionTokens: 4, cachedTokens: 2, reasoningTokens: 1 },
      ],
      [
        { input_tokens: 3, output_tokens: 4, input_tokens_details: { cached_tokens: 'x' } },
        { promptTokens: 3, completionTokens: 4 },
      ],
      [{ total_tokens: 9 }, { promptTokens: 9, completionTokens: 0 }],
      [{ prompt_tokens: -1, completion_tokens: 2 }, undefined],
      [{}, undefined],
      [null, undefined],
    ] as const)
      assert.deepEqual(readUsage(wire), usage);
  });
});

const rangeRefusal = (value: number): string =>
  refusal(() => checkRange(value, 1, 1000, sentence('The number')));

const ratioRefusal = (value: number): string =>
  refusal(() => checkRatio(value, sentence('The share')));

describe('numbers of a request', () => {
  it('are whole and within their range', () => {
    assert.deepEqual([1, 500, 1000].map(rangeRefusal), ['none', 'none', 'none']);
    for (const value of [0, 1001, 1.5, Number.NaN])
      assert.equal(
        rangeRefusal(value),
        `The number must be a whole number from 1 to 1,000, not ${value}.`,
      );
  });

  it('are a share above 0, at most 1', () => {
    assert.deepEqual([0.001, 1].map(ratioRefusal), ['none', 'none']);
    for (const value of [0, 1.01, Number.NaN])
      assert.equal(ratioRefusal(value), `The share must be above 0 and at most 1, not ${value}.`);
  });
});

const reasonText = (code?: string): string =>
  written(truncationText(new ServiceError('truncated', '', { code })));

describe('why an answer is not complete', () => {
  it('is said for each reason of the service', () => {
    assert.equal(reasonText(), 'The answer ended before it was complete.');
    for (const code of ['length', 'max_tokens'])
      assert.match(reasonText(code), /its maximum length/);
    assert.match(reasonText('model_context_window_exceeded'), /filled the context window/);
    for (const code of ['content_filter', 'refusal']) assert.match(reasonText(code), /A filter/);
    assert.match(reasonText('abort'), /with the reason "abort"\.$/);
  });
});

const parsed = (text: string): string => {
  try {
    return parseBaseUrl(text).href;
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.kind === 'badUrl');
    return error.message;
  }
};

describe('the address of the service', () => {
  it('is https, or http on this computer, without its version', () => {
    for (const [text, href] of [
      [' https://a.test ', 'https://a.test/'],
      ['https://a.test/v1/', 'https://a.test/'],
      ['https://a.test/x/v1', 'https://a.test/x'],
      ['https://a.test/v1/x//', 'https://a.test/v1/x'],
      ['http://localhost:8080/v1', 'http://localhost:8080/'],
      ['http://127.0.0.1', 'http://127.0.0.1/'],
      ['http://[::1]:1', 'http://[::1]:1/'],
      ['http://a.localhost', 'http://a.localhost/'],
    ] as const)
      assert.equal(parsed(text), href);
    for (const [text, problem] of [
      ['a.test', /not a web address/],
      ['', /not a web address/],
      ['ftp://a.test', /must begin with https:\/\/\.$/],
      ['http://a.test', /http:\/\/ works only for this computer/],
      ['http://localhost.evil.test', /only for this computer/],
      ['https://user@a.test', /user name or password/],
      ['https://:word@a.test', /user name or password/],
      ['https://a.test/?', /must not contain \? or #/],
      ['https://a.test/#x', /must not contain \? or #/],
    ] as const)
      assert.match(parsed(text), problem);
    assert.deepEqual(['127.1.2.3', '128.0.0.1', 'LOCALHOST'].map(isLoopback), [true, false, true]);
  });

  it('gets the path and the query of an operation', () => {
    const base = new URL('https://a.test/x/');
    assert.equal(endpoint(base, '/v1/y').href, 'https://a.test/x/v1/y');
    assert.equal(
      endpoint(base, '/v1/y', { a: 1, b: undefined, c: 'd e' }).href,
      'https://a.test/x/v1/y?a=1&c=d+e',
    );
    assert.equal(base.href, 'https://a.test/x/');
  });

  it('is not left by an id', () => {
    assert.equal(pathId('batch_1 ü', sentence('id')), 'batch_1%20%C3%BC');
    for (const id of ['', ' ', '.', '..', 'a/b', 'a\\b', 'a..b', '\ud800'])
      assert.match(
        refusal(() => pathId(id, sentence('batch id'))),
        /^The batch id cannot be used/,
      );
  });
});

describe('what the service document does not show', () => {
  it('is how long a message asks to wait', () => {
    for (const [message, ms] of [
      ['Rate limited, retry after 12 seconds', 12_000],
      ['Please try again in 1.5s', 1500],
      ['retry in 300 ms', 300],
      ['retry in 300 milliseconds', 300],
      ['Try again in 2 minutes', 120_000],
      ['retry in 1h', 3_600_000],
      ['retry after 7', 7000],
      ['no delay', undefined],
      ['error 12', undefined],
    ] as const)
      assert.equal(delayMsInMessage(message), ms);
  });

  it('is the notation of windows and rates', () => {
    for (const [text, tokens] of [
      ['262k', 262_000],
      ['1M', 1_000_000],
      [' 1.5 m ', 1_500_000],
      ['4096', 4096],
      ['many', undefined],
      ['1g', undefined],
      ['k', undefined],
    ] as const)
      assert.equal(windowTokens(text), tokens);
    assert.deepEqual(
      [0.000_002_9, 0.000_999, 0.001, 2.9, 0].map(perMillion),
      [2.9, 999, 0.001, 2.9, 0],
    );
  });

  it('is where the models of the catalogue are', () => {
    for (const page of [['m'], { data: ['m'] }, { models: ['m'] }])
      assert.deepEqual(catalogueItems(page), [[undefined, 'm']]);
    assert.deepEqual(catalogueItems({ data: { m: { a: 1 } } }), [['m', { a: 1 }]]);
    for (const page of [{}, 'm', null, { data: 'm' }]) assert.deepEqual(catalogueItems(page), []);
  });

  it('is what a search model is told of its turns and its room', () => {
    assert.equal(
      searchTurnNote(2, 6, 80_400, 321_600),
      'You have used 2 turns and have 4 remaining\n<context_budget>25% (80K/322K chars)</context_budget>',
    );
    assert.match(searchTurnNote(4, 6, 0, 1000), /have 2 remaining\n<context_budget>0% \(0K\/1K/);
    assert.match(
      searchTurnNote(5, 6, 9000, 1000),
      /^You have used 5 turns, you only have 1 turn remaining.* MUST call the finish tool now\n<context_budget>100%/,
    );
  });
});
