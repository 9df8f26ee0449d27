import { type Sentence, sentence } from '../../base/sentence';
import { isFiller } from '../lines';
import type { KnownLines } from '../snippet/knownLines';
import { isMarkerLine } from '../snippet/markers';

/** The name in messages. */
export interface HunkName {
  /** `Hunk 2`, `Search text 1` */
  readonly atStart: Sentence;
  /** `hunk 2`, `search text 1` */
  readonly within: Sentence;
}

/** One change of a patch: a hunk of a diff, or a search/replace block. */
export interface PatchHunk {
  readonly name: HunkName;
  readonly lines: readonly HunkLine[];
  /** 0-based line of the original; undefined when the patch does not say. */
  readonly start?: number;
  /** The texts behind `@@`: lines above the hunk, from the top down. */
  readonly anchors?: readonly string[];
  /** True when the patch removes the final newline, false when it restores it. */
  readonly endsOpen?: boolean;
  /** The patch says that the old lines are the last ones of the file. */
  readonly endsFile?: boolean;
  /** What it says was put right by a guess. */
  readonly isGuess?: boolean;
}

export interface HunkLine {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly text: string;
}

export const hunkHeader = /^@@(?:[ .-]|@@|$)/;
const numberedHeader = /^@@ *-(\d+)(?:,(\d+))? +\+\d+(?:,\d+)? *@@ ?(.*)$/;
const nonHunkLine =
  /^(?:diff --git |index [\da-f]+\.\.|(?:new|deleted) file mode |similarity index |rename (?:from|to) |\*\*\* (?:Begin|End|Update|Add|Delete) |`{3})/;

/** Below a hunk in patches of some agents. */
const endOfFile = /^\*\*\* End of File\s*$/;

interface OpenHunk {
  place: Pick<PatchHunk, 'start' | 'anchors' | 'endsFile'>;
  readonly lines: string[];
}

/** Reads the hunks of one file's diff. A line without a mark is context if the original has it, else chatter. */
export function readHunks(diff: readonly string[], known: KnownLines): PatchHunk[] {
  const opened: OpenHunk[] = [];
  let isOpen = false;
  const open = (place: OpenHunk['place']): void => {
    const above = isOpen && place.start === undefined ? anchorsOf(opened.at(-1), known) : [];
    const anchors = [...above, ...(place.anchors ?? [])];
    opened.push({ place: { ...place, ...(anchors.length > 0 && { anchors }) }, lines: [] });
    isOpen = true;
  };
  diff.forEach((line, at) => {
    if (hunkHeader.test(line)) {
      open(placeIn(line));
    } else if (isFileHeader(diff, at, isOpen)) {
      isOpen = false;
    } else if (line.startsWith('*** Update File: ') || isFileHeader(diff, at - 1, isOpen)) {
      open({});
    } else if (nonHunkLine.test(line) && !known.has(line.trim())) {
      const last = isOpen ? opened.at(-1) : undefined;
      if (last && endOfFile.test(line)) last.place = { ...last.place, endsFile: true };
      isOpen = false;
    } else if (isOpen) {
      opened.at(-1)?.lines.push(line);
    }
  });
  const hunks = opened.flatMap(hunk => partsOf(hunk, known));
  return hunks.map((hunk, at) => ({
    ...hunk,
    name: hunks.length === 1 ? theChange : nameOfHunk(at + 1),
  }));
}

export const theChange: HunkName = {
  atStart: sentence('The change'),
  within: sentence('the change'),
};

const nameOfHunk = (number: number): HunkName => ({
  atStart: sentence('Hunk {0}', number),
  within: sentence('hunk {0}', number),
});

/** A removed line may start with '-- ', too, but then no '+++' and no hunk header follow. */
function isFileHeader(diff: readonly string[], at: number, isOpen: boolean): boolean {
  return (
    (diff[at]?.startsWith('--- ') ?? false) &&
    (diff[at + 1]?.startsWith('+++ ') ?? false) &&
    (!isOpen || (diff[at + 2]?.startsWith('@@') ?? false))
  );
}

function placeIn(header: string): OpenHunk['place'] {
  const [, digits, count, behind = withoutSigns(header)] = numberedHeader.exec(header) ?? [];
  // Several anchors may share a line, and one of only dots stands for any lines.
  const anchors = behind.split('@@').flatMap(text => {
    const anchor = text.trim();
    return /[\p{L}\p{N}]/u.test(anchor) && !isMarkerLine(anchor) && !isRange(anchor)
      ? [anchor]
      : [];
  });
  // Without old lines, the number refers to the line above.
  const start = count === '0' ? Number(digits) : Math.max(0, Number(digits) - 1);
  return {
    ...(digits !== undefined && { start }),
    ...(anchors.length > 0 && { anchors }),
  };
}

/** `line 12`, `lines 10-20`: numbers that a model made up, not a line of the file. */
const isRange = (anchor: string): boolean => /^(?:lines? )?[-+\d, ]+$/i.test(anchor);

/** A hunk without changes only says which lines come before those of the next one. */
function anchorsOf(hunk: OpenHunk | undefined, known: KnownLines): readonly string[] {
  if (!hunk || hunk.place.start !== undefined || hunk.lines.some(line => /^[-+]/.test(line))) {
    return [];
  }
  const lines = hunk.lines.flatMap(line => lineOf(line, known)).map(({ text }) => text.trim());
  return [
    ...(hunk.place.anchors ?? []),
    ...lines.filter(text => !isFiller(text)).slice(0, maxAnchors),
  ];
}

const maxAnchors = 20;

function withoutSigns(header: string): string {
  const text = header.replace(/^@@\s*/, '');
  return text.endsWith('@@') ? text.slice(0, -2).trimEnd() : text;
}

/** Splits a hunk at markers for omitted code. */
function partsOf({ place, lines }: OpenHunk, known: KnownLines): Omit<PatchHunk, 'name'>[] {
  const parts: HunkLine[][] = [[]];
  let endsOpen: boolean | undefined;
  const last = lines.findLastIndex(line => line.trim() !== '');
  for (const line of lines.slice(0, last + 1)) {
    const part = parts.at(-1);
    if (line.startsWith('\\')) {
      endsOpen = part?.at(-1)?.kind !== 'removed' || endsOpen === true;
    } else if (isMarkerLine(line) && !known.has(line.trim()) && !known.has(line.slice(1).trim())) {
      parts.push([]);
    } else {
      part?.push(...lineOf(line, known));
    }
  }
  const { endsFile, ...above } = place;
  return parts.flatMap((part, at) =>
    part.some(isChange)
      ? {
          lines: part,
          ...(at === 0 && above),
          ...(at === parts.length - 1 && endsFile && { endsFile }),
          ...(at === parts.length - 1 && endsOpen !== undefined && { endsOpen }),
        }
      : [],
  );
}

const kindByMark = { '-': 'removed', '+': 'added', ' ': 'kept' } as const;

function lineOf(line: string, known: KnownLines): HunkLine[] {
  const mark = line.charAt(0);
  // A list item that lost its leading space.
  if (mark === '-' && known.has(line.trim()) && !known.has(line.slice(1).trim())) {
    return [{ kind: 'kept', text: line }];
  }
  if (mark === '-' || mark === '+' || mark === ' ') {
    return [{ kind: kindByMark[mark], text: line.slice(1) }];
  }
  // Editors strip the space of an empty context line; chats omit it before others.
  return line.trim() === '' || known.has(line.trim()) ? [{ kind: 'kept', text: line }] : [];
}

export function oldSide(lines: readonly HunkLine[]): string[] {
  return lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text);
}

export function newSide(lines: readonly HunkLine[]): string[] {
  return lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);
}

/** Removes blank context at both ends, which chats add and drop freely. */
export function withoutBlankEnds({ start, ...hunk }: PatchHunk): PatchHunk {
  const first = Math.max(0, hunk.lines.findIndex(isChangeOrText));
  return {
    ...hunk,
    lines: hunk.lines.slice(first, hunk.lines.findLastIndex(isChangeOrText) + 1),
    ...(start !== undefined && { start: start + first }),
  };
}

function isChangeOrText(line: HunkLine): boolean {
  return isChange(line) || line.text.trim() !== '';
}

export function isChange({ kind }: HunkLine): boolean {
  return kind !== 'kept';
}

/** Each run of changed lines as a hunk, with up to `context` lines of context. */
export function* splitAtContext(hunk: PatchHunk, context: number): Generator<PatchHunk, undefined> {
  const { lines } = hunk;
  const isChanged = (at: number): boolean => at in lines && lines[at]?.kind !== 'kept';
  for (let from = 0; from < lines.length; from++) {
    if (!isChanged(from) || isChanged(from - 1)) {
      continue;
    }
    let to = from;
    while (isChanged(to)) {
      to++;
    }
    let top = from;
    while (top > 0 && from - top < context && lines[top - 1]?.kind === 'kept') {
      top--;
    }
    let bottom = to;
    while (bottom < lines.length && bottom - to < context && lines[bottom]?.kind === 'kept') {
      bottom++;
    }
    yield { name: hunk.name, lines: lines.slice(top, bottom) };
    from = to;
  }
  return undefined;
}
