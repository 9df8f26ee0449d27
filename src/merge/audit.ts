import { balanceOf, usesTags } from './brackets';
import { diffLines, type LineChange } from './lineDiff';
import { isFiller, type Line, readOriginal } from './lines';
import { isMarkerLine } from './markers';
import { type MergeOptions, nameOf, readingsOf } from './merge';
import { readSnippet } from './sections';

export type FindingKind =
  | 'droppedCode'
  | 'leakedMarker'
  | 'codeFence'
  | 'duplicatedBlock'
  | 'truncated'
  | 'unexplainedChange'
  | 'outsideSelection'
  | 'lineEndings'
  | 'finalNewline'
  | 'imbalance'
  | 'lostIndentation'
  | 'missingEdit';

/** Something in a merged text that the snippet does not explain. */
export interface Finding {
  kind: FindingKind;
  severity: 'error' | 'warning';
  message: string;
  /** 1-based, in the merged text. */
  line: number;
}

/** Checks that every difference between the original and the merged text comes from the snippet. */
export function auditMerge(
  original: string,
  update: string,
  merged: string,
  options: MergeOptions = {},
): Finding[] {
  if (original === merged && (update === '' || update === original)) {
    return [];
  }
  return new Audit(original, update, merged, options).run();
}

class Audit {
  readonly #findings: Finding[] = [];
  readonly #before: Line[];
  readonly #after: Line[];
  /** The snippet's lines, white space trimmed; markers are left out. */
  readonly #shown: Set<string>;
  readonly #shownCount: number;
  readonly #changes: LineChange[];
  readonly #rewrite: boolean;

  constructor(
    readonly original: string,
    readonly update: string,
    readonly merged: string,
    readonly options: MergeOptions,
  ) {
    this.#before = readOriginal(original).lines;
    this.#after = readOriginal(merged).lines;
    const snippet = readSnippet(update, new Set(this.#before.map(line => line.trimmed)));
    const lines = snippet.sections.flatMap(section => section.lines);
    this.#shown = new Set(lines.map(line => line.trimmed));
    this.#shownCount = lines.length;
    this.#rewrite = snippet.markers === 0;
    this.#changes = diffLines(
      this.#before.map(line => line.text),
      this.#after.map(line => line.text),
    );
  }

  run(): Finding[] {
    this.#lineEndings();
    this.#newLines();
    this.#selection();
    this.#balance();
    this.#againstReadings();
    return this.#findings.sort((a, b) => a.line - b.line);
  }

  #add(kind: FindingKind, severity: Finding['severity'], message: string, line: number): void {
    const at = Math.max(1, Math.min(line, this.#after.length));
    if (!this.#findings.some(found => found.kind === kind && found.line === at)) {
      this.#findings.push({ kind, severity, message, line: at });
    }
  }

  #lineEndings(): void {
    const before = lineEndsOf(this.original);
    const after = lineEndsOf(this.merged);
    if (before.size > 0 && [...after].some(end => !before.has(end))) {
      this.#add('lineEndings', 'error', 'The line endings changed.', 1);
    }
    if (this.original.startsWith('\uFEFF') !== this.merged.startsWith('\uFEFF')) {
      this.#add('lineEndings', 'warning', 'The byte order mark changed.', 1);
    }
    const ends = /[\r\n]$/;
    if (
      this.original !== '' &&
      this.merged !== '' &&
      ends.test(this.original) !== ends.test(this.merged)
    ) {
      this.#add(
        'finalNewline',
        'warning',
        ends.test(this.original)
          ? 'The newline at the end of the file is gone.'
          : 'A newline was added at the end of the file.',
        this.#after.length,
      );
    }
  }

  /** New lines of the merged text must stand in the snippet, and be code. */
  #newLines(): void {
    const known = new Set(this.#before.map(line => line.trimmed));
    for (const { newStart, newCount } of this.#changes) {
      for (let at = newStart; at < newStart + newCount; at++) {
        const trimmed = this.#after[at]?.trimmed ?? '';
        if (trimmed === '' || known.has(trimmed)) {
          continue;
        }
        if (/^(?:```|~~~)/.test(trimmed) && !this.#shown.has(trimmed)) {
          this.#add('codeFence', 'error', 'A code fence was left in the file.', at + 1);
        } else if (isMarkerLine(trimmed)) {
          this.#add(
            'leakedMarker',
            'error',
            'A placeholder for existing code was left in the file.',
            at + 1,
          );
        } else if (!this.#shown.has(trimmed)) {
          this.#add(
            'unexplainedChange',
            'error',
            'This line is neither in the file nor in the snippet.',
            at + 1,
          );
        }
      }
    }
  }

  #selection(): void {
    const { range } = this.options;
    if (!range) {
      return;
    }
    for (const { oldStart, oldCount, newStart } of this.#changes) {
      const outside =
        oldCount > 0
          ? oldStart < range.startLine - 1 || oldStart + oldCount > range.endLine
          : oldStart < range.startLine - 1 || oldStart > range.endLine;
      if (outside) {
        this.#add(
          'outsideSelection',
          'error',
          'This change lies outside of the selected lines.',
          newStart + 1,
        );
      }
    }
  }

  #balance(): void {
    const tags = usesTags(this.options.path ?? '');
    const total = (lines: readonly Line[]): number[] => {
      const sum = [0, 0, 0];
      for (const line of lines) {
        const balance = balanceOf(line.text, tags);
        sum.forEach((count, kind) => {
          sum[kind] = count + (balance[kind] ?? 0);
        });
      }
      return sum;
    };
    const before = total(this.#before);
    const after = total(this.#after);
    const off = before.findIndex((count, kind) => count === 0 && (after[kind] ?? 0) !== 0);
    if (off >= 0 && !this.#expects(this.merged)) {
      const missing = (after[off] ?? 0) > 0;
      const bracket = (missing ? ')]}' : '([{')[off] ?? '';
      this.#add(
        'imbalance',
        'warning',
        `A "${bracket}" is missing: brackets were balanced before.`,
        this.#changes.at(-1)?.newStart ?? 0,
      );
    }
  }

  #expected: string[] | undefined;

  /** The results that the snippet can be read as, best first. */
  #readings(): string[] {
    if (!this.#expected) {
      const read = readingsOf(this.original, this.update, this.options);
      const outcomes = read.kind === 'outcomes' ? read.outcomes : [];
      const best = outcomes[0]?.score ?? 0;
      this.#expected = outcomes.filter(({ score }) => score >= best - SAME).map(({ text }) => text);
    }
    return this.#expected;
  }

  #expects(text: string): boolean {
    const plain = withoutBlanks(text);
    return this.#readings().some(reading => withoutBlanks(reading) === plain);
  }

  /** Compares with what the snippet says, where it says one thing. */
  #againstReadings(): void {
    const [best] = this.#readings();
    if (best === undefined || this.#expects(this.merged)) {
      if (best === undefined) {
        this.#withoutReading();
      }
      return;
    }
    const expected = readOriginal(best).lines;
    const wanted = expected.filter(line => line.trimmed !== '');
    const got = this.#after.filter(line => line.trimmed !== '');
    const place = this.#after.flatMap((line, at) => (line.trimmed === '' ? [] : [at + 1]));
    const old = new Set(this.#before.map(line => line.trimmed));
    const present = new Map<string, number>();
    for (const line of got) {
      present.set(line.trimmed, (present.get(line.trimmed) ?? 0) + 1);
    }
    const tail = got.length;
    for (const change of diffLines(wanted.map(codeOf), got.map(codeOf))) {
      const line = place[Math.min(change.newStart, tail - 1)] ?? 1;
      const missing = wanted.slice(change.oldStart, change.oldStart + change.oldCount);
      const extra = got.slice(change.newStart, change.newStart + change.newCount);
      this.#explain(missing, extra, old, line, change.newStart + change.newCount >= tail);
    }
  }

  #explain(
    missing: readonly Line[],
    extra: readonly Line[],
    old: ReadonlySet<string>,
    line: number,
    atEnd: boolean,
  ): void {
    if (missing.length > 0 && trimmedOf(missing) === trimmedOf(extra)) {
      this.#add(
        'lostIndentation',
        'error',
        'The indentation differs from the snippet and the file.',
        line,
      );
    } else if (atEnd && extra.length <= 1 && missing.length > 1) {
      this.#add(
        'truncated',
        'error',
        `The last ${missing.length} lines of the file are missing.`,
        line,
      );
    } else if (missing.some(({ trimmed }) => this.#shown.has(trimmed) && !old.has(trimmed))) {
      this.#add('missingEdit', 'error', 'A change of the snippet is not in the result.', line);
    } else if (missing.length > 0 && extra.length === 0) {
      this.#add('droppedCode', 'error', droppedMessage(missing.length, nameOf(this.options)), line);
    } else if (extra.length > 0 && missing.length === 0) {
      this.#add(
        'duplicatedBlock',
        'error',
        'These lines stand twice or should have been replaced.',
        line,
      );
    } else if (missing.length > 0 || extra.length > 0) {
      this.#add('unexplainedChange', 'error', 'The snippet does not call for this change.', line);
    }
  }

  /** No reading to compare with: at least nothing may be gone that the snippet does not replace. */
  #withoutReading(): void {
    if (this.#rewrite && this.#shownCount > 0) {
      return;
    }
    for (const { oldStart, oldCount, newStart, newCount } of this.#changes) {
      const gone = this.#before
        .slice(oldStart, oldStart + oldCount)
        .filter(({ trimmed }) => !isFiller(trimmed) && !this.#shown.has(trimmed));
      if (newCount === 0 && gone.length > 0) {
        this.#add(
          'droppedCode',
          'warning',
          droppedMessage(gone.length, nameOf(this.options)),
          newStart + 1,
        );
      }
    }
  }
}

/** Readings this close to the best are both plausible. */
const SAME = 0.8;

function droppedMessage(count: number, name: string): string {
  return count === 1
    ? `A line of ${name} is gone that the snippet does not replace.`
    : `${count} lines of ${name} are gone that the snippet does not replace.`;
}

function withoutBlanks(text: string): string {
  return text.replace(/[ \t]*(?:\r\n|\n|\r)\s*?(?=[^\r\n])/g, '\n').trimEnd();
}

function lineEndsOf(text: string): Set<string> {
  return new Set(text.match(/\r\n|\n|\r/g));
}

function codeOf(line: Line): string {
  return line.text.trimEnd();
}

function trimmedOf(lines: readonly Line[]): string {
  return lines.map(({ trimmed }) => trimmed).join('\n');
}
