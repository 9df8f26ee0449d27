import { marginOf } from '../../../../base/text/textLines';
import type { FormattedRegion } from './formattedRegion';

/** What formatting did to the lines of a hunk, to do the same to the lines that it inserts. */
export class LineForms {
  /** The formatted line for a line of the hunk. */
  readonly #lines: ReadonlyMap<string, string>;
  readonly #indents: ReadonlyMap<string, string>;
  /** Blanks at line ends were removed. */
  readonly #isTrimmed: boolean;

  /** `start` to `end` are the lines of the hunk in the text before the formatting. */
  constructor(
    before: readonly string[],
    formatted: readonly string[],
    regions: readonly FormattedRegion[],
    start: number,
    end: number,
  ) {
    const lines = new Forms();
    const indents = new Forms();
    let hadBlanks = false;
    let hasBlanks = false;
    for (const region of regions) {
      for (const [line, now] of region.lines) {
        const text = before[line] ?? '';
        const form = formatted[now] ?? '';
        // A line that lost its comma as the last of a list may be followed by another one.
        const isItem = endsWithComma(text) === endsWithComma(form);
        if (start <= line && line < end && isItem) lines.add(text, form);
        indents.add(marginOf(text), marginOf(form));
      }
      hadBlanks ||= before.slice(region.start, region.end).some(endsWithBlank);
      hasBlanks ||= formatted.slice(region.newStart, region.newEnd).some(endsWithBlank);
    }
    this.#lines = lines.unique;
    this.#indents = indents.unique;
    this.#isTrimmed = hadBlanks && !hasBlanks;
  }

  /** Lines that the formatting says nothing about stay as they are. */
  apply(inserted: readonly string[]): string[] {
    const known = inserted.map(line => this.#lines.get(line));
    const canIndent = inserted.every(
      (line, n) =>
        known[n] !== undefined || line.trim() === '' || this.#indents.has(marginOf(line)),
    );
    return inserted.map((line, n) => known[n] ?? this.#formed(line, canIndent));
  }

  #formed(line: string, canIndent: boolean): string {
    const text = this.#isTrimmed ? line.trimEnd() : line;
    const indent = marginOf(text);
    const now = canIndent && text.trim() !== '' ? this.#indents.get(indent) : undefined;
    return now === undefined ? text : now + text.slice(indent.length);
  }
}

/** Forms by the text before; a text with several forms has none. */
class Forms {
  readonly #forms = new Map<string, string | undefined>();

  add(text: string, form: string): void {
    const known = this.#forms.has(text) && this.#forms.get(text) !== form;
    this.#forms.set(text, known ? undefined : form);
  }

  get unique(): Map<string, string> {
    const unique = new Map<string, string>();
    for (const [text, form] of this.#forms) if (form !== undefined) unique.set(text, form);
    return unique;
  }
}
const endsWithComma = (line: string): boolean => line.trimEnd().endsWith(',');
const endsWithBlank = (line: string): boolean => line !== line.trimEnd();
