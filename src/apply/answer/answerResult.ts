import type { MergeFinding } from '../changeset/engine';
import type { ComparedFile, HoldingFile } from '../target/contentLookup';

/** The files of a workspace, as far as an answer needs them. Paths are relative, with `/`. */
export interface AnswerWorkspace {
  files(): readonly string[];
  /** Undefined where there is no such file, or none with text. */
  read(path: string): string | undefined;
  /** Why a file that is there has no text, as a sentence for the user: too large, binary. */
  unreadable?(path: string): string | undefined;
  /**
   * The files that hold some of these lines, the best first. Without it, the texts of {@link files} are compared.
   */
  search?(lines: readonly string[]): readonly HoldingFile<ComparedFile>[];
  /** The cells of a notebook that is open in its editor, by paths that {@link read} knows, such as `a.ipynb#1.py`. */
  cells?(path: string): readonly string[] | undefined;
  /** The path in the workspace of a file with an absolute path, whether it is there or not. */
  relative?(absolute: string): string | undefined;
}

export interface FileChange {
  readonly kind: 'edit' | 'create' | 'delete' | 'rename';
  readonly path: string;
  readonly newPath?: string;
  /** The new text; absent for a file that is deleted, or renamed without a change. */
  readonly text?: string;
  /** False where the answer can be read in another way. */
  readonly certain: boolean;
  readonly findings: readonly MergeFinding[];
  /** The code that the answer shows of an edited file, where it shows nothing but code. */
  readonly snippet?: { readonly text: string; readonly pathComment?: string };
}

export interface RefusedPart {
  readonly part: string;
  readonly reason: string;
  readonly path?: string;
}

export interface AnswerResult {
  readonly files: FileChange[];
  readonly refused: RefusedPart[];
}
