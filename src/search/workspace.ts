import type { Exclude } from '../host/egress/excludes';

/** What a search may look at, and how. Handed in by the host, so that everything below is plain Node. */
export interface SearchWorkspace {
  /** Absolute folders as the user opened them, at least one. */
  readonly roots: readonly string[];
  /** The ripgrep to run; without one, files are read by Node. */
  readonly rgPath: string | undefined;
  /** Entries of `files.exclude` and `search.exclude` that are on, relative to each root. */
  readonly excludes: readonly Exclude[];
  /** `search.useIgnoreFiles`. */
  readonly useIgnoreFiles: boolean;
  /** Whether git may be asked what past changes were about; not in a workspace that nobody trusts. */
  readonly usesGit: boolean;
  /** Unsaved texts of open editors by real path: they win over the disk. */
  readonly unsaved: ReadonlyMap<string, string>;
}
