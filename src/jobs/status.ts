import type { RunState } from '../host/runs';
import { type Translate, labelText } from '../host/words';

interface StatusLook {
  readonly icon: string;
  readonly color?: string;
  readonly isOver: boolean;
}

const done: StatusLook = { icon: 'pass-filled', color: 'testing.iconPassed', isOver: true };
const broken: StatusLook = { icon: 'error', color: 'testing.iconFailed', isOver: true };
const stopped: StatusLook = { icon: 'circle-slash', color: 'disabledForeground', isOver: true };
const paused: StatusLook = { icon: 'debug-pause', isOver: false };
const waiting: StatusLook = { icon: 'clock', isOver: false };
const running: StatusLook = { icon: 'loading~spin', isOver: false };

/**
 * Only `completed` (batches, reflex batches), `succeeded` (fine-tuning), `queued` and `in_progress` are in
 * the service document; the others are common for lists of this form. Any other is shown as it is.
 */
const looks: ReadonlyMap<string, StatusLook> = new Map([
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

const unknown: StatusLook = { icon: 'question', isOver: false };

export const statusLook = (status: string | undefined): StatusLook =>
  looks.get(status ?? '') ?? unknown;

export const isKnown = (status: string | undefined): boolean => looks.has(status ?? '');

export const isOver = (status: string | undefined): boolean => statusLook(status).isOver;

/** As the service says it, with blanks for underscores. */
export function statusWords(status: string | undefined, t: Translate): string {
  if (status === undefined || status === '') return t('no status');
  return looks.has(status) ? status.replaceAll('_', ' ') : labelText(status, 40);
}

/** Of a run of this extension. */
export function runWords(state: RunState, t: Translate): string {
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
