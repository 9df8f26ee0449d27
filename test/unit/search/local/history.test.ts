import assert from 'node:assert/strict';
import {
  type Commit,
  commitFormat,
  FileHistory,
  noHistory,
  type PathHistory,
  readCommits,
} from '../../../../src/search/local/history';
import { termsOf } from '../../../../src/search/local/query/terms';
import { partsOf, stemOf } from '../../../../src/search/local/query/words';

const commit = (subject: string, ...paths: string[]): Commit => ({
  id: subject,
  parents: [],
  time: 0,
  stems: new Set(partsOf(subject).map(stemOf)),
  paths,
});

/** What changes, newest first, say about files of one repository. */
function historyOf(query: string, ...log: Commit[]): (path: string) => PathHistory {
  const history = new FileHistory(termsOf(query), new Map([['here', log]]));
  return path => history.of('here', path);
}

const isAbout = (actual: number, wanted: number, what?: string): void =>
  assert.ok(Math.abs(actual - wanted) < 1e-6, `${what ?? ''} ${actual}, not ${wanted}`);

const paint = (count: number, ...paths: string[]): Commit[] =>
  Array.from({ length: count }, () => commit('Paint', ...paths));

const others = (count: number): string[] => Array.from({ length: count }, (_, n) => `other${n}.ts`);

/** Mentions of a word that are half of what it can count, for changes with `shares` of 1.5 as usual. */
const half = (shares: number): number => 0.7 * (0.5 + (0.5 * shares) / 1.5);

describe('commits as git lists them', () => {
  it('have their id, parents, time, words and files', () => {
    const log =
      '\x1eaaa\x1fbbb ccc\x1f1700\x1fClosing a q of ÄöQueues (#12)\x1f\n\nsrc/a.ts\nsrc/b c.ts\n' +
      '\x1eddd\x1f\x1f1600\x1f\x1f\n';
    assert.deepEqual(readCommits(log), [
      {
        id: 'aaa',
        parents: ['bbb', 'ccc'],
        time: 1700,
        stems: new Set([stemOf('closing'), stemOf('queues')]),
        paths: ['src/a.ts', 'src/b c.ts'],
      },
      { id: 'ddd', parents: [], time: 1600, stems: new Set(), paths: [] },
    ]);
    assert.deepEqual(readCommits(''), []);
    assert.equal(commitFormat.split('%x1f').length, 5, 'as many fields as are read');
  });
});

describe('what the history says about a file', () => {
  it('is nothing for a file that no change touched, and for another repository', () => {
    const history = new FileHistory(
      termsOf('queue'),
      new Map([['here', [commit('queue', 'a.ts')]]]),
    );
    assert.deepEqual(history.of('here', 'b.ts'), noHistory);
    assert.deepEqual(new Set(Object.values(noHistory)), new Set([0]));
    assert.deepEqual(history.of('there', 'a.ts'), noHistory);
    assert.deepEqual([history.isEmpty, new FileHistory([], new Map()).isEmpty], [false, true]);
  });

  it('is as much as can be after one change that says all of the query', () => {
    const of = historyOf('queue closes', commit('queue closed', 'a.ts'))('a.ts');
    isAbout(of.votes, 1);
    isAbout(of.voteShare, 1);
    isAbout(of.strongVotes, Math.log(2));
    isAbout(of.churn, Math.log(2));
    // One mention of each word, in a text of the usual length.
    isAbout(of.words, 1 / 1.7);
  });

  it('says nothing of what changes are for that say other words', () => {
    const of = historyOf('queue', commit('Paint', 'a.ts'))('a.ts');
    assert.deepEqual([of.votes, of.strongVotes, of.voteShare, of.words], [0, 0, 0, 0]);
    isAbout(of.churn, Math.log(2));
  });

  it('counts old changes for less: votes halve in 400 commits, churn in 100', () => {
    const log = [commit('queue', 'new.ts'), ...paint(399, 'x.ts'), commit('queue', 'old.ts')];
    const of = historyOf('queue', ...log);
    isAbout(of('new.ts').votes, 1);
    isAbout(of('old.ts').votes, Math.sqrt(0.5));
    isAbout(of('old.ts').strongVotes, of('new.ts').strongVotes, 'age does not matter here');
    const churn = historyOf('queue', ...paint(100, 'x.ts'), commit('Paint', 'old.ts'));
    isAbout(churn('old.ts').churn, Math.log(1.5));
  });

  it('knows what the newest few changes touched, each half as much as the fifth after it', () => {
    const of = historyOf(
      'queue',
      commit('Paint', 'a.ts', ...others(3)),
      ...paint(4, 'x.ts'),
      commit('queue', 'b.ts'),
    );
    isAbout(of('a.ts').recent, 1);
    isAbout(of('b.ts').recent, 0.5);
    assert.ok(of('x.ts').recent > 2);
  });

  it('counts a change of several files for less, and one of more than 30 not at all', () => {
    const of = historyOf('queue', commit('queue', 'a.ts'), commit('queue', 'b.ts', ...others(3)));
    isAbout(of('b.ts').strongVotes, Math.log1p(0.5));
    isAbout(of('b.ts').votes, Math.sqrt(0.5 * 2 ** (-1 / 400)));
    const wide = historyOf(
      'queue',
      commit('queue', 'a.ts', ...others(29)),
      commit('queue', 'b.ts', ...others(30)),
    );
    assert.ok(wide('a.ts').churn > 0);
    assert.equal(wide('b.ts').churn, 0);
  });

  it('counts a change that says only a part of the query for less than that part', () => {
    const of = historyOf(
      'queue closes',
      commit('queue closed', 'both.ts'),
      commit('queue painted', 'one.ts'),
      commit('close the painting', 'other.ts'),
    );
    // Both words are as rare, so each is half of the query.
    isAbout(of('one.ts').strongVotes, Math.log1p(1 / 8));
    isAbout(of('one.ts').votes, Math.sqrt((1 / 4) * 2 ** (-1 / 400)));
    isAbout(of('other.ts').voteShare, 1 / 2);
  });

  it('adds up the changes of a file', () => {
    const of = historyOf('queue', commit('queue', 'a.ts'), commit('queue', 'a.ts'));
    isAbout(of('a.ts').strongVotes, Math.log(3));
    isAbout(of('a.ts').churn, Math.log1p(1 + 2 ** (-1 / 100)));
  });

  it('knows which share of the changes of a file was for the query', () => {
    const of = historyOf('queue', commit('queue', 'a.ts', 'b.ts'), ...paint(6, 'b.ts'));
    isAbout(of('a.ts').voteShare, 1);
    // One in 7 rather than one in 1, both with 5 added.
    isAbout(of('b.ts').voteShare, Math.sqrt(6 / 12));
  });

  it('counts further mentions of a word for less, and those of a much changed file too', () => {
    const log = [
      commit('queue', 'once.ts'),
      commit('queue', 'twice.ts'),
      commit('queue', 'twice.ts'),
    ];
    const of = historyOf('queue', ...log); // 3 changes of 2 files
    isAbout(of('once.ts').words, 1 / (1 + half(1)));
    isAbout(of('twice.ts').words, 2 / (2 + half(2)));
  });

  it('counts words that few files have for more, and common words for less', () => {
    const of = historyOf(
      'queue ledger',
      commit('queue', 'a.ts'),
      commit('queue', 'b.ts'),
      commit('queue', 'c.ts'),
      commit('ledger', 'd.ts'),
    );
    assert.ok(of('d.ts').words > 2 * of('a.ts').words);
    const common = historyOf('queue file', commit('queue', 'a.ts'), commit('file', 'b.ts'));
    isAbout(common('b.ts').words / common('a.ts').words, 0.8);
    isAbout(common('b.ts').strongVotes, Math.log1p((0.8 / 1.8) ** 3));
  });

  it('counts the word itself, not its synonyms or the whole identifier', () => {
    assert.equal(historyOf('message', commit('msg', 'a.ts'))('a.ts').words, 0);
    const of = historyOf('maxTokens', commit('max tokens', 'a.ts'), commit('maxtokens', 'b.ts'));
    isAbout(of('a.ts').votes, 1);
    assert.equal(of('b.ts').votes, 0);
  });

  it('compares the files of all repositories', () => {
    const history = new FileHistory(
      termsOf('queue'),
      new Map([
        ['here', [commit('queue', 'a.ts')]],
        ['there', [commit('Paint', 'x.ts'), commit('queue', 'a.ts', 'b.ts', 'c.ts', 'd.ts')]],
      ]),
    );
    isAbout(history.of('here', 'a.ts').votes, 1);
    isAbout(history.of('there', 'a.ts').votes, Math.sqrt(0.5 * 2 ** (-1 / 400)));
  });
});
