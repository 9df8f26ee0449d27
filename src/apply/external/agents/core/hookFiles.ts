/** The programs that agents run; they are shipped in media/hooks. Settings of agents name them by these names. */
export const hookScripts = {
  posix: 'splice-spool.sh',
  windows: 'splice-spool.cjs',
  /** A module that opencode loads, which runs one of the others. */
  opencode: 'splice-opencode.mjs',
} as const;

/** The file that they append to, in the folder where they are. */
export const spoolName = 'events.jsonl';
