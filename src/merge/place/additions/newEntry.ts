import { LinePattern } from '../../similarity';
import type { BlockPlace } from '../aligner';
import { type Block, partOfBlock } from '../block';
import { declaredName } from '../declaredName';
import type { FileIndex } from '../fileIndex';
import { entryName, isCommentOrDecorator } from './entries';

/** A renamed declaration keeps at least this share of its lines. */
const minKept = 0.6;
/** The header of a renamed declaration is at least so similar; it counts as kept. */
const minRenamed = 0.8;
/** The end of a header of several lines, or of a body: `) -> int:`, `});` */
const continuation = /^[)\]}]/;
/** The end of a header whose body has no closing line. */
const indentedBody = /(?:[:=]|->)$/;
/** The end of a line that continues below. */
const continues = /(?:[[({:=]|->)$/;

/** More declarations are a rewritten file; each is looked for in the whole file. */
const maxNames = 50;

/** True when a section shows nothing but whole declarations that the file does not have, with what leads them. */
export function isNewEntry({ ids, indents, section }: Block, file: FileIndex): boolean {
  const [depth = 0] = indents;
  // A marker that is indented more stands for the rest of the body.
  if ((section.markerBelow ?? 0) > depth) return false;
  /** The last line at this depth, and whether a closing line must follow. */
  let last: 'lead' | 'header' | 'end' = 'lead';
  let isClosedByLine = false;
  let isOpen = false;
  let names = 0;
  for (const [row, id] of ids.entries()) {
    const indent = indents[row] ?? 0;
    const text = file.textOf(id);
    if (indent < depth) return false;
    if (indent > depth) {
      // The lines of a long comment are indented more than its first one.
      if (last === 'end' || (last === 'lead' && !text.startsWith('*'))) return false;
      isOpen = isClosedByLine;
      continue;
    }
    const isLead = isCommentOrDecorator(text);
    const isEnd = !isLead && last !== 'lead' && (file.isFiller(id) || continuation.test(text));
    if (isOpen && !isEnd) return false;
    isOpen = false;
    if (isEnd) {
      last = continues.test(text) ? 'header' : 'end';
    } else if (isLead) {
      last = 'lead';
    } else {
      const name = declaredName(text);
      if (name === undefined || ++names > maxNames || isDeclared(name, file)) return false;
      last = 'header';
    }
    isClosedByLine = last === 'header' && !indentedBody.test(text);
  }
  return last !== 'lead' && !isOpen;
}

/** A block without the closing lines below it of what its entries are part of; and how many these are. */
export function withoutOuterEnd(
  block: Block,
  file: FileIndex,
): { readonly entry: Block; readonly closers: number } {
  const { ids, indents } = block;
  const [depth = 0] = indents;
  let end = ids.length;
  while (end > 0 && (indents[end - 1] ?? 0) < depth && file.isFiller(ids[end - 1] ?? -1)) end--;
  return { entry: partOfBlock(block, 0, end), closers: ids.length - end };
}

/** Whether a line of the file declares the name, in any form. */
function isDeclared(name: string, file: FileIndex): boolean {
  const { body } = file.source;
  for (let at = body.indexOf(name); at >= 0; ) {
    const start = body.lastIndexOf('\n', at) + 1;
    const next = body.indexOf('\n', at);
    const end = next < 0 ? body.length : next;
    const line = body.slice(start, Math.min(end, start + maxLineLength)).trim();
    if (declaredName(line) === name || entryName(line) === name) return true;
    at = body.indexOf(name, end);
  }
  return false;
}

/** Declarations have shorter lines. */
const maxLineLength = 400;

/** True when the place takes no declaration away, or one that is what the block shows under another name. */
export function keepsOthers(
  block: Block,
  { start, end }: BlockPlace,
  file: FileIndex,
  share = minKept,
): boolean {
  if (start === end) return true;
  const isTelling = (id: number): boolean => !file.isFiller(id);
  const rows = block.ids.filter(isTelling);
  const old = file.ids.slice(start, end).filter(isTelling);
  const wanted = share * Math.max(old.length, rows.length);
  const isDeclaration = (id: number): boolean => declaredName(file.textOf(id)) !== undefined;
  const declared = old.filter(isDeclaration);
  if (declared.length === 0) return false;
  const shown = new Set(rows);
  const kept = old.filter(id => shown.has(id)).length;
  if (kept >= wanted) return true;
  const headers = rows.filter(isDeclaration).slice(0, maxNames);
  const patterns = headers.map(id => new LinePattern(file.textOf(id)));
  const isRenamed = (id: number): boolean =>
    !shown.has(id) && patterns.some(pattern => pattern.ratio(file.textOf(id)) >= minRenamed);
  return kept + declared.slice(0, maxNames).filter(isRenamed).length >= wanted;
}
