import type { MergeFinding } from '../changeset/engine';
import type { FileChange } from './answerResult';

/** What the parts so far have made of one file. */
export interface FileState {
  /** Undefined for a new file. */
  readonly origin: { readonly path: string; readonly text: string } | undefined;
  /** Undefined once it is deleted. */
  text: string | undefined;
  certain: boolean;
  findings: MergeFinding[];
}

/** The change that has led to a state of the file at `path`; undefined where nothing has changed. */
export function changeOf(path: string, state: FileState): FileChange | undefined {
  const { origin, text, certain, findings } = state;
  if (!origin)
    return text === undefined ? undefined : { kind: 'create', path, text, certain, findings };
  if (text === undefined) return { kind: 'delete', path: origin.path, certain, findings };
  const isChanged = text !== origin.text;
  if (path !== origin.path) {
    return {
      kind: 'rename',
      path: origin.path,
      newPath: path,
      ...(isChanged && { text }),
      certain,
      findings,
    };
  }
  return isChanged ? { kind: 'edit', path, text, certain, findings } : undefined;
}
