import { type Sentence, sentence } from '../../base/sentence';
import type { SearchReplaceBlock } from '../../merge';

/** What one part of an answer does to one file. Paths are as the answer gives them. */
export type EditOperation =
  /** Code that shows a part of the file, or the whole file. */
  | {
      readonly kind: 'snippet';
      readonly path?: string | undefined;
      readonly text: string;
      /** The answer calls the file new. */
      readonly isNew?: boolean;
      /** A first line such as `// src/a.ts`, which is not in `text`. */
      readonly pathComment?: string;
    }
  /** The whole new content, whatever the file holds. */
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'diff'; readonly path?: string | undefined; readonly diff: string }
  | {
      readonly kind: 'blocks';
      readonly path?: string | undefined;
      readonly blocks: readonly SearchReplaceBlock[];
      /** Each search text stands for all places where it appears. */
      readonly isEverywhere?: boolean;
    }
  /** `line`: the 0-based line in front of which the text goes. */
  | {
      readonly kind: 'insert';
      readonly path: string;
      readonly line: number | 'end';
      readonly text: string;
    }
  /** `hasUnmarked`: lines of its diff are not marked as new. */
  | {
      readonly kind: 'create';
      readonly path: string;
      readonly text: string;
      readonly hasUnmarked?: boolean;
    }
  /** `isStated`: a sentence says so, which may only tell what else was done. */
  | { readonly kind: 'delete'; readonly path: string; readonly isStated?: boolean }
  | {
      readonly kind: 'rename' | 'copy';
      readonly path: string;
      readonly newPath: string;
      readonly diff?: string | undefined;
      readonly isStated?: boolean;
    }
  /** Nothing that can be applied. */
  | { readonly kind: 'none'; readonly path?: string | undefined; readonly reason: Sentence };

/** A part of an answer with the text that it was read from. */
export interface EditPart {
  readonly source: string;
  readonly operation: EditOperation;
  /** Its file is named above an earlier part, and by nothing nearer. */
  readonly isFurtherPart?: boolean;
  /** The answer begins within it, or ends: nothing closes it, or its last hunk has fewer lines than it says. */
  readonly cutAt?: 'start' | 'end';
}

export const part = (source: string, operation: EditOperation): EditPart => ({ source, operation });

/** Reasons that several readers give. */
export const reasons = {
  binary: sentence('It is a binary change, which cannot be applied as text.'),
  mode: sentence('It changes only the mode of the file. Change that in a terminal.'),
  incomplete: sentence('A search/replace block has no separator or no end. Ask for it again.'),
  terminal: sentence('These are commands for a terminal or their output, so they are not applied.'),
  call: sentence('The call of a tool cannot be read. The answer may be cut off.'),
  tag: sentence('It is unclear what this tag does to the file that it names.'),
  loose: sentence('It is code outside of a code block, and it is unclear what it belongs to.'),
  unclosed: sentence('Nothing closes this tag: the answer may be cut off. Ask for it again.'),
  oddFence: sentence(
    'A fence in this answer has no counterpart, so code may have been read as text. Compare the result with it.',
  ),
  noPath: sentence('It does not say which file it is for.'),
} as const;
