import assert from 'node:assert/strict';
import { toLine } from '../../../../src/merge/lines';
import { fitIndentation, matchesFile } from '../../../../src/merge/place/fitIndentation';
import type { Section } from '../../../../src/merge/snippet/sections';
import { indexOf } from './places';

const sectionOf = (text: string, above?: number, below?: number): Section => ({
  lines: text.split('\n').map(toLine),
  markerAbove: above,
  markerBelow: below,
});

/** The sections as they fit into the file. */
function fitted(original: string, ...sections: string[]): string[] {
  const all = sections.map(text => sectionOf(text));
  fitIndentation(all, indexOf(original));
  return all.map(({ lines }) => lines.map(({ text }) => text).join('\n'));
}
const fit = (original: string, section: string): string => fitted(original, section)[0] ?? '';

const file = `class A {
  open() {
    first();
    second();
  }

  close() {
    third();
    fourth();
  }
}
`;
const tabs = file.replaceAll('  ', '\t');

describe('the depth of a section', () => {
  it('is that of its first and last lines in the file', () => {
    assert.equal(
      fit(file, 'first();\nnew();\nsecond();'),
      '    first();\n    new();\n    second();',
    );
    assert.equal(fit(file, '      first();\n        new();'), '    first();\n      new();');
    assert.equal(
      fit(file, '    first();\n  new();\n    second();'),
      '    first();\n  new();\n    second();',
    );
  });

  it('is said most by the line at the edge', () => {
    // The second line from the end has half a vote, the last one a whole one.
    assert.equal(fit(file, 'x = 1\nfirst();\n    second();'), 'x = 1\nfirst();\n    second();');
    assert.equal(fit(file, 'first();\nx = 1\ny = 2'), '    first();\n    x = 1\n    y = 2');
    assert.equal(fit(file, 'x = 1\ny = 2\nfirst();'), '    x = 1\n    y = 2\n    first();');
  });

  it('is said by three lines of each edge, and of a short section by each line once', () => {
    const many = ['a1', 'a2', 'a3', 'first();', 'a4', 'a5', 'a6'].join('\n');
    assert.equal(fit(file, many), many, 'further in');
    const third = ['a1', 'a2', 'first();', 'a4', 'a5', 'a6'].join('\n');
    assert.equal(fit(file, third), third.replaceAll(/^/gm, '    '));
  });

  it('is not said by lines that are everywhere, as long as others say something', () => {
    assert.equal(fit(file, 'first();\n  }'), '    first();\n      }');
    assert.equal(fit(file, '}\nfirst();'), '    }\n    first();');
  });

  it('is said by a line that has it in all of its places', () => {
    const file3 = `${'  run();\n'.repeat(3)}end();\n`;
    const section = 'run();\nx = 1\nend();\ny = 1';
    assert.equal(fit(file3, section), section.replaceAll(/^/gm, '  '));
  });

  it('stays where some line is shown as it is in the file', () => {
    assert.equal(fit('run();\n  run();\n', 'run();\nother();'), 'run();\nother();');
    assert.equal(fit('  run();\n    run();\n', 'run();\nother();'), '  run();\n  other();');
    assert.equal(fit('  run();\n  run();\n', 'run();\nother();'), '  run();\n  other();');
  });

  it('is never left of the margin', () => {
    assert.equal(fit('run();\n', '  run();\nother();'), '  run();\nother();');
    assert.equal(fit('run();\n', '  run();\n    other();'), 'run();\n  other();');
  });

  it('is the same for all sections, unless one of them says otherwise', () => {
    assert.deepEqual(fitted(file, 'first();\nsecond();', 'new();'), [
      '    first();\n    second();',
      '    new();',
    ]);
    assert.deepEqual(fitted(file, 'first();\nsecond();', '    third();\n    fourth();'), [
      '    first();\n    second();',
      '    third();\n    fourth();',
    ]);
  });

  it('moves the markers too, and no blank line', () => {
    const section = sectionOf('first();\n\nsecond();', 0, 2);
    fitIndentation([section], indexOf(file));
    assert.deepEqual(
      section.lines.map(({ text }) => text),
      ['    first();', '', '    second();'],
    );
    assert.deepEqual([section.markerAbove, section.markerBelow], [4, 6]);
    const left = sectionOf('      first();\n      second();', 0, undefined);
    fitIndentation([left], indexOf(file));
    assert.deepEqual([left.markerAbove, left.markerBelow], [0, undefined]);
  });
});

describe('the blanks of a section', () => {
  it('become those of the file', () => {
    const body = '\topen() {\n\t\tfirst();\n\t\tnew();\n\t}';
    assert.equal(fit(file, body), body.replaceAll('\t', '  '));
    assert.equal(fit(tabs, body.replaceAll('\t', '  ')), body);
    assert.equal(fit(tabs, body.replaceAll('\t', '    ')), body);
    const marked = sectionOf(body, 4, 8);
    fitIndentation([marked], indexOf(file));
    assert.deepEqual([marked.markerAbove, marked.markerBelow], [2, 4]);
  });

  it('stay where the snippet has both, or where the file has none', () => {
    const both = 'x {\n\tone();\n    two();\n\tthree();\n}';
    assert.equal(fit(file, both), both);
    assert.equal(fit(tabs, both), both);
    assert.equal(fit('open();\nclose();\n', 'open();\n\tnew();'), 'open();\n\tnew();');
  });

  it('stay where the file has the line with such blanks', () => {
    const mixed = `${tabs}\n  odd();\n`;
    assert.equal(fit(mixed, '  odd();\n  new();'), '  odd();\n  new();');
  });

  it('are as wide as the levels of the file, where two depths agree', () => {
    const wide = file.replaceAll('  ', '    ');
    assert.equal(
      fit(file, '    open() {\n        first();\n        new();\n    }'),
      '  open() {\n    first();\n    new();\n  }',
    );
    assert.equal(
      fit(wide, '  open() {\n    first();\n    new();\n  }'),
      '    open() {\n        first();\n        new();\n    }',
    );
    assert.equal(fit(wide, '    first();\n    new();'), '        first();\n        new();');
  });

  it('are by the step of the lines where no line is known', () => {
    assert.equal(fit(file, 'x {\n\ty {\n\t\tz();\n\t}\n}'), 'x {\n  y {\n    z();\n  }\n}');
    assert.equal(fit(tabs, 'x {\n   y {\n      z();\n   }\n}'), 'x {\n\ty {\n\t\tz();\n\t}\n}');
    assert.equal(fit(tabs, 'x {\n    y {\n        z();\n'), 'x {\n\ty {\n\t\tz();\n');
  });
});

const matches = (text: string, original = file): boolean =>
  matchesFile([sectionOf(text)], indexOf(original));

describe('sections that are indented like the file', () => {
  it('need no change', () => {
    assert.equal(matches('    first();\n    new();\n    second();'), true);
    assert.equal(matches('    first();\n\n    second();'), true);
    assert.equal(matches('\t\tfirst();\n\t\tnew();\n\t\tsecond();', tabs), true);
    assert.equal(matches('a\n  b', 'a\n  b\nc\na\n    b\n'), true, 'at one of its places');
  });

  it('are not all of them', () => {
    assert.equal(matches('    new();\n    second();'), false, 'a new first line');
    assert.equal(matches('    first();\n    new();'), false, 'a new last line');
    assert.equal(matches('    first();\n  second();'), false, 'another depth');
    assert.equal(matches('    first();\n\t\tnew();\n    second();'), false, 'other blanks');
    assert.equal(matches('    first();\n    second();', tabs), false);
  });
});
