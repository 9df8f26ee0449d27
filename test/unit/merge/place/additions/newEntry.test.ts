import assert from 'node:assert/strict';
import { besideKnown } from '../../../../../src/merge/place/additions/besideKnown';
import {
  dropsDeclaration,
  insertedBetween,
} from '../../../../../src/merge/place/additions/insertedBetween';
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

const drops = (section: string, start: number, end: number): boolean =>
  dropsDeclaration(sectionOf(section, file), start, end, file);

describe('a place that takes a declaration away', () => {
  it('has one that the section neither shows nor declares', () => {
    assert.equal(drops('  add() {\n  }', 6, 10), true);
    assert.equal(drops('  close(last) {\n  }', 6, 10), false);
    assert.equal(drops('  close(other) {\n  }', 6, 10), false);
    assert.equal(drops('  add() {\n  }', 7, 10), false);
    assert.equal(drops('  add() {\n  }', 2, 3), true);
    assert.equal(drops('  add() {\n  }', 6, 6), false);
  });
});

const add = '  add(item) {\n    check(item);\n    push();\n  }\n';
const open = '  open(first) {\n    check(first);\n    start();\n  }\n';
const close = '  close(last) {\n    check(last);\n    stop();\n  }\n';

const between = (section: string, start: number, end: number) => {
  const found = insertedBetween(sectionOf(section, file), place(start, end), file);
  return found && `${found.start}-${found.end} ${found.head} ${found.tail}`;
};

describe('a new entry between its neighbors', () => {
  it('goes where these follow each other', () => {
    assert.equal(between(`${open}${add}  close(last) {\n`, 2, 7), '2-7 common common');
    assert.equal(between(`    start();\n  }\n${add}  close(last) {`, 4, 8), '4-7 common common');
    assert.equal(between(`  }\n  // More.\n${add}${close}`, 5, 10), '5-10 common common');
  });

  it('has at least two lines that are a declaration of its own', () => {
    assert.equal(between('  }\n  add() {}\n  close(last) {', 5, 7), undefined, 'one line');
    assert.equal(between('  }\n  run();\n  stop2();\n  close(last) {', 5, 7), undefined);
    assert.equal(
      between('  }\n  add() {\nrun();\n  }\n  close(last) {', 5, 7),
      undefined,
      'not whole',
    );
  });

  it('needs both neighbors', () => {
    assert.equal(between(`${open}${add}`, 2, 6), undefined);
    assert.equal(between(`${add}${close}`, 6, 10), undefined);
    assert.equal(between(`${open}${add}  close(last) {\n`, 2, 3), undefined, 'in the place');
  });
});

const beside = (
  section: string,
  [start, end]: readonly [number, number],
  markers: Parameters<typeof sectionOf>[2] = { above: 2, below: 2 },
) => {
  const found = besideKnown(sectionOf(section, file, markers), place(start, end), file);
  return found && `${found.start}-${found.end} ${found.head} ${found.tail}`;
};

describe('a new entry beside one that is known', () => {
  it('takes nothing away above it', () => {
    assert.equal(beside(`${add}${close}`, [2, 10]), '6-10 new exact');
    assert.equal(beside(`${add}${close}`, [2, 10], { below: 2 }), undefined, 'at the top');
    assert.equal(beside(`${add}${close}`, [6, 10]), undefined, 'nothing to take');
  });

  it('takes nothing away below it', () => {
    assert.equal(beside(`${open}${add}`, [2, 10]), '2-6 exact new');
    assert.equal(beside(`${open}${add}`, [2, 10], { above: 2 }), undefined, 'at the end');
    assert.equal(beside(`${open}${add}`, [2, 6]), undefined, 'nothing to take');
    assert.equal(beside('  open(first) {\n    other();\n  }\n' + add, [2, 10]), '2-6 exact new');
  });

  it('is right below the header of its class', () => {
    assert.equal(beside(`class Cart {\n${add}`, [0, 6], { above: 0, below: 2 }), '0-1 exact new');
    assert.equal(beside(`class Shop {\n${add}`, [0, 6], { above: 0, below: 2 }), undefined);
  });

  it('is none that the file has, or that is no declaration', () => {
    assert.equal(beside(`${open}${close}`, [2, 10]), undefined);
    assert.equal(beside(`${open}  run();\n`, [2, 10]), undefined);
  });
});
