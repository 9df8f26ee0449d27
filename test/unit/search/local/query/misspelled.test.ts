import assert from 'node:assert/strict';
import {
  corrected,
  NearWordFinder,
  suspectsOf,
} from '../../../../../src/search/local/query/misspelled';
import { termsOf } from '../../../../../src/search/local/query/terms';
import { stemOf } from '../../../../../src/search/local/query/words';

/** The suspects of a query where files have none of its words but these. */
const suspects = (query: string, ...had: readonly string[]): string[] => {
  const terms = termsOf(query);
  const stems = had.map(stemOf);
  return suspectsOf(query, terms, term => stems.includes(terms[term]?.forms[0]?.words[0] ?? ''));
};

/** What a word is taken for where files have this text. */
const taken = (typed: string, text: string): string | undefined => {
  const finder = new NearWordFinder([typed]);
  for (const [match] of text.matchAll(finder.countRegex())) finder.matchesOf(match);
  return finder.corrections()[0]?.taken;
};

/** A query with this word, corrected where files have the right one twice. */
const correctedIn = (typed: string): string => {
  const finder = new NearWordFinder([typed]);
  finder.note('upload', 2);
  finder.note('uplode', 0);
  return corrected(`a ${typed}Queue`, finder.corrections());
};

describe('the words of a query that may be misspelled', () => {
  it('are those that no file has', () => {
    assert.deepEqual(suspects('retry uplaod', 'retry'), ['uplaod']);
    assert.deepEqual(suspects('retryUplaod', 'retry'), ['Uplaod']);
    assert.deepEqual(suspects('schedular'), ['schedular']);
    assert.deepEqual(suspects('retry upload', 'retry', 'upload'), []);
    assert.deepEqual(suspects('uplaod and uplaod'), ['uplaod']);
  });

  it('are long enough to be near few others, and no data', () => {
    assert.deepEqual(suspects('sned utf8x naïveté ошибка 数据块'), []);
    assert.deepEqual(suspects('a'.repeat(25)), []);
    assert.deepEqual(suspects('a'.repeat(24)).length, 1);
  });

  it('are few, and none in a longer query', () => {
    assert.deepEqual(suspects('alpah betta gamam'), ['alpah', 'betta']);
    assert.deepEqual(suspects('uplaod queue ledger socket', 'queue', 'ledger', 'socket').length, 1);
    assert.deepEqual(suspects('uplaod queue ledger socket budget retry'), []);
  });
});

describe('words near a misspelled one', () => {
  it('have two letters swapped, one more, one less, or another one', () => {
    for (const typed of ['uplaod', 'uploadd', 'uplload', 'uplod', 'uploda'])
      assert.equal(taken(typed, 'const upload = 1;'), 'upload', typed);
    assert.equal(taken('schedular', 'the scheduler'), 'scheduler');
    assert.equal(taken('colleciton', 'collection'), 'collection');
    assert.equal(taken('decmal', 'decimal'), 'decimal');
  });

  it('begin alike, and are long enough', () => {
    assert.equal(taken('jython', 'python'), undefined);
    assert.equal(taken('token', 'taken'), undefined, 'another letter makes a short word another');
    assert.equal(taken('hpack', 'hacker hack'), undefined);
    assert.equal(taken('uplaod', 'uplifted reload uplandish'), undefined);
    assert.equal(taken('uplaod', 'uplaod'), undefined, 'no other word');
  });

  it('are parts of names in any case, but no parts of words', () => {
    for (const name of ['retryUpload', 'retry_upload', 'UPLOAD_RETRY', 'UploadQueue', 'MAX_UPLOAD'])
      assert.equal(taken('uplaod', name), 'upload', name);
    assert.equal(taken('uplaod', 'reupload'), undefined);
    assert.equal(taken('uplaod', 'uploadabcdefgh'), undefined);
  });

  it('are the most frequent, by all forms of the word', () => {
    assert.equal(taken('formt', 'format formats front formatted forms formt'), 'format');
    assert.equal(taken('parttiion', 'partition partitions partition'), 'partition');
    assert.equal(taken('uplaod', 'uploads uploads upload'), 'uploads');
    assert.equal(taken('sessoin', 'session sessoon'), 'session', 'the first of two alike');
  });

  it('are written as they were typed', () => {
    assert.equal(correctedIn('uplaod'), 'a uploadQueue');
    assert.equal(correctedIn('Uplaod'), 'a UploadQueue');
    assert.equal(correctedIn('UPLAOD'), 'a UPLOADQueue');
  });

  it('can be told one by one', () => {
    const finder = new NearWordFinder(['uplaod', 'Queeu']);
    assert.deepEqual([...finder.firstLetters], ['u', 'q']);
    assert.deepEqual(
      ['upload', 'uploads', 'queue', 'uplandish', 'reupload', 'squeue'].filter(word =>
        finder.matchesWhole(word),
      ),
      ['upload', 'uploads', 'queue'],
    );
  });

  it('cost no time, however long a text is', () => {
    const startedAt = performance.now();
    taken('abababababababababababab', 'ab'.repeat(100_000));
    taken('aaaaaaaaaaaaaaaaaaaaaaaa', `${'a '.repeat(20_000)}${'a'.repeat(100_000)}`);
    assert.ok(performance.now() - startedAt < 1000);
  });
});
