import type { ChangeSetRef } from './model/fileOperation';

interface ReviewOfSet {
  readonly id: string;
  readonly changeSet: Pick<ChangeSetRef, 'id' | 'index'> | undefined;
  readonly model: { readonly hunks: { readonly length: number } };
}

/** The review of the same answer that comes after this one; after the last one, the first. */
export function nextInSet<R extends ReviewOfSet>(
  pending: readonly R[],
  { id, changeSet }: Pick<ReviewOfSet, 'id' | 'changeSet'>,
): R | undefined {
  if (!changeSet) return undefined;
  const others = pending.filter(
    other =>
      other.id !== id && other.changeSet?.id === changeSet.id && other.model.hunks.length > 0,
  );
  return others.find(other => (other.changeSet?.index ?? 0) > changeSet.index) ?? others[0];
}
