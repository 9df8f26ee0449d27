/**
 * How suitable a place between two lines is as the edge of a change: git's indent heuristic with git's constants, which
 * were fitted to hand-rated diffs (git, xdiff/xdiffi.c, `score_add_split`).
 */
export interface SplitScore {
  indent: number;
  penalty: number;
}

const maxIndent = 200;
const maxBlanks = 20;

const penalties = {
  startOfFile: 1,
  endOfFile: 21,
  eachBlank: -30,
  eachBlankBelow: 6,
  deeper: -4,
  deeperAfterBlank: 10,
  outdent: 24,
  outdentAfterBlank: 17,
  dedent: 23,
  dedentAfterBlank: 17,
};
const indentWeight = 60;

export function scoreSplit(lines: readonly (string | number)[], split: number): SplitScore {
  const isEnd = split >= lines.length;
  const ownIndent = isEnd ? -1 : indentOf(lines[split] ?? '');
  const above = firstText(lines, split - 1, -1);
  const below = firstText(lines, split + 1, 1);

  const blanksBelow = ownIndent === -1 ? 1 + below.blanks : 0;
  const blanks = above.blanks + blanksBelow;
  let penalty = penalties.eachBlank * blanks + penalties.eachBlankBelow * blanksBelow;
  if (above.indent === -1 && above.blanks === 0) penalty += penalties.startOfFile;
  if (isEnd) penalty += penalties.endOfFile;

  const indent = ownIndent === -1 ? below.indent : ownIndent;
  if (indent !== -1 && above.indent !== -1 && indent !== above.indent) {
    const hasBlank = blanks > 0;
    if (indent > above.indent) penalty += hasBlank ? penalties.deeperAfterBlank : penalties.deeper;
    else if (below.indent > indent) {
      penalty += hasBlank ? penalties.outdentAfterBlank : penalties.outdent;
    } else penalty += hasBlank ? penalties.dedentAfterBlank : penalties.dedent;
  }
  return { indent, penalty };
}

export function addScores(a: SplitScore, b: SplitScore): SplitScore {
  return { indent: a.indent + b.indent, penalty: a.penalty + b.penalty };
}

/** Negative when `a` is the better place. */
export function compareScores(a: SplitScore, b: SplitScore): number {
  return indentWeight * Math.sign(a.indent - b.indent) + a.penalty - b.penalty;
}

/** Columns of leading whitespace, with a tab width of 8; -1 for a blank line, 0 for a number. */
function indentOf(line: string | number): number {
  if (typeof line === 'number') return 0;
  let indent = 0;
  for (const character of line) {
    if (character === ' ') indent++;
    else if (character === '\t') indent += 8 - (indent % 8);
    else if (character !== '\r' && character !== '\f' && character !== '\v') return indent;
    if (indent >= maxIndent) return maxIndent;
  }
  return -1;
}

function firstText(
  lines: readonly (string | number)[],
  start: number,
  step: 1 | -1,
): { indent: number; blanks: number } {
  let blanks = 0;
  for (let line = start; line >= 0 && line < lines.length; line += step) {
    const indent = indentOf(lines[line] ?? '');
    if (indent !== -1) return { indent, blanks };
    blanks++;
    if (blanks === maxBlanks) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}
