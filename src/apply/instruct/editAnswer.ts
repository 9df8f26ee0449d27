import { maxBlocks, readMarkdown } from '../../markdown';
import { type ClipboardEdit, looksLikeCode, parseClipboard } from '../parse/clipboard';
import { existingCodeMarker } from '../parse/languageName';

/** The edit, or the lack of one, in a model's answer. */
export type EditAnswer =
  | {
      readonly kind: 'edit';
      readonly edit: ClipboardEdit;
      /** Other files that the answer changes; those edits are dropped. */
      readonly otherFiles: readonly string[];
    }
  /** The model answered in prose and changes nothing. */
  | { readonly kind: 'words'; readonly text: string }
  /** A code block is incomplete or meant for another file. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads the edit out of an answer: fences, sentences around them, several blocks, whole files, diffs and
 * search/replace blocks. Thinking is left out.
 *
 * @param path the file that was asked about; edits that name another one are not used.
 */
export function readEditAnswer(
  answer: string,
  { path, languageId }: { readonly path: string; readonly languageId: string },
): EditAnswer {
  const text = withoutThinking(answer).trim();
  if (text === '') return { kind: 'unreadable', reason: 'The answer is empty.' };
  const unix = text.replaceAll(/\r\n?/g, '\n');
  const { blocks } = readMarkdown(unix);
  if (blocks.length > maxBlocks) {
    return { kind: 'unreadable', reason: `The answer has more than ${maxBlocks} code blocks.` };
  }
  const refusal = /^\W{0,3}CANNOT:?[*_\s]*/.exec(text)?.[0];
  if (refusal !== undefined && blocks.length === 0) {
    return { kind: 'words', text: text.slice(refusal.length) || text };
  }
  if (blocks.length === 0 && !looksLikeCode(text)) return { kind: 'words', text };
  const content = parseClipboard(unix);
  if (content.kind === 'rejected') {
    return blocks.every(block => block.text.trim() === '')
      ? { kind: 'unreadable', reason: 'The code block of the answer is empty.' }
      : { kind: 'words', text };
  }
  const own = content.edits.filter(edit => edit.path === undefined || isSame(edit.path, path));
  const otherFiles = content.edits.flatMap(edit =>
    edit.path === undefined || isSame(edit.path, path) ? [] : [edit.path],
  );
  const edit = joined(own, languageId);
  return edit
    ? { kind: 'edit', edit, otherFiles }
    : {
        kind: 'unreadable',
        reason: `The answer changes ${otherFiles.join(', ')}, but only ${path} was asked about.`,
      };
}

/** Some models write their thinking into the answer, and some services cut off its opening tag. */
function withoutThinking(text: string): string {
  const open = /^\s*<(think|thinking|reasoning)>/i.exec(text);
  const name = open?.[1]?.toLowerCase() ?? 'think';
  const end = Array.from(text.matchAll(/<\/(think|thinking|reasoning)>/gi)).find(
    ([, closed]) => closed?.toLowerCase() === name,
  );
  if (end && (open || !text.slice(0, end.index).includes('```'))) {
    return text.slice(end.index + end[0].length);
  }
  return open ? '' : text;
}

/** Joins the snippets of one file; they come before other formats because the prompt asks for snippets. */
function joined(edits: readonly ClipboardEdit[], languageId: string): ClipboardEdit | undefined {
  const snippets = edits.filter(edit => edit.format === 'snippet');
  const [first] = snippets;
  if (!first) return edits[0];
  if (snippets.length === 1) return first;
  const marker = existingCodeMarker(languageId);
  return { ...first, text: snippets.map(({ text }) => text).join(`\n${marker}\n`) };
}

function isSame(named: string, path: string): boolean {
  const [a, b] = [named, path].map(each =>
    each.replaceAll('\\', '/').replace(/^(?:\.?\/|[ab]\/)/, ''),
  );
  return a === b || `/${b}`.endsWith(`/${a}`) || `/${a}`.endsWith(`/${b}`);
}
