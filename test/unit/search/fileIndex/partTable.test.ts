import assert from 'node:assert/strict';
import { array, assert as check, property, stringMatching } from 'fast-check';
import { PartTable } from '../../../../src/search/fileIndex/partTable';

/** How often each part is in a text, in the order of their first occurrences, and those that are joined. */
function allPartsOf(text: string, table = new PartTable()): [part: string, times: number][] {
  return table
    .read(Buffer.from(text))
    .map(part => [Buffer.from(table.bytesOf(part)).toString(), table.countOf(part)]);
}

const isJoined = ([part]: readonly [part: string, times: number]): boolean => part < ' ';
const partsOf = (text: string, table?: PartTable) =>
  allPartsOf(text, table).filter(part => !isJoined(part));

/** Of joined parts the number of bytes of the first one, and both. */
const joinedIn = (text: string): string =>
  allPartsOf(text)
    .filter(isJoined)
    .map(([part, times]) => `${part.charCodeAt(0)}${part.slice(1)}${times > 1 ? `*${times}` : ''}`)
    .join(' ');

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
    ['压缩数据块', '压缩 缩数 数据 据块'],
    ['「再試行」、リトライ。', '再試 試行 リト トラ ライ'],
    ['時々 々', '時々'],
    ['検索Index用v2検索', '検索 index v2'],
    ['。retry', 'retry'],
    ['한국어 ошибка', '한국어 ошибка'],
    ['“renderTemplate” →next …end «größe» a\u00a0bc', 'render template next end größe bc'],
    ['🚀launch launch🚀 （foo）、ｆｏｏ\ufeffbar', 'launch foo ｆｏｏ bar'],
    ['ℝeal ﬁnd 𝔘nit', 'ℝeal ﬁnd 𝔘nit'],
    ['$scope.$apply(this)', 'scope apply this'],
    ['', ''],
  ] as const) {
    it(`of ${text || 'an empty text'} are ${parts || 'none'}`, () => {
      assert.equal(namesIn(text), parts);
    });
  }

  for (const [text, joined] of [
    ['WebSocket webSocket', '3websocket*2'],
    ['web_socket web-socket web.Socket WEB Socket', ''],
    ['OpenAI', '4openai'],
    ['SQLAlchemy', '3sqlalchemy'],
    ['newAbortController', '3newabort 5abortcontroller'],
    ['gRPC dbClient DBClient', '1grpc 2dbclient'],
    ['isEmpty IService getX', ''],
    ['webSocket2 s3Backend', '3websocket2'],
    [`${'x'.repeat(31)}Yyy ${'x'.repeat(32)}Yyy`, `31${'x'.repeat(31)}yyy`],
    [`abc${'Y'.repeat(61)} abc${'Y'.repeat(62)}`, `3abc${'y'.repeat(61)}`],
  ] as const) {
    it(`of ${text} are joined to ${joined || 'none'}`, () => {
      assert.equal(joinedIn(text), joined);
    });
  }

  it('are counted, each text by itself', () => {
    const table = new PartTable();
    assert.deepEqual(partsOf('open openFile OPEN', table), [
      ['open', 3],
      ['file', 1],
    ]);
    assert.deepEqual(partsOf('file', table), [['file', 1]]);
    assert.equal(table.size, 3, 'with openFile');
  });

  it('are neither single characters nor data of more than 64 bytes', () => {
    assert.equal(namesIn(`x ${'y'.repeat(65)} ${'z'.repeat(64)}`), 'z'.repeat(64));
  });

  it('are pairs of characters of any number without spaces', () => {
    assert.deepEqual(partsOf('漢字'.repeat(1000)), [
      ['漢字', 1000],
      ['字漢', 999],
    ]);
  });

  it('are found in text that is no UTF-8', () => {
    for (const [text, parts] of [
      ['\xe9ab', 'ab'],
      ['\xe5\xa3ab', 'ab'],
      ['\xe5\xa3', ''],
      ['ab\xe3', 'ab'],
    ] as const) {
      const table = new PartTable();
      const found = table.read(Buffer.from(text, 'latin1'));
      assert.equal(found.map(part => Buffer.from(table.bytesOf(part)).toString()).join(), parts);
    }
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
