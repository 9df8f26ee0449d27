import type { FileText, Hit } from '../text/fileText';
import type { Document } from './score';

/**
 * The largest share of a query that is in one name that a document declares, less for a name with other words.
 * @param shares weight of each term, relative to that of all
 * @returns from 0 to 1
 */
export function declaredNameShare(
  { candidate, text }: Document,
  shares: readonly number[],
): number {
  // An example in prose declares nothing.
  if (candidate.kind === 'docs') return 0;
  let best = 0;
  for (const hits of byLine(text)) {
    const found = new Map<number, number>();
    for (const { matches, quality } of hits) {
      for (const { term, factor } of matches) {
        found.set(term, Math.max(found.get(term) ?? 0, factor * quality));
      }
    }
    let share = 0;
    for (const [term, worth] of found) share += worth * (shares[term] ?? 0);
    best = Math.max(best, share * (hits[0]?.nameShare ?? 0) ** 2);
  }
  return best;
}

/** The hits in each declared name. */
function* byLine({ hits }: FileText): Generator<readonly Hit[]> {
  let own: Hit[] = [];
  for (const hit of hits) {
    if (hit.nameShare === 0) continue;
    if (own.length > 0 && own[0]?.line !== hit.line) {
      yield own;
      own = [];
    }
    own.push(hit);
  }
  if (own.length > 0) yield own;
}
