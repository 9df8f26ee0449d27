import assert from 'node:assert/strict';
import { DroppedLines } from '../../../../../src/merge/place/additions/droppedLines';
import { costs } from '../../../../../src/merge/place/costs';
import type { EdgeFit } from '../../../../../src/merge/place/edges/edges';
import { indexOf, sectionOf } from '../places';

const errors = `const errors = [
  'stopped',
  'timed out',
  'reset by peer',
  'out of memory',
  'closed',
];
`;

interface Given {
  readonly original?: string;
  readonly head?: EdgeFit;
  readonly tail?: EdgeFit;
  /** Columns of the markers; undefined for none. */
  readonly above?: number | undefined;
  readonly below?: number | undefined;
}

/** What it costs to put a section in the place of the lines from `first` to `last`. */
function costOf(section: string, [first, last]: readonly string[], given: Given = {}): number {
  const { original = errors, head = 'exact', tail = 'exact' } = given;
  const { above, below } = { above: 2, below: 2, ...given };
  const file = indexOf(original);
  const at = (line = ''): number => {
    const found = file.ids.indexOf(file.numberOf(line));
    assert.ok(found >= 0, line);
    return found;
  };
  const markers = { ...(above !== undefined && { above }), ...(below !== undefined && { below }) };
  const block = sectionOf(section, file, markers);
  return new DroppedLines(file).cost(block, {
    start: at(first),
    end: at(last) + 1,
    score: 0,
    head,
    tail,
  });
}

const { droppedLine, maxDropped } = costs;

const brackets = (count: number): string => '  [],\n'.repeat(count);
const rowsOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  'new ${at}',\n`).join('');

describe('the cost of a place in which a new entry replaces others', () => {
  const isNew = { tail: 'new' } as const;
  const below = "  'stopped',\n  'unknown',\n";
  const above = "  'unknown',\n  'closed',\n";

  it('is that of each line that would be gone', () => {
    assert.equal(costOf(below, ["'stopped',", "'stopped',"], isNew), 0);
    assert.equal(costOf(below, ["'stopped',", "'timed out',"], isNew), droppedLine);
    assert.equal(costOf(below, ["'stopped',", "'reset by peer',"], isNew), 2 * droppedLine);
    assert.equal(costOf(below, ["'stopped',", "'closed',"], isNew), maxDropped);
  });

  const costAbove = (first: string, original = errors): number =>
    costOf(above, [first, "'closed',"], { original, head: 'new' });

  it('is the same for an entry above its neighbor', () => {
    assert.equal(costAbove("'closed',"), 0);
    assert.equal(costAbove("'out of memory',"), droppedLine);
    assert.equal(costAbove("'reset by peer',"), 2 * droppedLine);
  });

  it('is nothing for brackets', () => {
    const original = errors.replace("  'timed out',\n", '  [],\n');
    assert.equal(costOf(below, ["'stopped',", '[],'], { original, ...isNew }), 0);
  });

  it('is nothing if the edge is a line of the file', () => {
    assert.equal(costOf(below, ["'stopped',", "'timed out',"]), 0);
    assert.equal(costOf(above, ["'out of memory',", "'closed',"]), 0);
  });

  it('is nothing without a marker beside the new entry', () => {
    const none = { above: undefined, below: undefined };
    const rows = ["'stopped',", "'timed out',"];
    assert.equal(costOf(below, rows, { ...isNew, ...none }), 0);
    assert.equal(costOf(below, rows, { ...isNew, ...none, above: 2 }), 0);
    assert.equal(costOf(below, rows, { ...isNew, ...none, below: 2 }), droppedLine);
    const aboveRows = ["'out of memory',", "'closed',"];
    assert.equal(costOf(above, aboveRows, { head: 'new', ...none, below: 2 }), 0);
    assert.equal(costOf(above, aboveRows, { head: 'new', ...none, above: 2 }), droppedLine);
  });

  it('is nothing if neither edge says more than the other', () => {
    const fits = { head: 'common', tail: 'common' } as const;
    assert.equal(costOf(below, ["'stopped',", "'timed out',"], fits), 0);
  });

  it('counts an edge whose indentation changed as a new one', () => {
    const rows = ["'reset by peer',", "'closed',"];
    assert.equal(costOf("  'out of memory',\n  'closed',\n", rows), 0);
    assert.equal(costOf("    'out of memory',\n  'closed',\n", rows), droppedLine);
  });

  const other = errors.replace("  'timed out',", "    'timed out',\n  'other',");

  it('is nothing for the body of the line above', () => {
    const section = "  'stopped',\n    'unknown',\n";
    const original = errors.replace("  'timed out',", "    'timed out',");
    assert.equal(costOf(section, ["'stopped',", "'timed out',"], { original, ...isNew }), 0);
    assert.equal(
      costOf(section, ["'stopped',", "'other',"], { original: other, ...isNew }),
      2 * droppedLine,
    );
  });

  const costBelow = (count: number): number =>
    costOf(`  'stopped',\n${rowsOf(count)}`, ["'stopped',", "'timed out',"], isNew);

  it('is nothing for a section of more than 60 lines', () => {
    assert.equal(costBelow(59), droppedLine);
    assert.equal(costBelow(60), 0);
  });

  const costBehind = (count: number): number => {
    const original = errors.replace("  'timed out',\n", `${brackets(count)}  'timed out',\n`);
    return costOf(below, ["'stopped',", "'timed out',"], { original, ...isNew });
  };

  it('counts at most 60 lines', () => {
    assert.equal(costBehind(59), droppedLine);
    assert.equal(costBehind(60), 0);
    const memory = "  'out of memory',\n";
    const longer = (count: number): string => errors.replace(memory, memory + brackets(count));
    assert.equal(costAbove("'out of memory',", longer(59)), droppedLine);
    assert.equal(costAbove("'out of memory',", longer(60)), 0);
  });

  it('is the highest if a line gets another parent', () => {
    const original = 'jobs:\n  build:\n    one\n  test:\n    two\n';
    const section = '  build:\n    one\n    two\n';
    assert.equal(costOf(section, ['build:', 'two'], { original }), maxDropped);
  });
});

const costAt = (section: string, rows: readonly string[], original: string): number =>
  costOf(section, rows, { original, tail: 'new', above: 0, below: 0 });

describe('the cost of the rows that lead an entry', () => {
  it('is nothing for the last comment of a block', () => {
    const original = 'def run():\n    # Not done.\n# Stops.\ndef stop():\n    end()\n';
    const section = 'def run():\n    # Not done.\n# Starts.\ndef start():\n    begin()\n';
    assert.equal(costAt(section, ['def run():', '# Not done.'], original), 0);
  });

  it('is nothing for a bracket that opens the body of the line above', () => {
    const original = 'void first()\n{\n  run();\n}\n';
    const section = 'void first()\n{\n  start();\n  more();\n';
    assert.equal(costAt(section, ['void first()', '{'], original), 0);
  });

  it('is that of one line for a bracket that opens the next entry', () => {
    const original = 'one,\n{\n  two,\n},\n';
    assert.equal(costAt('one,\n{\n  three,\n},\n', ['one,', '{'], original), droppedLine);
  });
});

describe('the cost of a place in which a new block replaces others', () => {
  const functions = `function first(path) {
  open(path);
}
function second(path) {
  scan();
  sort();
  write();
  close();
}
`;
  const neighbor = 'function first(path) {\n  open(path);\n}\n';
  const rows = ['function first(path) {', 'close();'];
  const given = { original: functions, tail: 'new', above: 0, below: 0 } as const;

  it('is the highest if it keeps none of their lines', () => {
    const section = `${neighbor}function third() {\n  read();\n}\n`;
    assert.equal(costOf(section, rows, given), maxDropped);
  });

  const third = (lines: string): string => `${neighbor}function third() {\n${lines}}\n`;

  it('is nothing if nearly all of the lines are in the new one as well', () => {
    const most = '  scan();\n  sort();\n  write();\n';
    assert.equal(costOf(third(`${most}  close();\n`), rows, given), 0);
    // Three lines of `second` for the one that opens it, and then one more that is gone.
    const short = ['function first(path) {', 'write();'];
    assert.equal(costOf(third(most), short, given), 0);
    assert.equal(costOf(third(most), rows, given), maxDropped);
  });

  it('is nothing if it declares what they declare', () => {
    const section = `${neighbor}function second() {\n  read();\n}\n`;
    assert.equal(costOf(section, rows, given), 0);
  });

  it('is that of one line if the section would end the block of its marker once more', () => {
    const section = '}\nfunction third() {\n  read();\n}\n';
    const cost = (above: number | undefined): number =>
      costOf(section, ['scan();', 'close();'], { ...given, head: 'new', tail: 'exact', above });
    assert.equal(cost(2), droppedLine);
    assert.equal(cost(0), 0);
    assert.equal(cost(undefined), 0);
  });
});
