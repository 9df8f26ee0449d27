import * as fc from 'fast-check';
import { type MergeResult, mergeEdit } from '../../src/merge/index';
import { editedCode } from '../support/unit/editedCode';
import { type SnippetStyle, snippetOf } from '../support/unit/snippetOf';
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
  return mergeCases.flatMap(({ path, text, edits }) =>
    Object.entries(edits).flatMap(([what, edit]) =>
      Object.entries(styles).map(([name, style]) =>
        attempt(`${path}, ${what}`, name, style, path, text, edit(text)),
      ),
    ),
  );
}

/** Edits as `editedCode` makes them: with repeated lines everywhere, some snippets fit at two places. */
export function attemptRandom(context: number, count: number): Attempt[] {
  return fc
    .sample(editedCode, { numRuns: count, seed: 1 })
    .map(({ before, after }, nth) =>
      attempt(`edit ${nth}`, `random, context ${context}`, { context }, 'a.ts', before, after),
    );
}

export function isCertainlyWrong({ isCertain, isRight }: Attempt): boolean {
  return isCertain && !isRight;
}

function attempt(
  title: string,
  styleName: string,
  style: SnippetStyle,
  path: string,
  original: string,
  wanted: string,
): Attempt {
  const update = snippetOf(original, wanted, path, style);
  const result = mergeEdit(original, update, { path });
  return {
    title,
    style: styleName,
    original,
    update,
    wanted,
    result,
    isRight: result.kind === 'merged' && result.text === wanted,
    isCertain: result.kind === 'merged' && result.certain,
  };
}
