import { labelText, type Translate } from '../base/format/text';
import type { BatchRunState } from '../contracts/batchRuns';

interface StatusAppearance {
  readonly icon: string;
  readonly color?: string;
  readonly isFinal: boolean;
}

const done: StatusAppearance = { icon: 'pass-filled', color: 'testing.iconPassed', isFinal: true };
const broken: StatusAppearance = { icon: 'error', color: 'testing.iconFailed', isFinal: true };
const stopped: StatusAppearance = {
  icon: 'circle-slash',
  color: 'disabledForeground',
  isFinal: true,
};
const paused: StatusAppearance = { icon: 'debug-pause', isFinal: false };
const waiting: StatusAppearance = { icon: 'clock', isFinal: false };
const running: StatusAppearance = { icon: 'loading~spin', isFinal: false };

/**
 * The service document names only `completed` (batches, reflex batches), `succeeded` (fine-tuning), `queued`
 * and `in_progress`; the others are usual in APIs of this form. Any other status is shown by name.
 */
const appearances: ReadonlyMap<string, StatusAppearance> = new Map([
  ['completed', done],
  ['succeeded', done],
  ['failed', broken],
  ['expired', broken],
  ['cancelled', stopped],
  ['canceled', stopped],
  ['cancelling', running],
  ['paused', paused],
  ['queued', waiting],
  ['validating', running],
  ['validating_files', running],
  ['in_progress', running],
  ['running', running],
  ['finalizing', running],
]);

const unknown: StatusAppearance = { icon: 'question', isFinal: false };

export const statusAppearance = (status: string | undefined): StatusAppearance =>
  appearances.get(status ?? '') ?? unknown;

export const isKnownStatus = (status: string | undefined): boolean => appearances.has(status ?? '');

export const isFinalStatus = (status: string | undefined): boolean =>
  statusAppearance(status).isFinal;

/** A status that is not known is shown as the service names it. */
export function statusLabel(status: string | undefined, t: Translate): string {
  switch (status) {
    case undefined:
    case '':
      return t('no status');
    case 'completed':
      return t('completed');
    case 'succeeded':
      return t('succeeded');
    case 'failed':
      return t('failed');
    case 'expired':
      return t('expired');
    case 'cancelled':
    case 'canceled':
      return t('canceled');
    case 'cancelling':
      return t('canceling');
    case 'paused':
      return t('paused');
    case 'queued':
      return t('queued');
    case 'validating':
      return t('validating');
    case 'validating_files':
      return t('validating files');
    case 'in_progress':
      return t('in progress');
    case 'running':
      return t('running');
    case 'finalizing':
      return t('finalizing');
    default:
      return labelText(status, 40);
  }
}

/** State of a batch run that was started here. */
export function runLabel(state: BatchRunState, t: Translate): string {
  switch (state) {
    case 'uploading':
      return t('uploading');
    case 'following':
      return t('in progress');
    case 'fetching':
      return t('reading the results');
    case 'done':
      return t('completed');
    case 'stopped':
      return t('stopped');
    case 'failed':
      return t('failed');
    default:
      return t('classified, but the service serves no results');
  }
}
