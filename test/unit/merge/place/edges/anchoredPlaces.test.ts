import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { blockOf } from '../../../../../src/merge/place/block';
import { choosePlaces } from '../../../../../src/merge/place/choosePlaces';
import { anchoredPlaces } from '../../../../../src/merge/place/edges/anchoredPlaces';
import { FileIndex } from '../../../../../src/merge/place/fileIndex';
import { readSnippet } from '../../../../../src/merge/snippet/sections';
import { Source } from '../../../../../src/merge/source';
import { indexOf, sectionOf } from '../places';

/** Functions of a few lines, of which some are alike. */
const bodies = fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 3 })), {
  minLength: 2,
  maxLength: 8,
});
const linesOf = ([name, size]: readonly [number, number]): string[] => [
  `function f${name}() {`,
  ...Array.from({ length: size }, (_, at) => `  step${(name * at) % 5}();`),
  '}',
];
interface Edit {
  readonly from: number;
  readonly length: number;
  readonly changed: number;
  readonly removed: number;
  readonly texts: readonly string[];
}
const edit: fc.Arbitrary<Edit> = fc.record({
  from: fc.nat(40),
  length: fc.integer({ min: 1, max: 9 }),
  changed: fc.nat(9),
  removed: fc.integer({ min: 0, max: 2 }),
  texts: fc.array(
    fc.constantFrom('  added();', '  other();', '  step1();', '    step2();', '  }'),
    {
      maxLength: 3,
    },
  ),
});

/** @param open whether no marker is above the first edit, and none below the last one. */
function snippetOf(
  lines: readonly string[],
  edits: readonly Edit[],
  open: readonly [boolean, boolean],
): string {
  const parts = edits
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, length, changed, removed, texts }) => {
      const shown = lines.slice(from, from + length);
      shown.splice(changed % Math.max(1, shown.length), removed, ...texts);
      return shown.join('\n');
    });
  const gap = '// ... existing code ...';
  const between = parts.flatMap(part => [part, gap]).slice(0, -1);
  return [...(open[0] ? [] : [gap]), ...between, ...(open[1] ? [] : [gap])].join('\n');
}

describe('places by edges alone', () => {
  it('are those that an alignment finds', () => {
    let decided = 0;
    fc.assert(
      fc.property(
        bodies,
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.tuple(fc.boolean(), fc.boolean()),
        (functions, edits, open) => {
          const lines = functions.flatMap(linesOf);
          const file = new FileIndex(new Source(lines.join('\n')));
          const { sections } = readSnippet(snippetOf(lines, edits, open), file.known);
          const blocks = sections.map(section => blockOf(section, file));
          if (blocks.length === 0 || !anchoredPlaces(blocks, file)) return;
          const choice = choosePlaces(sections, file, { path: 'a.ts' });
          // With a span, the places are always found by an alignment.
          const aligned = choosePlaces(
            sections,
            file,
            { path: 'a.ts' },
            { start: 0, end: file.count },
          );
          // Without equal brackets on both sides, the edges do not decide, and a span is not kept.
          if (aligned.kind === 'floating') return;
          decided++;
          assert.equal(choice.kind, aligned.kind);
          if (choice.kind !== 'placed' || aligned.kind !== 'placed') return;
          assert.equal(choice.certain, aligned.certain);
          // Where a line alone stays as it is, one place is as good as another.
          const shapeOf = ({ places }: typeof choice): unknown =>
            places.map(({ start, end, head, tail }, k) => [
              blocks[k]?.ids.length === 1 ? [file.ids[start], file.indents[start]] : start,
              end - start,
              head,
              tail,
            ]);
          assert.deepEqual(shapeOf(choice), shapeOf(aligned));
        },
      ),
      { numRuns: 12000, seed: 1 },
    );
    assert.ok(decided > 400, `${decided}`);
  });
});

const others = (count: number): string =>
  Array.from({ length: count }, (_, at) => `other${at}();\n`).join('');

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

describe('places that edges decide', () => {
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
