import { withholdSecrets } from '../../platform/egress/secrets/withhold';
import { lineStartsOf } from '../core/ranges';
import type { SessionLineIndex } from '../worker/sessionLineIndex';

/**
 * The same lines with keys and passwords withheld. A key of several lines is told by its first one, so that this
 * comes before lines are chosen or cut off.
 */
export function withholdLines(lineIndex: SessionLineIndex): SessionLineIndex {
  const { text, count } = withholdSecrets(lineIndex.text);
  return count === 0 ? lineIndex : { ...lineIndex, text, starts: lineStartsOf(text) };
}
