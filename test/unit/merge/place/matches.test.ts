import assert from 'node:assert/strict';
import { edgeWorth, lineWorth } from '../../../../src/merge/place/costs';
import { depthFactor, depthOf, Matcher } from '../../../../src/merge/place/matches';
import { indexOf, sectionOf } from './places';

const once = lineWorth.line + lineWorth.rare;
const twice = lineWorth.line + lineWorth.rare / 2;

/** The lines of the file that each row may be, with their worths. */
function matchesOf(text: string, section: string, isThorough = true): string[][] {
  const file = indexOf(text);
  const block = sectionOf(section, file);
  const shown = new Uint8Array(file.idCount);
  for (const id of block.ids) shown[id] = 1;
  const { at, worth, starts, rows } = new Matcher(file, shown).matchesOf(block, isThorough);
  assert.equal(rows, block.ids.length);
  return block.ids.map((_, row) =>
    at
      .map((place, k) => `${place} ${Number((worth[k] ?? 0).toFixed(3))}`)
      .slice(starts[row], starts[row + 1]),
  );
}
const only = (text: string, section: string): string[] => matchesOf(text, section).flat();
/** Of a similar line of the file: its worth. */
const similar = (old: string, fresh: string): number =>
  Number(only(`${old}\nother();\n`, fresh)[0]?.split(' ')[1]);

const filler = (count: number): string =>
  Array.from({ length: count }, (_, n) => `row(${n});`).join('\n');

describe('the lines that a row may be', () => {
  it('are the equal ones, worth less the more there are', () => {
    assert.deepEqual(matchesOf('a()\nb()\na()\n', 'a()\nb()\nnew'), [
      [`0 ${twice}`, `2 ${twice}`],
      [`1 ${once}`],
      [],
    ]);
    assert.deepEqual(only('x\n}\n}\n', '}'), [`1 ${lineWorth.filler}`, `2 ${lineWorth.filler}`]);
  });

  it('are worth less with other indentation, and brackets nothing', () => {
    assert.deepEqual(only('  a()\n', 'a()'), [`0 ${Number((once * lineWorth.moved).toFixed(3))}`]);
    assert.deepEqual(only('x\n  }\n', '}'), [`1 ${lineWorth.filler * lineWorth.movedFiller}`]);
  });

  it('are worth less further in', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6].map(row => depthOf(row, 7)),
      [0, 1, 2, 3, 2, 1, 0],
    );
    assert.deepEqual([0, 2, 3, 9].map(depthFactor), [1, 1, edgeWorth.inner, edgeWorth.inner]);
    const rows = 'abcdefg'
      .split('')
      .map(letter => `${letter}()`)
      .join('\n');
    const worths = only(rows, rows).map(text => Number(text.split(' ')[1]));
    const inner = Number((once * edgeWorth.inner).toFixed(3));
    assert.deepEqual(worths, [once, once, once, inner, once, once, once]);
  });

  it('are similar ones that the snippet does not show, worth more the more alike they are', () => {
    const line = 'const first = read(1);';
    const [near, far] = [
      similar(line, 'const first = read(2);'),
      similar(line, 'const fact = real(2, 3);'),
    ];
    assert.ok(near > far && far >= lineWorth.similarLow, `${near} ${far}`);
    assert.ok(near < lineWorth.similarHigh);
    assert.deepEqual(only(`${line}\n`, `${line}\nconst first = read(2);`), [`0 ${once}`]);
    assert.deepEqual(only('ab\n', 'ac'), [], 'too short');
  });

  it('are worth most where they declare the same name, and little with another', () => {
    assert.equal(similar('function open(a) {', 'function open(a, b) {'), lineWorth.sameName);
    const line = 'function openFirst(a) {';
    const other = similar(line, 'function openFirsts(a) {');
    assert.ok(other < lineWorth.similarHigh * lineWorth.otherName + 1e-9, `${other}`);
    const moved = only(`  ${line}\nother();\n`, 'function openFirst(a, b) {')[0];
    assert.equal(moved, `0 ${lineWorth.movedSimilar}`);
  });

  it('are looked for only for the first and the last row at first', () => {
    const text = 'const first = read(1);\nconst second = read(1);\nconst third = read(1);\n';
    const fresh = text.replaceAll('1', '2');
    const quick = matchesOf(text, fresh, false);
    assert.deepEqual(
      quick.map(row => row.length > 0),
      [true, false, true],
    );
    assert.ok(matchesOf(text, fresh, true).every(row => row.length > 0));
  });

  it('count in a large file near rarer ones only, if they are in very many places', () => {
    const common = 'same();\n'.repeat(70);
    const text = `${common}${filler(2000)}\nrare();\nsame();\n${filler(500).replaceAll('row', 'line')}\nsame();\n`;
    const [, inner = []] = matchesOf(text, 'rare();\nsame();\nend();', false);
    assert.deepEqual(
      inner.map(one => one.split(' ')[0]),
      ['2071'],
    );
    const [, all = []] = matchesOf(
      `${common}rare();\nsame();\n`,
      'rare();\nsame();\nend();',
      false,
    );
    assert.equal(all.length, 71, 'in a small file');
    const [, some = []] = matchesOf(text, 'none();\nsame();\nend();', false);
    assert.equal(some.length, 72, 'without a rare line');
  });
});
