/** Scheme of the documents that show what a compaction keeps and leaves out. */
export const receiptScheme = 'splice-receipt';
export const compactTool = 'splice_compact';

export const contextKeys = { canUndoWriteBack: 'splice:canUndoWriteBack' } as const;
