import type { Translate } from '../../base/sentence';
import type { MergeFinding } from '../changeset/engine';
import { existingCodeMarker, languageIdOfPath } from '../parse/languageName';
import { cutOff } from './answerFindings';
import type { FileChange } from './answerResult';
import type { EditOperation, EditPart } from './operations';

/** What the parts so far have made of one file. */
export interface FileState {
  /** Undefined for a new file. */
  readonly origin: { readonly path: string; readonly text: string } | undefined;
  /** Undefined once it is deleted. */
  text: string | undefined;
  certain: boolean;
  findings: MergeFinding[];
  /** What has changed the file, in the order of the answer. */
  operations: EditOperation[];
  /** The start or the end of a part is missing, which another merge cannot mend. */
  isCutOff?: boolean;
}

export const newState = (origin: FileState['origin'], text: string): FileState => ({
  origin,
  text,
  certain: true,
  findings: [],
  operations: [],
});

/** Says that the answer begins or ends within the part that has made `state` of the text before. */
export function noteCutOff(
  { cutAt }: EditPart,
  state: FileState,
  before: string,
  t: Translate,
): void {
  if (cutAt === undefined) return;
  state.isCutOff = true;
  state.certain = false;
  if (state.findings.some(({ kind }) => kind === 'truncated')) return;
  state.findings.push(cutOff(cutAt, before, state.text ?? '', t));
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
  if (!isChanged) return undefined;
  const snippet = snippetOf(state, path);
  return { kind: 'edit', path, text, certain, findings, ...(snippet && { snippet }) };
}

/** All that the answer shows of a file, as one snippet; undefined where other operations change it too. */
function snippetOf({ operations, isCutOff }: FileState, path: string): FileChange['snippet'] {
  if (isCutOff) return undefined;
  const snippets = operations.flatMap(one =>
    one.kind === 'snippet' && one.isNew !== true ? [one] : [],
  );
  const [first] = snippets;
  if (!first || snippets.length < operations.length) return undefined;
  const marker = existingCodeMarker(languageIdOfPath(path));
  return {
    text: snippets.map(({ text }) => text).join(`\n\n${marker}\n\n`),
    ...(first.pathComment !== undefined && { pathComment: first.pathComment }),
  };
}
