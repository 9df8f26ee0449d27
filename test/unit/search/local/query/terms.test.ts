import assert from 'node:assert/strict';
import { maxQueryChars, type Term, termsOf } from '../../../../../src/search/local/query/terms';
import { abbreviations } from '../../../../../src/search/local/query/vocabulary';
import { partsOf, stemOf } from '../../../../../src/search/local/query/words';

const written = ({ forms }: Term): string => forms.map(({ words }) => words.join(' ')).join('/');
/** Each term as `kind weight forms @positions`. */
const told = (query: string): string[] =>
  termsOf(query).map(
    term =>
      `${term.kind} ${Number(term.weight.toFixed(2))} ${written(term)} @${term.positions.join()}`,
  );
const termOf = (query: string, form: string): Term | undefined =>
  termsOf(query).find(({ forms }) => forms[0]?.words.join(' ') === form);
/** Words that may be several. */
const runTogether = (query: string): string[] =>
  termsOf(query)
    .flatMap(({ forms }) => forms)
    .filter(({ isRunTogether }) => isRunTogether)
    .map(({ words }) => words.join(' '));
/** Words that are all different, and no stop words. */
const filler = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `${'bcdfghjklm'[n % 10]}${'aeiou'[Math.floor(n / 10)]}rq`,
  ).join(' ');

describe('terms', () => {
  it('have the positions of their words, counted with the words that are left out', () => {
    assert.deepEqual(told('queue of the ledger, queue'), ['word 1 queu @1,5', 'word 1 ledg @4']);
    assert.deepEqual(told('ledger utf8 queue'), [
      'word 1 ledg @1',
      'word 1 utf8 @2',
      'word 1 queu @3',
    ]);
  });

  it('are a name and its words, the name first', () => {
    assert.deepEqual(told('socketLedger'), [
      'identifier 1 socket ledger @',
      'word 1 socket @1',
      'word 1 ledg @2',
    ]);
    assert.deepEqual(told('SOCKET_LEDGER socketLedger').length, 4, 'by their spelling');
    assert.deepEqual(told('socketLedger socketLedger').length, 3);
  });

  it('have the synonyms of a word as other forms', () => {
    assert.deepEqual(told('argument'), [`word 1 ${stemOf('argument')}/arg @1`]);
    assert.deepEqual(
      termOf('delete', stemOf('delete'))?.forms.map(({ words, isSynonym }) => [
        words[0],
        isSynonym,
      ]),
      [
        [stemOf('delete'), false],
        ['remove', true],
        ['del', true],
      ],
    );
    assert.equal(termOf('crash crash', 'crash')?.forms.length, 2, 'each once');
    assert.deepEqual(termOf('crash crash', 'crash')?.positions, [1, 2]);
  });

  it('weigh less from the 17th and from the 41st word on', () => {
    const at = (index: number): number | undefined =>
      termOf(`${'the '.repeat(index)}queue`, 'queu')?.weight;
    assert.deepEqual([at(0), at(15), at(16), at(39), at(40)], [1, 1, 0.6, 0.6, 0.35]);
    const again = termOf(`queue ${'the '.repeat(50)} queue`, 'queu');
    assert.deepEqual([again?.weight, again?.positions], [1, [1, 52]]);
  });

  it('are at most 24, of which names count most and common words least', () => {
    const query = `file error ${filler(30)} socketLedger`;
    const terms = termsOf(query);
    assert.equal(terms.length, 24);
    assert.ok(!terms.some(({ kind }) => kind === 'common'));
    assert.equal(terms[0]?.weight, 1);
    const short = termsOf('file socketLedger queue').map(({ kind }) => kind);
    assert.deepEqual(short, ['identifier', 'word', 'word', 'word', 'common']);
  });

  it('are taken literally in quotes, and count for more', () => {
    for (const query of ['`for`', "'for'", '"for"', '“for”', 'the "x for y"'])
      assert.equal(termOf(query, 'for')?.weight, 1.2, query);
    assert.equal(termOf('for `other`', 'for'), undefined);
    assert.equal(termOf("don't for won't", 'for'), undefined, 'an apostrophe is no quote');
    assert.equal(termOf('`file`', 'file')?.kind, 'word');
    assert.equal(termOf(`"${'x'.repeat(70)} for"`, 'for'), undefined, 'nobody quotes so much');
    assert.equal(termOf('"a\nfor"', 'for'), undefined, 'nor over several lines');
  });

  it('are common only where nothing says that a name is meant', () => {
    assert.equal(termOf('the file', 'file')?.kind, 'common');
    assert.equal(termOf('FILE', 'file')?.kind, 'word');
    assert.equal(termOf('the file FILE', 'file')?.kind, 'word');
    assert.equal(termOf('FILE of the file', 'file')?.kind, 'word');
    assert.equal(termOf('file_', 'file')?.kind, 'word');
  });

  it('may be short', () => {
    for (const query of ['db pool', 'the UI', 'Ui', "an 'id'", 'h2', 'S3 bucket'])
      assert.equal(
        termsOf(query).filter(({ forms }) => forms[0]?.words[0]?.length === 2).length,
        1,
        query,
      );
    assert.ok(termOf('зы', 'зы'), 'other scripts have short words');
  });

  it('are no short words that say nothing, or are the end of something', () => {
    assert.equal(termOf('go', 'go'), undefined);
    assert.ok(termOf('GO', 'go'));
    assert.ok(termOf('goAway', 'go'));
    for (const query of ['System.IO', '`java.io`', '10MB'])
      assert.equal(
        termsOf(query).filter(({ forms }) => forms[0]?.words[0]?.length === 2).length,
        1,
        query,
      );
    assert.deepEqual(told("we'll queue"), ['word 1 queu @3'], 'left out, but counted');
    for (const query of ["we'll they’re", '2nd 10px', 'x.ts', 'la de re-', 'of it'])
      assert.deepEqual(termsOf(query), [], query);
  });

  it('keep the number of a name, and have its letters too if they say something', () => {
    assert.deepEqual(told('oauth2'), ['word 1 oauth2 @1', 'word 1 oauth @1']);
    assert.deepEqual(told('ext4'), ['word 1 ext4 @1']);
    assert.deepEqual(told('ext4 utf8 ext4'), ['word 1 ext4 @1,3', 'word 1 utf8 @2']);
    assert.deepEqual(told('with2'), ['word 1 with2 @1'], 'a stop word');
    assert.deepEqual(told('h2'), ['word 1 h2 @1']);
    assert.deepEqual(told('Sha256sum').slice(0, 1), ['identifier 1 sha 256 sum @']);
  });

  it('may be several words in one, where the query has few and they are long', () => {
    assert.deepEqual(runTogether('where is basecontextprovider used'), ['basecontextprovid']);
    assert.deepEqual(runTogether('retryupload directory'), ['retryupload', stemOf('directory')]);
    for (const query of [
      'upload',
      'retryUpload',
      'Retryupload',
      'retryupload queue of the ledger file',
    ])
      assert.deepEqual(runTogether(query), [], query);
  });

  it('are vague words only where there is nothing else', () => {
    assert.deepEqual(told('get issues'), ['word 1 get @1', 'word 1 issu @2']);
    assert.deepEqual(told('get ledger'), ['word 1 ledg @2']);
    for (const query of ['how does it work', 'get it', 'the issue'])
      assert.deepEqual(told(query), [], query);
  });

  it('are names with a number or a capital in them, as they were typed', () => {
    assert.deepEqual(told('S3Backend'), [
      'word 1 s 3 backend @1',
      'word 1 s3 @1',
      'word 1 backend @2',
    ]);
    assert.deepEqual(told('iOS'), ['word 1 i os @1']);
    assert.deepEqual(told('NaN'), ['word 1 na n @1']);
    assert.deepEqual(told('the IntelliJ log').slice(0, 1), ['word 1 intelli j @2'], 'one thing');
    assert.equal(termOf('useI18n', 'use i 18 n')?.forms[0]?.typed, 'useI18n');
    assert.deepEqual(told('Utf8'), ['word 1 utf8 @1'], 'the beginning of a sentence');
  });

  it('are words of scripts that write no spaces between them', () => {
    assert.ok(termOf('如何压缩数据块', '压缩'));
    assert.ok(termOf('如何压缩数据块', '数据'));
    assert.ok(termOf('失敗したファイルを再試行する', 'ファイル'));
    assert.ok(!termOf('失敗したファイルを再試行する', 'した'), 'an ending');
    assert.ok(termOf('ผู้ใช้', 'ผู้'), 'with its vowels');
  });

  it('are no data', () => {
    assert.deepEqual(told(`${'QUFB'.repeat(4000)} queue`), ['word 1 queu @1']);
  });

  it('are first those of the error of a traceback, and then those of its frames', () => {
    const frames = Array.from(
      { length: 30 },
      (_, at) => `  File "/app/frame${at}.py", line ${at}, in call${at}\n    step(${at})\n`,
    );
    const text = `Beat stops:\nTraceback (most recent call last):\n${frames.join('')}ValueError: bad crontab\nThen it hangs.`;
    for (const query of [text, text.replaceAll('\n', '\r\n')]) {
      assert.equal(termOf(query, 'crontab')?.weight, 1);
      assert.ok(termOf(query, 'crontab')!.positions[0]! < termOf(query, 'frame0')!.positions[0]!);
      assert.ok(termOf(query, 'beat')!.positions[0]! < termOf(query, 'crontab')!.positions[0]!);
    }
    const chained = `${text}\n\n${text.replace('bad crontab', 'no kettle')}`;
    assert.ok(termOf(chained, 'kettl')!.positions[0]! < termOf(chained, 'frame0')!.positions[0]!);
    const broken = 'Traceback (most recent call last):\n  File "kettle.py"';
    assert.ok(termOf(broken, 'kettl'));
  });

  it('are read of the first 20,000 characters', () => {
    const blank = ' '.repeat(maxQueryChars - 6);
    assert.ok(termOf(`${blank}socket`, 'socket'));
    assert.equal(termOf(`${blank} socket`, 'socket'), undefined);
  });
});

describe('words', () => {
  it('part names at changes of case and at digits', () => {
    assert.deepEqual(partsOf('HTTPServer'), ['HTTP', 'Server']);
    assert.deepEqual(partsOf('aB_c-d$e'), ['a', 'B', 'c', 'd', 'e']);
    assert.deepEqual(partsOf('Ärger漢字'), ['Ärger', '漢字']);
    assert.deepEqual(partsOf('_'), []);
  });

  it('lose what changes between the forms of a word', () => {
    for (const [stem, ...words] of [
      ['serializ', 'serialize', 'serializing', 'serialization', 'serializer'],
      ['quer', 'query', 'queries'],
      ['stop', 'stopped', 'stopping', 'stops', 'stop'],
      ['class', 'class', 'classes'],
      ['translat', 'translation', 'translations', 'translational'],
      ['manag', 'management', 'manager', 'manage'],
      ['exact', 'exactly', 'exactness'],
      ['read', 'reads', 'reading', 'readable'],
      ['process', 'processes'],
      ['seem', 'seemingly'],
    ])
      for (const word of words) assert.equal(stemOf(word), stem, word);
  });

  it('stay whole where too little would be left', () => {
    for (const word of ['as', 'his', 'red', 'ring', 'user', 'ally', 'able', 'bus'])
      assert.ok(stemOf(word).length >= 3 || stemOf(word) === word, word);
    assert.deepEqual(['Bus', 'ring', 'king', 'Ion', 'bed'].map(stemOf), [
      'bus',
      'ring',
      'king',
      'ion',
      'bed',
    ]);
  });

  it('have abbreviations that are no forms of themselves', () => {
    assert.deepEqual(abbreviations.get('delete'), ['remove', 'del']);
    for (const [word, others] of abbreviations) {
      assert.match(word, /^[a-z]+$/);
      assert.ok(others.length > 0 && !others.includes(word), word);
      for (const other of others) assert.match(other, /^[a-z]+$/, word);
    }
  });
});
