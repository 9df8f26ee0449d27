import { formatUsd } from '../../base/format/money';
import { utcDayText } from '../../base/format/times';
import { type Sentence, sentence, verbatim } from '../../base/sentence';
import {
  type AdviceAction,
  actionsAfter,
  type Catalogue,
  type Cost,
  ServiceError,
  sentenceFor,
} from '../../service';
import type { CheckFinding } from './evaluate';

/** The result of each check of a connection: one sentence and one next step. */

export const ok = (detail: Sentence): CheckFinding => ({ verdict: 'ok', detail });
export const skipped = (detail: Sentence): CheckFinding => ({ verdict: 'skipped', detail });
const attention = (detail: Sentence, next: Sentence): CheckFinding => ({
  verdict: 'attention',
  detail,
  next,
});
const failed = (detail: Sentence, next: Sentence, action?: AdviceAction): CheckFinding => ({
  verdict: 'failed',
  detail,
  next,
  ...(action && { action }),
});

const lookAtLog = sentence('Run "Splice: Show Log" and look at the last lines.');

const advice = {
  noUrl: sentence('Run "Splice: Connect to Service…".'),
  badUrl: sentence('Run "Splice: Set Service URL…".'),
  noKey: sentence('Run "Splice: Set API Key…".'),
  keyring: sentence('Unlock the keyring of the system, then diagnose again.'),
  unauthorized: sentence('Run "Splice: Set API Key…" with a key from the account of this service.'),
  forbidden: sentence('Ask the owner of the account what this key may do.'),
  payment: sentence('Check the account of the service.'),
  rateLimited: sentence('Wait, then try again.'),
  notFound: sentence(
    'Check the path of the service address: it may lack a part or have one too many.',
  ),
  server: sentence('Try again later; quote the request id when you report it.'),
  offline: sentence('Check the network, the service address and the proxy settings (http.proxy).'),
  connection: sentence('Try again; if it stays, check the proxy and any firewall in between.'),
  timeout: sentence('Try again; if it stays, check the proxy and any firewall in between.'),
  certificate: sentence(
    'Install the certificate authority of your network in the operating system, and keep "http.systemCertificates" on.',
  ),
  redirect: sentence('Set the address that the redirect names, if you trust it.'),
  proxyLogin: sentence(
    'Set "http.proxyAuthorization", or set "splice.network.transport" to "host".',
  ),
  protocol: sentence(
    'Check that the service address belongs to the service, not to a page before it.',
  ),
  paused: sentence('Wait, then try again.'),
  budget: sentence('Run "Splice: Change Budget".'),
} satisfies Partial<Record<ServiceError['kind'], Sentence>>;

const adviceAfter: Partial<Record<ServiceError['kind'], Sentence>> = advice;

/** Commands that a message of a diagnosis may offer. */
const offered: readonly AdviceAction[] = [
  'setApiKey',
  'changeApiKey',
  'setUrl',
  'connect',
  'changeBudget',
  'unlockKeyring',
];

export function errorFinding(error: unknown): CheckFinding {
  if (!(error instanceof ServiceError)) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return failed(sentence('The check itself failed{0}.', code), lookAtLog, 'showLog');
  }
  const { kind, status, code, requestId, attempts } = error;
  const facts = [
    kind,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(code === undefined ? [] : [code]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ];
  return failed(
    sentence('{0} ({1})', sentenceFor(error), facts.join(', ')),
    adviceAfter[kind] ?? lookAtLog,
    actionsAfter(kind).find(action => offered.includes(action)),
  );
}

/** @param keyOrigins the origins that a key is stored for. */
export function keyFinding(origin: string, keyOrigins: readonly string[]): CheckFinding {
  const [keyOrigin] = keyOrigins;
  if (keyOrigins.includes(origin)) return ok(sentence('A key is stored for this address.'));
  if (keyOrigin === undefined) {
    return failed(sentence('No key is stored.'), advice.noKey, 'setApiKey');
  }
  return failed(
    sentence('The stored key belongs to {0} and is not sent here.', keyOrigin),
    sentence('Run "Splice: Set API Key…" to store one for this address.'),
    'setApiKey',
  );
}

/** @param proxy as VS Code decided; credentials are dropped here. */
export function proxyFinding(proxy: string | undefined): CheckFinding {
  if (proxy === undefined) return ok(sentence('None: connections are direct.'));
  const { protocol = '', host = '' } = URL.canParse(proxy) ? new URL(proxy) : {};
  // `user:password@host` without http:// reads as an address too, with the user as its protocol.
  if (!host) {
    return attention(
      sentence('A proxy is set, with an address that cannot be read.'),
      sentence('Correct "http.proxy", for example to http://proxy.example:8080.'),
    );
  }
  if (protocol === 'http:' || protocol === 'https:') return ok(verbatim(`${protocol}//${host}`));
  return attention(
    sentence("{0}, a kind that only VS Code's own fetch knows.", `${protocol}//${host}`),
    sentence('Nothing, if the checks below succeed; requests then go over the fetch of VS Code.'),
  );
}

export interface NameResult {
  readonly addresses?: readonly string[];
  /** `ENOTFOUND`, … */
  readonly code?: string;
}

export function nameFinding(host: string, result: NameResult, isProxied: boolean): CheckFinding {
  const { addresses = [], code = 'no address' } = result;
  if (addresses.length > 0) return ok(sentence('{0} is {1}.', host, addresses.join(', ')));
  if (isProxied) {
    return ok(
      sentence('This computer does not know {0} ({1}); the proxy resolves it.', host, code),
    );
  }
  return failed(
    sentence('The name {0} is not known ({1}).', host, code),
    sentence('Check the service address for a typing error, and the network or VPN.'),
    'setUrl',
  );
}

/** Why no connection could be made. */
export interface ProbeFailure {
  /** With the port, where it is not the default one. */
  readonly host: string;
  /** True when the proxy failed, not the server. */
  readonly isProxy: boolean;
  /** `ECONNREFUSED`, … */
  readonly code?: string;
  /** The proxy's answer to CONNECT. */
  readonly status?: number;
}

const reasons: readonly (readonly [codes: RegExp, reason: Sentence, next: Sentence])[] = [
  [
    /REFUSED$/,
    sentence('refuses the connection: nothing listens on this port'),
    sentence('Check the address and its port, and that the service runs.'),
  ],
  [
    /^(ENOTFOUND|EAI_\w+)$|NAME_/,
    sentence('has a name that is not known'),
    sentence('Check the address for a typing error, and the network or VPN.'),
  ],
  [
    /TIMEDOUT|TIMEOUT|TIMED_OUT/,
    sentence('does not answer'),
    sentence('Check the address; a firewall or a VPN may drop the connection.'),
  ],
  [
    /UNREACH|HOSTDOWN|NETDOWN|DISCONNECTED|EADDRNOTAVAIL/,
    sentence('cannot be reached over this network'),
    sentence('Check the network connection and the VPN.'),
  ],
  [
    /^(ECONNRESET|EPIPE|EPROTO)$|SOCKET|CLOSED/,
    sentence('closes the connection at once'),
    sentence('Check the address and its port, and any firewall in between.'),
  ],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH/,
    sentence('does not speak TLS on this port'),
    sentence('Check the port, and whether the address must begin with https://.'),
  ],
  [
    /^ERR_SSL|HANDSHAKE|PROTOCOL/,
    sentence('could not agree on a way to encrypt'),
    sentence('The server may be too old, or a firewall may be in between.'),
  ],
];

/** No connection to the server, or to the proxy. */
export function connectionFinding({
  host,
  isProxy,
  code = '',
  status,
}: ProbeFailure): CheckFinding {
  if (status === 407) {
    return attention(
      sentence('The proxy {0} asks for a login (status 407).', host),
      advice.proxyLogin,
    );
  }
  if (status !== undefined) {
    return failed(
      sentence('The proxy {0} refuses to connect to the service (status {1}).', host, status),
      sentence(
        'Ask whoever runs the proxy to let the service through, or correct "http.proxy" and "http.noProxy".',
      ),
    );
  }
  const known = reasons.find(([codes]) => codes.test(code));
  const [, reason, next] = known ?? [undefined, sentence('cannot be reached'), advice.offline];
  return failed(
    sentence('{0} {1} ({2}).', isProxy ? sentence('The proxy {0}', host) : host, reason, code),
    isProxy ? sentence('Check "http.proxy" and that the proxy runs.') : next,
    isProxy ? undefined : 'setUrl',
  );
}

export interface TlsResult {
  readonly subject: string;
  readonly issuer: string;
  /** ms since the epoch. */
  readonly validTo: number;
  readonly protocol: string;
  /** `h2`, `http/1.1`; absent where none was agreed on. */
  readonly application?: string | undefined;
  /** Why the certificate is not trusted, as a code. */
  readonly problem?: string | undefined;
}

const dayMs = 24 * 3600_000;

export function tlsFinding(
  { subject, issuer, validTo, protocol, application, problem }: TlsResult,
  now: number,
  isStrict: boolean,
): CheckFinding {
  const until = Number.isNaN(validTo) ? 'unknown' : utcDayText(validTo);
  const detail = sentence(
    '{0}; certificate of {1}, issued by {2}, valid until {3}',
    application ? sentence('{0} with {1}', protocol, application) : protocol,
    subject,
    issuer,
    until,
  );
  if (problem !== undefined) {
    const told = sentence('{0}; not trusted: {1}.', detail, problem);
    if (!isStrict) {
      return attention(
        sentence('{0} Accepted all the same, because "http.proxyStrictSSL" is off.', told),
        sentence(
          'Install the certificate authority instead, and set "http.proxyStrictSSL" to true.',
        ),
      );
    }
    if (/EXPIRED|NOT_YET_VALID/.test(problem)) {
      return failed(
        told,
        sentence(
          'Check the date of this computer; else the owner of the service must renew the certificate.',
        ),
      );
    }
    if (/ALTNAME/.test(problem)) {
      return failed(
        told,
        sentence('The certificate is for another name: check the service address.'),
        'setUrl',
      );
    }
    return failed(told, advice.certificate);
  }
  const days = Math.floor((validTo - now) / dayMs);
  if (days < 14) {
    return attention(
      sentence(days === 1 ? '{0} (in 1 day).' : '{0} (in {1} days).', detail, days),
      sentence('The owner of the service should renew the certificate.'),
    );
  }
  return ok(sentence('{0}.', detail));
}

const transportNames = {
  undici: sentence("over Splice's own client (HTTP/2 where the service has it)"),
  host: sentence('over the fetch of VS Code'),
};
export type TransportName = keyof typeof transportNames;

/**
 * An answer to a request without a key; 401 is what a service says to that.
 * @param contentType of the answer.
 */
export function answerFinding(
  status: number,
  transport: TransportName,
  contentType: string | null,
): CheckFinding {
  const over = transportNames[transport];
  if (status === 407) {
    return failed(sentence('The proxy asks for a login ({0}).', over), advice.proxyLogin);
  }
  if (status === 0 || (status >= 300 && status < 400)) {
    return failed(
      sentence(
        'The address redirects ({0}, {1}). Splice follows no redirect, because the key would go with it.',
        status,
        over,
      ),
      sentence('Set the address that the service really has.'),
      'setUrl',
    );
  }
  // The sign-in page of a network answers with 200, 403 or 511.
  const isPage = /html/i.test(contentType ?? '');
  if (status === 511 || (isPage && (status < 300 || status === 403))) {
    return failed(
      sentence(
        'A web page answers {0} (status {1}), not the service: a sign-in page of the network, or another site.',
        over,
        status,
      ),
      sentence('Open a browser and sign in to the network; else check the service address.'),
      'setUrl',
    );
  }
  if (status >= 500) {
    return failed(sentence('The service answered {0} {1}.', status, over), advice.server);
  }
  if (status === 401 || status === 403) {
    return ok(
      sentence('The service answers {0}; it refused a request without a key, as it should.', over),
    );
  }
  if (status === 404) {
    return failed(
      sentence('Something answers {0}, but does not know the path (404).', over),
      advice.notFound,
      'setUrl',
    );
  }
  return ok(sentence('The service answers {0} (status {1}).', over, status));
}

/** A larger difference breaks certificates and waiting times. */
const clockToleranceMs = 60_000;

/** @param date `Date` header of an answer. @param at ms since the epoch when it came. */
export function clockFinding(date: string | null | undefined, at: number): CheckFinding {
  const served = date ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(served)) return skipped(sentence('The answer had no date.'));
  const behindMs = served - at;
  const seconds = Math.round(Math.abs(behindMs) / 1000);
  // The header has whole seconds.
  if (seconds <= 2) return ok(sentence('Equal to that of the service, within 2 s.'));
  const detail =
    behindMs > 0
      ? sentence('This computer is {0} s behind the service.', seconds)
      : sentence('This computer is {0} s ahead of the service.', seconds);
  if (Math.abs(behindMs) <= clockToleranceMs) return ok(detail);
  return attention(
    detail,
    sentence('Set the clock of this computer: certificates and waiting times depend on it.'),
  );
}

export function catalogueFinding({ models, source, problem }: Catalogue): CheckFinding {
  if (source === 'live')
    return ok(
      sentence(models.length === 1 ? 'Live, 1 model.' : 'Live, {0} models.', models.length),
    );
  const table = sentence('The table built into Splice, {0} models.', models.length);
  return attention(
    problem ? sentence('{0} {1}', table, sentenceFor(problem)) : table,
    sentence('Nothing has to be done: prices are then marked as estimates.'),
  );
}

export function reflexFinding(selected: string | undefined, cost: Cost | undefined): CheckFinding {
  const price = cost
    ? sentence(
        cost.isExact ? 'It cost {0} (exact).' : 'It cost {0} (estimate).',
        formatUsd(cost.usd),
      )
    : sentence('Its cost is not known.');
  return {
    ...ok(sentence('Answered: {0}. {1}', selected ?? sentence('no confident label'), price)),
    note: sentence('The paid classification works. {0}', price),
  };
}
