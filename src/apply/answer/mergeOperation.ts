import { type Sentence, sentence, type Translate } from '../../base/sentence';
import { endsLine, readText, splitLines, writeText } from '../../base/text/textLines';
import {
  applySearchReplace,
  applyUnifiedDiff,
  auditBlocks,
  auditDiff,
  auditMerge,
  hasMarkers,
  isPatch,
  type MergeResult,
  mergeEdit,
} from '../../merge';
import type { MergeFinding } from '../changeset/engine';
import { withPathComment } from '../parse/pathComment';
import type { EditOperation } from './operations';

export type Edited =
  | {
      readonly kind: 'edited';
      readonly text: string;
      readonly certain: boolean;
      readonly findings: readonly MergeFinding[];
    }
  | { readonly kind: 'refused'; readonly reason: Sentence };

/** Operations that change the text of a file that exists. */
export type TextOperation = Extract<
  EditOperation,
  { kind: 'snippet' | 'write' | 'diff' | 'blocks' | 'insert' }
>;

export interface MergedFile {
  readonly path: string;
  /** The answer itself has changed it before, so nothing replaces it as a whole by a guess. */
  readonly isTouched: boolean;
  readonly t: Translate;
}

const refused = (reason: Sentence): Edited => ({ kind: 'refused', reason });

/** Makes an operation's change in the text of a file. */
export function mergeOperation(before: string, operation: TextOperation, file: MergedFile): Edited {
  switch (operation.kind) {
    case 'snippet':
      return mergeSnippet(before, operation, file);
    case 'write':
      return overwritten(before, operation.text);
    case 'diff':
      return edited(applyUnifiedDiff(before, operation.diff, file.path), text =>
        auditDiff(before, operation.diff, text, { path: file.path, t: file.t }),
      );
    case 'blocks':
      return operation.isEverywhere
        ? replacedEverywhere(before, operation.blocks)
        : edited(applySearchReplace(before, operation.blocks, file.path), text =>
            auditBlocks(before, operation.blocks, text, { path: file.path, t: file.t }),
          );
    default:
      return inserted(before, operation.line, operation.text);
  }
}

function edited(result: MergeResult, audit: (text: string) => readonly MergeFinding[]): Edited {
  if (result.kind === 'refused') return refused(result.reason);
  const { text, certain } = result;
  return { kind: 'edited', text, certain, findings: audit(text) };
}

function mergeSnippet(
  before: string,
  operation: Extract<EditOperation, { kind: 'snippet' }>,
  { path, isTouched, t }: MergedFile,
): Edited {
  const canReplace = operation.path !== undefined && !isTouched;
  const update = withPathComment(operation, splitLines(before));
  // An edit that names no file is for one that holds its lines, so it is no new file.
  if (operation.isNew && operation.path !== undefined && !hasMarkers(update)) {
    const whole = overwritten(before, update);
    return before.trim() === ''
      ? whole
      : {
          ...whole,
          certain: false,
          findings: [
            wholeFile(
              t('The answer calls this file new, so it would replace the one that is there.'),
            ),
          ],
        };
  }
  const result = mergeEdit(before, update, { path, isNamed: operation.path !== undefined });
  if (result.kind === 'merged') {
    return edited(result, text => auditMerge(before, update, text, { path, t }));
  }
  const isPart =
    hasMarkers(update) ||
    !canReplace ||
    countOf(before) > maxReplacedShare * countOf(update) ||
    isPatch(before, update);
  return isPart
    ? refused(result.reason)
    : {
        ...overwritten(before, update),
        certain: false,
        findings: [
          wholeFile(t('The code fits no place of the file, so it would replace the whole file.')),
        ],
      };
}

const countOf = (text: string): number =>
  splitLines(text).filter(line => line.trim() !== '').length;

/** A named file of up to this many times the lines of a snippet may be replaced by it as a whole. */
const maxReplacedShare = 2;

/** @param message that the file would be replaced, and why. */
const wholeFile = (message: string): MergeFinding => ({
  kind: 'wholeFile',
  severity: 'warning',
  line: 1,
  message,
});

/** The new content with the line endings, the byte-order mark and the last newline of the file. */
function overwritten(before: string, text: string): Extract<Edited, { kind: 'edited' }> {
  const { eol, bom, lines: old } = readText(before);
  const lines = splitLines(text);
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  const endsOpen = before !== '' && old.at(-1) !== '';
  const all = endsOpen || text === '' ? lines : [...lines, ''];
  return { kind: 'edited', text: writeText({ lines: all, eol, bom }), certain: true, findings: [] };
}

function replacedEverywhere(
  before: string,
  blocks: readonly { readonly search: string; readonly replace: string }[],
): Edited {
  let text = before;
  for (const { search, replace } of blocks) {
    if (search === '' || !text.includes(search)) {
      return refused(sentence('The text to replace is not in the file.'));
    }
    text = text.replaceAll(search, () => replace);
  }
  return { kind: 'edited', text, certain: true, findings: [] };
}

function inserted(before: string, place: number | 'end', text: string): Edited {
  // With their own ends, so that no other line changes where a file mixes them.
  const lines = before === '' ? [] : before.split(/(?<=\n|\r(?!\n))/);
  const line = place === 'end' ? lines.length : place;
  if (line < 0 || line > lines.length) {
    return refused(
      sentence(
        lines.length === 1
          ? 'The text is to go behind line {0}, but the file has 1 line.'
          : 'The text is to go behind line {0}, but the file has {1} lines.',
        line,
        lines.length,
      ),
    );
  }
  const { eol } = readText(before);
  const added = splitLines(text.replace(/\n$/, ''));
  const isBehindOpenEnd = line > 0 && line === lines.length && !endsLine(before);
  const after = isBehindOpenEnd
    ? before + eol + added.join(eol)
    : [...lines.slice(0, line), ...added.map(one => one + eol), ...lines.slice(line)].join('');
  return { kind: 'edited', text: after, certain: true, findings: [] };
}
