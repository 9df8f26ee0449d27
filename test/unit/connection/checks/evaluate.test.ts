import assert from 'node:assert/strict';
import { english, type Sentence, sentence, written } from '../../../../src/base/sentence';
import {
  type Check,
  type CheckFinding,
  diagnosisReportText,
  firstFailure,
  runChecks,
  type Verdict,
  verdictOf,
} from '../../../../src/connection/checks/evaluate';
import {
  answerFinding,
  catalogueFinding,
  clockFinding,
  connectionFinding,
  errorFinding,
  keyFinding,
  type NameResult,
  nameFinding,
  ok,
  proxyFinding,
  reflexFinding,
  skipped,
  tlsFinding,
} from '../../../../src/connection/checks/findings';
import { ServiceError } from '../../../../src/service/errors';
import { fallbackModels } from '../../../../src/service/wire/catalogue';
import { VirtualTime } from '../../../support/unit/virtualTime';
import { never } from '../../service/helpers';

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
const json = 'application/json';
const page = 'text/html; charset=utf-8';
const connection = (failure: { code?: string; status?: number; isProxy?: boolean }) =>
  connectionFinding({ host: 'h:9', isProxy: false, ...failure });
const error = (kind: ServiceError['kind'], fields = {}) =>
  errorFinding(new ServiceError(kind, 'detail', fields));

describe('verdicts of a diagnosis', () => {
  const cases: [string, CheckFinding, Verdict, RegExp][] = [
    ['key', keyFinding('https://a', ['https://b', 'https://a']), 'ok', /stored for this address/],
    ['no key', keyFinding('https://a', []), 'failed', /No key/],
    ['key of another', keyFinding('https://a', ['https://b']), 'failed', /https:\/\/b/],
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
    [
      'for another name',
      tlsFinding({ ...certificate, problem: 'ERR_TLS_CERT_ALTNAME_INVALID' }, now, true),
      'failed',
      /not trusted: ERR_TLS_CERT_ALTNAME/,
    ],
    ['refused', connection({ code: 'ECONNREFUSED' }), 'failed', /^h:9 refuses .*\(ECONNREFUSED\)/],
    ['refused, Chromium', connection({ code: 'ERR_CONNECTION_REFUSED' }), 'failed', /refuses/],
    ['unknown name', connection({ code: 'ENOTFOUND' }), 'failed', /name that is not known/],
    ['no answer', connection({ code: 'ETIMEDOUT' }), 'failed', /does not answer/],
    ['no answer, undici', connection({ code: 'UND_ERR_CONNECT_TIMEOUT' }), 'failed', /not answer/],
    ['no route', connection({ code: 'ENETUNREACH' }), 'failed', /over this network/],
    ['cut', connection({ code: 'ECONNRESET' }), 'failed', /closes the connection/],
    ['no TLS', connection({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'failed', /not speak TLS/],
    ['other TLS', connection({ code: 'ERR_SSL_NO_CIPHER_MATCH' }), 'failed', /encrypt/],
    ['odd code', connection({ code: 'EODD' }), 'failed', /cannot be reached \(EODD\)/],
    [
      'proxy',
      connection({ code: 'ECONNREFUSED', isProxy: true }),
      'failed',
      /^The proxy h:9 refuses/,
    ],
    ['proxy refuses', connection({ status: 403, isProxy: true }), 'failed', /status 403/],
    ['proxy login', connection({ status: 407, isProxy: true }), 'attention', /login/],
    ['401', answerFinding(401, 'undici', json), 'ok', /own client/],
    ['200', answerFinding(200, 'host', json), 'ok', /fetch of VS Code \(status 200\)/],
    ['404', answerFinding(404, 'undici', json), 'failed', /404/],
    ['302', answerFinding(302, 'undici', null), 'failed', /redirects/],
    ['hidden redirect', answerFinding(0, 'host', null), 'failed', /redirects/],
    ['407', answerFinding(407, 'undici', null), 'failed', /login/],
    ['503', answerFinding(503, 'undici', page), 'failed', /503/],
    ['sign-in page', answerFinding(200, 'undici', page), 'failed', /web page answers/],
    ['forbidden page', answerFinding(403, 'undici', page), 'failed', /web page answers/],
    ['511', answerFinding(511, 'undici', null), 'failed', /web page answers/],
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
    [
      'no label',
      reflexFinding(undefined, undefined),
      'ok',
      /no confident label\. Its cost is not known\.$/,
    ],
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
      assert.match(written(detail), wording);
      assert.equal(next !== undefined, verdict === 'failed' || verdict === 'attention');
    });
});

const run = async (checks: readonly Check[], signal = never(), clock = new VirtualTime()) => {
  const begun: string[] = [];
  const onCheck = (title: Sentence) => begun.push(title.text);
  return { steps: await runChecks(checks, { signal, clock, onCheck }), begun };
};
const verdicts = (steps: readonly { title: Sentence; verdict: Verdict }[]) =>
  steps.map(({ title, verdict }) => `${title.text} ${verdict}`);
const check = (
  title: string,
  finding: CheckFinding | ServiceError,
  needs: string[] = [],
): Check => ({
  title: sentence(title),
  needs: needs.map(name => sentence(name)),
  run: async () => {
    if (finding instanceof ServiceError) throw finding;
    return finding;
  },
});
const refused = connection({ code: 'ECONNREFUSED' });

describe('a diagnosis', () => {
  it('names the first cause, and does not make the checks that it decides', async () => {
    const { steps, begun } = await run([
      check('Address', ok(sentence('fine'))),
      check('Connection', refused, ['Address']),
      check('Certificate', ok(sentence('never')), ['Connection']),
      check('Answer', ok(sentence('never')), ['Certificate']),
      check('Key', keyFinding('https://a', []), ['Address']),
      check('Accepted', ok(sentence('never')), ['Answer', 'Key']),
    ]);
    assert.deepEqual(begun, ['Address', 'Connection', 'Key']);
    assert.deepEqual(verdicts(steps), [
      'Address ok',
      'Connection failed',
      'Certificate blocked',
      'Answer blocked',
      'Key failed',
      'Accepted blocked',
    ]);
    assert.equal(
      written(steps[3]?.detail ?? assert.fail()),
      'Not checked, because "Connection" has failed.',
    );
    assert.equal(
      written(steps[5]?.detail ?? assert.fail()),
      'Not checked, because "Connection" has failed.',
    );
    assert.equal(
      verdictOf(steps, english),
      'First cause: Connection. h:9 refuses the connection: nothing listens on this port ' +
        '(ECONNREFUSED). Check the address and its port, and that the service runs.',
    );
    assert.equal(firstFailure(steps)?.action, 'setUrl');
  });

  it('goes on after what does not apply and after an error', async () => {
    const { steps } = await run([
      check('One', skipped(sentence('does not apply'))),
      check('Two', new ServiceError('offline', ''), ['One']),
      check('Three', ok(sentence('fine')), ['One']),
    ]);
    assert.deepEqual(verdicts(steps), ['One skipped', 'Two failed', 'Three ok']);
  });

  it('takes no time in a dialog for time of the network', async () => {
    const clock = new VirtualTime();
    const paid: Check = {
      title: sentence('Paid'),
      consent: async () => {
        await clock.advance(3600_000);
        return undefined;
      },
      run: async signal => {
        assert.equal(signal.aborted, false);
        return reflexFinding('benign', { usd: 0.001, isExact: false });
      },
    };
    const { steps } = await run([paid], never(), clock);
    assert.deepEqual([steps[0]?.verdict, steps[0]?.ms], ['ok', 0]);
    assert.equal(
      verdictOf(steps, english),
      'The connection works. The paid classification works. It cost $0.001 (estimate).',
    );
  });

  it('does not run what was not agreed to', async () => {
    const declined: Check = {
      title: sentence('Paid'),
      consent: async () => skipped(sentence('Not wanted.')),
      run: async () => assert.fail('ran'),
    };
    const { steps } = await run([declined]);
    assert.deepEqual([steps[0]?.verdict, steps[0]?.ms], ['skipped', undefined]);
    assert.equal(verdictOf(steps, english), 'The connection works.');
  });

  it('gives up on a check that takes too long, with its own advice', async () => {
    const clock = new VirtualTime();
    const stuck: Check = {
      title: sentence('Answer'),
      timeoutAdvice: sentence('Try later.'),
      run: async () => {
        void clock.advance(20_000);
        return new Promise(() => undefined);
      },
    };
    const { steps } = await run(
      [stuck, check('Next', ok(sentence('fine')), ['Answer'])],
      never(),
      clock,
    );
    assert.deepEqual(verdicts(steps), ['Answer failed', 'Next blocked']);
    assert.match(
      verdictOf(steps, english),
      /^First cause: Answer\. No result after 20 s\. Try later\.$/,
    );
  });

  it('ends at once when it is canceled, also in a check that cannot be stopped', async () => {
    const controller = new AbortController();
    const { steps, begun } = await run(
      [
        {
          title: sentence('Stuck'),
          run: async () => {
            setImmediate(() => controller.abort());
            return new Promise(() => undefined);
          },
        },
        { title: sentence('Never'), run: async () => assert.fail('ran') },
      ],
      controller.signal,
    );
    assert.deepEqual(begun, ['Stuck']);
    assert.deepEqual(
      steps.map(({ verdict }) => verdict),
      ['canceled', 'canceled'],
    );
    assert.deepEqual(
      steps.map(({ detail }) => written(detail)),
      ['Canceled while it ran.', 'Not run.'],
    );
    assert.equal(verdictOf(steps, english), 'Canceled before all checks had run.');
  });

  it('reads as a report, without links that others wrote', () => {
    const text = diagnosisReportText({
      at: now,
      facts: [['Splice', '1.2.3']],
      steps: [
        { title: sentence('Address'), ...ok(sentence('https://api.example.com')), ms: 0 },
        {
          title: sentence('Answer'),
          ...error('server', { serverText: '[x](http://e)\n<img src=//e>' }),
          ms: 12,
        },
        { title: sentence('Clock'), verdict: 'skipped', detail: sentence('No answer.') },
      ],
    });
    assert.equal(
      text,
      `# Splice connection report

2026-11-21 12:00:00 UTC

**First cause: Answer. The service failed. It said: \\[x\\](http://e) \\<img src=//e>. (server) Try again later; quote the request id when you report it.**

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
