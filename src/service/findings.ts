import { type AdviceAction, explain } from './advice';
import { formatUsd } from './billing/pricing';
import type { Finding } from './diagnosis';
import { ServiceError } from './errors';
import type { Cost } from './operation';
import type { Catalogue } from './wire/catalogue';

/** What each check of a connection says about its result: one sentence, and one next step. */

export const ok = (detail: string): Finding => ({ verdict: 'ok', detail });
export const skipped = (detail: string): Finding => ({ verdict: 'skipped', detail });
const attention = (detail: string, next: string): Finding => ({
  verdict: 'attention',
  detail,
  next,
});
const failed = (detail: string, next: string, action?: AdviceAction): Finding => ({
  verdict: 'failed',
  detail,
  next,
  ...(action && { action }),
});

const lookAtLog = 'Run "Splice: Show Log" and look at the last lines.';

const advice: Partial<Record<ServiceError['kind'], string>> = {
  noUrl: 'Run "Splice: Set Service URL…".',
  badUrl: 'Run "Splice: Set Service URL…".',
  noKey: 'Run "Splice: Set API Key…".',
  keyring: 'Unlock the keyring of the system, then diagnose again.',
  unauthorized: 'Run "Splice: Set API Key…" with a key from the account of this service.',
  forbidden: 'Ask the owner of the account what this key may do.',
  payment: 'Check the account of the service.',
  rateLimited: 'Wait, then try again.',
  notFound: 'Check the path of the service address: it may lack a part or have one too many.',
  server: 'Try again later; quote the request id when you report it.',
  offline: 'Check the network, the service address and the proxy settings (http.proxy).',
  connection: 'Try again; if it stays, check the proxy and any firewall between.',
  timeout: 'Try again; if it stays, check the proxy and any firewall between.',
  certificate:
    'Install the certificate authority of your network in the operating system, and keep "http.systemCertificates" on.',
  redirect: 'Set the address that the redirect names, if you trust it.',
  proxyLogin: 'Set "http.proxyAuthorization", or set "splice.network.transport" to "host".',
  protocol: 'Check that the service address belongs to the service, not to a page before it.',
  paused: 'Wait, then try again.',
  budget: 'Run "Splice: Change Budget".',
};

/** Commands that a message of a diagnosis may offer. */
const offered: readonly AdviceAction[] = [
  'setApiKey',
  'changeApiKey',
  'setUrl',
  'changeBudget',
  'unlockKeyring',
];

export function errorFinding(error: unknown): Finding {
  const { message, actions } = explain(error);
  if (!(error instanceof ServiceError)) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return failed(`The check itself failed${code}.`, lookAtLog, 'showLog');
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
    `${message} (${facts.join(', ')})`,
    advice[kind] ?? lookAtLog,
    actions.find(action => offered.includes(action)),
  );
}

/** @param keyOrigin the origin that a key is stored for. */
export function keyFinding(origin: string, keyOrigin: string | undefined): Finding {
  if (keyOrigin === origin) return ok('A key is stored for this address.');
  if (keyOrigin === undefined) return failed('No key is stored.', advice.noKey ?? '', 'setApiKey');
  return failed(
    `The stored key belongs to ${keyOrigin} and is not sent here.`,
    'Run "Splice: Set API Key…" to store one for this address.',
    'setApiKey',
  );
}

/** @param proxy as VS Code decided; credentials are dropped here. */
export function proxyFinding(proxy: string | undefined): Finding {
  if (proxy === undefined) return ok('None: connections are direct.');
  const { protocol = '', host = '' } = URL.canParse(proxy) ? new URL(proxy) : {};
  // `user:password@host` without http:// reads as an address too, with the user as its protocol.
  if (!host)
    return attention(
      'A proxy is set, with an address that cannot be read.',
      'Correct "http.proxy", for example to http://proxy.example:8080.',
    );
  if (protocol === 'http:' || protocol === 'https:') return ok(`${protocol}//${host}`);
  return attention(
    `${protocol}//${host}, a kind that only VS Code's own fetch knows.`,
    'Nothing, if the checks below succeed; requests then go over the fetch of VS Code.',
  );
}

export interface NameResult {
  readonly addresses?: readonly string[];
  /** `ENOTFOUND`, … */
  readonly code?: string;
}

export function nameFinding(host: string, result: NameResult, isProxied: boolean): Finding {
  const { addresses = [], code = 'no address' } = result;
  if (addresses.length > 0) return ok(`${host} is ${addresses.join(', ')}.`);
  if (isProxied) return ok(`This computer does not know ${host} (${code}); the proxy resolves it.`);
  return failed(
    `The name ${host} is not known (${code}).`,
    'Check the service address for a typing error, and the network or VPN.',
    'setUrl',
  );
}

/** Why no connection could be made. */
export interface ProbeFailure {
  /** With the port, where it is not the usual one. */
  readonly host: string;
  /** It is the proxy that failed, not the server. */
  readonly isProxy: boolean;
  /** `ECONNREFUSED`, … */
  readonly code?: string;
  /** The proxy's answer to CONNECT. */
  readonly status?: number;
}

const reasons: readonly (readonly [codes: RegExp, reason: string, next: string])[] = [
  [
    /REFUSED$/,
    'refuses the connection: nothing listens on this port',
    'Check the address and its port, and that the service runs.',
  ],
  [
    /^(ENOTFOUND|EAI_\w+)$|NAME_/,
    'has a name that is not known',
    'Check the address for a typing error, and the network or VPN.',
  ],
  [
    /TIMEDOUT|TIMEOUT|TIMED_OUT/,
    'does not answer',
    'Check the address; a firewall or a VPN may drop the connection.',
  ],
  [
    /UNREACH|HOSTDOWN|NETDOWN|DISCONNECTED|EADDRNOTAVAIL/,
    'cannot be reached over this network',
    'Check the network connection and the VPN.',
  ],
  [
    /^(ECONNRESET|EPIPE|EPROTO)$|SOCKET|CLOSED/,
    'closes the connection at once',
    'Check the address and its port, and any firewall between.',
  ],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH/,
    'does not speak TLS on this port',
    'Check the port, and whether the address must begin with https://.',
  ],
  [
    /^ERR_SSL|HANDSHAKE|PROTOCOL/,
    'could not agree on a way to encrypt',
    'The server may be too old, or a firewall stands between.',
  ],
];

/** No connection to the server, or to the proxy before it. */
export function connectionFinding({ host, isProxy, code = '', status }: ProbeFailure): Finding {
  if (status === 407)
    return attention(`The proxy ${host} asks for a login (status 407).`, advice.proxyLogin ?? '');
  if (status !== undefined)
    return failed(
      `The proxy ${host} refuses to connect to the service (status ${status}).`,
      'Ask whoever runs the proxy to let the service through, or correct "http.proxy" and "http.noProxy".',
    );
  const known = reasons.find(([codes]) => codes.test(code));
  const [, reason, next] = known ?? [undefined, 'cannot be reached', advice.offline ?? ''];
  return failed(
    `${isProxy ? `The proxy ${host}` : host} ${reason} (${code}).`,
    isProxy ? 'Check "http.proxy" and that the proxy runs.' : next,
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
): Finding {
  const until = Number.isNaN(validTo) ? 'unknown' : new Date(validTo).toISOString().slice(0, 10);
  const detail =
    `${protocol}${application ? ` with ${application}` : ''}; certificate of ${subject}, ` +
    `issued by ${issuer}, valid until ${until}`;
  if (problem !== undefined) {
    const told = `${detail}; not trusted: ${problem}.`;
    if (!isStrict)
      return attention(
        `${told} Accepted all the same, because "http.proxyStrictSSL" is off.`,
        'Install the certificate authority instead, and set "http.proxyStrictSSL" to true.',
      );
    if (/EXPIRED|NOT_YET_VALID/.test(problem))
      return failed(
        told,
        'Check the date of this computer; else the owner of the service must renew the certificate.',
      );
    if (/ALTNAME/.test(problem))
      return failed(
        told,
        'The certificate is for another name: check the service address.',
        'setUrl',
      );
    return failed(told, advice.certificate ?? '');
  }
  const days = Math.floor((validTo - now) / dayMs);
  if (days < 14)
    return attention(
      `${detail} (in ${days} days).`,
      'The owner of the service should renew the certificate.',
    );
  return ok(`${detail}.`);
}

const transportNames = {
  undici: "Splice's own client (HTTP/2 where the service has it)",
  host: 'the fetch of VS Code',
} as const;
export type TransportName = keyof typeof transportNames;

/**
 * An answer to a request without a key; 401 is what a service says to that.
 * @param contentType of the answer.
 */
export function answerFinding(
  status: number,
  transport: TransportName,
  contentType: string | null,
): Finding {
  const over = `over ${transportNames[transport]}`;
  if (status === 407)
    return failed(`The proxy asks for a login (${over}).`, advice.proxyLogin ?? '');
  if (status === 0 || (status >= 300 && status < 400))
    return failed(
      `The address redirects (${status}, ${over}). Splice follows no redirect, because the key would go with it.`,
      'Set the address that the service really has.',
      'setUrl',
    );
  // The sign-in page of a network answers with 200, 403 or 511.
  const isPage = /html/i.test(contentType ?? '');
  if (status === 511 || (isPage && (status < 300 || status === 403)))
    return failed(
      `A web page answers ${over} (status ${status}), not the service: a sign-in page of the network, or another site.`,
      'Open a browser and sign in to the network; else check the service address.',
      'setUrl',
    );
  if (status >= 500) return failed(`The service answered ${status} ${over}.`, advice.server ?? '');
  if (status === 401 || status === 403)
    return ok(`The service answers ${over}; it refused a request without a key, as it should.`);
  if (status === 404)
    return failed(
      `Something answers ${over}, but does not know the path (404).`,
      advice.notFound ?? '',
      'setUrl',
    );
  return ok(`The service answers ${over} (status ${status}).`);
}

/** More than this, and certificates and waiting times go wrong. */
const clockToleranceMs = 60_000;

/** @param date `Date` header of an answer. @param at ms since the epoch when it came. */
export function clockFinding(date: string | null | undefined, at: number): Finding {
  const served = date ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(served)) return skipped('The answer had no date.');
  const behindMs = served - at;
  const seconds = Math.round(Math.abs(behindMs) / 1000);
  // The header has whole seconds.
  if (seconds <= 2) return ok('Equal to that of the service, within 2 s.');
  const detail = `This computer is ${seconds} s ${behindMs > 0 ? 'behind' : 'ahead of'} the service.`;
  if (Math.abs(behindMs) <= clockToleranceMs) return ok(detail);
  return attention(
    detail,
    'Set the clock of this computer: certificates and waiting times depend on it.',
  );
}

export function catalogueFinding({ models, source, problem }: Catalogue): Finding {
  if (source === 'live') return ok(`Live, ${models.length} models.`);
  const reason = problem ? ` ${explain(problem).message}` : '';
  return attention(
    `The table built into Splice, ${models.length} models.${reason}`,
    'Nothing has to be done: prices are then marked as estimates.',
  );
}

export function reflexFinding(selected: string | undefined, cost: Cost | undefined): Finding {
  const price = cost
    ? `It cost ${formatUsd(cost.usd)} (${cost.isExact ? 'exact' : 'estimate'}).`
    : 'Its cost is not known.';
  return {
    ...ok(`Answered: ${selected ?? 'no confident label'}. ${price}`),
    note: `The paid classification works. ${price}`,
  };
}
