import { explain } from './advice';
import { formatUsd } from './billing/pricing';
import { ServiceError } from './errors';
import type { Cost } from './operation';
import { type Clock, isAbortError } from './time';
import type { Catalogue } from './wire/catalogue';

/**
 * The checks of a connection and the report of them. In English everywhere: the report is made to be
 * pasted where somebody else reads it. It holds no key, no user name and no path.
 */

export type Verdict = 'ok' | 'attention' | 'failed' | 'skipped' | 'canceled';

export interface Finding {
  readonly verdict: Verdict;
  /** A sentence, without secrets. */
  readonly detail: string;
  /** What the user can do. */
  readonly next?: string | undefined;
}

export interface Check {
  readonly title: string;
  run(signal: AbortSignal): Promise<Finding>;
}

export interface Step extends Finding {
  readonly title: string;
  /** Absent where nothing ran. */
  readonly ms?: number;
}

export interface Report {
  /** ms since the epoch. */
  readonly at: number;
  /** Names and values. */
  readonly facts: readonly (readonly [string, string])[];
  readonly steps: readonly Step[];
}

export const ok = (detail: string): Finding => ({ verdict: 'ok', detail });
export const skipped = (detail: string): Finding => ({ verdict: 'skipped', detail });
const attention = (detail: string, next: string): Finding => ({
  verdict: 'attention',
  detail,
  next,
});
const failed = (detail: string, next: string): Finding => ({ verdict: 'failed', detail, next });

const stepMs = 20_000;

/** Runs one check after the other. A check that throws has failed; once `signal` is aborted none begins. */
export async function runChecks(
  checks: readonly Check[],
  options: {
    readonly signal: AbortSignal;
    readonly clock: Pick<Clock, 'monotonic'>;
    readonly onCheck: (title: string) => void;
  },
): Promise<Step[]> {
  const { signal, clock, onCheck } = options;
  const steps: Step[] = [];
  for (const check of checks) {
    const { title } = check;
    if (signal.aborted) {
      steps.push({ title, verdict: 'canceled', detail: 'Not run.' });
      continue;
    }
    onCheck(title);
    const startedAt = clock.monotonic();
    const limit = AbortSignal.timeout(stepMs);
    const finding = await untilAborted(check.run(AbortSignal.any([signal, limit])), signal, limit);
    const ms = Math.round(clock.monotonic() - startedAt);
    steps.push({ title, ...finding, ...(finding.verdict === 'skipped' ? {} : { ms }) });
  }
  return steps;
}

/** A name look-up or a connection cannot be stopped; its result is then left alone. */
async function untilAborted(
  running: Promise<Finding>,
  signal: AbortSignal,
  limit: AbortSignal,
): Promise<Finding> {
  const settled = running.catch((error: unknown): Finding => {
    if (signal.aborted) return canceled;
    return limit.aborted && isAbortError(error) ? timedOut : errorFinding(error);
  });
  const ended = AbortSignal.any([signal, limit]);
  const aborted = new Promise<Finding>(resolve => {
    const tell = (): void => resolve(signal.aborted ? canceled : timedOut);
    if (ended.aborted) tell();
    else ended.addEventListener('abort', tell, { once: true });
  });
  return Promise.race([settled, aborted]);
}

const canceled: Finding = { verdict: 'canceled', detail: 'Canceled while it ran.' };
const timedOut = failed(
  `No result after ${stepMs / 1000} s.`,
  'Check the network, the proxy settings and any firewall between.',
);

const advice: Partial<Record<ServiceError['kind'], string>> = {
  noUrl: 'Run "Splice: Set Service URL…".',
  badUrl: 'Run "Splice: Set Service URL…".',
  noKey: 'Run "Splice: Set API Key…".',
  unauthorized: 'Run "Splice: Set API Key…" with a key from the account of this service.',
  forbidden: 'Ask the owner of the account what this key may do.',
  payment: 'Check the account of the service.',
  rateLimited: 'Wait, then try again.',
  notFound: 'Check the service address: it may lack or have a path too much.',
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
  budget: 'Change the budget in the settings.',
};

export function errorFinding(error: unknown): Finding {
  const { message } = explain(error);
  if (!(error instanceof ServiceError)) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return failed(
      `The check itself failed${code}.`,
      'Run "Splice: Show Log" and look at the last lines.',
    );
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
    advice[kind] ?? 'Run "Splice: Show Log" and look at the last lines.',
  );
}

/** @param keyOrigin the origin that a key is stored for. */
export function keyFinding(origin: string, keyOrigin: string | undefined): Finding {
  if (keyOrigin === origin) return ok('A key is stored for this address.');
  if (keyOrigin === undefined) return failed('No key is stored.', advice.noKey ?? '');
  return failed(
    `The stored key belongs to ${keyOrigin} and is not sent here.`,
    'Run "Splice: Set API Key…" to store one for this address.',
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
    `${host} is not known (${code}).`,
    'Check the service address for a typing error, and the network or VPN.',
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
    const isTime = /EXPIRED|NOT_YET_VALID/.test(problem);
    return failed(
      told,
      isTime
        ? 'Check the date of this computer; else the owner of the service must renew the certificate.'
        : (advice.certificate ?? ''),
    );
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

/** An answer to a request without a key; 401 is what a service says to that. */
export function answerFinding(status: number, transport: TransportName): Finding {
  const over = `over ${transportNames[transport]}`;
  if (status === 407)
    return failed(`The proxy asks for a login (${over}).`, advice.proxyLogin ?? '');
  if (status === 0 || (status >= 300 && status < 400))
    return failed(
      `The address redirects (${status}, ${over}). Splice follows no redirect, because the key would go with it.`,
      'Set the address that the service really has.',
    );
  if (status >= 500) return failed(`The service answered ${status} ${over}.`, advice.server ?? '');
  if (status === 401 || status === 403)
    return ok(`The service answers ${over}; it refused a request without a key, as it should.`);
  if (status === 404)
    return attention(
      `Something answers ${over}, but does not know the path (404).`,
      advice.notFound ?? '',
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
    ? ` It cost ${formatUsd(cost.usd)} (${cost.isExact ? 'exact' : 'estimate'}).`
    : '';
  return ok(`Answered: ${selected ?? 'no confident label'}.${price}`);
}

const words: Record<Verdict, string> = {
  ok: 'OK',
  attention: 'ATTENTION',
  failed: 'FAILED',
  skipped: 'SKIPPED',
  canceled: 'CANCELED',
};

/** One sentence over all steps. */
export function verdictOf(steps: readonly Step[]): string {
  const count = (verdict: Verdict): number => steps.filter(step => step.verdict === verdict).length;
  if (count('canceled') > 0) return 'Canceled before all checks had run.';
  const bad = steps.filter(({ verdict }) => verdict === 'failed');
  if (bad.length > 0)
    return `Failed: ${bad.map(({ title }) => title).join(', ')}. ${bad[0]?.next ?? ''}`.trim();
  const notes = count('attention');
  if (notes > 0)
    return `The connection works; ${notes === 1 ? '1 check needs' : `${notes} checks need`} attention.`;
  return 'The connection works.';
}

/** Markdown that also reads well as it stands. */
export function reportText({ at, facts, steps }: Report): string {
  const lines = [
    '# Splice connection report',
    '',
    `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`,
    '',
    `**${plain(verdictOf(steps))}**`,
    '',
    '## Checks',
    '',
    ...steps.flatMap(({ title, verdict, detail, next, ms }, index) => [
      `${index + 1}. **${words[verdict]}** ${title}${ms === undefined ? '' : ` (${ms} ms)`}: ${plain(detail)}`,
      ...(next ? [`   - Next: ${plain(next)}`] : []),
    ]),
    '',
    '## Environment',
    '',
    ...facts.map(([name, value]) => `- ${name}: ${plain(value)}`),
    '',
    'No key, user name, path or file content is in this report.',
    '',
  ];
  return lines.join('\n');
}

/** One line, and nothing that a preview would turn into a link or an element: texts of the service are in it. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[<[\]`]/g, '\\$&');
}
