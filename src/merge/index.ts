export { auditMerge, type Finding, type FindingKind } from './audit';
export { mergeEdit, type LineRange, type MergeOptions, type MergeResult } from './merge';
export { hasMarkers, isMarkerLine } from './markers';
