import assert from 'node:assert/strict';
import type { Block } from '../../../../../src/merge/place/block';
import { costs, edgeWorth, lineWorth } from '../../../../../src/merge/place/costs';
import { anchorsOf, worthOf } from '../../../../../src/merge/place/edges/anchors';
import { Loss, leadOf, leadOverOthers } from '../../../../../src/merge/place/edges/otherEdges';
import type { FileIndex } from '../../../../../src/merge/place/fileIndex';
import { indexOf, sectionOf } from '../places';

const { run, missing } = edgeWorth;

const lead = (text: string, section: string, step: 1 | -1 = 1, lost = 0): number => {
  const file: FileIndex = indexOf(text);
  const block: Block = sectionOf(section, file);
  const found = anchorsOf(block, file) ?? assert.fail('no anchors');
  const loss = new Loss(block, file, lost);
  return leadOverOthers({ block, file, ...found, loss, shown: () => new Set(block.ids) }, step);
};
const isAbout = (actual: number, wanted: number): void =>
  assert.ok(Math.abs(actual - wanted) < 1e-9, `${actual}, not ${wanted}`);

describe('the lead over other lines as an edge', () => {
  it('is without limit where there is no other line', () => {
    assert.equal(lead('a\nb\n', 'a\nb'), Infinity);
    assert.equal(lead('a\nb\nb\n', 'a\nb'), Infinity);
    assert.notEqual(lead('a\nb\nb\n', 'a\nb', -1), Infinity);
  });

  it('is none of lines that are on the other side', () => {
    assert.equal(lead('a\nb\na\n', 'a\nb'), Infinity);
    assert.equal(lead('b\na\nb\n', 'a\nb', -1), Infinity);
  });

  it('counts what is worth less there, and what would be deleted', () => {
    // From the first `a` on: one line is deleted, and the run is that of a single line.
    isAbout(lead('a\nx\na\nb\n', 'a\nb'), run / 2 + 0.12 + 0.3 + 0.15);
    isAbout(lead('a\nx\ny\na\nb\n', 'a\nb'), run / 2 + 0.24 + 0.3 + 0.15);
    isAbout(lead('a\nb\nx\nb\n', 'a\nb', -1), run / 2 + 0.12 + 0.3 + 0.15);
    isAbout(lead('a\na\nb\n', 'a\nb'), run / 2);
  });

  it('is none at all where the block loses more', () => {
    assert.equal(lead('a\nx\na\nb\n', 'a\nb', 1, 9), -Infinity);
  });
});

const once = lineWorth.line + lineWorth.rare;

describe('the lead of an edge over the other lines that it could be', () => {
  it('has no end where there are none', () => {
    assert.equal(lead('one();\ntwo();\n', 'one();\ntwo();', 1), Infinity);
    assert.equal(lead('one();\ntwo();\none();\n', 'one();\ntwo();', 1), Infinity, 'below the last');
    assert.equal(
      lead('two();\none();\ntwo();\n', 'one();\ntwo();', -1),
      Infinity,
      'above the first',
    );
  });

  it('is more by the rows that are in the file once, but not between the edges', () => {
    const text = 'open();\none();\nopen();\nclose();\n';
    isAbout(lead(text, 'open();\none();\nmore();\nclose();', 1), run / 2 + once + costs.breakRun);
    const mirrored = 'open();\nclose();\none();\nclose();\n';
    isAbout(
      lead(mirrored, 'open();\nmore();\none();\nclose();', -1),
      run / 2 + once + costs.breakRun,
    );
  });

  it('is more by the lines that would go', () => {
    const gone = costs.openDeletion + costs.breakRun;
    const section = 'open();\nclose();';
    isAbout(lead('open();\nopen();\nclose();\n', section, 1), run / 2);
    isAbout(
      lead('open();\nold();\nopen();\nclose();\n', section, 1),
      run / 2 + gone + costs.deleteLine,
    );
    isAbout(
      lead('open();\n}\nopen();\nclose();\n', section, 1),
      run / 2 + gone + costs.deleteFiller,
    );
    isAbout(
      lead('open();\nclose();\n}\nclose();\n', section, -1),
      run / 2 + gone + costs.deleteFiller,
    );
  });

  it('is more by the lines that are outside of the block', () => {
    const text = '  open();\nopen();\n  run();\n  close();\n';
    const section = '  open();\n  run();\n  close();';
    const found = lead(text.replace('\nopen', '\n  open'), section, 1);
    assert.ok(found > 0 && found < Infinity);
    isAbout(
      lead('if (a)\n  open();\nold();\n  open();\n  close();\n', '  open();\n  close();', 1),
      run / 2 + costs.openDeletion + costs.breakRun + costs.deleteLine + costs.escapingLine,
    );
  });

  it('is more where the other line has other indentation', () => {
    const worth = lineWorth.line + lineWorth.rare / 2;
    isAbout(
      lead('  open();\nopen();\nclose();\n', 'open();\nclose();', 1),
      run - (run * edgeWorth.moved) / 2 + worth * (1 - lineWorth.moved),
    );
  });

  it('is none where it does not make up for what is lost', () => {
    assert.equal(lead('open();\nopen();\nclose();\n', 'open();\nclose();', 1, run / 2), -Infinity);
    isAbout(lead('open();\nopen();\nclose();\n', 'open();\nclose();', 1, run / 2 - 0.1), 0.1);
  });
});

describe('what a block loses at its place', () => {
  const file = indexOf('a\nb\nc\nb\nd\n');
  const block = sectionOf('a\nb\nnew\nd', file);
  it('is less if its rows match nothing between two lines', () => {
    const loss = new Loss(block, file, 5);
    assert.equal(loss.within(0, 4), 5);
    isAbout(loss.within(0, 3), 5 - worthOf(block, 3, 1, file));
    isAbout(loss.within(1, 4), 5 - worthOf(block, 0, 1, file));
    isAbout(
      loss.within(2, 2),
      5 - [0, 1, 3].reduce((sum, row) => sum + worthOf(block, row, row === 1 ? 2 : 1, file), 0),
    );
  });
});

/** The lead of a block that loses 3, less than which is looked at in detail. */
const leadOfAll = (
  text: string,
  section: string,
  markers: { above?: number; below?: number },
): number => {
  const file = indexOf(text);
  const block = sectionOf(section, file, markers);
  const found = anchorsOf(block, file) ?? assert.fail('no anchors');
  const loss = new Loss(block, file, 3);
  return leadOf({ block, file, ...found, loss, shown: () => new Set(block.ids) });
};

describe('the lead over all other placements', () => {
  // A bracket that is at the end, and of which the file has others above.
  const end = 'x1\n}\nx2\n}\na\n}\n';

  it('is that over a new last line, which a marker below makes worse', () => {
    const closed = leadOfAll(end, 'a\n}', { above: 0, below: 0 });
    const open = leadOfAll(end, 'a\n}', { above: 0 });
    isAbout(closed - open, missing);
  });

  it('counts what an open end that is new deletes below', () => {
    const atEnd = leadOfAll(end, 'a\n}', { above: 0 });
    isAbout(leadOfAll(`${end}y\n`, 'a\n}', { above: 0 }) - atEnd, costs.deleteLine);
    const many = Array.from({ length: 30 }, (_, at) => `y${at}\n`).join('');
    const closed = leadOfAll(end, 'a\n}', { above: 0, below: 0 });
    isAbout(leadOfAll(`${end}${many}`, 'a\n}', { above: 0 }), closed);
  });

  it('counts what it costs to match the row above a new last line', () => {
    const without = leadOfAll('a\nb\n}\n', 'a\nb\nmore\n}', { above: 0, below: 0 });
    const near = leadOfAll('a\nb\n}\n', 'a\nnew\nb\nmore\n}', { above: 0, below: 0 });
    const far = leadOfAll('a\nz\nb\n}\n', 'a\nnew\nb\nmore\n}', { above: 0, below: 0 });
    isAbout(near - without, costs.breakRun);
    isAbout(far - without, costs.breakRun + costs.openDeletion + costs.deleteLine);
  });
});
