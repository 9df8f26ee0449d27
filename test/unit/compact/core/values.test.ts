import assert from 'node:assert/strict';
import { scan } from '../../../../src/compact/core/scan/scan';
import { findSegments } from '../../../../src/compact/core/segments/findSegments';
import { valuesOf } from '../../../../src/compact/core/values';

const filler = (lines: number): string =>
  Array.from(
    { length: lines },
    (_, at) => `plain words ${'abcdefgh'[at % 8]} and more of them\n`,
  ).join('');

/** The worth of the token of each name in a text, without what its line is worth. */
function worthOf(text: string, names: readonly string[], query = ''): number[] {
  const scanned = scan(text, findSegments(text), query);
  const values = valuesOf(scanned);
  return names.map(name => {
    // A name is found by the line that holds nothing else that counts.
    const line = text.split('\n').findIndex(row => row.includes(name));
    const from = scanned.tokenStarts[line] ?? 0;
    const to = scanned.tokenStarts[line + 1] ?? from;
    const tokens = [...scanned.tokens.subarray(from, to)];
    return Math.max(...tokens.map(token => values.tokens[token] ?? 0));
  });
}

function lineValues(text: string): { lines: number[]; factors: number[]; isRepeated: number[] } {
  const scanned = scan(text, findSegments(text), '');
  const { lines, factors, isRepeated } = valuesOf(scanned);
  return { lines: [...lines], factors: [...factors], isRepeated: [...isRepeated] };
}

const isAhead = (text: string, better: string, worse: string, query = ''): void => {
  const [a = 0, b = 0] = worthOf(text, [better, worse], query);
  assert.ok(a > b * 1.01, `${better} ${a}, ${worse} ${b}`);
};

const turn = (text: string): string => `## User\n${text}\n## Assistant\nfine\n`;

const turnsWith = (header: string): string =>
  `## User\nopenSocket()\n${header}readHeader()\n## Assistant\ndone\n## User\nok\n## Assistant\nyes\n`;

describe('the worth of a name', () => {
  it('is more when it was named again', () => {
    isAhead(
      `readHeader()\nopenSocket()\n${filler(3)}readHeader(1)\nopenFile()\n`,
      'readHeader',
      'openFile',
    );
  });

  it('is less when it stands in so many lines that it cannot get lost', () => {
    const often = Array.from(
      { length: 40 },
      (_, at) => `openSocket(${'ab'[at % 2]}${at % 7 ? 'x' : 'y'}${at})\n`,
    ).join('');
    isAhead(`readHeader(a)\nreadHeader(b)\n${often}`, 'readHeader', 'openSocket');
  });

  it('fades with the distance to the last mention', () => {
    isAhead(`openSocket()\n${filler(300)}readHeader()\n`, 'readHeader', 'openSocket');
    const last = `openSocket()\n${filler(300)}readHeader()\n${filler(300)}openSocket(1)\nreadHeader(1)\n`;
    const [socket = 0, header = 0] = worthOf(last, ['openSocket', 'readHeader']);
    assert.ok(Math.abs(socket / header - 1) < 0.01, 'only the last mention counts');
  });

  it('is more in the turn that goes on', () => {
    const inOldTurn = worthOf(turnsWith(''), ['readHeader'])[0] ?? 0;
    const late = `## User\nopenSocket()\n## Assistant\ndone\n## User\nok\n## Assistant\nyes\nreadHeader()\n`;
    assert.ok((worthOf(late, ['readHeader'])[0] ?? 0) > inOldTurn * 1.2);
  });

  it('is more when the assistant wrote it than when a tool did', () => {
    const text = `## User\nhello there\n## Assistant\nreadHeader()\n## Tool result\nopenSocket()\n`;
    isAhead(text, 'readHeader', 'openSocket');
  });

  it('is more in code', () => {
    const text = `## User\nopenSocket here\n## Assistant\n\`\`\`\nreadHeader()\n\`\`\`\nopenFile now\n`;
    isAhead(text, 'readHeader', 'openFile');
  });

  it('is more when later turns took it up', () => {
    const again = turn('readHeader a') + turn('openSocket x') + turn('readHeader b') + turn('none');
    const [header = 0] = worthOf(again, ['readHeader']);
    const inOne =
      turn('readHeader a\nreadHeader b') + turn('openSocket x') + turn('y') + turn('none');
    assert.ok(header > (worthOf(inOne, ['readHeader'])[0] ?? 0), 'of two turns');
  });

  it('depends on what it is: numbers count more than names, hashes and compounds less', () => {
    const text = '123456\nreadHeader\nsome-words\nfa9c0d3be1\n';
    const [number = 0, name = 0, compound = 0, hash = 0] = worthOf(text, [
      '123456',
      'readHeader',
      'some-words',
      'fa9c0d3be1',
    ]);
    assert.ok(
      number > name && name > compound && compound > hash,
      [number, name, compound, hash].join(),
    );
  });

  it('is more when the query names it, and beside it', () => {
    const text = `readHeader()\nnearIt()\n${filler(9)}openSocket()\nfarAway()\n${filler(9)}`;
    isAhead(text, 'readHeader', 'openSocket', 'why is readHeader slow');
    isAhead(text, 'nearIt', 'farAway', 'why is readHeader slow');
    const [named = 0] = worthOf(text, ['readHeader'], 'readHeader');
    const [unnamed = 0] = worthOf(text, ['readHeader']);
    assert.ok(named > unnamed + 1, `${named} ${unnamed}`);
  });

  it('is that of a plain word only when the query has it', () => {
    const text = `the boiler is hot\n${filler(3)}`;
    assert.ok((worthOf(text, ['boiler'], 'boiler')[0] ?? 0) > 0);
    assert.equal(worthOf(text, ['boiler'])[0], Number.NEGATIVE_INFINITY);
    const often = Array.from({ length: 40 }, (_, at) => `a boiler ${'x'.repeat(at)}\n`).join('');
    assert.ok(
      (worthOf(text, ['boiler'], 'boiler')[0] ?? 0) >
        (worthOf(often, ['boiler'], 'boiler')[0] ?? 0),
    );
  });
});

const valueOf = (text: string, row: string): number =>
  lineValues(text).lines[text.split('\n').indexOf(row)] ?? Number.NaN;

describe('the worth of a line', () => {
  it('is more from the user than from a tool, and least from the assistant', () => {
    const text = '## User\none\n## Assistant\ntwo\n## Tool result\nthree\n## User\nfour\n';
    const [user, assistant, tool] = ['one', 'two', 'three'].map(row => valueOf(text, row));
    assert.ok(user! > tool! && tool! > assistant!, [user, assistant, tool].join());
    assert.ok(valueOf(text, 'four') > user!, 'newer lines are worth more');
  });

  it('is more for errors, above all for those of tools and for late ones', () => {
    const text = `## User\ngo\n## Assistant\nit failed\nall well\n## Tool result\nfailed here\nfine here\n`;
    const gain = (bad: string, good: string): number => valueOf(text, bad) - valueOf(text, good);
    assert.ok(gain('it failed', 'all well') > 0.05);
    assert.ok(gain('failed here', 'fine here') > gain('it failed', 'all well') * 1.5);
    const early = `## Tool result\nfailed here\nfine here\n## User\n${filler(30)}## Tool result\nx\n`;
    assert.ok(
      valueOf(early, 'failed here') - valueOf(early, 'fine here') <
        gain('failed here', 'fine here'),
    );
  });

  it('is nothing when it is blank', () => {
    assert.equal(lineValues('a\n\n  \nb\n').lines[1], 0);
    assert.equal(lineValues('a\n\n  \nb\n').lines[2], 0);
  });

  it('is less when many lines look the same but for their numbers', () => {
    const progress = Array.from({ length: 30 }, (_, at) => `step ${at} of 30\n`).join('');
    const { lines, factors } = lineValues(`${progress}and this is another line\n`);
    assert.ok(lines[10]! < lines[30]! / 3, `${lines[10]} ${lines[30]}`);
    assert.ok(factors[10]! < 0.6 && factors[10]! > 0, String(factors[10]));
    assert.equal(factors[30], 1);
    const few = lineValues(`${progress.split('\n').slice(0, 4).join('\n')}\nother\n`);
    assert.deepEqual(few.factors, [1, 1, 1, 1, 1]);
    const fewer = lineValues(`${progress.split('\n').slice(0, 10).join('\n')}\nother\n`);
    assert.ok(fewer.factors[0]! > factors[0]! && fewer.factors[0]! < 1);
  });

  it('is for the last of lines that are the same', () => {
    const { isRepeated } = lineValues('same\nother\n  same\n\n\nsame \n');
    assert.deepEqual(isRepeated, [1, 0, 1, 0, 0, 0]);
  });

  it('counts a repeated line once', () => {
    const [once = 0, thrice = 0] = worthOf(
      `openSocket now\n${filler(2)}readHeader now\nreadHeader now\nreadHeader now\n`,
      ['openSocket', 'readHeader'],
    );
    assert.ok(thrice < once * 1.2, `${thrice} ${once}`);
  });
});
