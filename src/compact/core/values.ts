import { lineMark, type Scan } from './scan/scan';
import { queryMatch, tokenKind } from './scan/tokenTable';
import { speakerBit } from './segments/segment';
import { lineWeights, queryWeights, tokenWeights } from './weights';

/** What each token and each line of a text is worth. */
export interface Values {
  /** Worth of each token in the first kept line that contains it. */
  tokens: Float32Array;
  /** Worth of each line apart from its tokens. */
  lines: Float32Array;
  /** Factor for the tokens of each line; 1 unless many lines look alike. */
  factors: Float32Array;
  /** 1 for each line that is repeated further down; only the last copy counts. */
  isRepeated: Uint8Array;
}

export function valuesOf(scan: Scan): Values {
  const { isRepeated, similarLines } = findRepeats(scan);
  const tokens = tokenValues(scan, isRepeated);
  const { lines, factors } = lineValues(scan, similarLines);
  return { tokens, lines, factors, isRepeated };
}

/** Finds lines that are repeated further down, and counts lines by shape. */
function findRepeats(scan: Scan): { isRepeated: Uint8Array; similarLines: Uint16Array } {
  const { count, lineHashes, shapeHashes } = scan;
  const size = 2 ** Math.ceil(Math.log2(1.4 * count + 2));
  const mask = size - 1;
  const lines = new Int32Array(size);
  const similarLines = new Uint16Array(size);
  const isRepeated = new Uint8Array(count);
  for (let line = count - 1; line >= 0; line--) {
    const lineHash = lineHashes[line] ?? 0;
    if (lineHash === 0) continue;
    let slot = (lineHash ^ (lineHash >>> 15)) & mask;
    for (;;) {
      const known = lines[slot] ?? 0;
      if (known === 0) {
        lines[slot] = line + 1;
        break;
      }
      if (lineHashes[known - 1] === lineHash) {
        isRepeated[line] = 1;
        break;
      }
      slot = (slot + 1) & mask;
    }
    const shape = slotOfShape(shapeHashes[line] ?? 0, mask);
    const known = similarLines[shape] ?? 0;
    if (known < 0xffff) similarLines[shape] = known + 1;
  }
  return { isRepeated, similarLines };
}

function slotOfShape(shape: number, mask: number): number {
  return (shape ^ (shape >>> 15)) & mask;
}

const fencedBit = 16;

function tokenValues(scan: Scan, isRepeated: Uint8Array): Float32Array {
  const { count, starts, tokenStarts, tokens, marks, speakers, tokenCount, kinds, queryMatches } =
    scan;
  const lineCounts = new Uint16Array(tokenCount);
  const lastLines = new Int32Array(tokenCount).fill(-1);
  const lastTurns = new Int32Array(tokenCount);
  const turnCounts = new Uint8Array(tokenCount);
  const seen = new Uint8Array(tokenCount);
  let turn = 1;
  for (let line = 0; line < count; line++) {
    const mark = marks[line] ?? 0;
    if ((mark & lineMark.turn) !== 0) turn++;
    const bits = (speakers[line] ?? 0) | ((mark & lineMark.fenced) === 0 ? 0 : fencedBit);
    const isNew = isRepeated[line] === 0;
    const end = tokenStarts[line + 1] ?? 0;
    for (let at = tokenStarts[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      if (lastLines[token] === line) continue;
      lastLines[token] = line;
      seen[token] = (seen[token] ?? 0) | bits;
      if (isNew && (lineCounts[token] ?? 0) < 0xffff) {
        lineCounts[token] = (lineCounts[token] ?? 0) + 1;
      }
      if (lastTurns[token] !== turn) {
        lastTurns[token] = turn;
        const turns = turnCounts[token] ?? 0;
        if (turns < 255) turnCounts[token] = turns + 1;
      }
    }
  }
  const proximity = queryProximityOf(scan, lineCounts);

  const byKind: number[] = [];
  byKind[tokenKind.name] = tokenWeights.name;
  byKind[tokenKind.path] = tokenWeights.path;
  byKind[tokenKind.number] = tokenWeights.number;
  byKind[tokenKind.hex] = tokenWeights.hex;
  byKind[tokenKind.compound] = tokenWeights.compound;
  const length = starts[count] ?? 0;
  const values = new Float32Array(tokenCount);
  for (let token = 0; token < tokenCount; token++) {
    const lines = lineCounts[token] ?? 0;
    const lastLine = lastLines[token] ?? -1;
    if (lastLine < 0) continue;
    if (kinds[token] === tokenKind.word) {
      values[token] = queryWeights.word * Math.min(1, queryWeights.wordLines / lines);
      continue;
    }
    const distance = length - (starts[lastLine] ?? 0);
    let value = tokenWeights.lines[lines - 1] ?? tokenWeights.common / lines;
    value *=
      ((distance + tokenWeights.freshChars) / tokenWeights.referenceDistance) **
      -tokenWeights.distancePower;
    value *= byKind[kinds[token] ?? 0] ?? 1;
    if ((lastTurns[token] ?? 0) >= turn - 1) value *= tokenWeights.lastTurns;
    const bits = seen[token] ?? 0;
    if ((bits & speakerBit.assistant) !== 0) value *= tokenWeights.assistant;
    if ((bits & speakerBit.user) !== 0) value *= tokenWeights.user;
    if ((bits & fencedBit) !== 0) value *= tokenWeights.fenced;
    const turns = turnCounts[token] ?? 0;
    if (turns > 1) value *= tokenWeights.turns;
    if (turns >= tokenWeights.many) value *= tokenWeights.manyTurns;
    if (queryMatches[token] === queryMatch.token) {
      value += queryWeights.token * Math.min(1, queryWeights.tokenLines / lines);
    } else if (queryMatches[token] === queryMatch.none && proximity) {
      value *= 1 + queryWeights.proximity * (proximity[token] ?? 0);
    }
    values[token] = value;
  }
  return values;
}

/** How close each token is to matches of the query, from 0 to 1; undefined when nothing matches. */
function queryProximityOf(scan: Scan, lineCounts: Uint16Array): Float32Array | undefined {
  const { count, starts, tokenStarts, tokens, queryMatches, tokenCount } = scan;
  if (!queryMatches.some(how => how !== queryMatch.none)) return undefined;
  const rarity = new Float64Array(tokenCount);
  for (let token = 0; token < tokenCount; token++) {
    const how = queryMatches[token] ?? queryMatch.none;
    if (how === queryMatch.none) continue;
    rarity[token] =
      Math.log(1 + count / (1 + (lineCounts[token] ?? 0))) * (how === queryMatch.token ? 1 : 0.4);
  }
  // With room for two lines at each end: a read beyond the end makes the engine allocate each number that it reads.
  const relevance = new Float32Array(count + 4);
  const own = relevance.subarray(2);
  let highest = 0;
  for (let line = 0; line < count; line++) {
    let sum = 0;
    const end = tokenStarts[line + 1] ?? 0;
    for (let at = tokenStarts[line] ?? 0; at < end; at++) sum += rarity[tokens[at] ?? 0] ?? 0;
    if (sum === 0) continue;
    const size = (starts[line + 1] ?? 0) - (starts[line] ?? 0);
    sum /= 1 + Math.log(1 + size / 80);
    own[line] = sum;
    if (sum > highest) highest = sum;
  }
  if (highest === 0) return undefined;
  const proximity = new Float32Array(tokenCount);
  for (let line = 0; line < count; line++) {
    const near = Math.max(
      relevance[line + 2] ?? 0,
      0.6 * Math.max(relevance[line + 1] ?? 0, relevance[line + 3] ?? 0),
      0.3 * Math.max(relevance[line] ?? 0, relevance[line + 4] ?? 0),
    );
    const share = near / highest;
    if (share < queryWeights.minRelevanceShare) continue;
    const end = tokenStarts[line + 1] ?? 0;
    for (let at = tokenStarts[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      if (share > (proximity[token] ?? 0)) proximity[token] = share;
    }
  }
  return proximity;
}

function lineValues(
  { count, starts, shapeHashes, marks, speakers }: Scan,
  similarLines: Uint16Array,
): { lines: Float32Array; factors: Float32Array } {
  const lines = new Float32Array(count);
  const factors = new Float32Array(count).fill(1);
  const length = starts[count] ?? 1;
  const mask = similarLines.length - 1;
  let lastMany = 0;
  let factor = 1;
  let root = 1;
  for (let line = 0; line < count; line++) {
    const mark = marks[line] ?? 0;
    if ((mark & lineMark.blank) !== 0) continue;
    const speaker = speakers[line] ?? 0;
    const share = (starts[line] ?? 0) / length;
    const isUser = speaker === speakerBit.user;
    let value: number = isUser
      ? lineWeights.user
      : speaker === speakerBit.assistant
        ? lineWeights.assistant
        : lineWeights.tool;
    value *= lineWeights.old + (1 - lineWeights.old) * share;
    const late = 0.3 + 0.7 * share;
    if ((mark & lineMark.error) !== 0) {
      value += lineWeights.error * late * (speaker === speakerBit.tool ? 1 : 0.5);
    }
    const many = similarLines[slotOfShape(shapeHashes[line] ?? 0, mask)] ?? 0;
    if (many > lineWeights.similarLines) {
      if (many !== lastMany) {
        lastMany = many;
        factor = (lineWeights.similarLines / many) ** lineWeights.similarLinesPower;
        root = Math.sqrt(many);
      }
      value /= root;
      factors[line] = factor;
    }
    lines[line] = value;
  }
  return { lines, factors };
}
