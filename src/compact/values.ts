import { ASKED, KIND, MARK, type Scan } from './scan';
import { SPEAKER } from './turns';
import { LINE, QUERY, TOKEN } from './weights';

/** What each token and each line of a text is worth. */
export interface Values {
  /** Of each token, for the first line that holds it. */
  tokens: Float32Array;
  /** Of each line apart from its tokens. */
  lines: Float32Array;
  /** Factor for the tokens of each line; 1 unless many lines look alike. */
  factors: Float32Array;
  /** Lines that the same line follows further down: the last one stands for all. */
  isRepeated: Uint8Array;
}

export function valuesOf(scan: Scan): Values {
  const { isRepeated, alike } = findRepeats(scan);
  const tokens = tokenValues(scan, isRepeated);
  const { lines, factors } = lineValues(scan, alike);
  return { tokens, lines, factors, isRepeated };
}

/** Finds lines that stand again further down, and how many lines look like each. */
function findRepeats(scan: Scan): { isRepeated: Uint8Array; alike: Uint16Array } {
  const { count, prints, shapes } = scan;
  const size = 2 ** Math.ceil(Math.log2(1.4 * count + 2));
  const mask = size - 1;
  const lines = new Int32Array(size);
  const alike = new Uint16Array(size);
  const isRepeated = new Uint8Array(count);
  for (let line = count - 1; line >= 0; line--) {
    const print = prints[line] ?? 0;
    if (print === 0) continue;
    let slot = (print ^ (print >>> 15)) & mask;
    for (;;) {
      const known = lines[slot] ?? 0;
      if (known === 0) {
        lines[slot] = line + 1;
        break;
      }
      if (prints[known - 1] === print) {
        isRepeated[line] = 1;
        break;
      }
      slot = (slot + 1) & mask;
    }
    const shape = slotOfShape(shapes[line] ?? 0, mask);
    const known = alike[shape] ?? 0;
    if (known < 0xffff) alike[shape] = known + 1;
  }
  return { isRepeated, alike };
}

function slotOfShape(shape: number, mask: number): number {
  return (shape ^ (shape >>> 15)) & mask;
}

const FENCED = 16;

function tokenValues(scan: Scan, isRepeated: Uint8Array): Float32Array {
  const { count, starts, tokensFrom, tokens, marks, speakers, tokenCount, kinds, asked } = scan;
  const lineCounts = new Uint16Array(tokenCount);
  const lastLines = new Int32Array(tokenCount).fill(-1);
  const lastTurns = new Int32Array(tokenCount);
  const turnCounts = new Uint8Array(tokenCount);
  const seen = new Uint8Array(tokenCount);
  let turn = 1;
  for (let line = 0; line < count; line++) {
    const mark = marks[line] ?? 0;
    if ((mark & MARK.turn) !== 0) turn++;
    const bits = (speakers[line] ?? 0) | ((mark & MARK.fenced) === 0 ? 0 : FENCED);
    const isNew = isRepeated[line] === 0;
    const end = tokensFrom[line + 1] ?? 0;
    for (let at = tokensFrom[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      if (lastLines[token] === line) continue;
      lastLines[token] = line;
      seen[token] = (seen[token] ?? 0) | bits;
      if (isNew && (lineCounts[token] ?? 0) < 0xffff)
        lineCounts[token] = (lineCounts[token] ?? 0) + 1;
      if (lastTurns[token] !== turn) {
        lastTurns[token] = turn;
        const turns = turnCounts[token] ?? 0;
        if (turns < 255) turnCounts[token] = turns + 1;
      }
    }
  }
  const beside = besideQuery(scan, lineCounts);

  const byKind: number[] = [];
  byKind[KIND.name] = TOKEN.name;
  byKind[KIND.path] = TOKEN.path;
  byKind[KIND.number] = TOKEN.number;
  byKind[KIND.hex] = TOKEN.hex;
  byKind[KIND.compound] = TOKEN.compound;
  const length = starts[count] ?? 0;
  const values = new Float32Array(tokenCount);
  for (let token = 0; token < tokenCount; token++) {
    const lines = lineCounts[token] ?? 0;
    const lastLine = lastLines[token] ?? -1;
    if (lastLine < 0) continue;
    if (kinds[token] === KIND.word) {
      values[token] = QUERY.word * Math.min(1, QUERY.wordLines / lines);
      continue;
    }
    const distance = length - (starts[lastLine] ?? 0);
    let value = TOKEN.lines[lines - 1] ?? TOKEN.common / lines;
    value *= ((distance + TOKEN.fresh) / TOKEN.distance) ** -TOKEN.fading;
    value *= byKind[kinds[token] ?? 0] ?? 1;
    if ((lastTurns[token] ?? 0) >= turn - 1) value *= TOKEN.lastTurns;
    const bits = seen[token] ?? 0;
    if ((bits & SPEAKER.assistant) !== 0) value *= TOKEN.assistant;
    if ((bits & SPEAKER.user) !== 0) value *= TOKEN.user;
    if ((bits & FENCED) !== 0) value *= TOKEN.fenced;
    const turns = turnCounts[token] ?? 0;
    if (turns > 1) value *= TOKEN.turns;
    if (turns >= TOKEN.many) value *= TOKEN.manyTurns;
    if (asked[token] === ASKED.token) value += QUERY.token * Math.min(1, QUERY.tokenLines / lines);
    else if (asked[token] === ASKED.not && beside) value *= 1 + QUERY.beside * (beside[token] ?? 0);
    values[token] = value;
  }
  return values;
}

/** How near to what the query names each token stands, from 0 to 1; undefined when the query names nothing. */
function besideQuery(scan: Scan, lineCounts: Uint16Array): Float32Array | undefined {
  const { count, starts, tokensFrom, tokens, asked, tokenCount } = scan;
  if (!asked.some(how => how !== ASKED.not)) return undefined;
  const relevance = new Float32Array(count);
  let highest = 0;
  for (let line = 0; line < count; line++) {
    let sum = 0;
    const end = tokensFrom[line + 1] ?? 0;
    for (let at = tokensFrom[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      const how = asked[token] ?? 0;
      if (how === ASKED.not) continue;
      sum += Math.log(1 + count / (1 + (lineCounts[token] ?? 0))) * (how === ASKED.token ? 1 : 0.4);
    }
    if (sum === 0) continue;
    const size = (starts[line + 1] ?? 0) - (starts[line] ?? 0);
    sum /= 1 + Math.log(1 + size / 80);
    relevance[line] = sum;
    if (sum > highest) highest = sum;
  }
  if (highest === 0) return undefined;
  const beside = new Float32Array(tokenCount);
  for (let line = 0; line < count; line++) {
    const near = Math.max(
      relevance[line] ?? 0,
      0.6 * Math.max(relevance[line - 1] ?? 0, relevance[line + 1] ?? 0),
      0.3 * Math.max(relevance[line - 2] ?? 0, relevance[line + 2] ?? 0),
    );
    const share = near / highest;
    if (share < QUERY.least) continue;
    const end = tokensFrom[line + 1] ?? 0;
    for (let at = tokensFrom[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      if (share > (beside[token] ?? 0)) beside[token] = share;
    }
  }
  return beside;
}

function lineValues(
  { count, starts, shapes, marks, speakers }: Scan,
  alike: Uint16Array,
): { lines: Float32Array; factors: Float32Array } {
  const lines = new Float32Array(count);
  const factors = new Float32Array(count).fill(1);
  const length = starts[count] ?? 1;
  const mask = alike.length - 1;
  let lastMany = 0;
  let factor = 1;
  let root = 1;
  for (let line = 0; line < count; line++) {
    const mark = marks[line] ?? 0;
    if ((mark & MARK.blank) !== 0) continue;
    const speaker = speakers[line] ?? 0;
    const share = (starts[line] ?? 0) / length;
    const isUser = speaker === SPEAKER.user;
    let value: number = isUser
      ? LINE.user
      : speaker === SPEAKER.assistant
        ? LINE.assistant
        : LINE.tool;
    value *= LINE.old + (1 - LINE.old) * share;
    const late = 0.3 + 0.7 * share;
    if ((mark & MARK.error) !== 0)
      value += LINE.error * late * (speaker === SPEAKER.tool ? 1 : 0.5);
    const many = alike[slotOfShape(shapes[line] ?? 0, mask)] ?? 0;
    if (many > LINE.alike) {
      if (many !== lastMany) {
        lastMany = many;
        factor = (LINE.alike / many) ** LINE.alikePower;
        root = Math.sqrt(many);
      }
      value /= root;
      factors[line] = factor;
    }
    lines[line] = value;
  }
  return { lines, factors };
}
