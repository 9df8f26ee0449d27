import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import type { CheckFinding } from '../../../../src/connection/checks/evaluate';
import {
  answerFinding,
  catalogueFinding,
  clockFinding,
  connectionFinding,
  errorFinding,
  keyFinding,
  nameFinding,
  proxyFinding,
  reflexFinding,
  tlsFinding,
} from '../../../../src/connection/checks/findings';
import { type ErrorKind, ServiceError } from '../../../../src/service/errors';
import { assertApproved } from '../../../support/unit/approved';

const now = Date.UTC(2026, 10, 20, 12);
const day = 24 * 3_600_000;
const host = 'a.example.org';

const shown = (found: readonly (readonly [name: string, finding: CheckFinding])[]): string =>
  found
    .map(([name, { verdict, detail, next, action, note }]) =>
      [
        name,
        `    ${verdict}: ${written(detail)}`,
        ...(next === undefined ? [] : [`    next: ${written(next)}`]),
        ...(action === undefined ? [] : [`    action: ${action}`]),
        ...(note === undefined ? [] : [`    note: ${written(note)}`]),
        '',
      ].join('\n'),
    )
    .join('');

describe('the findings of a diagnosis', () => {
  it('about the address, the key and the proxy', () =>
    assertApproved(
      'findingsOfAccount',
      shown([
        ['key here', keyFinding('https://a', ['https://a'])],
        ['no key', keyFinding('https://a', [])],
        ['key elsewhere', keyFinding('https://a', ['https://b'])],
        ...[
          undefined,
          'http://proxy:8080',
          'https://u:p@proxy',
          'socks5://proxy:1',
          'u:p@proxy',
          'no address',
          '',
        ].map((proxy): [string, CheckFinding] => [`proxy ${proxy}`, proxyFinding(proxy)]),
        ['name', nameFinding(host, { addresses: ['1.2.3.4', '::1'] }, false)],
        ['no name', nameFinding(host, { code: 'ENOTFOUND' }, false)],
        ['no address', nameFinding(host, { addresses: [] }, false)],
        ['no name, behind a proxy', nameFinding(host, { code: 'ENOTFOUND' }, true)],
      ]),
    ));

  it('about connections that cannot be made', () => {
    const codes =
      'ECONNREFUSED ERR_CONNECTION_REFUSED ENOTFOUND EAI_AGAIN ERR_NAME_NOT_RESOLVED ETIMEDOUT UND_ERR_CONNECT_TIMEOUT ERR_CONNECTION_TIMED_OUT ENETUNREACH EHOSTDOWN ENETDOWN ERR_INTERNET_DISCONNECTED EADDRNOTAVAIL ECONNRESET EPIPE EPROTO UND_ERR_SOCKET ERR_CONNECTION_CLOSED ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_HTTP_REQUEST ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_NO_CIPHER ERR_TLS_HANDSHAKE ESOMETHING';
    assertApproved(
      'findingsOfConnections',
      shown([
        ...codes.split(' ').flatMap((code): [string, CheckFinding][] => [
          [code, connectionFinding({ host, isProxy: false, code })],
          [`${code} of the proxy`, connectionFinding({ host, isProxy: true, code })],
        ]),
        ['no code', connectionFinding({ host, isProxy: false })],
        ['status 407', connectionFinding({ host, isProxy: true, status: 407 })],
        ['status 403', connectionFinding({ host, isProxy: true, status: 403 })],
      ]),
    );
  });

  it('about certificates', () => {
    const tls = {
      subject: host,
      issuer: 'An Authority',
      validTo: now + 100 * day,
      protocol: 'TLSv1.3',
      application: 'h2',
    };
    const problems = [
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'SELF_SIGNED_CERT_IN_CHAIN',
    ];
    assertApproved(
      'findingsOfCertificates',
      shown([
        ['good', tlsFinding(tls, now, true)],
        ['no application', tlsFinding({ ...tls, application: undefined }, now, true)],
        ['14 days', tlsFinding({ ...tls, validTo: now + 14 * day }, now, true)],
        ['nearly 14 days', tlsFinding({ ...tls, validTo: now + 14 * day - 1 }, now, true)],
        ['no end', tlsFinding({ ...tls, validTo: Number.NaN }, now, true)],
        ...problems.flatMap((problem): [string, CheckFinding][] => [
          [problem, tlsFinding({ ...tls, problem }, now, true)],
          [`${problem}, not strict`, tlsFinding({ ...tls, problem }, now, false)],
        ]),
      ]),
    );
  });

  it('about a certificate that ends tomorrow, and a name with one address', () => {
    const tls = { subject: host, issuer: 'An Authority', protocol: 'TLSv1.3', application: 'h2' };
    const detailAfter = (days: number): string =>
      written(tlsFinding({ ...tls, validTo: now + days * day }, now, true).detail);
    assert.match(detailAfter(1), / \(in 1 day\)\.$/);
    assert.match(detailAfter(2), / \(in 2 days\)\.$/);
    const found = nameFinding(host, { addresses: ['192.0.2.1'] }, false);
    assert.deepEqual([found.verdict, written(found.detail)], ['ok', 'a.example.org is 192.0.2.1.']);
  });

  it('about answers, the clock, the catalogue and a call', () => {
    const statuses = [0, 200, 204, 299, 300, 302, 399, 400, 401, 403, 404, 407, 500, 503, 511];
    const at = (seconds: number): string => new Date(now + seconds * 1000).toUTCString();
    assertApproved(
      'findingsOfAnswers',
      shown([
        ...statuses.flatMap((status): [string, CheckFinding][] => [
          [`${status} undici json`, answerFinding(status, 'undici', 'application/json')],
          [`${status} host html`, answerFinding(status, 'host', 'text/HTML; charset=utf-8')],
          [`${status} none`, answerFinding(status, 'host', null)],
        ]),
        ...[0, 2, 3, -3, 60, 61, -60, -61].map((seconds): [string, CheckFinding] => [
          `clock ${seconds}`,
          clockFinding(at(seconds), now),
        ]),
        ['no date', clockFinding(null, now)],
        ['no real date', clockFinding('today', now)],
        ['live', catalogueFinding({ models: [], unreadable: 0, source: 'live' })],
        ['built in', catalogueFinding({ models: [], unreadable: 0, source: 'builtIn' })],
        [
          'built in, why',
          catalogueFinding({
            models: [],
            unreadable: 0,
            source: 'builtIn',
            problem: new ServiceError('offline', 'x'),
          }),
        ],
        ['exact', reflexFinding('benign', { usd: 0.001, isExact: true })],
        ['estimate', reflexFinding(undefined, { usd: 0.001, isExact: false })],
        ['no cost', reflexFinding('benign', undefined)],
      ]),
    );
  });

  it('about failures of calls', () => {
    const kinds: ErrorKind[] = [
      'noUrl',
      'badUrl',
      'noKey',
      'keyring',
      'unauthorized',
      'forbidden',
      'payment',
      'rateLimited',
      'badRequest',
      'notFound',
      'server',
      'connection',
      'offline',
      'certificate',
      'timeout',
      'protocol',
      'redirect',
      'proxyLogin',
      'budget',
      'paused',
    ];
    const tried = new ServiceError('server', 'x', { status: 500, code: 'c', requestId: 'req_1' });
    tried.attempts = 3;
    const once = new ServiceError('server', 'x');
    once.attempts = 1;
    assertApproved(
      'findingsOfFailures',
      shown([
        ...kinds.map((kind): [string, CheckFinding] => [
          kind,
          errorFinding(new ServiceError(kind, 'detail', { host })),
        ]),
        ['with all facts', errorFinding(tried)],
        ['after one attempt', errorFinding(once)],
        ['an error with a code', errorFinding(Object.assign(new Error('x'), { code: 'EX' }))],
        ['something else', errorFinding('x')],
      ]),
    );
  });
});
