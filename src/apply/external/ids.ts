export const contextKeys = {
  /** Something is pending. */
  hasExternalChanges: 'splice:hasExternalChanges',
  /** The active editor shows a file with pending changes. */
  inExternalFile: 'splice:inExternalFile',
  /** Changes are followed in this window. */
  followsExternalChanges: 'splice:followsExternalChanges',
} as const;

/** Scheme of the last reviewed texts of files. */
export const baselineScheme = 'splice-baseline';
