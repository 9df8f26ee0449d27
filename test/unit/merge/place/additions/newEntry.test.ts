import assert from 'node:assert/strict';
import {
  isNewEntry,
  keepsOthers,
  withoutOuterEnd,
} from '../../../../../src/merge/place/additions/newEntry';
import type { BlockPlace } from '../../../../../src/merge/place/aligner';
import { indexOf, sectionOf } from '../places';

const original = `class Cart {
  // Opens it.
  open(first) {
    check(first);
    start();
  }

  close(last) {
    check(last);
    stop();
  }
}
`;
const file = indexOf(original);
const place = (start: number, end: number): BlockPlace => ({
  start,
  end,
  score: 1,
  head: 'exact',
  tail: 'exact',
});
const isNew = (section: string, below = 0, text = original): boolean => {
  const index = indexOf(text);
  return isNewEntry(sectionOf(section, index, { above: 0, below }), index);
};

const many = (count: number): string =>
  Array.from({ length: count }, (_, n) => `add${n}() {\n}`).join('\n');

describe('a section that is a new declaration', () => {
  it('shows all of it, with what leads it', () => {
    assert.equal(isNew('add() {\n  run();\n}'), true);
    assert.equal(isNew('// Adds.\n@cached\nadd() {\n  run();\n}'), true);
    assert.equal(isNew('/**\n * Adds.\n */\nadd() {\n  run();\n}'), true);
    assert.equal(isNew('add() {\n  run();\n}\n\nremove() {\n  run();\n}'), true);
    assert.equal(isNew('def add(self):\n    run()'), true);
    assert.equal(isNew('def add(\n    self,\n) -> int:\n    run()'), true);
    assert.equal(isNew('add() {\n  run();\n});'), true);
  });

  it('is none without a name, or with one that the file has', () => {
    assert.equal(isNew('run();\nstop();'), false);
    assert.equal(isNew('// Adds.'), false);
    assert.equal(isNew('open() {\n  run();\n}'), false);
    assert.equal(isNew('add() {\n  run();\n}\nclose() {\n  run();\n}'), false);
    assert.equal(isNew('start() {\n  run();\n}'), true, 'the file only calls it');
    assert.equal(isNew('add() {\n  run();\n}', 0, 'const add = 1;\n'), false, 'in another form');
    assert.equal(isNew('add() {\n  run();\n}', 0, 'address();\nadd: 1,\n'), false, 'further down');
    assert.equal(isNew('add() {\n  run();\n}', 0, `${'x'.repeat(500)} = add; add: 1\n`), true);
  });

  it('is none that is not closed, or that goes on behind the marker', () => {
    assert.equal(isNew('add() {\n  run();'), false);
    assert.equal(isNew('add() {\n  run();\nremove() {\n  run();\n}'), false);
    assert.equal(isNew('add() {\n  run();\n}', 2), false);
    assert.equal(isNew('  add() {\n    run();\n  }', 2), true);
    assert.equal(isNew('add() {\n  run();\n}\n// More.'), false);
  });

  it('is none with lines of something else', () => {
    assert.equal(isNew('  run();\nadd() {\n  run();\n}'), false, 'indented less than the first');
    assert.equal(isNew('add() {\n  run();\n}\n  run();'), false, 'below its end');
    assert.equal(isNew('// Adds.\n  run();\nadd() {\n}'), false, 'between it and its comment');
    assert.equal(isNew('}\nadd() {\n  run();\n}'), false, 'a closing line above');
  });

  it('has at most 50 declarations', () => {
    assert.deepEqual([isNew(many(50)), isNew(many(51))], [true, false]);
  });

  it('may be shown with the closing lines of what it is part of', () => {
    const { entry, closers } = withoutOuterEnd(sectionOf('  add() {\n  }\n}\n}', file), file);
    assert.deepEqual([entry.ids.length, entry.indents, closers], [2, [2, 2], 2]);
    assert.equal(withoutOuterEnd(sectionOf('add() {\n}', file), file).closers, 0);
    assert.equal(withoutOuterEnd(sectionOf('  add() {\n  }\nlast();', file), file).closers, 0);
  });
});

const keeps = (section: string, start: number, end: number, share?: number): boolean =>
  keepsOthers(sectionOf(section, file), place(start, end), file, share);

describe('a place that keeps the other declarations', () => {
  it('replaces nothing', () => {
    assert.equal(keeps('  add() {\n  }', 6, 6), true);
  });

  it('has most of the lines that are shown, or a declaration with nearly the same header', () => {
    assert.equal(keeps('  add(last) {\n    check(last);\n    stop();\n  }', 6, 10), true);
    assert.equal(keeps('  add(last) {\n    check(last);\n    run();\n  }', 6, 10), false);
    assert.equal(keeps('  closes(last) {\n    check(last);\n    run();\n  }', 6, 10), true);
    assert.equal(keeps('  add(last) {\n    check(last);\n    stop();\n  }', 6, 10, 0.7), false);
    assert.equal(
      keeps('  add(last) {\n    check(last);\n    stop();\n    a();\n    b();\n  }', 6, 10),
      false,
    );
  });

  it('has a declaration that the section changes', () => {
    assert.equal(keeps('    check(last);\n    stop();', 7, 9), false);
  });
});
