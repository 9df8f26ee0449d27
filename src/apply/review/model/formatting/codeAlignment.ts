import { type Borders, CodeCursor, type CodeSpan, isQuote } from './codeCursor';

/** Borders between lines that separate the same code in both texts. */
export interface Anchor {
  readonly before: Borders;
  readonly after: Borders;
  /** The code above ends with a comma that only one side has. */
  readonly isAfterComma: boolean;
}

export type Comparison = 'same' | 'different' | 'unfinished';

/**
 * Compares code character by character but for its form: white space and line breaks, kinds of quotes, trailing commas,
 * semicolons at line ends, the case of numbers, quotes of keys, the bar before a union, and pairs of parentheses that group
 * and do not call.
 */
export class CodeAlignment {
  readonly #before: CodeCursor;
  readonly #after: CodeCursor;
  readonly #anchors: Anchor[] = [];
  #isAfterComma = false;
  #isDifferent = false;

  constructor(before: CodeSpan, after: CodeSpan) {
    this.#before = new CodeCursor(before);
    this.#after = new CodeCursor(after);
  }

  /** From top to bottom. */
  get anchors(): readonly Anchor[] {
    return this.#anchors;
  }

  /** Compares up to these lines; `unfinished` when one side has code left that the other side may have further below. */
  compareTo(beforeEnd: number, afterEnd: number): Comparison {
    const before = this.#before;
    const after = this.#after;
    before.end = beforeEnd;
    after.end = afterEnd;
    while (!this.#isDifferent) {
      this.#addAnchor();
      if (isEqual(before, after)) {
        if (before.isAtEnd) break;
        before.take();
        after.take();
        this.#isAfterComma = false;
        continue;
      }
      const side = isOptionalIn(before, after) ? before : isOptionalIn(after, before) && after;
      if (side) {
        if (side.char === ',') this.#isAfterComma = true;
        side.skip();
        continue;
      }
      if (before.isAtEnd || after.isAtEnd) return 'unfinished';
      this.#isDifferent = true;
    }
    if (this.#isDifferent) return 'different';
    return before.hasOpenPair || after.hasOpenPair ? 'unfinished' : 'same';
  }

  #addAnchor(): void {
    const before = this.#before;
    const after = this.#after;
    // A border between parentheses that only one side has would tear the pair apart.
    if (before.hasOpenPair || after.hasOpenPair) return;
    const { borders } = before;
    const { borders: now } = after;
    if (!borders || !now) return;
    // The last of several borders for the same one has the commas and parentheses that close what is above.
    if (this.#anchors.at(-1)?.before.low === borders.low) this.#anchors.pop();
    this.#anchors.push({ before: borders, after: now, isAfterComma: this.#isAfterComma });
  }
}

const isSeparator = (char: string): boolean => char === ',' || char === ';';

/** Formatters exchange kinds of quotes, the case of numbers, and the separators of the members of a type. */
function isEqual(before: CodeCursor, after: CodeCursor): boolean {
  const { char: a } = before;
  const { char: b } = after;
  if (a === b || (isQuote(a) && isQuote(b)) || (isSeparator(a) && isSeparator(b))) return true;
  return a.toLowerCase() === b.toLowerCase() && before.isInNumber && after.isInNumber;
}

/** A line break takes the place of a semicolon. */
function isOptionalIn(cursor: CodeCursor, other: CodeCursor): boolean {
  return cursor.isOptional || (cursor.char === ';' && other.borders !== undefined);
}

/** Whether these lines hold the same code. */
export function isSameCode(before: CodeSpan, after: CodeSpan): boolean {
  return new CodeAlignment(before, after).compareTo(before.end, after.end) === 'same';
}
