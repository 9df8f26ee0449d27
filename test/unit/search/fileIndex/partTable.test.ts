import assert from 'node:assert/strict';
import { array, assert as check, property, stringMatching } from 'fast-check';
import { PartTable } from '../../../../src/search/fileIndex/partTable';

/** How often each part is in a text, in the order of their first occurrences. */
function partsOf(text: string, table = new PartTable()): [part: string, times: number][] {
  return table
    .read(Buffer.from(text))
    .map(part => [Buffer.from(table.bytesOf(part)).toString(), table.countOf(part)]);
}

const namesIn = (text: string): string =>
  partsOf(text)
    .map(([part]) => part)
    .join(' ');

describe('the parts of the words of a text', () => {
  for (const [text, parts] of [
    ['fileName', 'file name'],
    ['FileName file_name FILE_NAME file-name', 'file name'],
    ['parseHTTPServer', 'parse http server'],
    ['HTTP', 'http'],
    ['HTTPset', 'htt pset'],
    ['URLs and userIDs', 'urls and user ids'],
    ['utf8 sha256sum ext4', 'utf8 sha256 sum ext4'],
    ['2fa 42 x1', 'fa 42 x1'],
    ['a = b + c', ''],
    ['größe Ünicode 検索', 'größe Ünicode 検索'],
    ['$scope.$apply(this)', 'scope apply this'],
    ['', ''],
  ] as const) {
    it(`of ${text || 'an empty text'} are ${parts || 'none'}`, () => {
      assert.equal(namesIn(text), parts);
    });
  }

  it('are counted, each text by itself', () => {
    const table = new PartTable();
    assert.deepEqual(partsOf('open openFile OPEN', table), [
      ['open', 3],
      ['file', 1],
    ]);
    assert.deepEqual(partsOf('file', table), [['file', 1]]);
    assert.equal(table.size, 2);
  });

  it('are neither single characters nor data of more than 64 bytes', () => {
    assert.equal(namesIn(`x ${'y'.repeat(65)} ${'z'.repeat(64)}`), 'z'.repeat(64));
  });

  it('keep their numbers while the table grows', () => {
    const table = new PartTable();
    const words = Array.from(
      { length: 60_000 },
      (_, at) => `w${at.toString(36).replace(/\d/g, 'q')}x`,
    );
    const text = Buffer.from(words.join(' '));
    const numbers = table.read(text);
    assert.deepEqual(table.read(text), numbers);
    const texts = numbers.map(part => Buffer.from(table.bytesOf(part)).toString());
    assert.deepEqual(texts, [...new Set(words)]);
  });

  it('leave nothing out but single characters and signs', () => {
    const word = stringMatching(/^[a-zA-Z_\d]{1,12}$/);
    check(
      property(array(word), words => {
        const text = words.join(' ');
        const letters = partsOf(text).reduce((sum, [part, times]) => sum + part.length * times, 0);
        const all = text.replace(/[^a-zA-Z\d]/g, '').length;
        assert.ok(letters <= all);
        for (const [part] of partsOf(text)) assert.ok(text.toLowerCase().includes(part), part);
      }),
    );
  });
});
