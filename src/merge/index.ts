export { auditMerge, type Finding, type FindingKind } from './audit';
export { mergeEdit } from './merge';
export type { LineRange, MergeOptions, MergeResult } from './result';
export { hasMarkers, isMarkerLine } from './markers';
