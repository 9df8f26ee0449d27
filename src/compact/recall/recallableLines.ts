import type { Receipt } from '../receipt/receipt';
import { leftOutLines, pairsOf } from '../receipt/receiptRecords';
import type { FolderHost } from '../runCompaction';
import type { KeptLines } from '../session/keptText';
import type { ChatSource } from '../source';
import { recallStoreOf } from './recallTool';

/** What is left of a chat, with notes from which an agent can recall the lines of its file. */
export async function recallableLines(
  host: FolderHost,
  source: ChatSource,
  receipt: Receipt,
): Promise<KeptLines> {
  const isFile = source.folder !== undefined;
  const left = receipt.keptLines(isFile);
  if (isFile) {
    const withheld = pairsOf(leftOutLines(receipt));
    await recallStoreOf(host).remember(source.file.path, left.markers, withheld);
  }
  return left;
}
