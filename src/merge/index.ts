export { auditMerge, type Finding, type FindingKind } from './audit/auditMerge';
export { joinChanges } from './diff/joinChanges';
export { applyChanges, diffLines } from './diff/lineDiff';
export { unifiedDiff } from './diff/unifiedDiff';
export { confinedTo, mergeEdit } from './merge';
export { isUnifiedDiff, splitByFile } from './patch/diffText';
export { applySearchReplace, applyUnifiedDiff } from './patch/mergePatch';
export {
  blockAt,
  hasSearchReplace,
  isBlockStart,
  readSearchReplace,
  type SearchReplaceBlock,
} from './patch/searchReplace';
export type { LineInterval as LineRange, MergeOptions, MergeResult } from './result';
export { hasMarkers, isMarkerLine } from './snippet/markers';
