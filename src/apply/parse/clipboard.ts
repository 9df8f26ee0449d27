import { type Sentence, sentence } from '../../base/sentence';
import {
  type FencedBlock,
  fenceAt,
  indentEnd,
  isPath,
  maxBlocks,
  pathAbove,
  pathFromComment,
  pathFromHeading,
  pathFromInfo,
  readMarkdown,
} from '../../markdown';
import {
  hasSearchReplace,
  isUnifiedDiff,
  readSearchReplace,
  type SearchReplaceBlock,
  splitByFile,
  tidiedDiffs,
  withoutMargin,
} from '../../merge';
import { isMostlyCode, looksLikeCode } from './codeShape';
import { existingCodeMarker, languageIdOf, languageIdOfPath } from './languageName';
import { firstLine, splitPathComment } from './pathComment';
import { isTerminalInfo, isTerminalText, plainText } from './terminalText';

export { looksLikeCode } from './codeShape';

interface SnippetEdit {
  readonly format: 'snippet';
  readonly path?: string;
  readonly languageId?: string;
  readonly text: string;
  /** A first line such as `// src/a.ts`, which is not in `text`. It is restored when the file has it too. */
  readonly pathComment?: string;
}

/** An edit of one file. */
export type ClipboardEdit =
  | SnippetEdit
  | { readonly format: 'unifiedDiff'; readonly path?: string; readonly diff: string }
  | {
      readonly format: 'searchReplace';
      readonly path?: string;
      readonly blocks: readonly SearchReplaceBlock[];
    };

export type ClipboardContent =
  | { readonly kind: 'edits'; readonly edits: readonly ClipboardEdit[] }
  /** `isTooMuch`: there may be code, but more than anybody can review. */
  | { readonly kind: 'rejected'; readonly reason: Sentence; readonly isTooMuch?: boolean };

/** UTF-16 code units. Snippets are far smaller, and VS Code limits its features for larger files. */
export const maxTextLength = 5 * 1024 * 1024;

/** No address, path or word is longer; expressions fail on one of millions of characters. */
const maxWordLength = 10_000;

/** Reads the edits in a text from a chat, a terminal or an editor. */
export function parseClipboard(text: string): ClipboardContent {
  const reason = reasonAgainst(text);
  if (reason !== undefined) return { kind: 'rejected', reason };
  const given = plainText(text);
  const body = tidiedDiffs(withoutMargin(given.split('\n'))).join('\n');

  if (/^\s*diff --git /.test(body) && !isUnifiedDiff(body)) {
    return rejected(sentence('The diff on the clipboard changes no text.'));
  }
  if (hasSearchReplace(body)) return readSearchReplaceAndMore(body);
  if (isUnifiedDiff(body) && !hasFence(body.slice(0, body.search(/^@@/m)))) {
    return edits(splitByFile(body).map(file => ({ format: 'unifiedDiff', ...file })));
  }
  const { blocks, outside } = readMarkdown(body);
  // Fences within code, as in a doc string, do not make it Markdown.
  const isMarkdown = blocks.length > 0 && !isMostlyCode(outside);
  if (isMarkdown && blocks.length > maxBlocks) return tooManyBlocks;
  if (isMarkdown) return readBlocks(blocks);

  if (!looksLikeCode(body)) return rejected(sentence('The clipboard holds text, but no code.'));
  return edits([snippet(body, {})]);
}

function reasonAgainst(text: string): Sentence | undefined {
  if (text === '') return sentence('The clipboard is empty.');
  if (text.length > maxTextLength) return sentence('The clipboard holds more than 5 MB of text.');
  // oxlint-disable-next-line no-control-regex -- control characters are what tells binary data from text
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) {
    return sentence('The clipboard holds binary data, not text.');
  }
  const trimmed = text.trim();
  if (trimmed === '') return sentence('The clipboard holds only white space.');
  if (trimmed.length > maxWordLength || /\s/.test(trimmed)) return undefined;
  if (/^[a-z][\w+.-]*:\/\/\S+$/i.test(trimmed)) {
    return sentence('The clipboard holds a web address, not code.');
  }
  if (isPath(trimmed) || /^(?:[\w.~-]*[\\/])+[\w.-]*$/.test(trimmed)) {
    return sentence('The clipboard holds a file name, not code.');
  }
  return /^[\p{L}\p{N}_.,!?'-]+$/u.test(trimmed)
    ? sentence('The clipboard holds a single word, not code.')
    : undefined;
}

function readSearchReplaceAndMore(body: string): ClipboardContent {
  const found = readSearchReplace(body, pathAbove);
  if ('incomplete' in found) {
    return rejected(sentence('A search/replace block on the clipboard is incomplete.'));
  }
  const { blocks } = readMarkdown(found.rest);
  if (blocks.length > maxBlocks) return tooManyBlocks;
  const more = blocks.filter(({ text }) => looksLikeCode(text) && hasCode(text));
  return edits([
    ...found.files.map(file => ({ format: 'searchReplace' as const, ...file })),
    ...more.filter(block => !isForTheTerminal(block)).flatMap(editsOfBlock),
  ]);
}

function readBlocks(blocks: readonly FencedBlock[]): ClipboardContent {
  const filled = blocks.filter(({ text }) => text.trim() !== '');
  if (filled.length === 0) return rejected(sentence('The code blocks on the clipboard are empty.'));
  const code = filled.filter(block => !isForTheTerminal(block));
  if (code.length > 0) return edits(code.flatMap(editsOfBlock));
  if (filled.every(({ text }) => isTerminalText(text))) {
    return rejected(sentence('The clipboard holds commands for a terminal, but no code.'));
  }
  return edits(filled.filter(({ text }) => !isTerminalText(text)).flatMap(editsOfBlock));
}

function editsOfBlock(block: FencedBlock): ClipboardEdit[] {
  const named =
    pathFromInfo(block.info) ?? (block.above ? pathFromHeading(block.above) : undefined);
  const withPath = named === undefined ? {} : { path: named };
  const isMarkedDiff = /^(?:diff|patch)\b/i.test(block.info);
  if (isUnifiedDiff(block.text)) {
    return splitByFile(block.text).map(file => ({ format: 'unifiedDiff', ...withPath, ...file }));
  }
  if (isMarkedDiff && /^[-+]/m.test(block.text)) {
    return [{ format: 'unifiedDiff', ...withPath, diff: `@@\n${block.text}` }];
  }
  const word = /^[\w+#-]+/.exec(block.info)?.[0] ?? '';
  const languageId = languageIdOf(word);
  return [
    snippet(block.text, { ...withPath, ...(languageId === undefined ? {} : { languageId }) }),
  ];
}

function snippet(text: string, known: { path?: string; languageId?: string }): SnippetEdit {
  const { path, ...commented } = splitPathComment(text, known.path);
  const languageId = known.languageId ?? (path === undefined ? undefined : languageIdOfPath(path));
  return {
    format: 'snippet',
    ...(path === undefined ? {} : { path }),
    ...(languageId === undefined ? {} : { languageId }),
    ...commented,
  };
}

/** Shell commands or their output, which are no edits. */
function isForTheTerminal({ info, text, above }: FencedBlock): boolean {
  const hasPath = pathFromInfo(info) ?? (above ? pathFromHeading(above) : undefined);
  if (hasPath !== undefined || pathFromComment(firstLine(text)) !== undefined) return false;
  return isTerminalInfo(info, text) || isTerminalText(text);
}

function hasFence(text: string): boolean {
  return text.split('\n').some(line => fenceAt(line, indentEnd(line)) !== undefined);
}

function hasCode(text: string): boolean {
  return text.trim() !== '' && !isPath(text.trim());
}

function edits(found: readonly ClipboardEdit[]): ClipboardContent {
  return { kind: 'edits', edits: onePerFile(found) };
}

const tooManyBlocks: ClipboardContent = {
  kind: 'rejected',
  reason: sentence('The clipboard holds more than {0} code blocks.', maxBlocks),
  isTooMuch: true,
};

function rejected(reason: Sentence): ClipboardContent {
  return { kind: 'rejected', reason };
}

/** Patches of some agents have no header above a hunk. */
const firstHunk = /^(?:@@|\*\*\* Update File: )/m;

/** Joins edits of one file in one format; edits without a file name stay separate. */
function onePerFile(found: readonly ClipboardEdit[]): ClipboardEdit[] {
  const groups: ClipboardEdit[][] = [];
  const known = new Map<string, ClipboardEdit[]>();
  for (const edit of found) {
    const key = edit.path === undefined ? undefined : `${edit.format} ${edit.path}`;
    const group = key === undefined ? undefined : known.get(key);
    if (group) group.push(edit);
    else {
      const fresh = [edit];
      groups.push(fresh);
      if (key !== undefined) known.set(key, fresh);
    }
  }
  return groups.flatMap(([first, ...others]) => (first ? [joined(first, others)] : []));
}

function joined(first: ClipboardEdit, others: readonly ClipboardEdit[]): ClipboardEdit {
  if (others.length === 0) return first;
  const all = [first, ...others];
  if (first.format === 'snippet') {
    const marker = existingCodeMarker(first.languageId);
    const texts = all.flatMap(edit => (edit.format === 'snippet' ? [edit.text] : []));
    return { ...first, text: texts.join(`\n\n${marker}\n\n`) };
  }
  if (first.format === 'unifiedDiff') {
    const [own, ...rest] = all.flatMap(edit => (edit.format === 'unifiedDiff' ? [edit.diff] : []));
    return {
      ...first,
      diff: [own, ...rest.map(diff => diff.slice(diff.search(firstHunk)))].join('\n'),
    };
  }
  return {
    ...first,
    blocks: all.flatMap(edit => (edit.format === 'searchReplace' ? edit.blocks : [])),
  };
}
