import { withholdSecrets } from '../../platform/egress/secrets/withhold';
import { withholdLines } from '../tool/withholdLines';
import { linesOfRange, type SessionLineIndex } from '../worker/sessionLineIndex';
import { type Recallable, withoutWithheld } from './recallRecords';

/**
 * The recalled lines of a chat for an agent, whose model and its provider are unknown here.
 * @param from number of the first line, from 1.
 */
export function recalledText(
  lineIndex: SessionLineIndex,
  recalled: Recallable,
  from: number,
): string {
  const [first, end] = recalled.range;
  const lines = linesOfRange(withholdLines(lineIndex), first, end).split('\n');
  // Lines that were apart may be a secret together.
  const { text } = withholdSecrets(withoutWithheld(lines, recalled).join('\n'));
  return text
    .split('\n')
    .slice(from - 1)
    .join('\n');
}
