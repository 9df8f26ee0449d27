import { marginOf } from '../../base/text/textLines';
import { addBalance, pairKinds } from '../brackets';
import { isLayoutLanguage } from '../fileTypes';
import type { Line } from '../lines';
import type { BlockPlace } from '../place/aligner';
import type { Block } from '../place/block';
import type { FileIndex } from '../place/fileIndex';
import { levelColumns, withIndent } from '../place/indentStyle';
import { closerWithoutComment } from '../snippet/closers';
import type { IndentationDamage } from './indentation';
import { pairRows, type RowTwins } from './rowTwins';

export interface SettledRows {
  readonly blocks: readonly Block[];
  /** The first line whose indentation is not known; undefined when all are. */
  readonly unclear?: Line;
}

/**
 * Gives the rows of placed blocks what the file proves: closing lines lose a comment that the file does not have, and
 * lines that have lost their indentation get it back.
 */
export function settleRows(
  blocks: readonly Block[],
  places: readonly BlockPlace[],
  file: FileIndex,
  path: string,
  damage: IndentationDamage | undefined,
): SettledRows {
  const settled: Block[] = [];
  for (const [k, block] of blocks.entries()) {
    const place = places[k];
    const isFlat = damage === 'flat';
    const isCommented = block.section.lines.some(
      line =>
        line.indent >= 0 &&
        !file.hasLine(file.idOf(line)) &&
        closerWithoutComment(line.trimmed) !== undefined,
    );
    if (!place || (!isFlat && !isCommented)) {
      settled.push(block);
      continue;
    }
    const twins = pairRows(block, place, file);
    const rows = block.section.lines.filter(({ indent }) => indent >= 0);
    const texts = isCommented
      ? rows.map((line, row) => asInFile(line, twins.same[row], file))
      : rows;
    const indented = isFlat
      ? new FlatRows(texts, twins, file, isLayoutLanguage(path)).run()
      : texts;
    if (!Array.isArray(indented)) return { blocks, unclear: indented };
    let row = 0;
    const lines = block.section.lines.map(line =>
      line.indent < 0 ? line : (indented[row++] ?? line),
    );
    settled.push({
      ...block,
      section: { ...block.section, lines },
      indents: indented.map(({ indent }) => indent),
    });
  }
  return { blocks: settled };
}

/** A closing line as it is in the file. */
function asInFile(line: Line, twin = -1, file: FileIndex): Line {
  if (twin < 0 || closerWithoutComment(line.trimmed) === undefined) return line;
  const trimmed = file.textOf(file.ids[twin] ?? -1);
  if (trimmed === line.trimmed) return line;
  return { ...line, text: marginOf(line.text) + trimmed, trimmed, id: undefined };
}

const opensLine = /[{([]$/;
const closesLine = /^(?:[)\]}]|end\b|<\/)/;
const leaves = /^(?:return|raise|break|continue|pass)\b/;
const continuesHeader = /^(?:else|elif|except|finally|case)\b/;

/** The indentation of rows that have lost it: that of their lines in the file; for new rows, by the rows around them. */
class FlatRows {
  readonly #columns: (number | undefined)[];
  readonly #unit: number;

  constructor(
    readonly rows: readonly Line[],
    twins: RowTwins,
    readonly file: FileIndex,
    readonly isLayout: boolean,
  ) {
    this.#columns = rows.map((_, row) => {
      const twin = twins.like[row] ?? -1;
      return twin < 0 ? undefined : file.indents[twin];
    });
    this.#unit = levelColumns(file);
  }

  /** The indented rows, or the first one whose indentation is unclear. */
  run(): Line[] | Line {
    let open = 0;
    let isQuoted = false;
    for (const [row, line] of this.rows.entries()) {
      const isFree = !this.isLayout || open > 0 || isQuoted;
      this.#columns[row] ??= isFree ? this.#inBrackets(row) : this.#inLayout(row);
      if (this.#columns[row] === undefined) return line;
      if ((line.trimmed.match(/"""|'''/g)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted;
      if (isQuoted) continue;
      const sums = addBalance(line.trimmed, false, new Int32Array(pairKinds));
      open = Math.max(0, open + sums.reduce((sum, count) => sum + count, 0));
    }
    return this.rows.map((line, row) => withIndent(line, this.#columns[row] ?? 0, this.file));
  }

  /** The next row whose indentation is known. */
  #next(row: number): { columns: number; text: string } | undefined {
    for (let at = row + 1; at < this.rows.length; at++) {
      const columns = this.#columns[at];
      if (columns !== undefined) return { columns, text: this.rows[at]?.trimmed ?? '' };
    }
    return undefined;
  }

  /** Where brackets are the syntax, indentation follows them. */
  #inBrackets(row: number): number {
    const above = this.rows[row - 1]?.trimmed ?? '';
    const text = this.rows[row]?.trimmed ?? '';
    const before = this.#columns[row - 1];
    const next = this.#next(row);
    if (before === undefined) {
      const below = next?.columns ?? 0;
      return opensLine.test(text) && !closesLine.test(next?.text ?? '')
        ? Math.max(0, below - this.#unit)
        : below;
    }
    if (opensLine.test(above)) {
      if (closesLine.test(text)) return before;
      const isInside = next && next.columns > before && row + 1 < this.rows.length;
      return isInside && this.#columns[row + 1] !== undefined && !opensLine.test(text)
        ? next.columns
        : before + this.#unit;
    }
    if (closesLine.test(text)) return Math.max(0, before - this.#unit);
    const isBackAt = next && next.columns < before && !closesLine.test(next.text);
    return isBackAt && !opensLine.test(text) ? next.columns : before;
  }

  /** Where indentation is the syntax, only the one depth that fits the rows around it will do. */
  #inLayout(row: number): number | undefined {
    const text = withoutComment(this.rows[row]?.trimmed ?? '');
    const above = withoutComment(this.rows[row - 1]?.trimmed ?? '');
    const before = this.#columns[row - 1];
    const next = this.#next(row);
    const isHeader = text.endsWith(':');
    if (before === undefined || continuesHeader.test(text)) return undefined;
    if (above.endsWith(':')) {
      if (isHeader) return undefined;
      return next && next.columns > before ? next.columns : before + this.#unit;
    }
    if (isHeader) return undefined;
    if (!next) return this.#onlyDepth();
    if (next.columns === before) return before;
    if (next.columns > before || !leaves.test(above)) return undefined;
    const depths = new Set(
      this.#columns.filter(
        (one): one is number => one !== undefined && one >= next.columns && one < before,
      ),
    );
    const [only] = depths;
    return depths.size === 1 ? only : undefined;
  }

  /** The depth of the body when the section has a header and one depth below it. */
  #onlyDepth(): number | undefined {
    const depths = new Set(this.#columns.slice(1).filter(one => one !== undefined));
    const [only] = depths;
    return depths.size === 1 ? only : undefined;
  }
}

function withoutComment(text: string): string {
  const at = text.indexOf(' #');
  return at < 0 ? text : text.slice(0, at).trimEnd();
}
