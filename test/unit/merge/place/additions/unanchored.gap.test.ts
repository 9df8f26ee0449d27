import assert from 'node:assert/strict';
import { guessedPlace } from '../../../../../src/merge/place/additions/unanchored';
import { BracketBalances } from '../../../../../src/merge/place/bracketBalances';
import { indexOf, sectionOf } from '../places';

const cart = `class Cart {
  // Opens it.
  open() {
    start();
  }

  check() {
  }

  /**
   * Closes it.
   */
  @final
  close() {
    stop();
  }
}
last();
`;

interface Given {
  readonly above?: number;
  readonly below?: number;
  readonly from?: number;
  readonly to?: number;
  /** A position with lines like the new ones. */
  readonly near?: number;
  readonly text?: string;
}

/** Where a section may go that nothing ties to a place. */
function guessed(section: string, given: Given): string | undefined {
  const { above, below, from = 0, near, text = cart } = given;
  const file = indexOf(text);
  const markers = {
    ...(above === undefined ? {} : { above }),
    ...(below === undefined ? {} : { below }),
  };
  const block = sectionOf(section, file, markers);
  const gap = { from, to: given.to ?? file.count };
  const found = guessedPlace(block, gap, near, file, new BracketBalances(file, 'a.ts'));
  return found && `${found.start}-${found.end} ${found.head} ${found.tail}`;
}

const add = '  add() {\n    push();\n  }';
const [between, atEnd, atTop] = [{ above: 2, below: 2 }, { above: 2 }, { below: 2 }];

describe('a new declaration between markers', () => {
  it('goes into the middle of those at its depth, above what leads the next one', () => {
    assert.equal(guessed(add, between), '7-7 new new');
    assert.equal(guessed(add, { ...between, from: 5 }), '7-7 new new');
    assert.equal(guessed(add, { ...between, from: 8 }), '14-14 new new', 'below the only one');
    assert.equal(guessed(add, { ...atTop, from: 9 }), '9-9 new new', 'not above the gap');
  });

  it('goes to the end that has no marker', () => {
    assert.equal(guessed(add, atEnd), '14-14 new new');
    assert.equal(guessed(add, atTop), '1-1 new new');
    assert.equal(guessed(add, { ...atEnd, to: 9 }), '9-9 new new');
    assert.equal(guessed(add, {}), undefined, 'it shows all of the file');
  });

  it('needs others at its depth, of one parent', () => {
    assert.equal(guessed('add() {\n  push();\n}', { above: 0, below: 0, from: 1 }), undefined);
    const two = 'class A {\n  open() {\n  }\n}\nclass B {\n  close() {\n  }\n}\n';
    assert.equal(guessed(add, { ...between, text: two }), undefined);
    assert.equal(guessed(add, { ...between, text: two, near: 5 }), '7-7 new new');
    assert.equal(guessed(add, { ...atEnd, text: two, near: 1 }), '3-3 new new');
    assert.equal(guessed(add, { ...between, text: two, to: 4 }), '3-3 new new');
  });

  it('has as many brackets as it takes', () => {
    assert.equal(guessed('  add() {\n    push({\n  }', between), undefined);
    assert.equal(
      guessed('def add():\n    push()', { above: 0, text: 'def open():\n    a()\n' }),
      '2-2 new new',
    );
  });

  it('may show the end of its class, above which it goes', () => {
    assert.equal(guessed(`${add}\n}`, { ...atEnd, from: 1 }), '14-15 new exact');
    assert.equal(guessed(`${add}\n}\n}`, { ...atEnd, from: 1 }), undefined, 'more than there is');
    assert.equal(guessed(`${add}\n}`, { ...atEnd, from: 1, to: 14 }), undefined, 'outside the gap');
    assert.equal(guessed(`${add}\n}`, { ...atEnd, from: 0 }), undefined, 'outside of the class');
  });

  it('is above the lines of a comment that belong together', () => {
    const apart = 'class A {\n  open() {\n  }\n  // One.\n\n  // Two.\n  close() {\n  }\n}\n';
    assert.equal(guessed(add, { ...between, text: apart }), '4-4 new new');
    const block = apart.replace('\n\n', '\n');
    assert.equal(guessed(add, { ...between, text: block }), '3-3 new new');
    const deeper = apart.replace('  // Two', '    // Two');
    assert.equal(guessed(add, { ...between, text: deeper }), '5-5 new new');
  });
});

const body = (count: number): string =>
  `run() {\n${Array.from({ length: count }, (_, n) => `  step(${n});\n`).join('')}}\n`;

describe('new statements between markers', () => {
  it('go into the middle of few', () => {
    assert.equal(guessed('  more();', { ...between, text: body(4) }), '3-3 new new');
    assert.equal(guessed('  more();', { ...between, text: body(5) }), '4-4 new new');
    assert.equal(guessed('  more();', { ...between, text: body(6) }), undefined);
  });

  it('need both markers, and are whole', () => {
    assert.equal(guessed('  more();', { ...atEnd, text: body(4) }), undefined);
    assert.equal(guessed('  more();', { ...atTop, text: body(4) }), undefined);
    assert.equal(guessed('  more();\nless();', { ...between, text: body(4) }), undefined);
    assert.equal(guessed('  more();\n  // Then:', { ...between, text: body(4) }), undefined);
    assert.equal(guessed('  more();\n}', { ...between, text: body(4), from: 1 }), undefined);
    assert.equal(guessed('  // More:\n  more();', { ...between, text: body(4) }), '3-3 new new');
    assert.equal(guessed('  more({', { ...between, text: body(4) }), undefined);
  });
});
