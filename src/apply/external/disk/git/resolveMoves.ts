import type { Content } from '../../core/content';
import { type GitActivity, type MoveEvidence, type MoveVerdict, moveVerdict } from '../gitMoves';
import type { GitSnapshot } from '../gitSnapshot';
import { isConflictText } from './conflictText';
import type { IndexEntries, IndexEntry } from './indexEntries';
import type { AsideState, PutAside } from './putAside';

export interface MoveRequest {
  /** Files that may have changed, relative to the root. */
  readonly paths: Iterable<string>;
  readonly activity: Exclude<GitActivity, { readonly kind: 'inProgress' }>;
  /** As it was before: the change of the index is not accepted yet. */
  readonly snapshot: GitSnapshot;
  /** The index now. */
  readonly index: IndexEntries;
  /** What is on disk, and its bytes. */
  readonly contentOf: (path: string) => Promise<Content>;
  readonly readFile: (path: string) => Promise<Uint8Array | undefined>;
  readonly entryOf: (path: string) => AsideState | undefined;
  readonly aside: PutAside;
  readonly signal?: AbortSignal | undefined;
}

export type ResolvedMove = { readonly path: string } & MoveVerdict;

/** Longer texts are not looked through for conflict markers. */
const maxConflictBytes = 2 * 1024 * 1024;
/** Files that are decided at the same time. */
const maxParallel = 16;

/**
 * Says of each file whether git changed it, and remembers what git took away.
 * @returns all files that do not have the bytes that were last seen
 * @throws {AbortError} when the signal is aborted
 */
export async function resolveMoves(request: MoveRequest): Promise<ResolvedMove[]> {
  const evidence = evidenceOf(request);
  const resolved: ResolvedMove[] = [];
  const paths = [...request.paths];
  for (let start = 0; start < paths.length; start += maxParallel) {
    request.signal?.throwIfAborted();
    const part = paths.slice(start, start + maxParallel);
    const moves = await Promise.all(part.map(async path => resolve(path, request, evidence)));
    resolved.push(...moves.filter(({ kind }) => kind !== 'same'));
  }
  return resolved;
}

async function resolve(
  path: string,
  { activity, contentOf, entryOf, aside, snapshot }: MoveRequest,
  evidence: MoveEvidence,
): Promise<ResolvedMove> {
  const entry = entryOf(path);
  const now = await contentOf(path);
  const verdict = await moveVerdict({ path, now, entry }, activity, evidence);
  if (verdict.kind === 'same' || verdict.kind === 'list') return { path, ...verdict };
  if (entry) {
    aside.remember(path, entry);
  } else {
    const before = await snapshot.contentOf(path);
    if (before) aside.forget(path, before);
  }
  if (activity.stopped.length > 0) aside.rememberMade(path, now);
  return { path, ...verdict };
}

function evidenceOf({ snapshot, index, readFile, aside }: MoveRequest): MoveEvidence {
  return {
    blobAt: async (commit, path) => snapshot.blobAt(commit, path),
    isFormOf: async (path, content, blob) =>
      blob !== '' && (await snapshot.isFormOf(path, content, blob)),
    indexBefore: path => idOf(snapshot.entry(path)),
    indexNow: path => idOf(index.find(path)),
    isConflict: async (path, now) => isConflict(path, now, { snapshot, index, readFile }),
    aside: (path, now) => aside.find(path, now),
    wasMade: (path, content) => aside.wasMade(path, content),
  };
}

/** An unmerged file has no blob of its own: no content has the id ''. */
const idOf = (entry: IndexEntry | undefined): string | undefined =>
  entry?.isUnmerged === true ? '' : entry?.id;

async function isConflict(
  path: string,
  now: Content,
  { snapshot, index, readFile }: Pick<MoveRequest, 'snapshot' | 'index' | 'readFile'>,
): Promise<boolean> {
  const ids = [...index.versions(path).values()];
  if (index.find(path)?.isUnmerged !== true) return false;
  for (const id of ids) if (await snapshot.isFormOf(path, now, id)) return true;
  const bytes = await readFile(path);
  if (!bytes || bytes.byteLength > maxConflictBytes) return false;
  const versions: string[] = [];
  for (const id of ids) versions.push(textOf((await snapshot.blob(id)) ?? new Uint8Array()));
  return isConflictText(textOf(bytes), versions);
}

/** One character for each byte, so that no encoding matters. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
