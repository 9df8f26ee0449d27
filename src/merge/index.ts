export { mergeEdit, type LineRange, type MergeOptions, type MergeResult } from './merge';
export { hasMarkers, isMarkerLine } from './markers';
