import { type MergeResult, mergeEdit } from '../../src/merge/index';
import { snippetOf, type SnippetStyle } from '../support/snippetOf';
import { mergeCases } from './mergeCases/index';

const styles: Record<string, SnippetStyle> = {
  'three lines of context': { context: 3 },
  'two lines of context': { context: 2 },
  'one line of context': { context: 1 },
  'other words': { context: 2, wording: '... rest of the code remains unchanged ...' },
  'dots only': { context: 2, wording: '...' },
  dedented: { context: 2, dedent: true },
  'tabs for blanks and back': { context: 3, swapsIndentation: true },
  CRLF: { context: 2, lineEnd: '\r\n' },
  'no first marker': { context: 2, withoutFirstMarker: true },
  'no last marker': { context: 2, withoutLastMarker: true },
  'no outer markers': { context: 3, withoutFirstMarker: true, withoutLastMarker: true },
};

export interface Attempt {
  /** File and edit. */
  title: string;
  style: string;
  original: string;
  update: string;
  wanted: string;
  result: MergeResult;
  isRight: boolean;
  isCertain: boolean;
}

/** Merges every edit of every file in every style. */
export function attemptAll(): Attempt[] {
  const attempts: Attempt[] = [];
  for (const { path, text, edits } of mergeCases) {
    for (const [what, edit] of Object.entries(edits)) {
      const wanted = edit(text);
      for (const [style, form] of Object.entries(styles)) {
        const update = snippetOf(text, wanted, path, form);
        const result = mergeEdit(text, update, { path });
        attempts.push({
          title: `${path}, ${what}`,
          style,
          original: text,
          update,
          wanted,
          result,
          isRight: result.kind === 'merged' && result.text === wanted,
          isCertain: result.kind === 'merged' && result.certain,
        });
      }
    }
  }
  return attempts;
}
