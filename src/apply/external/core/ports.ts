import type { Content, IdAlgorithm } from './content';
import type { RootRecord } from './rootRecords';
import type { RootState, WriteLabel } from './rootState';

/** How a write to disk ended; `refused`: the path leads out of the root, or is no regular file. */
export type WriteResult = 'done' | 'changed' | 'readOnly' | 'refused';

/** The files of a root; paths are relative to it, with '/'. */
export interface DiskFiles {
  /** Undefined: absent, or no regular file. Rejects for other failures. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Writes only if the file still has `expected`; atomic, keeps the mode. Where a file is expected to be absent, it is
   * created with its folders.
   */
  replace(path: string, expected: Content, bytes: Uint8Array): Promise<WriteResult>;
  trash(path: string, expected: Content): Promise<WriteResult>;
}

/** The documents that are open in editors. */
export interface OpenTexts {
  /** The text without byte order mark, with the document's line ends. */
  get(path: string): { readonly text: string; readonly isDirty: boolean } | undefined;
  /**
   * One undo step in the editor, saved only if it was clean. Must not wait for events of the tracker that it causes: these
   * are queued behind the decision that edits.
   *
   * @param before guards against typing in between.
   */
  edit(
    path: string,
    before: string,
    after: string,
  ): Promise<'done' | 'changed' | 'readOnly' | 'failed'>;
}

/** What git knows, or nothing. */
export interface UnmodifiedFiles {
  readonly algorithm: IdAlgorithm;
  /**
   * What the file was before anybody changed it, for a path that is not tracked yet; `absent`: it did not exist, undefined:
   * unknown.
   */
  contentOf(path: string): Promise<Content | undefined>;
  blob(id: string): Promise<Uint8Array | undefined>;
}

/** Bytes by their id. */
export interface Contents {
  has(id: string): Promise<boolean>;
  /** Undefined when they are not stored, or damaged. */
  get(id: string): Promise<Uint8Array | undefined>;
  /** @param isFlushed waits until a power failure cannot lose them. */
  put(id: string, bytes: Uint8Array, isFlushed?: boolean): Promise<void>;
  /** The same wait for bytes that are stored. @returns whether they are. */
  flush(id: string): Promise<boolean>;
}

/** The journal of a root. */
export interface RootLog {
  /** Another window writes it. */
  readonly isReadOnly: boolean;
  /** Stores a decision; rejects if it is not stored, and then it never will be. */
  commit(record: RootRecord, after: RootState): Promise<void>;
  /** Stores what happened. Never rejects: what cannot be written now is written with the next record. */
  note(record: RootRecord, after: RootState): Promise<void>;
}

/** Who may have written a file. */
export type LabelOf = (path: string) => WriteLabel;

export interface TrackerPorts {
  readonly disk: DiskFiles;
  readonly open: OpenTexts;
  readonly unmodified: UnmodifiedFiles;
  readonly contents: Contents;
  readonly log: RootLog;
  /** In milliseconds since the epoch. */
  readonly clock: () => number;
  /** Who may have written files that the tracker looks at of its own accord; left out: whoever it was, just now. */
  readonly labels?: ((paths: readonly string[]) => Promise<LabelOf>) | undefined;
  /** Failures that no decision answers with. */
  readonly onError: (error: unknown) => void;
}
