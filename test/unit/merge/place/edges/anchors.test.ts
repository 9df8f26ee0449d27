import assert from 'node:assert/strict';
import { edgeWorth, lineWorth } from '../../../../../src/merge/place/costs';
import { anchorsOf } from '../../../../../src/merge/place/edges/anchors';
import { indexOf, sectionOf } from '../places';

type Markers = Parameters<typeof sectionOf>[2];
const inside: Markers = { above: 0, below: 0 };

function anchors(text: string, section: string, markers: Markers = inside) {
  const file = indexOf(text);
  return anchorsOf(sectionOf(section, file, markers), file);
}
/** The lines at which the first and the last row of a section are. */
function edges(text: string, section: string): string | undefined {
  const found = anchors(text, section);
  return found && `${found.head.place}-${found.tail.place}`;
}
const lines = (line: string, count: number): string => `${line}\n`.repeat(count);
const others = (count: number): string =>
  Array.from({ length: count }, (_, at) => `other${at}();\n`).join('');

describe('the lines that the edges of a section are', () => {
  it('have the rows between them that are in the file once', () => {
    const twice = 'open();\none();\nclose();\nopen();\nclose();\n';
    assert.equal(edges(twice, 'open();\nnew();\none();\nmore();\nclose();'), '0-2');
    const second = 'open();\nclose();\nopen();\none();\nclose();\n';
    assert.equal(edges(second, 'open();\nnew();\none();\nmore();\nclose();'), '2-4');
  });

  it('are the ones with the most equal lines', () => {
    const text = 'open();\na();\nclose();\nopen();\nb();\nclose();\n';
    assert.equal(edges(text, 'open();\nb();\nnew();\na();\nclose();'), '0-5');
    assert.equal(edges(text, 'open();\nb();\nclose();'), '3-5');
  });

  it('may be in another order than in the file', () => {
    assert.equal(edges('one();\nclose();\nopen();\n', 'open();\nnew();\none();'), '2-0');
  });

  it('are none if one is new, or has other indentation', () => {
    assert.equal(edges('one();\ntwo();\n', 'new();\none();\ntwo();'), undefined);
    assert.equal(edges('one();\ntwo();\n', 'one();\ntwo();\nnew();'), undefined);
    assert.equal(edges('one();\ntwo();\n', '  one();\ntwo();'), undefined);
    assert.equal(edges('one();\ntwo();\n', 'one();\n  two();'), undefined);
  });

  it('are none for a section of lines that are everywhere', () => {
    const shown = 'first();\nsame();\nlast();';
    const text = (count: number, more = 0): string =>
      `first();\n${lines('same();', count)}last();\n${others(more)}`;
    assert.equal(edges(text(3998), shown), undefined, 'in a large file');
    assert.equal(edges(text(64, 1000), shown), '0-65');
    assert.equal(edges(text(65, 1000), shown), undefined);
    assert.equal(edges(text(65, 900), shown), '0-66', 'in a small file');
    const rows = `first();\n${lines('same();', 10)}last();`;
    assert.equal(edges(text(500), rows), undefined, 'in many rows');
    assert.equal(edges(text(300), rows), '0-301');
  });

  it('are worth what a new edge would cost, or nothing where no marker is', () => {
    const text = 'one();\ntwo();\n';
    const worthOfNew = (markers: Markers): (number | undefined)[] => {
      const found = anchors(text, 'one();\ntwo();', markers);
      return [found?.head.worthOfNew, found?.tail.worthOfNew];
    };
    assert.deepEqual(worthOfNew({ below: 0 }), [0, -edgeWorth.missing]);
    assert.deepEqual(worthOfNew({ above: 0 }), [-edgeWorth.missing, 0]);
  });

  it('know how much the best other line is worth', () => {
    const once = anchors('one();\ntwo();\n', 'one();\ntwo();');
    assert.equal(once?.head.second, -Infinity);
    const twice = anchors('one();\ntwo();\none();\n', 'one();\ntwo();');
    assert.deepEqual([twice?.head.worth, twice?.head.second], [edgeWorth.run, edgeWorth.run / 2]);
  });
});

const { run, missing } = edgeWorth;

const placesOf = (text: string, section: string): string | undefined => {
  const found = anchors(text, section, {});
  return found && `${found.head.place},${found.tail.place}`;
};

/** A file with so many closing lines. */
const closers = (count: number): string => `a\n${'}\n'.repeat(count)}b\n`;

describe('the lines that fit the edges of a block best', () => {
  it('are those with the rarest run', () => {
    assert.equal(placesOf('a\nx\na\nb\nc\n', 'a\nb\nc'), '2,4');
    assert.equal(placesOf('a\nb\nc\nx\nc\n', 'a\nb\nc'), '0,2');
  });

  it('are not between lines that are in the file once', () => {
    // The last `}` above would belong to another block.
    assert.equal(placesOf('}\na\n}\nb\n}\n', '}\nb\n}'), '2,4');
    assert.equal(placesOf('a\nb\n}\n}\n', 'a\nb\nx\n}'), '0,2', 'the nearest of equal ones');
    assert.equal(placesOf('}\n}\na\n', '}\nx\na'), '1,2');
  });

  it('are none where an edge is new, or was moved', () => {
    assert.equal(placesOf('a\nb\n', 'x\nb'), undefined);
    assert.equal(placesOf('a\nb\n', 'a\nx'), undefined);
    assert.equal(placesOf('  a\nb\n', 'a\nb'), undefined);
    assert.equal(placesOf('a\n  b\n', 'a\nb'), undefined);
  });

  it('are left to the alignment where lines are in too many places', () => {
    assert.ok(placesOf(closers(660), `a\n${'}\n'.repeat(6)}b`));
    assert.equal(placesOf(closers(660), `a\n${'}\n'.repeat(7)}b`), undefined);
  });

  it('are left to the alignment where a line is in more than 64 places of a large file', () => {
    const numbers = Array.from({ length: 1000 }, (_, at) => `${at}\n`).join('');
    assert.ok(placesOf(closers(64) + numbers, 'a\n}\nb'));
    assert.equal(placesOf(closers(65) + numbers, 'a\n}\nb'), undefined);
    assert.ok(placesOf(closers(65), 'a\n}\nb'));
  });

  it('say what the edge is worth there, elsewhere, and if it is new', () => {
    const { head, tail } = anchors('a\nb\nx\na\n}\n', 'a\nb\n}', { below: 0 }) ?? {};
    assert.deepEqual(head && [head.worth, head.second, head.places.length], [run, run / 2, 2]);
    assert.deepEqual([head?.worthOfNew, tail?.worthOfNew], [0, -missing]);
    assert.equal(tail?.second, -Infinity);
    assert.deepEqual([head?.own, tail?.own], [lineWorth.line + lineWorth.rare / 2, 0.55]);
    assert.deepEqual([head?.fit, tail?.fit], ['exact', 'common']);
  });
});
