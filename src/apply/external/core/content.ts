import { createHash } from 'node:crypto';

/** The bytes of a file at one time, by the id that git gives them as a blob. */
export type Content =
  | { readonly kind: 'file'; readonly id: string; readonly size: number }
  | { readonly kind: 'absent' }
  /** A baseline only: the file changed before its bytes were known. */
  | { readonly kind: 'unknown' };

/** sha256 in repositories that were made with it. */
export type IdAlgorithm = 'sha1' | 'sha256';

export type FileContent = Extract<Content, { readonly kind: 'file' }>;

export const absent: Content = { kind: 'absent' };
export const unknown: Content = { kind: 'unknown' };

export function contentOf(bytes: Uint8Array, algorithm: IdAlgorithm): FileContent {
  const hash = createHash(algorithm);
  // The form in which git hashes a blob.
  hash.update(`blob ${bytes.byteLength}\0`).update(bytes);
  return { kind: 'file', id: hash.digest('hex'), size: bytes.byteLength };
}

/** Whether both are known to be the same bytes; contents that are unknown are not. */
export function sameContent(a: Content, b: Content): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.id === b.id;
  return a.kind === 'absent' && b.kind === 'absent';
}

/** A short text that is equal for equal contents. */
export const contentKey = (content: Content): string =>
  content.kind === 'file' ? content.id : content.kind;
