import assert from 'node:assert/strict';
import { edgeWorth } from '../../../../../src/merge/place/costs';
import { anchoredPlaces } from '../../../../../src/merge/place/edges/anchoredPlaces';
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

const placed = (text: string, above: number): string | undefined => {
  const file = indexOf(text);
  const block = sectionOf('open();\none();\nmore();\nclose();', file, { above, below: 0 });
  return anchoredPlaces([block], file)
    ?.map(({ start, end }) => `${start}-${end}`)
    .join();
};

/** The place of two lines around others, between which the section shows nothing. */
const around = (...inner: string[]): string | undefined => {
  const file = indexOf(['  open();', ...inner, '  close();', ''].join('\n'));
  const block = sectionOf('  open();\n  close();', file, { above: 2, below: 2 });
  return anchoredPlaces([block], file)
    ?.map(({ start, end }) => `${start}-${end}`)
    .join();
};

describe('places by edges alone', () => {
  it('are none where they would take many lines that are outside of the block', () => {
    assert.equal(around('  one();', '  two();', '  three();'), '0-5');
    assert.equal(around('one();'), '0-3');
    assert.equal(around('one();', 'two();', 'three();'), undefined);
    assert.equal(around('  one();', 'two();', 'three();'), '0-5');
    assert.equal(around('one();', 'two();', '  three();'), '0-5');
  });

  const text = `${others(5)}open();\none();\nopen();\nclose();\nlast();\n`;

  it('are none where a marker would rather have other lines above it', () => {
    assert.equal(placed(text, 0), '5-9');
    assert.equal(placed(text, 2), undefined);
    assert.equal(placed(text.replaceAll(/^other/gm, '  other'), 2), '5-9');
    assert.equal(placed(text.slice(others(4).length), 2), '1-5', 'one line is not enough');
  });
});
