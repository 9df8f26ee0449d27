import { numberText } from '../../base/format/numbers';
import { labelText, type Translate } from '../../base/format/text';
import { exactTimeText, spanText, whenText } from '../../base/format/times';
import { contextValue } from '../../platform/commands/contextValue';
import type { RowData } from '../../platform/tree/rows';
import type { EndpointConnection, EndpointStatus } from '../../service';
import type { ListedEndpoint } from '../core/endpointsSnapshot';
import { appearanceOf, isServing } from '../core/lifecycle';
import { endReason } from '../core/notices';
import type { EndpointFlag } from './endpointFlag';
import { timelineRow } from './eventRows';
import type { EndpointRowsInput } from './rowsInput';

/** Child rows of an endpoint. The state in the list takes precedence because it is read more often. */
export function detailRows(
  endpoint: ListedEndpoint,
  status: EndpointStatus,
  input: EndpointRowsInput,
): RowData[] {
  const { id, state } = endpoint;
  const { t, nowMs, locale } = input;
  const row = (
    key: string,
    label: string,
    description: string,
    icon: string,
    more: Partial<RowData> = {},
  ): RowData => ({
    id: `${id}/${key}`,
    subject: id,
    context: contextValue<EndpointFlag>('detail'),
    label,
    description,
    icon: { id: icon },
    value: description,
    ...more,
  });
  const rows: RowData[] = [];
  const { connection } = status;
  if (isServing(state) && status.state === state && connection) {
    rows.push({
      ...row(
        'connection',
        t('Connection'),
        labelText(connection.servedModelName ?? '', 60),
        'plug',
        {
          context: contextValue<EndpointFlag>('connection'),
        },
      ),
      fold: 'closed',
      children: connectionRows(connection, row, input),
    });
  }
  const { activationDeadline, cancelEffectiveAt } = status;
  const isStarting = appearanceOf(state, t).group === 'starting';
  if (activationDeadline !== undefined && isStarting && status.readyAt === undefined) {
    rows.push(
      row(
        'deadline',
        t('Activation deadline'),
        leftText(activationDeadline, nowMs, t),
        'watch',
        timed(
          activationDeadline,
          nowMs,
          t('The order is refunded unless the endpoint is ready by then.'),
          t,
          locale,
        ),
      ),
    );
  }
  if (cancelEffectiveAt !== undefined && isServing(state)) {
    rows.push(
      row(
        'ends',
        t('Serves until'),
        t(
          '{0} · {1}',
          whenText(cancelEffectiveAt, nowMs, locale),
          leftText(cancelEffectiveAt, nowMs, t),
        ),
        'watch',
        timed(
          cancelEffectiveAt,
          nowMs,
          t('A cancellation was requested. The endpoint serves until then.'),
          t,
          locale,
        ),
      ),
    );
  }
  if (state === 'failed' || state === 'refunding' || state === 'refunded') {
    const { reason } = endReason(status, t);
    if (reason !== undefined) {
      rows.push(
        row('reason', t('Reason'), reason, 'info', {
          tooltip: t('The last event before the order ended: {0}', reason),
        }),
      );
    }
  }
  if (status.planName !== undefined || status.reservedGpuEquivalents !== undefined) {
    const gpus = status.reservedGpuEquivalents;
    const parts = [
      ...(status.planName === undefined ? [] : [labelText(status.planName)]),
      ...(gpus === undefined ? [] : [gpus === 1 ? t('1 GPU') : t('{0} GPUs', gpus)]),
      ...(status.modelHardware === undefined ? [] : [labelText(status.modelHardware)]),
    ];
    rows.push(
      row('plan', t('Plan'), parts.join(' · '), 'server', {
        tooltip: [...parts, t('Reserved capacity is billed, also while it is idle.')].join('\n'),
      }),
    );
  }
  if (status.modelId !== undefined) {
    rows.push(row('model', t('Model'), labelText(status.modelId), 'symbol-misc'));
  }
  if (status.spendCapCents !== undefined) {
    rows.push(row('cap', t('Spend cap'), dollars(status.spendCapCents, locale), 'credit-card'));
  }
  if (status.provisioningStatus !== undefined) {
    rows.push(
      row(
        'provisioning',
        t('Provisioning'),
        t('{0} · diagnostic only', labelText(status.provisioningStatus, 40)),
        'beaker',
        {
          value: status.provisioningStatus,
          tooltip: t(
            'It says nothing about payment, suspension or cancellation; the state above shows those.',
          ),
        },
      ),
    );
  }
  rows.push(timelineRow(endpoint, status, input));
  return rows;
}

type MakeRow = (
  key: string,
  label: string,
  description: string,
  icon: string,
  more?: Partial<RowData>,
) => RowData;

function connectionRows(
  connection: EndpointConnection,
  row: MakeRow,
  { t, locale }: EndpointRowsInput,
): RowData[] {
  const { endpointUrl, servedModelName, contextTokens, maxConcurrency, pricePerM } = connection;
  const rows: RowData[] = [];
  if (endpointUrl !== undefined) {
    rows.push(
      row('url', t('URL'), labelText(endpointUrl, 200), 'link', {
        context: contextValue<EndpointFlag>('url'),
      }),
    );
  }
  if (servedModelName !== undefined) {
    rows.push(
      row('served', t('Model to ask for'), labelText(servedModelName, 120), 'symbol-string', {
        value: servedModelName,
      }),
    );
  }
  if (contextTokens !== undefined) {
    rows.push(
      row('context', t('Context'), t('{0} tokens', numberText(contextTokens, locale)), 'book'),
    );
  }
  if (maxConcurrency !== undefined) {
    rows.push(row('concurrency', t('Requests at once'), `${maxConcurrency}`, 'layers'));
  }
  if (pricePerM) {
    rows.push(
      row(
        'price',
        t('Usage price'),
        t('${0} in, ${1} out per 1M tokens', pricePerM.input, pricePerM.output),
        'tag',
        { tooltip: t('For display of the usage; the bill is for the reserved capacity.') },
      ),
    );
  }
  return rows;
}

function leftText(at: number, nowMs: number, t: Translate): string {
  return at <= nowMs ? t('now') : t('in {0}', spanText(at - nowMs, t));
}

function timed(
  at: number,
  nowMs: number,
  meaning: string,
  t: Translate,
  locale: string | undefined,
): Partial<RowData> {
  return {
    tooltip: `${exactTimeText(at, locale)}\n${meaning}`,
    value: new Date(at).toISOString(),
    spoken: [meaning, at <= nowMs ? t('now') : t('in {0}', spanText(at - nowMs, t, true))].join(
      ' ',
    ),
  };
}

function dollars(cents: number, locale: string | undefined): string {
  return (cents / 100).toLocaleString(locale ?? 'en-US', { style: 'currency', currency: 'USD' });
}
