import type { BatchRunState } from './batchRuns';

interface Icon {
  readonly id: string;
  /** Theme color. */
  readonly color?: string;
}

const attention: Icon = { id: 'warning', color: 'problemsWarningIcon.foreground' };

const icons: Readonly<Record<BatchRunState, Icon>> = {
  uploading: { id: 'cloud-upload' },
  following: { id: 'loading~spin' },
  fetching: { id: 'cloud-download' },
  done: { id: 'pass-filled', color: 'testing.iconPassed' },
  stopped: { id: 'circle-slash', color: 'disabledForeground' },
  failed: { id: 'error', color: 'testing.iconFailed' },
  noResults: attention,
};

/** @param failed rows with an error, for which a finished run shows a warning. */
export function batchRunIcon(state: BatchRunState, failed = 0): Icon {
  return state === 'done' && failed > 0 ? attention : icons[state];
}
