import assert from 'node:assert/strict';
import { spellingsOf, TermFinder } from '../../../../../src/search/local/query/termFinder';
import { type Term, termsOf } from '../../../../../src/search/local/query/terms';

const finderOf = (query: string): TermFinder => new TermFinder(termsOf(query));

/** A term that is written in these ways, the first of which is no synonym. */
const term = (...forms: string[]): Term => ({
  kind: 'word',
  weight: 1,
  forms: forms.map((form, at) => ({ words: form.split(' '), isSynonym: at > 0 })),
  positions: [1],
});

describe('the finder of the terms of a query', () => {
  it('has a pattern with the longest spellings first, and without special characters', () => {
    const { pattern } = new TermFinder([term('max'), term('max tokens'), term('a$b')]);
    const spellings = pattern.split('|');
    const lengths = spellings.map(spelling => spelling.replaceAll('\\', '').length);
    assert.deepEqual(
      lengths,
      lengths.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(spellings).size, spellings.length);
    for (const spelling of ['max', 'Max', 'MAX', 'maxTokens', 'MAX_TOKENS', 'a\\$b', 'A\\$B'])
      assert.ok(spellings.includes(spelling), `${spelling} in ${pattern}`);
    assert.ok(spellings.includes('max\\-tokens'));
    assert.deepEqual(spellingsOf({ words: [] }), ['']);
  });

  it('matches the longest form, in any case, with or without a separator', () => {
    const text = 'maxTokens max_tokens MAX-TOKENS maxtoken';
    assert.deepEqual(text.match(finderOf('maxTokens').regex()), [
      'maxTokens',
      'max_tokens',
      'MAX-TOKENS',
      'max',
      'token',
    ]);
    assert.deepEqual('a$b aab'.match(new TermFinder([term('a$b')]).regex()), ['a$b']);
  });

  it('has a pattern for a short word that skips most words around it', () => {
    const finder = new TermFinder([term('db'), term('dbus')]);
    const found = (text: string): string[] => text.match(finder.countRegex()) ?? [];
    for (const text of ['db', 'db_url', 'my_db', 'openDb', 'DbPool', 'DB_URL', 'use(db)'])
      assert.equal(found(text).length, 1, text);
    assert.deepEqual(found('feedback adb1'), []);
    assert.deepEqual(found('dbus'), ['dbus'], 'the longer word first');
  });

  it('has a pattern for words that code may write as two', () => {
    for (const [query, text] of [
      ['websocket', 'new WebSocket(webSocket, WEBSOCKET, websocket)'],
      ['openai sqlalchemy', 'OpenAI openAI SQLAlchemy sqlAlchemy'],
    ] as const)
      assert.equal(text.match(finderOf(query).countRegex())?.length, 4, query);
    assert.equal('webSOcket'.match(finderOf('websocket pool size limit').countRegex()), null);
  });

  it('has a pattern for a word that may be several, wherever they are parted', () => {
    const finder = finderOf('basecontextprovider');
    for (const name of [
      'BaseContextProvider',
      'base_context_provider',
      'BASE-CONTEXT_PROVIDERS',
      'basecontextprovider',
    ]) {
      for (const regex of [finder.countRegex(), finder.regex()]) {
        const found = name.match(regex) ?? [];
        assert.equal(found.length, 1, name);
        assert.deepEqual(finder.matchesOf(found[0] ?? ''), [{ term: 0, factor: 1 }], name);
      }
    }
    for (const text of ['base context provider', 'base__context_provider', 'baseContext'])
      assert.equal(text.match(finder.countRegex()), null, text);
  });

  it('has a pattern for a name as it was typed', () => {
    for (const name of ['S3Backend', 'useI18n', 'IPv4', 'p2pNode', 'X509Certificate', 'iOS'])
      assert.ok(finderOf(name).countRegex().test(`a ${name} b`), name);
    assert.doesNotMatch('scenarios', finderOf('iOS').countRegex());
  });

  it('has no more alternatives than ripgrep takes in', () => {
    const words = Array.from({ length: 24 }, (_, at) => `${'bcdfghjklm'[at % 10]}overlapping${at}`);
    for (const query of [words.join(' '), words.map(word => `the${word}Of`).join(' ')])
      assert.ok(finderOf(query).pattern.split('|').length <= 250, query);
  });

  it('finds a short word in a folder or as a name', () => {
    const finder = new TermFinder([term('s3')]);
    for (const place of ['s3', 'src/s3/', 's3/', 'aws-s3/', 'my_s3_files/'])
      assert.deepEqual(
        finder.within(place),
        { matches: [{ term: 0, factor: 1 }], covered: 2 },
        place,
      );
    for (const place of ['files3', 's30', 'us3r/', 'as3/s35/'])
      assert.deepEqual(finder.within(place).matches, [], place);
    assert.equal(finder.within('us3/s3/').covered, 2);
  });

  it('begins each time at the start', () => {
    const finder = finderOf('queue');
    assert.ok(finder.regex().test('queue'));
    assert.ok(finder.regex().test('queue'));
    assert.notEqual(finder.regex(), finder.regex());
  });

  it('knows which terms a match is, a long one with those that it holds', () => {
    const finder = new TermFinder([term('max tokens'), term('token'), term('limit', 'max')]);
    const whole = [
      { term: 0, factor: 1 },
      { term: 1, factor: 1 },
      { term: 2, factor: 0.5 },
    ];
    assert.deepEqual(finder.matchesOf('maxTokens'), whole);
    assert.deepEqual(finder.matchesOf('MAX_tokens'), whole);
    assert.deepEqual(finder.matchesOf('max-tokens'), whole);
    assert.deepEqual(finder.matchesOf('token'), [{ term: 1, factor: 1 }]);
    assert.deepEqual(finder.matchesOf('limit'), [{ term: 2, factor: 1 }]);
    assert.equal(finder.matchesOf('limit'), finder.matchesOf('limit'));
  });

  it('counts the word itself, where a text has a synonym too', () => {
    for (const name of ['limitMax', 'maxLimit']) {
      const { matches } = new TermFinder([term('limit', 'maximum', 'max')]).within(
        name.toLowerCase(),
      );
      assert.deepEqual(matches, [{ term: 0, factor: 1 }], name);
    }
  });

  it('finds terms in a name, and how many of its letters they are', () => {
    const finder = new TermFinder([term('upload'), term('load'), term('go')]);
    assert.deepEqual(finder.within('uploadall'), {
      matches: [
        { term: 0, factor: 1 },
        { term: 1, factor: 1 },
      ],
      covered: 6,
    });
    assert.equal(finder.within('loadxload').covered, 8, 'each time that it is there');
    assert.equal(new TermFinder([term('aaa')]).within('aaaa').covered, 4, 'overlapping');
    assert.deepEqual(finder.within('other'), { matches: [], covered: 0 });
    assert.deepEqual(
      finder.within('gopher'),
      { matches: [], covered: 0 },
      'two letters of a longer word are chance',
    );
    assert.deepEqual(new TermFinder([term('put')]).within('input'), {
      matches: [{ term: 0, factor: 1 }],
      covered: 3,
    });
  });
});
