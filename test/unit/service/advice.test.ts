import assert from 'node:assert/strict';
import { english, sentence } from '../../../src/base/sentence';
import { trialReport } from '../../../src/connection/checks/trial';
import {
  chatWaitText,
  failureOf,
  interruptedText,
  limitReachedText,
} from '../../../src/models/failures';
import { adviceFor } from '../../../src/service/advice';
import { type ErrorKind, ServiceError, type ServiceErrorFields } from '../../../src/service/errors';
import { assertApproved, useUtc } from '../../support/unit/approved';

const kinds: ErrorKind[] = [
  'noKey',
  'keyring',
  'noUrl',
  'badUrl',
  'unauthorized',
  'forbidden',
  'payment',
  'rateLimited',
  'badRequest',
  'notFound',
  'server',
  'truncated',
  'connection',
  'offline',
  'certificate',
  'timeout',
  'protocol',
  'tooLarge',
  'redirect',
  'proxyLogin',
  'transport',
  'limit',
  'budget',
  'endpoint',
  'paused',
];
const retryAt = Date.UTC(2026, 10, 20, 12, 34, 56);
const variants: [name: string, fields: ServiceErrorFields][] = [
  ['bare', {}],
  [
    'with words of the service',
    { serverText: 'No such thing.', status: 400, host: 'a.example.org' },
  ],
  ['with a time', { retryAt, retryAfterMs: 5000, requestId: 'req_1' }],
  ['of a known code', { code: 'resource_unavailable', status: 503 }],
  ['with a cause', { cause: new ServiceError('offline', 'x'), consecutiveFailures: 3 }],
  ['of a system error', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }],
];
const errors = kinds.flatMap(kind => [
  ...variants.map(([name, fields]): [string, ServiceError] => [
    `${kind}, ${name}`,
    new ServiceError(kind, 'detail', fields),
  ]),
  [`${kind}, in words`, new ServiceError(kind, sentence('Words of {0}.', 'the caller'))] as [
    string,
    ServiceError,
  ],
]);

const wait = (kind: ErrorKind): string =>
  chatWaitText({ retryAt, error: new ServiceError(kind, '') }, english);

describe('what the user is told of a failure', () => {
  useUtc();

  it('is a sentence and the steps that help, for each kind', () =>
    assertApproved(
      'advice',
      [...errors, ['something else', new Error('secret detail')] as const]
        .map(([name, error]) => {
          const { message, actions } = adviceFor(error, english);
          return `${name}\n    ${message}\n    ${actions.join(', ') || '–'}\n`;
        })
        .join(''),
    ));

  it('names the next step in a chat, which has no buttons', () =>
    assertApproved(
      'chatFailures',
      [...errors, ['something else', new Error('secret detail')] as const]
        .map(([name, error]) => {
          const { kind, text } = failureOf(error, english);
          return `${name}\n    ${kind}: ${text}\n    ${interruptedText(error, english)}\n`;
        })
        .concat(limitReachedText(english), '\n')
        .join(''),
    ));

  it('shows no detail of what is not known', () => {
    assert.doesNotMatch(adviceFor(new Error('secret detail'), english).message, /secret/);
    assert.doesNotMatch(failureOf('secret', english).text, /secret/);
  });

  it('says until when it waits', () => {
    assert.equal(wait('rateLimited'), 'The service is busy. Trying again at 12:34:56.');
    assert.equal(wait('server'), 'No answer yet. Trying again at 12:34:56.');
  });

  it('says how the trial of a key or an address went', () => {
    const trials: [string, Parameters<typeof trialReport>[0]][] = [
      ['works', { state: 'works', models: 14, ready: 2 }],
      ['works, models unknown', { state: 'works', models: undefined, ready: 1 }],
      ['answers', { state: 'answers' }],
      ['canceled', { state: 'canceled' }],
      [
        'otherSite',
        {
          state: 'otherSite',
          finding: {
            verdict: 'failed',
            detail: sentence('It is a web page.'),
            next: sentence('Sign in.'),
          },
        },
      ],
      ['not known', { state: 'failed', error: new Error('x') }],
      ...kinds.map((kind): [string, Parameters<typeof trialReport>[0]] => [
        kind,
        { state: 'failed', error: new ServiceError(kind, 'x') },
      ]),
    ] as [string, Parameters<typeof trialReport>[0]][];
    assertApproved(
      'trials',
      trials
        .flatMap(([name, trial]) =>
          (['key', 'address', 'both'] as const).map(about => {
            const { isGood, text, actions } = trialReport(
              trial,
              { host: 'a.example.org', about },
              english,
            );
            return `${name}, ${about}\n    ${isGood ? 'good' : 'bad'}: ${text}\n    ${actions.join(', ') || '–'}\n`;
          }),
        )
        .join(''),
    );
  });
});
