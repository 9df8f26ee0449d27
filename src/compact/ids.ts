/** Scheme of the documents that show what a compaction keeps and leaves out. */
export const receiptScheme = 'splice-receipt';
export const compactTool = 'splice_compact';
export const recallTool = 'splice_recall';

export const contextKeys = {
  /** A receipt is open, in front or not. */
  hasReceipt: 'splice:hasReceipt',
  canUndoWriteBack: 'splice:canUndoWriteBack',
  /** There is an index of chat histories, which can be deleted. */
  hasHistoryIndex: 'splice:hasHistoryIndex',
} as const;
