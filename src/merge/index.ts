export { auditMerge, type Finding, type FindingKind } from './audit/auditMerge';
export { auditBlocks, auditDiff } from './audit/patch/auditPatch';
export { joinChanges } from './diff/joinChanges';
export { applyChanges, diffLines } from './diff/lineDiff';
export { unifiedDiff } from './diff/unifiedDiff';
export { confinedTo, mergeEdit } from './merge';
export { applySearchReplace, applyUnifiedDiff } from './patch/mergePatch';
export { isUnifiedDiff, splitByFile } from './patch/read/diffText';
export { tidiedDiffs } from './patch/read/hunkHeaders';
export { numberedNewFile, numberedRowsAt } from './patch/read/numberedDiff';
export { unifiedOf } from './patch/read/plainDiffs';
export {
  blockAt,
  hasOrphanMarks,
  hasSearchReplace,
  readSearchReplace,
  type SearchReplaceBlock,
  startsBlock,
} from './patch/read/searchReplace';
export { withoutMargin } from './patch/read/spacedDiff';
export { isPatch } from './patch/readPatch';
export { declaredName } from './place/declaredName';
export type { LineInterval as LineRange, MergeOptions, MergeResult } from './result';
export { hasMarkers, isMarkerLine } from './snippet/markers';
