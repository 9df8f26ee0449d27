import { isRecord } from '../../../base/typeGuards';

/** What a review does to its file besides changing lines. URIs as strings. */
export type FileOperation =
  | {
      readonly kind: 'create' | 'delete';
      readonly uri: string;
      /** True for an empty file: it has no lines to review, so the review shows its path. */
      readonly showsPath: boolean;
      /** A deleted file, so that the deletion can be undone exactly: its bytes in base64, and the hash of its lines. */
      readonly deleted?: { readonly bytes: string; readonly hash: string };
    }
  | {
      readonly kind: 'rename';
      readonly uri: string;
      readonly newUri: string;
      /** Edits of a renamed file are a review of their own. */
      readonly showsPath: true;
    };

/** The answer that a review belongs to, together with the reviews of other files. */
export interface ChangeSetRef {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Number of files that the answer changes. */
  readonly size: number;
  /** Position in the answer, from 0. */
  readonly index: number;
}

/** Undefined for invalid data. */
export function readFileOperation(json: unknown): FileOperation | undefined {
  if (!isRecord(json)) return undefined;
  const { kind, uri, newUri, deleted } = json;
  if (typeof uri !== 'string') return undefined;
  if (kind === 'rename') {
    return typeof newUri === 'string' ? { kind, uri, newUri, showsPath: true } : undefined;
  }
  if (kind !== 'create' && kind !== 'delete') return undefined;
  const showsPath = json['showsPath'] === true;
  const { bytes, hash } = isRecord(deleted) ? deleted : {};
  const isStored = typeof bytes === 'string' && typeof hash === 'string';
  return { kind, uri, showsPath, ...(isStored && { deleted: { bytes, hash } }) };
}

/** Undefined for invalid data. */
export function readChangeSetRef(json: unknown): ChangeSetRef | undefined {
  if (!isRecord(json)) return undefined;
  const { id, createdAt, size, index } = json;
  if (typeof id !== 'string' || typeof createdAt !== 'number') return undefined;
  return typeof size === 'number' && typeof index === 'number'
    ? { id, createdAt, size, index }
    : undefined;
}
