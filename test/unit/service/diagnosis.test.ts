import assert from 'node:assert/strict';
import {
  type Finding,
  type NameResult,
  type Verdict,
  answerFinding,
  catalogueFinding,
  clockFinding,
  errorFinding,
  keyFinding,
  nameFinding,
  ok,
  proxyFinding,
  reflexFinding,
  reportText,
  runChecks,
  tlsFinding,
  verdictOf,
} from '../../../src/service/diagnosis';
import { ServiceError } from '../../../src/service/errors';
import { systemClock } from '../../../src/service/time';
import { fallbackModels } from '../../../src/service/wire/catalogue';
import { never } from './helpers';

const now = Date.UTC(2026, 10, 21, 12);
const dayMs = 24 * 3600_000;
const certificate = {
  subject: 'api.example.com',
  issuer: 'Example CA',
  validTo: now + 90 * dayMs,
  protocol: 'TLSv1.3',
  application: 'h2',
};
const names: NameResult = { addresses: ['192.0.2.1', '2001:db8::1'] };
const unknown: NameResult = { code: 'ENOTFOUND' };
const date = (aheadMs: number) => new Date(now + aheadMs).toUTCString();
const error = (kind: ServiceError['kind'], fields = {}) =>
  errorFinding(new ServiceError(kind, 'detail', fields));

describe('verdicts of a diagnosis', () => {
  const cases: [string, Finding, Verdict, RegExp][] = [
    ['key', keyFinding('https://a', 'https://a'), 'ok', /stored for this address/],
    ['no key', keyFinding('https://a', undefined), 'failed', /No key/],
    ['key of another', keyFinding('https://a', 'https://b'), 'failed', /https:\/\/b/],
    ['no proxy', proxyFinding(undefined), 'ok', /direct/],
    ['proxy', proxyFinding('http://me:pw@proxy:8080/x'), 'ok', /^http:\/\/proxy:8080$/],
    ['socks', proxyFinding('socks5://me:pw@proxy:1080'), 'attention', /^socks5:\/\/proxy:1080,/],
    ['odd proxy', proxyFinding('me:pw@@'), 'attention', /^A proxy is set, with an address/],
    ['name', nameFinding('h', names, false), 'ok', /192\.0\.2\.1, 2001:db8::1/],
    ['no name', nameFinding('h', unknown, false), 'failed', /ENOTFOUND/],
    ['no name, proxy', nameFinding('h', unknown, true), 'ok', /the proxy resolves it/],
    [
      'certificate',
      tlsFinding(certificate, now, true),
      'ok',
      /TLSv1\.3 with h2.*Example CA.*2027-02-19/,
    ],
    [
      'ends soon',
      tlsFinding({ ...certificate, validTo: now + 3 * dayMs }, now, true),
      'attention',
      /in 3 days/,
    ],
    [
      'not trusted',
      tlsFinding({ ...certificate, problem: 'SELF_SIGNED_CERT_IN_CHAIN' }, now, true),
      'failed',
      /not trusted: SELF_SIGNED/,
    ],
    [
      'not trusted, allowed',
      tlsFinding({ ...certificate, problem: 'SELF_SIGNED_CERT_IN_CHAIN' }, now, false),
      'attention',
      /proxyStrictSSL/,
    ],
    ['401', answerFinding(401, 'undici'), 'ok', /own client/],
    ['200', answerFinding(200, 'host'), 'ok', /fetch of VS Code \(status 200\)/],
    ['404', answerFinding(404, 'undici'), 'attention', /404/],
    ['302', answerFinding(302, 'undici'), 'failed', /redirects/],
    ['hidden redirect', answerFinding(0, 'host'), 'failed', /redirects/],
    ['407', answerFinding(407, 'undici'), 'failed', /login/],
    ['503', answerFinding(503, 'undici'), 'failed', /503/],
    ['same time', clockFinding(date(-1000), now), 'ok', /within 2 s/],
    ['a little off', clockFinding(date(30_000), now), 'ok', /30 s behind/],
    ['far ahead', clockFinding(date(-300_000), now), 'attention', /300 s ahead of/],
    ['no date', clockFinding(null, now), 'skipped', /no date/],
    ['bad date', clockFinding('soon', now), 'skipped', /no date/],
    [
      'live',
      catalogueFinding({ models: fallbackModels, unreadable: 0, source: 'live' }),
      'ok',
      /^Live, 12 models/,
    ],
    [
      'built in',
      catalogueFinding({
        models: fallbackModels,
        unreadable: 0,
        source: 'builtIn',
        problem: new ServiceError('timeout', ''),
      }),
      'attention',
      /built into Splice, 12 models.*too long/,
    ],
    [
      'reflex',
      reflexFinding('benign', { usd: 0.001, isExact: false }),
      'ok',
      /benign.*\$0\.001 \(estimate\)/,
    ],
    ['no label', reflexFinding(undefined, undefined), 'ok', /no confident label\.$/],
    [
      'error',
      error('unauthorized', { status: 401, requestId: 'r-1' }),
      'failed',
      /refused the API key\. \(unauthorized, status 401, request r-1\)/,
    ],
    [
      'other error',
      errorFinding(new TypeError('/home/me/key')),
      'failed',
      /^The check itself failed\.$/,
    ],
  ];
  for (const [what, { verdict, detail, next }, expected, wording] of cases)
    it(what, () => {
      assert.equal(verdict, expected);
      assert.match(detail, wording);
      assert.equal(next !== undefined, verdict === 'failed' || verdict === 'attention');
    });
});

const run = async (checks: Parameters<typeof runChecks>[0], signal = never()) => {
  const begun: string[] = [];
  const onCheck = (title: string) => begun.push(title);
  return { steps: await runChecks(checks, { signal, clock: systemClock, onCheck }), begun };
};

describe('a diagnosis', () => {
  it('goes on after a check that failed', async () => {
    const { steps, begun } = await run([
      { title: 'One', run: async () => Promise.reject(new ServiceError('offline', '')) },
      { title: 'Two', run: async () => ok('fine') },
    ]);
    assert.deepEqual(begun, ['One', 'Two']);
    assert.deepEqual(
      steps.map(({ verdict, ms }) => [verdict, typeof ms]),
      [
        ['failed', 'number'],
        ['ok', 'number'],
      ],
    );
    assert.match(verdictOf(steps), /^Failed: One\. Check the network/);
  });

  it('ends at once when it is canceled, also in a check that cannot be stopped', async () => {
    const controller = new AbortController();
    const { steps, begun } = await run(
      [
        {
          title: 'Stuck',
          run: async () => {
            setImmediate(() => controller.abort());
            return new Promise(() => undefined);
          },
        },
        { title: 'Never', run: async () => assert.fail('ran') },
      ],
      controller.signal,
    );
    assert.deepEqual(begun, ['Stuck']);
    assert.deepEqual(
      steps.map(({ verdict }) => verdict),
      ['canceled', 'canceled'],
    );
    assert.equal(verdictOf(steps), 'Canceled before all checks had run.');
  });

  it('reads as a report, without links that others wrote', () => {
    const text = reportText({
      at: now,
      facts: [['Splice', '1.2.3']],
      steps: [
        { title: 'Address', ...ok('https://api.example.com'), ms: 0 },
        {
          title: 'Answer',
          ...error('server', { serverText: '[x](http://e)\n<img src=//e>' }),
          ms: 12,
        },
        { title: 'Clock', verdict: 'skipped', detail: 'No answer.' },
      ],
    });
    assert.equal(
      text,
      `# Splice connection report

2026-11-21 12:00:00 UTC

**Failed: Answer. Try again later; quote the request id when you report it.**

## Checks

1. **OK** Address (0 ms): https://api.example.com
2. **FAILED** Answer (12 ms): The service failed. It said: \\[x\\](http://e) \\<img src=//e>. (server)
   - Next: Try again later; quote the request id when you report it.
3. **SKIPPED** Clock: No answer.

## Environment

- Splice: 1.2.3

No key, user name, path or file content is in this report.
`,
    );
  });
});
