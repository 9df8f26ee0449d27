export {
  type BlockAtLine,
  type FencedBlock,
  fencedBlockAt,
  hasFence,
  maxBlocks,
  missingFence,
  readMarkdown,
} from './codeBlocks';
export { canClose, type Fence, fenceAt, fenceFor, indentEnd, openingFenceAt } from './fence';
export {
  isPath,
  pathAbove,
  pathFromComment,
  pathFromHeading,
  pathFromInfo,
  withoutPictures,
} from './pathHint';
