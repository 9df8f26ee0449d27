import type { Exclude } from '../../platform/egress/paths/excludes';
import type { SearchIndexes } from '../fileIndex/folderIndexes';

/** What a search may read. Provided by the host, so that everything below needs only Node. */
export interface SearchWorkspace {
  /** Absolute folders as the user opened them, at least one. */
  readonly roots: readonly string[];
  /** The ripgrep to run; without one, files are read by Node. */
  readonly rgPath: string | undefined;
  /** Entries of `files.exclude` and `search.exclude` that are on, relative to each root. */
  readonly excludes: readonly Exclude[];
  /** `search.useIgnoreFiles`. */
  readonly useIgnoreFiles: boolean;
  /** Whether git may be run for the history; false in an untrusted workspace. */
  readonly usesGit: boolean;
  /** Milliseconds for listing files; 10 s where it is left out. */
  readonly maxListMs?: number | undefined;
  /** Indexes of the roots, where they are kept. */
  readonly indexes?: SearchIndexes | undefined;
  /** Unsaved texts of open editors by real path; they replace the content on disk. */
  readonly unsaved: ReadonlyMap<string, string>;
}
