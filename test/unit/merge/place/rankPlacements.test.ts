import assert from 'node:assert/strict';
import { DroppedLines } from '../../../../src/merge/place/additions/droppedLines';
import { Aligner, type BlockPlace } from '../../../../src/merge/place/aligner';
import { BracketBalances } from '../../../../src/merge/place/bracketBalances';
import { choosePlaces } from '../../../../src/merge/place/choosePlaces';
import { margins } from '../../../../src/merge/place/costs';
import { Nesting } from '../../../../src/merge/place/nesting';
import {
  isSameResult,
  type PositionSpan,
  rankPlacements,
} from '../../../../src/merge/place/rankPlacements';
import { indexOf, sectionOf } from './places';

type Markers = Parameters<typeof sectionOf>[2];
type Given = readonly [text: string, markers?: Markers];
const inside: Markers = { above: 0, below: 0 };
const told = (places: readonly BlockPlace[]): string =>
  places.map(({ start, end }) => `${start}-${end}`).join(' ');

function ranked(
  original: string,
  given: readonly Given[],
  span?: PositionSpan,
  isCompared = false,
) {
  const file = indexOf(original);
  const blocks = given.map(([text, markers = inside]) => sectionOf(text, file, markers));
  const compared = { balances: new BracketBalances(file, 'a.ts'), dropped: new DroppedLines(file) };
  return rankPlacements(
    blocks,
    file,
    new Aligner(file, blocks),
    new Nesting(file),
    span,
    isCompared ? compared : undefined,
  );
}
function best(...given: Parameters<typeof ranked>): string {
  const answer = ranked(...given);
  return answer.kind === 'read' ? told(answer.best.places) : answer.kind;
}

const text = 'first();\nsecond();\nthird();\nfourth();\nfifth();\n';

describe('the placement of a snippet', () => {
  it('is the place of each section', () => {
    assert.equal(best(text, [['second();\nnew();\nthird();']]), '1-3');
    assert.equal(best(text, [['first();\nnew();\nsecond();'], ['fourth();\nfifth();']]), '0-2 3-5');
  });

  it('is none for a section of another file, for one without a place, and in another order', () => {
    assert.equal(best(text, [['alpha = 1;\nbeta = 2;']]), 'foreign');
    assert.equal(best(text, [['first();\nsecond();'], ['alpha = 1;\nbeta = 2;']]), 'floating');
    assert.equal(best(text, [['fourth();\nfifth();'], ['first();\nsecond();']]), 'disordered');
    const answer = ranked(text, [['first();\nsecond();'], ['alpha = 1;']]);
    assert.ok(answer.kind === 'floating');
    assert.deepEqual(
      answer.floating.map(({ ids }) => ids.length),
      [1],
    );
  });

  it('is at the end of the file for new lines below the last marker, and at its top above the first', () => {
    const last: Given = ['alpha = 1;', { above: 0 }];
    assert.equal(best(text, [['first();\nsecond();'], last]), '0-2 5-5');
    assert.equal(best(text, [last]), '5-5');
    assert.equal(best(text, [['  alpha = 1;', { above: 0 }]]), 'foreign', 'of a block');
    assert.equal(best(text, [['alpha = 1;', { above: 0 }], last]), 'foreign', 'more than one');
    const top: Given = ['alpha = 1;', { below: 0 }];
    assert.equal(best(text, [top, ['third();\nfourth();']]), '0-0 2-4');
    assert.equal(best(text, [top]), 'foreign');
  });

  it('is sure as far as no other one is as good', () => {
    const twice = 'a();\nx = 1;\nb();\nc();\na();\nx = 1;\nb();\n';
    const answer = ranked(twice, [['a();\nx = 2;\nb();']]);
    assert.ok(answer.kind === 'read' && answer.rival);
    assert.ok(answer.margin < margins.tie);
    assert.deepEqual([told(answer.best.places), told(answer.rival.places)].sort(), ['0-3', '4-7']);
    const once = ranked(text, [['second();\nnew();\nthird();']]);
    assert.ok(once.kind === 'read');
    assert.deepEqual([once.margin > once.needed, once.needed], [true, margins.certain]);
    const loose = ranked(text, [['second();\nalpha = 1;']]);
    assert.ok(loose.kind === 'read');
    assert.equal(loose.needed, margins.certain + margins.loose);
  });

  it('is told apart by changed lines within, where all are compared', () => {
    const old = 'open();\nconst limit = options.limit ?? 10;\nclose();\n';
    const code = `${old.replace(/const.*/, 'emit(event);')}${old}`;
    const section: Given = ['open();\nconst limit = options.limit ?? 20;\nclose();'];
    const [quick, thorough] = [false, true].map(is => ranked(code, [section], undefined, is));
    assert.ok(quick?.kind === 'read' && thorough?.kind === 'read');
    assert.ok(quick.margin < margins.tie);
    assert.ok(thorough.margin >= margins.tie);
    assert.equal(told(thorough.best.places), '3-6');
  });

  it('has brackets that fit, where these are compared', () => {
    const code = 'if (a) {\n  run();\n}\nif (b) {\n  run();\n  if (c) {\n  }\n}\nlast();\n';
    const section: Given = ['if (b) {\n  stop();\n}\nlast();'];
    assert.equal(best(code, [section], undefined, true), '3-9');
  });
});

const spanned = (section: string, start: number, end: number): string =>
  best(text, [[section]], { start, end });

describe('a placement inside of a span', () => {
  it('changes no line outside of it', () => {
    assert.equal(spanned('second();\nnew();\nthird();', 1, 3), '1-3');
    assert.equal(spanned('second();\nnew();\nthird();', 2, 3), '1-3', 'shown as it is');
    assert.equal(spanned('second();\nnew();\nthird();', 1, 2), '1-3');
    assert.equal(spanned('second();\nnew();\nfourth();', 1, 2), 'floating');
    assert.equal(spanned('second();\nnew();\nfourth();', 2, 3), '1-4');
    assert.equal(spanned('second();\nnew();\nthird();', 4, 5), 'floating');
    assert.equal(spanned('second();\nthird();', 4, 5), '1-3', 'changes nothing');
    assert.equal(spanned('  second();\nnew();\nthird();', 2, 3), '2-3', 'not what is above it');
    // One of the lines above and below it would be gone.
    const twice = 'first();\nsecond();\nold();\nsecond();\nfirst();\n';
    assert.equal(best(twice, [['first();\nsecond();\nfirst();']]), '0-5');
    assert.notEqual(best(twice, [['first();\nsecond();\nfirst();']], { start: 2, end: 3 }), '0-5');
  });
});

describe('two placements', () => {
  const file = indexOf('a\nb\na\nb\n  a\n');
  const isSame = (section: string, one: [number, number], two: [number, number]): boolean => {
    const [first, second] = [one, two].map(([start, end]) => ({
      places: [{ start, end, score: 0, head: 'exact' as const, tail: 'exact' as const }],
      score: 0,
    }));
    assert.ok(first && second);
    return isSameResult(file, [sectionOf(section, file)], first, second);
  };

  it('have the same result if the text is the same', () => {
    assert.equal(isSame('x', [1, 2], [1, 2]), true);
    assert.equal(isSame('x', [0, 1], [1, 2]), false);
    // One pair of lines less, whichever it is.
    assert.equal(isSame('a\nb', [0, 4], [0, 4]), true);
    assert.equal(isSame('a\nb', [0, 2], [2, 4]), true);
    assert.equal(isSame('b\na', [1, 1], [2, 2]), false);
    assert.equal(isSame('a\nb', [0, 0], [2, 2]), true);
    assert.equal(isSame('a', [2, 2], [4, 4]), false);
    assert.equal(isSame('  a', [4, 4], [5, 5]), true);
    assert.equal(isSame('a', [4, 4], [5, 5]), false, 'other indentation');
    assert.equal(isSame('a', [0, 1], [0, 3]), false);
  });
});

const choose = (original: string, given: readonly Given[], span?: PositionSpan) => {
  const file = indexOf(original);
  const sections = given.map(([own, markers = inside]) => sectionOf(own, file, markers).section);
  const choice = choosePlaces(sections, file, { path: 'a.ts' }, span);
  return choice.kind === 'placed'
    ? `${told(choice.places)} ${choice.certain ? 'certain' : 'unsure'}`
    : choice.kind === 'tie'
      ? `tie ${told(choice.rivals.toSorted((a, b) => a.start - b.start))}`
      : choice.kind;
};

const many = (count: number): Given[] => Array.from({ length: count }, () => ['none = 1;']);

describe('the places of sections', () => {
  it('are certain where the edges say so', () => {
    assert.equal(choose(text, [['second();\nnew();\nthird();']]), '1-3 certain');
    assert.equal(
      choose(text, [['first();\nnew();\nsecond();'], ['fourth();\nnew();\nfifth();']]),
      '0-2 3-5 certain',
    );
  });

  it('are two that tie', () => {
    const twice = 'a();\nx = 1;\nb();\nc();\na();\nx = 1;\nb();\n';
    assert.equal(choose(twice, [['a();\nx = 2;\nb();']]), 'tie 0-3 4-7');
    assert.equal(choose(twice, [['a();\nx = 2;\nb();']], { start: 4, end: 7 }), '4-7 certain');
  });

  it('are those of sections in another order, if they change something', () => {
    const sections: Given[] = [['fourth();\nnew();\nfifth();'], ['first();\nmore();\nsecond();']];
    assert.match(choose(text, sections), /^0-2 3-5 /);
    assert.equal(choose(text, [['fourth();\nfifth();'], ['first();\nsecond();']]), 'disordered');
    assert.equal(choose(text, sections, { start: 0, end: 5 }), 'disordered');
    // One of them as it is in the file, and two that would take the same line.
    assert.match(
      choose(text, [['fourth();\nfifth();'], ['first();\nmore();\nsecond();']]),
      /^0-2 3-5 /,
    );
    assert.equal(
      choose(text, [['third();\nnew();\nfifth();'], ['first();\nmore();\nfourth();']]),
      'disordered',
    );
  });

  it('in another order are certain if each of them is', () => {
    const sure: Given = ['first();\nmore();\nsecond();'];
    assert.equal(choose(text, [['fourth();\nnew();\nfifth();'], sure]), '0-2 3-5 certain');
    assert.equal(choose(text, [['fourth();\nfifth(1, 2);'], sure]), '0-2 3-5 unsure');
  });

  it('are not looked for, for more sections than anybody writes', () => {
    assert.equal(choose(text, many(2001)), 'fragmented');
    assert.notEqual(choose(text, many(3)), 'fragmented');
  });

  it('are none in a span that would split code', () => {
    const code = 'if (a) {\n  run();\n}\nlast();\n';
    assert.equal(choose(code, [['  run();\n}\nmore();']], { start: 1, end: 2 }), 'floating');
  });
});
