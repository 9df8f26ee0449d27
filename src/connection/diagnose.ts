import net from 'node:net';
import os from 'node:os';
import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { formatUsd } from '../base/format/money';
import { redact } from '../base/redact';
import { sentence, translated, verbatim } from '../base/sentence';
import { isRecord, textOf } from '../base/typeGuards';
import type { OpenTransport } from '../platform/client/client';
import { certificates, networkSettings, proxyOf, transportFact } from '../platform/client/network';
import { confirm } from '../platform/confirm';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { type AdviceAction, eventPrices, parseBaseUrl } from '../service';
import {
  type Check,
  type CheckFinding,
  diagnosisReportText,
  firstFailure,
  runChecks,
  verdictOf,
} from './checks/evaluate';
import {
  answerFinding,
  catalogueFinding,
  clockFinding,
  connectionFinding,
  keyFinding,
  nameFinding,
  ok,
  proxyFinding,
  reflexFinding,
  skipped,
  tlsFinding,
} from './checks/findings';
import { certificateOf, connectionFailure, type ProbeOptions, resolveName } from './checks/probe';
import { probeService } from './checks/probeService';

const { t } = vscode.l10n;

export interface Diagnosis {
  readonly text: string;
  /** One sentence. */
  readonly verdict: string;
  readonly isWell: boolean;
  /** The command that can fix the first cause. */
  readonly action?: AdviceAction | undefined;
}

export type DiagnosedClient = Pick<GatedClient, 'listEndpoints' | 'catalogue' | 'predict'>;

/** Runs all checks in order. Only the last one costs money, and it asks first. */
export async function diagnoseConnection(
  host: Host,
  client: DiagnosedClient,
  transport: OpenTransport,
  options: { readonly signal: AbortSignal; readonly onCheck: (title: string) => void },
): Promise<Diagnosis> {
  const steps = await runChecks(checksOf(host, client, transport), {
    signal: options.signal,
    onCheck: title => options.onCheck(translated(title, t)),
    clock: systemClock,
  });
  const report = diagnosisReportText({ at: systemClock.now(), facts: facts(host), steps });
  const home = os.homedir();
  // Our own texts contain no secrets; those of the service and the system might.
  const clean = redact(home.length > 1 ? report.replaceAll(home, '~') : report);
  return {
    text: clean,
    verdict: redact(verdictOf(steps, t)),
    isWell: steps.every(({ verdict }) => verdict === 'ok' || verdict === 'skipped'),
    action: firstFailure(steps)?.action,
  };
}

function facts({ context }: Host): [string, string][] {
  const manifest: unknown = context.extension.packageJSON;
  const version = isRecord(manifest) ? textOf(manifest['version']) : undefined;
  const { rejectUnauthorized, systemCertificates } = networkSettings();
  // The part after the + is the name of a machine.
  const remote = vscode.env.remoteName?.split('+')[0] ?? 'none';
  return [
    ['Splice', version ?? 'unknown'],
    ['VS Code', `${vscode.version}, ${vscode.env.appName}`],
    ['Platform', `${os.platform()} ${os.release()}, ${os.arch()}, Node ${process.versions.node}`],
    ['Remote', /^[a-z-]+$/.test(remote) ? remote : 'yes'],
    ['splice.network.transport', transportFact()],
    ['splice.apply.engine', settings.engine],
    ['http.proxyStrictSSL', String(rejectUnauthorized)],
    ['http.systemCertificates', String(systemCertificates)],
  ];
}

const titles = {
  address: sentence('Service address'),
  proxy: sentence('Proxy'),
  name: sentence('Name resolution'),
  connection: sentence('Connection'),
  certificate: sentence('Certificate'),
  answer: sentence('Answer'),
  clock: sentence('Clock'),
  key: sentence('API key'),
  accepted: sentence('Key accepted'),
  catalogue: sentence('Model catalogue'),
  classification: sentence('One classification'),
};

/** In the order in which a request passes the layers, so that the first failure is the cause. */
function checksOf(host: Host, client: DiagnosedClient, transport: OpenTransport): Check[] {
  let url = new URL('https://address.invalid');
  let proxy: string | undefined;
  let answer: { date: string | null; at: number } | undefined;

  const probeOptions = (signal: AbortSignal): ProbeOptions => {
    const { systemCertificates, rejectUnauthorized, proxyAuthorization } = networkSettings();
    return {
      proxy,
      ca: systemCertificates ? certificates() : undefined,
      rejectUnauthorized,
      proxyAuthorization,
      signal,
    };
  };
  /** Why the layers below HTTP cannot be checked separately. */
  const unseen = async (): Promise<CheckFinding | undefined> => {
    if (proxy !== undefined && !/^https?:/i.test(proxy)) {
      return skipped(sentence('Only VS Code can use this kind of proxy.'));
    }
    if ((await transport()).used(url.origin) === 'host') {
      return skipped(sentence('VS Code makes the connection: "Answer" shows whether it can.'));
    }
    return undefined;
  };

  return [
    {
      title: titles.address,
      run: async () => {
        if (!settings.baseUrl) {
          return {
            verdict: 'failed',
            detail: sentence('None is set. Splice works with its local engines only.'),
            next: sentence('Run "Splice: Connect to Service…" to use one.'),
            action: 'connect',
          };
        }
        url = parseBaseUrl(settings.baseUrl);
        return ok(verbatim(url.origin));
      },
    },
    {
      title: titles.proxy,
      needs: [titles.address],
      run: async () => {
        proxy = await proxyOf(url);
        return proxyFinding(proxy);
      },
    },
    {
      title: titles.name,
      needs: [titles.proxy],
      run: async () => {
        const name = url.hostname.replace(/^\[|\]$/g, '');
        if (net.isIP(name)) return skipped(sentence('The address is a number, not a name.'));
        return nameFinding(name, await resolveName(name), proxy !== undefined);
      },
    },
    {
      title: titles.connection,
      needs: [titles.name],
      run: async signal => {
        const reason = await unseen();
        if (reason) return reason;
        const failure = await connectionFailure(url, probeOptions(signal));
        if (failure) return connectionFinding(failure);
        return ok(
          proxy === undefined
            ? sentence('{0} accepts connections.', url.host)
            : sentence('The proxy {0} connects to {1}.', new URL(proxy).host, url.host),
        );
      },
    },
    {
      title: titles.certificate,
      needs: [titles.connection],
      run: async signal => {
        if (url.protocol === 'http:') {
          return skipped(sentence('http to this computer has no certificate.'));
        }
        const reason = await unseen();
        if (reason) return reason;
        const result = await certificateOf(url, probeOptions(signal));
        if (!('subject' in result)) {
          return result.status === 407
            ? skipped(sentence('The proxy asks for a login before it lets this check through.'))
            : connectionFinding(result);
        }
        return tlsFinding(result, systemClock.now(), networkSettings().rejectUnauthorized);
      },
    },
    {
      title: titles.answer,
      needs: [titles.certificate],
      timeoutAdvice: sentence(
        'The service takes connections but does not answer. Try again later; a proxy or firewall may hold the answer back.',
      ),
      run: async signal => {
        const way = await transport();
        const { status, contentType, date } = await probeService(way, url, signal);
        answer = { date, at: systemClock.now() };
        return answerFinding(status, way.used(url.origin), contentType);
      },
    },
    {
      title: titles.clock,
      needs: [titles.answer],
      run: async () => clockFinding(answer?.date, answer?.at ?? 0),
    },
    {
      title: titles.key,
      needs: [titles.address],
      run: async () =>
        keyFinding(
          url.origin,
          (await host.apiKeys.all()).map(({ origin }) => origin),
        ),
    },
    {
      title: titles.accepted,
      needs: [titles.answer, titles.key],
      run: async signal => {
        const { endpoints } = await client.listEndpoints({ signal });
        return ok(
          sentence('The service accepts the key. Dedicated endpoints: {0}.', endpoints.length),
        );
      },
    },
    {
      title: titles.catalogue,
      needs: [titles.answer],
      run: async signal => catalogueFinding(await client.catalogue({ signal })),
    },
    {
      title: titles.classification,
      needs: [titles.accepted],
      consent: async () =>
        (await agreesToPay())
          ? undefined
          : skipped(sentence('Not wanted, because it costs money.')),
      run: async signal => {
        const { selected, cost } = await client.predict(
          { model: 'jailbreak', text: 'Hello' },
          { signal, sending: { purpose: 'test' } },
        );
        return reflexFinding(selected[0]?.label, cost);
      },
    },
  ];
}

async function agreesToPay(): Promise<boolean> {
  const price = formatUsd(eventPrices.reflex.first);
  return confirm(
    t('Send one paid classification, to test the whole way?'),
    t(
      'The word "Hello" is classified by the reflex "jailbreak". The price is {0}. Nothing else is sent.',
      price,
    ),
    t('Send for {0}', price),
    t('Do Not Send'),
  );
}
