import assert from 'node:assert/strict';
import { edgeWorth, lineWorth } from '../../../../../src/merge/place/costs';
import { edgeAt, edgeOf } from '../../../../../src/merge/place/edges/edges';
import { Matcher } from '../../../../../src/merge/place/matches';
import { indexOf, sectionOf } from '../places';

const { run, filler, moved } = edgeWorth;

/** The worths of an edge at each of its places, as shares of what a run is worth, with the fits. */
function edge(text: string, section: string, step: 1 | -1): string[] {
  const file = indexOf(text);
  const block = sectionOf(section, file);
  const row = step === 1 ? 0 : block.ids.length - 1;
  const places = file.placesOf(block.ids[row] ?? -1);
  const { worth, fits } = edgeAt(block, places, file, step);
  return places.map(
    (place, k) => `${place} ${Number(((worth[k] ?? 0) / run).toFixed(4))} ${fits[k]}`,
  );
}

describe('the edge of a block', () => {
  it('is worth more the rarer its run of lines is', () => {
    assert.deepEqual(edge('a\nb\nc\n', 'a\nb', 1), ['0 1 exact']);
    assert.deepEqual(edge('a\nb\nx\na\nb\n', 'a\nb', 1), ['0 0.5 exact', '3 0.5 exact']);
    assert.deepEqual(edge('a\nb\nx\na\nc\na\n', 'a\nb', 1), [
      '0 1 exact',
      `3 ${Number((1 / 3).toFixed(4))} exact`,
      `5 ${Number((1 / 3).toFixed(4))} exact`,
    ]);
    assert.deepEqual(edge('a\nb\nx\nc\nb\n', 'a\nb', -1), ['1 1 exact', '4 0.5 exact']);
  });

  it('is worth less where it was moved, or where all of its run is everywhere', () => {
    assert.deepEqual(edge('  a\nb\n', 'a\nb', 1), [`0 ${moved} exact`]);
    assert.deepEqual(edge('x\n}\ny\n', '}', -1), [`1 ${filler} common`]);
    assert.deepEqual(edge('x\n}\ny\n', 'x\n}', -1), ['1 1 exact'], 'a run with another line');
    assert.deepEqual(edge('x\n  }\ny\n', '}', -1), [`1 ${filler * moved} common`]);
  });

  it('has runs of no more than twelve lines', () => {
    const rows = Array.from({ length: 20 }, (_, n) => `row ${n}`);
    const twelve = [...rows.slice(0, 12), 'x', ...rows].join('\n');
    assert.deepEqual(edge(twelve, rows.join('\n'), 1), ['0 0.5 exact', '13 0.5 exact']);
    const eleven = [...rows.slice(0, 11), 'x', ...rows].join('\n');
    assert.deepEqual(edge(eleven, rows.join('\n'), 1), ['0 0.5 exact', '12 1 exact']);
  });

  it('is worth little that is only similar to a line of the file', () => {
    const file = indexOf('const first = read(1);\nother();\n');
    const block = sectionOf('const first = read(2);\nother();\nnone', file);
    const matches = new Matcher(file, new Uint8Array(file.idCount)).matchesOf(block, true);
    const { worth, fits } = edgeOf(block, matches, file, 1);
    assert.deepEqual(fits, ['similar']);
    const factor = (edgeWorth.similar * run) / lineWorth.similarHigh;
    assert.ok(Math.abs((worth[0] ?? 0) - (matches.worth[0] ?? 0) * factor) < 1e-9);
    assert.ok((worth[0] ?? 0) > 0);
    assert.deepEqual(edgeOf(block, matches, file, -1), { worth: [], fits: [] });
    const known = sectionOf('other();', file);
    const own = new Matcher(file, new Uint8Array(file.idCount)).matchesOf(known, true);
    assert.deepEqual(edgeOf(known, own, file, -1), { worth: [run], fits: ['exact'] });
  });
});
