/** The programs that agents run; they are shipped in media/hooks. Settings of agents name them by these names. */
export const hookScripts = { posix: 'splice-spool.sh', windows: 'splice-spool.cjs' } as const;

/** The file that they append to, in the folder where they are. */
export const spoolName = 'events.jsonl';
