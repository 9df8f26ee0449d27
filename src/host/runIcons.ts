import type { RunState } from './runs';

interface Icon {
  readonly id: string;
  /** Of the theme. */
  readonly color?: string;
}

const attention: Icon = { id: 'warning', color: 'problemsWarningIcon.foreground' };

const icons: Readonly<Record<RunState, Icon>> = {
  uploading: { id: 'cloud-upload' },
  following: { id: 'loading~spin' },
  fetching: { id: 'cloud-download' },
  done: { id: 'pass-filled', color: 'testing.iconPassed' },
  stopped: { id: 'circle-slash', color: 'disabledForeground' },
  failed: { id: 'error', color: 'testing.iconFailed' },
  noResults: attention,
};

/** @param failed rows with an error: a run that is done with some of them is not all well. */
export function runIcon(state: RunState, failed = 0): Icon {
  return state === 'done' && failed > 0 ? attention : icons[state];
}
