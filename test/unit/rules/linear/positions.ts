// The positions of a regular expression, and which may follow which: one state for each character
// that the expression names, as in Glushkov's construction. A path through them is what a
// backtracking engine walks, so the number of paths over a text is the engine's worst cost.
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { toUnicodeSet } from 'regexp-ast-analysis';

type Ranges = readonly { readonly min: number; readonly max: number }[];

export interface Position {
  /** The classes of characters that it takes; see `classesOf`. */
  classes: Set<number>;
  /** How many ways lead straight to a following position. */
  readonly next: Map<number, number>;
  /** When the engine has come this far, it has a match and walks no other path. */
  isEnd: boolean;
}

export interface Positions {
  /** Position 0 stands for the characters before the match: the search starts again at each. */
  readonly all: readonly Position[];
  /** What cannot be judged, such as a reference to a group. */
  readonly undecided: readonly string[];
}

/** The text's start and end, which a line's start and end take as well. */
const edge = -1;
const lineEnds: Ranges = [
  { min: 0x0a, max: 0x0a },
  { min: 0x0d, max: 0x0d },
  { min: 0x2028, max: 0x2029 },
];
const everything: Ranges = [{ min: 0, max: 0x10ffff }];

/** A repetition that may run longer than this counts as one without an end. */
const longestBounded = 64;
/** More rounds of a repetition than this say nothing new about the paths. */
const mostCopies = 3;

interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** In how many ways it matches nothing; more than one is as bad as two. */
  readonly empty: number;
}

const nothing: Part = { first: [], last: [], empty: 1 };

const single = (position: number): Part => ({ first: [position], last: [position], empty: 0 });

const either = (parts: readonly Part[]): Part => ({
  first: parts.flatMap(part => part.first),
  last: parts.flatMap(part => part.last),
  empty: Math.min(
    2,
    parts.reduce((sum, part) => sum + part.empty, 0),
  ),
});

/** A look ahead is a branch that starts wherever the walk has come, and ends there. */
const branch = (part: Part): Part => ({ first: part.first, last: [], empty: 1 });

export function positionsOf(source: string, flags: string): Positions {
  const parsed = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const kind = {
    ignoreCase: flags.includes('i'),
    dotAll: flags.includes('s'),
    multiline: flags.includes('m'),
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  };
  const takes: { ranges: Ranges; hasEdge: boolean }[] = [];
  const all: Position[] = [];
  const undecided: string[] = [];

  const add = (ranges: Ranges, hasEdge = false): number => {
    takes.push({ ranges, hasEdge });
    return all.push({ classes: new Set(), next: new Map(), isEnd: false }) - 1;
  };
  const connect = (from: readonly number[], to: readonly number[]): void => {
    for (const a of from) for (const b of to) all[a]?.next.set(b, (all[a]?.next.get(b) ?? 0) + 1);
  };
  const join = (a: Part, b: Part): Part => {
    connect(a.last, b.first);
    return {
      first: [...a.first, ...times(b.first, a.empty)],
      last: [...b.last, ...times(a.last, b.empty)],
      empty: Math.min(2, a.empty * b.empty),
    };
  };

  const repeat = (node: AST.Quantifier): Part => {
    const isEndless = node.max > longestBounded;
    const least = Math.min(node.min, mostCopies);
    const most = isEndless ? least : Math.min(node.max, least + mostCopies);
    let part = nothing;
    for (let copy = 0; copy < least; copy++) part = join(part, read(node.element));
    if (isEndless) {
      const loop = read(node.element);
      connect(loop.last, loop.first);
      return join(part, { ...loop, empty: Math.max(1, loop.empty) });
    }
    for (let copy = least; copy < most; copy++) {
      const once = read(node.element);
      part = join(part, { ...once, empty: Math.max(1, once.empty) });
    }
    return part;
  };

  const read = (node: AST.Element): Part => {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return single(add(toUnicodeSet(node, kind).chars.ranges));
      case 'Group':
      case 'CapturingGroup':
        return either(node.alternatives.map(sequence));
      case 'Quantifier':
        return repeat(node);
      case 'Assertion':
        if (node.kind === 'word') return nothing;
        if (node.kind === 'lookahead') return branch(either(node.alternatives.map(sequence)));
        if (node.kind === 'lookbehind') {
          // It reads backwards from each character, so what it reads must have an end.
          const inner = node.alternatives.some(hasEndless);
          if (inner) undecided.push(node.raw);
          return nothing;
        }
        return single(add(kind.multiline ? lineEnds : [], true));
      default:
        undecided.push(node.raw);
        return nothing;
    }
  };
  const sequence = (node: { readonly elements: readonly AST.Element[] }): Part =>
    node.elements.reduce<Part>((part, element) => join(part, read(element)), nothing);

  const search = add(everything, true);
  connect([search], [search]);
  const whole = either(parsed.alternatives.map(sequence));
  connect([search], whole.first);
  for (const last of whole.last) {
    const position = all[last];
    if (position) position.isEnd = true;
  }
  setClasses(all, takes);
  return { all, undecided };
}

function times<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, () => list).flat();
}

function hasEndless(node: AST.Alternative): boolean {
  let found = false;
  const look = (element: AST.Element): void => {
    if (element.type === 'Quantifier') {
      if (element.max > longestBounded) found = true;
      look(element.element);
    } else if ('alternatives' in element) {
      for (const alternative of element.alternatives)
        for (const inner of alternative.elements) look(inner);
    }
  };
  for (const element of node.elements) look(element);
  return found;
}

/** Characters that all positions treat alike are one class, and a class is what a path reads. */
function setClasses(
  all: readonly Position[],
  takes: readonly { readonly ranges: Ranges; readonly hasEdge: boolean }[],
): void {
  const starts = new Set<number>([0]);
  for (const { ranges } of takes) for (const { min, max } of ranges) starts.add(min).add(max + 1);
  const classes = new Map<string, number>();
  for (const start of [...starts].filter(point => point <= 0x10ffff)) {
    const members = takes.flatMap(({ ranges }, position) =>
      ranges.some(({ min, max }) => min <= start && start <= max) ? [position] : [],
    );
    const key = members.join();
    if (classes.has(key)) continue;
    const name = classes.size;
    classes.set(key, name);
    for (const member of members) all[member]?.classes.add(name);
  }
  takes.forEach(({ hasEdge }, position) => {
    if (hasEdge) all[position]?.classes.add(edge);
  });
}

/** A text has one start and one end, so no path reads them twice. */
export const isPumped = (name: number): boolean => name !== edge;
