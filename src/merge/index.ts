export { auditMerge, type Finding, type FindingKind } from './audit/auditMerge';
export { mergeEdit } from './merge';
export type { LineRange, MergeOptions, MergeResult } from './result';
export { hasMarkers, isMarkerLine } from './snippet/markers';
