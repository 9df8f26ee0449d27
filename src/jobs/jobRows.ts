import { numberText } from '../base/format/numbers';
import { labelText, type Translate } from '../base/format/text';
import { exactTimeText, recentTimeText } from '../base/format/times';
import { batchRunIcon } from '../contracts/batchRunIcon';
import { contextValue } from '../platform/commands/contextValue';
import type { RowData } from '../platform/tree/rows';
import type { JobPages, ListedJob } from './jobList';
import { isKnownStatus, statusAppearance } from './status';

/** What menus can test on an item of the views. */
export type JobFlag =
  | 'group'
  | 'more'
  | 'run'
  | 'detail'
  | 'error'
  | 'job'
  | 'batch'
  | 'tuning'
  | 'trained'
  | 'chosen';

export interface JobRowsInput<T> {
  readonly pages: JobPages<T>;
  /** Statuses to show; all if empty. */
  readonly filter: ReadonlySet<string>;
  readonly nowMs: number;
  readonly t: Translate;
  readonly locale?: string | undefined;
  /** Loads the next page. */
  readonly moreCommand: string;
}

/** The status, or '' if there is none. */
export const statusKey = ({ status }: ListedJob): string => status ?? '';

export function withMore<T extends ListedJob>(
  { pages, filter, moreCommand, t }: JobRowsInput<T>,
  toRow: (item: T) => RowData,
): RowData[] {
  const shown = pages.items.filter(item => filter.size === 0 || filter.has(statusKey(item)));
  const rows = shown.map(toRow);
  if (!pages.hasMore) return rows;
  const count = pages.items.length;
  const description =
    filter.size === 0 ? t('{0} so far', count) : t('{0} of {1} so far', shown.length, count);
  return [
    ...rows,
    {
      id: 'more',
      context: contextValue<JobFlag>('more'),
      label: t('Load more…'),
      description,
      icon: { id: 'ellipsis' },
      command: { id: moreCommand, title: t('Load more…') },
    },
  ];
}

/** @param failed requests: a completed batch with failed requests is shown as a warning. */
export function iconOf(status: string | undefined, failed = 0): { id: string; color?: string } {
  if (status === 'completed' && failed > 0) return batchRunIcon('done', failed);
  const { icon, color } = statusAppearance(status);
  return { id: icon, ...(color === undefined ? {} : { color }) };
}

/** Explains the `?` icon of a row. */
export const unknownNote = (status: string | undefined, t: Translate): string[] =>
  isKnownStatus(status) ? [] : [t('This version of Splice does not know the status.')];

/** `120 of 500`, and the number of failures if there are any. */
export function countsText(
  counts: {
    total?: number | undefined;
    completed?: number | undefined;
    failed?: number | undefined;
  },
  t: Translate,
): string[] {
  const { total, completed, failed } = counts;
  const done =
    completed === undefined
      ? []
      : [
          total === undefined
            ? t('{0} done', numberText(completed))
            : t('{0} of {1}', numberText(completed), numberText(total)),
        ];
  return [
    ...done,
    ...(failed === undefined || failed === 0 ? [] : [t('{0} failed', numberText(failed))]),
  ];
}

export type Detail = (
  key: string,
  label: string,
  value: string,
  icon: string,
  more?: Partial<RowData>,
) => RowData;

export function detailsOf(id: string): Detail {
  return (key, label, value, icon, more = {}) => ({
    id: `${id}/${key}`,
    subject: id,
    context: contextValue<JobFlag>('detail'),
    label,
    description: value,
    icon: { id: icon },
    value,
    ...more,
  });
}

/** A row for a value, or none if it is undefined. */
export function optional<V>(value: V | undefined, row: (value: V) => RowData): RowData[] {
  return value === undefined ? [] : [row(value)];
}

export function timeRow(
  key: string,
  label: string,
  at: number,
  row: Detail,
  nowMs: number,
  locale: string | undefined,
): RowData {
  return row(key, label, recentTimeText(at, nowMs, locale), 'calendar', {
    tooltip: exactTimeText(at, locale),
    value: new Date(at).toISOString(),
  });
}

/** The shape of errors is not documented, so the value is shown as JSON. */
export function errorRow(value: unknown, row: Detail, t: Translate): RowData {
  const json = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return row('error', t('Error'), labelText(json, 200), 'error', {
    icon: { id: 'error', color: 'testing.iconFailed' },
    tooltip: labelText(json, 2000),
    context: contextValue<JobFlag>('error'),
    value: json,
  });
}
