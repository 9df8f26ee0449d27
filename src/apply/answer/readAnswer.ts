import { sentence } from '../../base/sentence';
import { splitLines } from '../../base/text/textLines';
import {
  type BlockAtLine,
  fencedBlockAt,
  maxBlocks,
  pathFromComment,
  pathFromHeading,
  pathFromInfo,
} from '../../markdown';
import { numberedRowsAt, startsBlock, tidiedDiffs, withoutMargin } from '../../merge';
import { isMostlyCode, looksLikeCode } from '../parse/codeShape';
import { firstLine, isSameFile } from '../parse/pathComment';
import { isTerminalInfo, isTerminalText, plainText } from '../parse/terminalText';
import { fitsFile } from './blockLanguage';
import { contentOfFile, contentOfHeredoc, hasStructure, partsOfText, snippetPart } from './content';
import { cutHead, isPatchCutOff, markedCutOff } from './cutOff';
import { agentPatchEnd, isAgentPatchStart, lastPatchEnd } from './dialects/agentPatch';
import { type Banner, bannerAt } from './dialects/banners';
import { beginsPart, blocksEnd, createsFile, incompleteEnd } from './dialects/blocks';
import { type FileTag, fileTagAt, isUnknownFileTag, openFileTag } from './dialects/fileTags';
import { diffEnd, isDiffStart } from './dialects/gitDiff';
import { heredocAt } from './dialects/heredoc';
import { numberedPart, omittedPart, transcriptPath, unboxed } from './dialects/numberedDiff';
import { tagFenceAt } from './dialects/tagFence';
import { startsTaggedCall, taggedCallAt } from './dialects/taggedCalls';
import { damagedCall, readToolCalls } from './dialects/toolCalls';
import { leftovers, unread } from './leftovers';
import { looseCode } from './looseCode';
import {
  headingPath,
  isMarkdownHeading,
  mayBeOnlyLabel,
  type Naming,
  saysNew,
  sideIn,
  statementIn,
  taggedPath,
  wordWithDot,
} from './namingLines';
import { type EditPart, part, reasons } from './operations';

const isCodeOnly: ReadonlySet<EditPart['operation']['kind']> = new Set(['snippet', 'none']);

const readPatch = (text: string): EditPart[] => partsOfText(text, {});

/** Reads what an answer does to which files, in the order of the answer. Every line of code is in one part. */
export function readAnswer(answer: string): EditPart[] {
  const body = plainText(answer);
  const calls = readToolCalls(body, readPatch);
  if (calls) return calls;
  const lines = unboxed(tidiedDiffs(withoutMargin(splitLines(body))));
  const reader = new AnswerReader(lines);
  const parts = reader.read();
  // Fences within code, as in a doc string, do not make it an answer.
  const isCode =
    reader.isFencesOnly &&
    parts.every(({ operation: { kind, path } }) => path === undefined && isCodeOnly.has(kind)) &&
    isMostlyCode(reader.outside);
  if (parts.length > 0 && !isCode) {
    return [...parts, ...leftovers(parts), ...unread(lines, parts, reader.outside)];
  }
  if (looksLikeCode(body)) return [snippetPart(body, {})];
  return [part(body, { kind: 'none', reason: sentence('It is text, but no code.') })];
}

class AnswerReader {
  readonly #lines: readonly string[];
  readonly #lastText: number;
  readonly #lastPatchEnd: number;
  readonly #parts: EditPart[] = [];
  /** Tags that nothing closes any more. */
  readonly #unclosed = new Set<string>();
  /** Tags that hold no name of a file. */
  readonly #unnamed = new Set<string>();
  readonly outside: string[] = [];
  /** Nothing but fenced blocks was found. */
  isFencesOnly = true;
  /** The file that the last heading names. */
  #section: Naming = { isNew: false };
  /** The heading that the last block took its file from. */
  #used: Naming | undefined;
  /** The file that the line above names in a tag of its own. */
  #tagged: string | undefined;
  /** The last line with text since the last block. */
  #above: string | undefined;
  #blanks = 0;
  /** The code before a change, while the one after it is awaited. */
  #before:
    | {
        readonly text: string;
        readonly source: string;
        readonly naming: Naming;
        /** What the block is where no code after the change follows. */
        readonly alone: (() => EditPart[]) | undefined;
      }
    | undefined;
  #blocks = 0;
  /** The end of the last lines that have numbers, but are no diff. */
  #numberedUntil = 0;
  #hasNumberedDiff = false;
  /** Blocks that look as if they were for a terminal, and what they are otherwise. */
  readonly #terminal: { readonly parts: readonly EditPart[]; readonly isSure: boolean }[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#lastText = lines.findLastIndex(line => line.trim() !== '');
    this.#lastPatchEnd = lastPatchEnd(lines);
  }

  read(): EditPart[] {
    const lines = this.#lines;
    for (let at = this.#readCutHead(); at < lines.length; ) at = this.#readAt(at);
    this.#closePair();
    this.#settleTerminal();
    if (this.#parts.length > 0) this.#parts.push(...looseCode(this.outside, true));
    return this.#parts;
  }

  /** Reads the block or the diff that the answer begins in; returns the line after it. */
  #readCutHead(): number {
    const head = cutHead(this.#lines);
    if (!head) return 0;
    const text = this.#lines.slice(0, head.end).join('\n');
    const info = head.isDiff ? 'diff' : '';
    this.#readBlock({ info, text, end: head.end, isClosed: true }, text);
    this.#parts.splice(0, this.#parts.length, ...markedCutOff(this.#parts, 'start'));
    return head.next;
  }

  /** Reads what begins at a line; returns the line after it. */
  #readAt(at: number): number {
    const lines = this.#lines;
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      this.#blanks++;
      this.outside.push(line);
      return at + 1;
    }
    const made = this.#taggedAt(at) ?? this.#callAt(at) ?? heredocAt(lines, at, contentOfHeredoc);
    if (made) return this.#add(made.parts, made.end);
    const open = this.#unclosedAt(at);
    if (open !== undefined) return open;
    const banner = bannerAt(lines, at);
    if (banner) return this.#readBanner(banner, at);
    const end = this.#structureEnd(at);
    if (end > at) {
      const naming = this.#naming(undefined, () => createsFile(lines, at));
      const patch = lines.slice(at, end);
      const parts = partsOfText(patch.join('\n'), naming);
      const isCutOff = end >= this.#lastText - maxCutHeader && isPatchCutOff(patch);
      return this.#add(isCutOff ? markedCutOff(parts, 'end') : parts, end);
    }
    const numbered = at < this.#numberedUntil ? undefined : numberedRowsAt(lines, at);
    if (numbered?.isDiff) {
      this.#hasNumberedDiff = true;
      const rows = lines.slice(at, numbered.end);
      return this.#add([numberedPart(rows, this.#naming(undefined))], numbered.end);
    }
    if (numbered) this.#numberedUntil = numbered.end;
    const block = this.#blockAt(at);
    if (block) {
      this.#readBlock(block, lines.slice(at, block.end).join('\n'));
      return block.end;
    }
    this.#readProse(line, at);
    return at + 1;
  }

  #blockAt(at: number): BlockAtLine | undefined {
    const block = fencedBlockAt(this.#lines, at);
    const isDocument = block && /\.mdx?$/i.test(this.#naming(block.info).path ?? '');
    return isDocument ? fencedBlockAt(this.#lines, at, true) : block;
  }

  /** A file, or the call of a tool, between tags. */
  #taggedAt(at: number): FileTag | undefined {
    const lines = this.#lines;
    if (!lines[at]?.includes('<')) return undefined;
    const unclosed = this.#unclosed;
    const pathAbove = () =>
      this.#blanks > 0 || this.#above === undefined ? undefined : headingPath(this.#above);
    return (
      tagFenceAt(lines, at, pathAbove, contentOfFile, unclosed) ??
      taggedCallAt(lines, at, readPatch, { named: this.#section.path, unclosed }) ??
      fileTagAt(lines, at, contentOfFile, {
        named: this.#tagged,
        unclosed,
        unnamed: this.#unnamed,
        readPatch,
      })
    );
  }

  /** Reads a tag that nothing closes; returns the line after it, or undefined where none begins. */
  #unclosedAt(at: number): number | undefined {
    const lines = this.#lines;
    const line = lines[at] ?? '';
    if (!line.includes('<')) return undefined;
    const tag = openFileTag(lines, at, this.#unclosed);
    if (!tag && !startsTaggedCall(line)) return undefined;
    const next = lines.slice(at + 1, at + 4).find(text => text.trim() !== '');
    if (tag?.path !== undefined && next !== undefined && /^\s*(?:```|~~~)/.test(next)) {
      // It stands above its block like a heading.
      this.#section = { path: tag.path, isNew: false };
      return at + 1;
    }
    const end = incompleteEnd(lines, at) + 1;
    const source = lines.slice(at, end).join('\n');
    const operation = { kind: 'none', path: tag?.path, reason: reasons.unclosed } as const;
    return this.#add([part(source, operation)], end);
  }

  /** The call of a tool in a line of JSON. */
  #callAt(at: number): FileTag | undefined {
    const line = this.#lines[at] ?? '';
    if (!/^\s*[[{]/.test(line)) return undefined;
    const parts = readToolCalls(line, readPatch) ?? damagedCall(line);
    return parts && { parts, end: at + 1 };
  }

  /** What stands below a banner is its file, up to the next part; blocks there are read by themselves. */
  #readBanner({ path, start, end }: Banner, at: number): number {
    const lines = this.#lines;
    const isDocument = /\.mdx?$/i.test(path);
    let next = start;
    // A Markdown file may hold fences of its own.
    while (
      next < end &&
      (isDocument ? !isAgentPatchStart(lines[next] ?? '') : !beginsPart(lines, next))
    ) {
      next++;
    }
    const rows = lines.slice(start, next);
    const text = rows.slice(0, rows.findLastIndex(line => line.trim() !== '') + 1);
    if (text.length === 0) {
      this.outside.push(...lines.slice(at, start));
      this.#section = { path, isNew: false };
      return start;
    }
    const source = lines.slice(at, next).join('\n');
    return this.#add(partsOfText(text.join('\n'), { path }, source), next);
  }

  /** The end of a patch or of search/replace blocks that begin at a line; `at` where none begin. */
  #structureEnd(at: number): number {
    const lines = this.#lines;
    const line = lines[at] ?? '';
    if (isAgentPatchStart(line)) return agentPatchEnd(lines, at, this.#lastPatchEnd);
    if (isDiffStart(lines, at)) return diffEnd(lines, at, this.#fenceAfter(at));
    return startsBlock(lines, at) ? Math.max(at + 1, blocksEnd(lines, at)) : at;
  }

  /** The next fence at the very start of a line: no line of a diff begins like that. */
  #fenceAfter(at: number): number {
    let next = at + 1;
    while (next < this.#lines.length && !/^(?:```|~~~)/.test(this.#lines[next] ?? '')) next++;
    return next;
  }

  #add(parts: readonly EditPart[], end: number): number {
    this.#closePair();
    this.isFencesOnly = false;
    this.#parts.push(...parts);
    this.#above = undefined;
    this.#blanks = 0;
    return end;
  }

  #readProse(line: string, at: number): void {
    const named = transcriptPath(line);
    this.#above = line.trim();
    this.#blanks = 0;
    if (named !== undefined) {
      this.#section = { path: named, isNew: saysNew(line) };
      return;
    }
    this.outside.push(line);
    const next = this.#lines.slice(at + 1, at + 4).find(text => text.trim() !== '') ?? '';
    const statement = /^\s*(?:```|~~~)/.test(next) ? undefined : statementIn(line);
    if (statement) {
      this.#parts.push(part(line.trim(), { ...statement, isStated: true }));
      return;
    }
    if (isUnknownFileTag(line)) {
      this.#parts.push(part(line.trim(), { kind: 'none', reason: reasons.tag }));
      return;
    }
    const omitted = this.#hasNumberedDiff ? omittedPart(line, this.#section.path) : undefined;
    if (omitted) {
      this.#parts.push(omitted);
      return;
    }
    this.#tagged = taggedPath(line);
    const path = this.#tagged ?? headingPath(line);
    if (path !== undefined) this.#section = { path, isNew: saysNew(line) };
    else if (isMarkdownHeading(line)) this.#section = { isNew: false };
  }

  /**
   * What is known of a block from its info string, the line above it and the heading before it.
   *
   * @param isFile whether the block is a whole file for sure: then a word right above it is taken for its name.
   */
  #naming(info: string | undefined, isFile?: () => boolean): Naming {
    const above = this.#blanks > maxBlanksAbove ? undefined : this.#above;
    const fromInfo = info === undefined ? undefined : pathFromInfo(info);
    // A file that a sentence mentions is the subject only where no heading names one.
    const heading = above === undefined ? undefined : headingPath(above);
    const mentioned = above === undefined ? undefined : pathFromHeading(above);
    const word = above === undefined || this.#blanks > 0 ? undefined : wordWithDot(above);
    const near = fromInfo ?? heading ?? (word !== undefined && isFile?.() ? word : undefined);
    const path = near ?? this.#section.path ?? mentioned;
    const isSection = path === this.#section.path && this.#section.isNew;
    return {
      path,
      isNew: isSection || (above !== undefined && saysNew(above)),
      isFurther: near === undefined && this.#used === this.#section,
      isNear: near !== undefined,
    };
  }

  #readBlock({ info, text, isClosed }: BlockAtLine, source: string): void {
    if (++this.#blocks > maxBlocks) {
      this.#parts.push(
        part(source, { kind: 'none', reason: sentence('The answer has too many blocks.') }),
      );
      return;
    }
    const commented = pathFromComment(firstLine(text));
    const named = this.#naming(info, () => createsFile(text.split('\n'), 0));
    // A comment in the block is nearer than a heading further up.
    const isOther =
      !named.isNear &&
      named.path !== undefined &&
      commented !== undefined &&
      !isSameFile(named.path, commented);
    const naming = isOther ? { isNew: false } : named;
    this.#used = this.#section;
    const label = this.#above ?? '';
    const side = sideIn(label);
    this.#above = undefined;
    this.#blanks = 0;
    if (text.trim() === '') {
      if (!isClosed) this.#parts.push(part(source, { kind: 'none', reason: reasons.oddFence }));
      return;
    }
    if (side === 'before') {
      this.#closePair();
      const alone = () => partsOfText(text, { ...naming, info }, source);
      this.#before = { text, source, naming, alone: mayBeOnlyLabel(label) ? alone : undefined };
      return;
    }
    const before = this.#before;
    if (side === 'after' && before) {
      this.#before = undefined;
      const path = naming.path ?? before.naming.path;
      const blocks = [{ search: before.text, replace: text }];
      this.#parts.push(part(`${before.source}\n${source}`, { kind: 'blocks', path, blocks }));
      return;
    }
    this.#closePair();
    const known = fitsFile(info, naming.path) || hasStructure(text) ? naming : { isNew: false };
    const isFurther = known.path !== undefined && known.isFurther === true;
    const found = partsOfText(text, { ...known, info }, source).map(one =>
      isFurther && one.operation.path === known.path ? { ...one, isFurtherPart: true } : one,
    );
    const parts = isClosed ? found : markedCutOff(found, 'end');
    const isNamed = known.path !== undefined || commented !== undefined;
    const isOfTerminal =
      !isNamed && (isTerminalText(text) || isTerminalInfo(info, text)) && !hasStructure(text);
    if (isOfTerminal) this.#terminal.push({ parts, isSure: isTerminalText(text) });
    this.#parts.push(
      ...(isOfTerminal ? [part(source, { kind: 'none', reason: reasons.terminal })] : parts),
    );
  }

  /** Where an answer holds nothing else, blocks marked as plain text or shell are code. */
  #settleTerminal(): void {
    if (this.#terminal.length < this.#parts.length || this.#terminal.some(({ isSure }) => isSure))
      return;
    this.#parts.splice(0, this.#parts.length, ...this.#terminal.flatMap(({ parts }) => parts));
  }

  /** A block that shows only the code before a change. */
  #closePair(): void {
    const before = this.#before;
    if (!before) return;
    this.#before = undefined;
    const reason = sentence('It shows the code before a change, but no code after it follows.');
    const none = part(before.source, { kind: 'none', path: before.naming.path, reason });
    this.#parts.push(...(before.alone?.() ?? [none]));
  }
}

const maxBlanksAbove = 2;
/** Lines at the end of an answer that may be the beginning of the header of a hunk. */
const maxCutHeader = 1;
