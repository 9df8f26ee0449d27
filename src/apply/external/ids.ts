export const contextKeys = {
  /** Something is pending. */
  hasExternalChanges: 'splice:hasExternalChanges',
  /** The active editor shows a file with pending changes. */
  inExternalFile: 'splice:inExternalFile',
  /** Changes are followed in this window. */
  followsExternalChanges: 'splice:followsExternalChanges',
  /** Something was undone that an agent can be told. */
  hasUndoneChanges: 'splice:hasUndoneChanges',
  /** A message waits for the next prompt of an agent. */
  hasWaitingMessage: 'splice:hasWaitingMessage',
} as const;

/** Scheme of the settings of agents as they are and as they would be. */
export const settingsScheme = 'splice-agent-settings';

/** Scheme of the last reviewed texts of files. */
export const baselineScheme = 'splice-baseline';
