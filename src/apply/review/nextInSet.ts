import type { Review } from './review';

/** The review of the same answer that comes after this one; after the last one, the first. */
export function nextInSet(
  pending: readonly Review[],
  review: Pick<Review, 'id' | 'changeSet'>,
): Review | undefined {
  const { id, changeSet } = review;
  if (!changeSet) return undefined;
  const others = pending.filter(
    other =>
      other.id !== id && other.changeSet?.id === changeSet.id && other.model.hunks.length > 0,
  );
  return others.find(other => (other.changeSet?.index ?? 0) > changeSet.index) ?? others[0];
}
