import assert from 'node:assert/strict';
import { UnsupportedHistory } from '../../../../src/compact/sessions/history';
import { decodeHistory, HistoryFile } from '../../../../src/compact/sessions/historyFile';
import { type JsonObject, numberIn, stringIn } from '../../../../src/compact/sessions/json';

const linesIn = (text: string) => {
  const file = new HistoryFile('a', text);
  return file.lines.map(({ start, end }) => text.slice(start, end));
};

const line = (n: number) => `{"n":${n}}\n`;

const lines = (count: number, other: number) =>
  new HistoryFile(
    'a',
    Array.from({ length: count }, (_, n) => (n < other ? 'no object\n' : line(n))).join(''),
  );

const isAt = (n: number) => (node: JsonObject) => numberIn(node, 'n') === n;

/** The numbers of the records, the damaged lines, and whether the last one is cut off. */
const readDamaged = (text: string) => {
  const file = new HistoryFile('a', text);
  const { records, isCut } = file.recordsFor('Tool', { skipsDamaged: true });
  const own = records.map(({ node }) => numberIn(node, 'n'));
  return [own, file.damaged.map(({ start }) => file.lineAt(start)), isCut];
};

/** The texts of the records, and of those behind another one on their line. */
const textsOf = (text: string | Uint8Array) => {
  const file = new HistoryFile('a', text);
  const { records, isCut } = file.recordsFor('Tool');
  const [list] = records.map(({ item }) => item.list);
  assert.ok(list?.type === 'lines');
  assert.deepEqual(
    records.map(({ item }) => item),
    list.items.slice(0, records.length).map(node => ({ list, node })),
  );
  const own = ({ start, end }: { start: number; end: number }) => file.text.slice(start, end);
  assert.deepEqual(file.damaged, []);
  return [records.map(({ span }) => own(span)), file.joined.map(own), isCut];
};

describe('HistoryFile', () => {
  it('has a name, whichever way its path is written', () => {
    for (const path of ['a.json', '/x/a.json', String.raw`C:\x\a.json`, String.raw`C:\x/a.json`])
      assert.equal(new HistoryFile(path, '').name, 'a.json');
  });

  it('has the lines that are not blank, with their ends', () => {
    assert.deepEqual(linesIn('a\n \t\r\nb\r\n\0\0\nc'), ['a\n', 'b\r\n', 'c']);
    assert.deepEqual(linesIn('\u0001\n!\n'), ['\u0001\n', '!\n']);
    assert.deepEqual(linesIn('\ufeffa'), ['a']);
    assert.deepEqual(linesIn(''), []);
  });

  it('is one value, on one line or on several, also after a byte order mark', () => {
    for (const [text, type] of [
      ['{"a":1}\n', 'object'],
      ['\ufeff{\n"a":1}', 'object'],
      ['\ufeff[1]', 'list'],
      // As after a power cut.
      ['{"a":1}\0\0', 'object'],
      ['{\n"a":1}\n\0', 'object'],
      ['{"a":1}\n{"a":2}\n', undefined],
      ['', undefined],
    ] as const)
      for (const content of [text, Buffer.from(text)])
        assert.equal(new HistoryFile('a', content).json?.type, type, text);
  });

  it('is told by the objects on its lines, however far down, unless there are none', () => {
    assert.equal(lines(500, 0).hasLine(isAt(499)), true);
    assert.equal(lines(500, 0).hasLine(isAt(500)), false);
    assert.equal(lines(500, 20).hasLine(isAt(20)), true);
    assert.equal(lines(500, 21).hasLine(isAt(21)), false);
    assert.deepEqual([numberIn(lines(2, 0).first, 'n'), lines(2, 1).first], [0, undefined]);
  });

  it('has records, of which the last may be cut off', () => {
    for (const [text, count, isCut] of [
      ['{"a":1}\n\n{"a":2}\n', 2, false],
      ['{"a":1}\n{"a":', 1, true],
      ['{"a":1}\n[2]', 1, true],
    ] as const) {
      const found = new HistoryFile('a', text).recordsFor('Tool');
      assert.deepEqual([found.records.length, found.isCut], [count, isCut], text);
    }
  });

  it('is refused with the number of the line that is damaged', () => {
    for (const [text, number] of [
      ['{"a":', 1],
      ['{"a":1}\n\n{"a":\n{"a":2}', 3],
      ['\n\nx\n{}', 3],
    ] as const)
      assert.throws(
        () => new HistoryFile('a', text).recordsFor('Tool'),
        (error: unknown) =>
          error instanceof UnsupportedHistory &&
          error.tool === 'Tool' &&
          error.what === `line ${number} is damaged`,
        text,
      );
  });

  it('is read without damaged lines where its tool leaves them out, unless most are damaged', () => {
    assert.deepEqual(readDamaged('{"n":1}\n{"n":\n\n{"n":3}\n7\n{"n":5}\n{"n"'), [
      [1, 3, 5],
      [2, 5],
      true,
    ]);
    assert.deepEqual(readDamaged('{\n{"n":2}'), [[2], [1], false]);
    assert.throws(() => readDamaged('{"n":1}\n{\n{\n{\n{}'), { what: 'line 2 is damaged' });
  });

  it('has several objects of one line as records of their own', () => {
    const whole = String.raw`{"n":"}\"{"}{"o":{"p":"\\"}} {} `;
    const parts = [String.raw`{"n":"}\"{"}`, String.raw`{"o":{"p":"\\"}}`, ' {} \n'];
    const text = `{"a":1}\n${whole}\n{"b":2}`;
    const expected = [['{"a":1}\n', ...parts, '{"b":2}'], parts.slice(1), false];
    assert.deepEqual(textsOf(text), expected);
    assert.deepEqual(textsOf(Buffer.from(text)), expected);
    for (const [broken, count] of [
      ['{"a":1}\n{"b":2}{"c":', 1],
      ['{"a":1}\n{"b":2}x', 1],
      ['{"a":1}\n{"b":2}[3]', 1],
    ] as const)
      assert.deepEqual(new HistoryFile('a', broken).recordsFor('Tool').records.length, count);
  });

  it('is UTF-8 text, with its byte order mark', () => {
    assert.equal(decodeHistory(Buffer.from('\ufeffé')), '\ufeffé');
    assert.throws(() => decodeHistory(Uint8Array.of(0x61, 0xff)), UnsupportedHistory);
  });

  it('is read from bytes, also behind a byte order mark', () => {
    const text = '{"é":"ü\\n😀"}\n\n{"n":1}\nnone\n{}';
    for (const mark of ['', '\ufeff']) {
      const file = new HistoryFile('a', Buffer.from(mark + text));
      assert.equal(file.text, mark + text);
      assert.equal(stringIn(file.first, 'é'), 'ü\n😀');
      assert.equal(file.hasLine(isAt(1)), true);
      assert.equal(file.json, undefined);
      assert.equal(file.isOnlyRead, mark === '');
      assert.throws(() => file.unread.recordsFor('Tool'), {
        what: 'line 4 is damaged',
      });
    }
  });
});
