import assert from 'node:assert/strict';
import {
  dropsDeclaration,
  insertedBetween,
} from '../../../../../src/merge/place/additions/insertedBetween';
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

  it('may be the last one of its class', () => {
    assert.equal(between(`    stop();\n  }\n${add}}`, 8, 11), '8-11 common common');
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
