import assert from 'node:assert/strict';
import type { Corpus, FileCandidate } from '../../../../../src/search/local/candidates';
import { noHistory, type PathHistory } from '../../../../../src/search/local/history';
import type { FileKind } from '../../../../../src/search/local/paths';
import { maxTerms, termsOf } from '../../../../../src/search/local/query/terms';
import { rank } from '../../../../../src/search/local/rank/rank';
import { type Document, scoreDocuments } from '../../../../../src/search/local/rank/score';
import type { FileText } from '../../../../../src/search/local/text/fileText';
import { kindScores, lexicalWeights, scoreWeights } from '../../../../../src/search/local/weights';

const terms = termsOf('queue ledger');

interface Given extends Partial<Omit<FileCandidate, 'counts'>>, Partial<PathHistory> {
  readonly counts?: readonly number[];
  /** Hits of the first pass; one of each term, so that no term counts as missing. */
  readonly counted?: readonly number[];
  readonly declaring?: readonly number[];
  readonly pairs?: readonly (readonly [number, number])[];
  readonly hits?: FileText['hits'];
  readonly named?: FileText['named'];
  readonly length?: number;
}

/** A source file of 2,000 characters that has nothing of the query, but what is given. */
function document(path: string, given: Given = {}): Document {
  const { counts = [0, 0], counted = [1, 1], declaring = [0, 0] } = given;
  const { pairs = [], hits = [], named = [], length = 2000 } = given;
  const { votes, strongVotes, voteShare, churn, recent, words } = { ...noHistory, ...given };
  return {
    candidate: {
      root: 0,
      path,
      kind: 'source',
      inName: [],
      nameCoverage: 0,
      inFolder: [],
      tests: 0,
      score: 0,
      typed: 0,
      ...given,
      counts: Float32Array.from(counted),
    },
    text: {
      counts: Float32Array.from(counts),
      declared: new Float32Array(2),
      declaring: Float32Array.from(declaring),
      hits,
      pairs: new Map(pairs),
      named,
      length,
    },
    history: { votes, strongVotes, voteShare, churn, recent, words },
  };
}

/** Both terms are as rare. */
const rare: Corpus = {
  files: 40,
  inText: new Float64Array(2),
  roots: [{ files: 40, inText: new Float64Array(2) }],
};
const usual: Corpus = { ...rare, inText: Float64Array.of(8, 8) };

function scoresOf(
  documents: readonly Document[],
  corpus: Corpus = rare,
  requested: readonly FileKind[] = [],
): (path: string) => number {
  const scored = scoreDocuments(terms, corpus, new Set(requested), documents).documents;
  return path =>
    scored.find(({ document: { candidate } }) => candidate.path === path)?.score ?? Number.NaN;
}

/** How far a file with something is ahead of one without, beside others that have nothing. */
function lead(given: Given, plain: Given = {}, requested: readonly FileKind[] = []): number {
  const of = scoresOf([document('with', given), document('plain', plain)], rare, requested);
  return of('with') - of('plain');
}

const isAbout = (actual: number, wanted: number, what = ''): void =>
  assert.ok(Math.abs(actual - wanted) < 1e-6, `${what} ${actual}, not ${wanted}`);

/** What the share of the query that a file has adds to its score, where no file has more. */
const worthOf = (lexical: number): number =>
  scoreWeights.lexical * Math.log(1 + lexical / lexicalWeights.floor) + scoreWeights.lexicalOfBest;

/** A term, alone and as half of the query. */
const [whole, half] = [1, 0.5];
const match = { term: 0, factor: whole };

/** What hits of one term count, in a text that is `share` times as long as usual. */
const hits = (count: number, share = 1): number =>
  (half * 2.2 * count) / (count + 1.2 * (0.7 + 0.3 * share));

/** What neighbours count that are there so many times. */
const pairs = (count: number): number => half * (1 + 0.5 * Math.log(count));

const hit = (line: number, term: number): FileText['hits'][number] => ({
  line,
  quality: 1,
  matches: [{ term, factor: 1 }],
  isDeclared: false,
  nameShare: 0,
});

/** What lines with this share of the query count. */
const window = (share: number): number =>
  worthOf(0.6 * share * (1 + Math.min(1.5, share))) +
  scoreWeights.window * share +
  scoreWeights.windowOfBest;

/** What a term is worth that so many of 40 files have. */
const rarity = (having: number): number => Math.log(1 + (40.5 - having) / (having + 0.5));

describe('the score of a file', () => {
  it('counts each fact of its history by itself', () => {
    for (const fact of ['votes', 'strongVotes', 'voteShare'] as const)
      isAbout(lead({ [fact]: 0.5 }, { [fact]: 0.25 }), 0.25 * scoreWeights[fact], fact);
    isAbout(lead({ churn: 2 }, { churn: 1 }), scoreWeights.churn, 'churn');
    const { words, wordsOfBest } = scoreWeights;
    isAbout(lead({ words: 0.8 }, { words: 0.2 }), 0.6 * words + 0.75 * wordsOfBest, 'words');
  });

  it('counts how much of its name is in the query, and how good its test is', () => {
    isAbout(lead({ nameCoverage: 0.5 }), 0.5 * scoreWeights.coverage);
    isAbout(lead({ tests: 0.5 }), 0.5 * scoreWeights.tests);
  });

  it('counts what kind of file it is, unless that is asked for', () => {
    for (const kind of ['test', 'docs', 'aside', 'generated', 'data'] as const) {
      assert.ok(kindScores[kind] < 0);
      isAbout(lead({ kind }), kindScores[kind], kind);
      isAbout(lead({ kind }, {}, [kind]), 0, `wanted ${kind}`);
    }
  });

  it('counts its length, where files have a history', () => {
    const short = { length: 1500 };
    isAbout(lead({ length: 7500 }, short), 0, 'no history');
    isAbout(lead({ length: 7500, churn: 1 }, { ...short, churn: 1 }), -0.4 * Math.log(4));
    isAbout(
      lead({ length: 7500, churn: 1 }, short),
      scoreWeights.churn - 0.4 * Math.log(4),
      'one of them',
    );
  });

  it('counts a name with the share of it that the query covers', () => {
    const name = { inName: [match] };
    const { name: alone, nameByCoverage, coverage } = scoreWeights;
    isAbout(lead(name), worthOf(2 * half) + half * alone, 'of a name that hardly has it');
    isAbout(
      lead({ ...name, nameCoverage: 1 }),
      worthOf(4 * half) + half * (alone + nameByCoverage) + coverage,
      'of a name that is it',
    );
  });

  it('counts a folder for a quarter of a name', () => {
    isAbout(lead({ inFolder: [match] }), worthOf(0.5 * half));
    isAbout(lead({ inFolder: [{ term: 0, factor: 0.5 }] }), worthOf(0.25 * half), 'a synonym');
    isAbout(lead({ inFolder: [match, { term: 1, factor: 1 }] }), worthOf(0.5), 'both terms');
  });

  it('counts hits in the text, the first ones most', () => {
    isAbout(lead({ counts: [1, 0] }), worthOf(hits(1)));
    isAbout(lead({ counts: [5, 0] }), worthOf(hits(5)));
    isAbout(lead({ counts: [0, 5] }), worthOf(hits(5)));
  });

  it('counts hits in a long text for less', () => {
    const of = scoresOf([
      document('long', { counts: [1, 0], length: 9000 }),
      document('short', { counts: [1, 0], length: 3000 }),
      document('plain', { length: 6000 }),
    ]);
    isAbout(
      of('short') - of('long'),
      scoreWeights.lexical * Math.log((0.05 + hits(1, 0.5)) / (0.05 + hits(1, 1.5))) +
        scoreWeights.lexicalOfBest * (1 - hits(1, 1.5) / hits(1, 0.5)),
    );
  });

  it('takes no text for shorter than usual, nor for longer, by more than there is', () => {
    // An average below 2,000 and above 20,000 characters counts as that.
    for (const [length, share] of [
      [500, 0.25],
      [60_000, 3],
    ] as const)
      isAbout(lead({ counts: [1, 0], length }, { length }), worthOf(hits(1, share)));
  });

  it('counts a hit in a line that declares something three times, and once more', () => {
    isAbout(
      lead({ counts: [1, 0], declaring: [1, 0] }),
      worthOf(hits(3)) + scoreWeights.declaring * hits(1),
    );
  });

  it('counts neighbours, the more the fewer other files have them', () => {
    const pair = 1;
    const { rarePairs } = scoreWeights;
    isAbout(
      lead({ pairs: [[pair, 1]] }),
      worthOf(2 * pairs(1)) + rarePairs * pairs(1) * Math.log(3),
    );
    isAbout(
      lead({ pairs: [[pair, 4]] }),
      worthOf(2 * pairs(4)) + rarePairs * pairs(4) * Math.log(3),
    );
    const both = scoresOf([
      document('a', { pairs: [[pair, 1]] }),
      document('b', { pairs: [[pair, 1]] }),
      document('plain'),
    ]);
    isAbout(both('a') - both('plain'), worthOf(2 * half) + rarePairs * half * Math.log(2.5));
    const unknown = maxTerms * 7 + 9;
    isAbout(lead({ pairs: [[unknown, 1]] }), 0, 'of terms that are not there');
  });

  it('counts lines that have much of the query', () => {
    isAbout(lead({ hits: [hit(1, 0)] }), window(half));
    isAbout(lead({ hits: [hit(1, 0), hit(30, 1)] }), window(1), '30 lines');
    isAbout(lead({ hits: [hit(1, 0), hit(31, 1)] }), window(half), 'more lines');
    const many = Array.from({ length: 2000 }, () => [hit(1, 0), hit(1, 1)]).flat();
    const share = 1 + 0.25 * Math.log(2000);
    assert.ok(share > 1.5);
    isAbout(lead({ hits: many }), window(share), 'very many');
  });

  it('is measured by the best source file that has anything', () => {
    const of = scoresOf([
      document('doc', { kind: 'docs', counts: [4, 4] }),
      document('a', { counts: [2, 0] }),
      document('plain'),
    ]);
    const body = hits(2);
    isAbout(of('a') - of('plain'), worthOf(body));
    const docs = scoresOf([
      document('a', { kind: 'docs', counts: [2, 0] }),
      document('b', { kind: 'docs', counts: [1, 0] }),
      document('plain', { kind: 'docs' }),
    ]);
    isAbout(docs('a') - docs('plain'), worthOf(body), 'where there is none');
  });
});

/** The weight of the first term. */
const weightOf = (...documents: Document[]): number =>
  rank(terms, usual, new Set(), documents)[0]?.weights[0] ?? Number.NaN;

describe('the rank of files', () => {
  it('is by score, and by root and path where that is the same', () => {
    const files = [
      document('b', { root: 0 }),
      document('a', { root: 0 }),
      document('most', { root: 0, votes: 1 }),
      document('z', { root: 0 }),
    ];
    assert.deepEqual(
      rank(terms, rare, new Set(), files).map(({ path }) => path),
      ['most', 'a', 'b', 'z'],
    );
  });

  it('prefers the root of which more files have the words', () => {
    const corpus: Corpus = {
      files: 40,
      inText: Float64Array.of(8, 8),
      roots: [
        { files: 10, inText: Float64Array.of(6, 6) },
        { files: 30, inText: Float64Array.of(2, 2) },
      ],
    };
    const of = scoresOf([document('a', { root: 0 }), document('b', { root: 1 })], corpus);
    isAbout(of('a') - of('b'), Math.log(6.3 / 10.6) - Math.log(2.3 / 30.6));
  });

  it('weighs a term by the files that have it as a word', () => {
    const word = document('a', { counts: [1, 1] });
    isAbout(weightOf(word, document('b', { counts: [1, 1] })), rarity(8), 'all hits are words');
    // 1 of 4 is a word, and 2 are added to both.
    const parts = ['b', 'c', 'd'].map(path => document(path, { counts: [0.4, 1] }));
    isAbout(weightOf(word, ...parts), rarity((8 * 3) / 6), 'most are within other words');
    isAbout(weightOf(document('a', { counts: [0.89, 1] })), rarity((8 * 2) / 3), 'nearly a word');
    isAbout(weightOf(document('a', { counts: [0.91, 1] })), rarity(8), 'a word');
    isAbout(weightOf(document('a')), rarity((8 * 2) / 3), 'a hit that is no word at all');
    isAbout(weightOf(document('a', { counted: [0, 0] })), rarity(8), 'no hit');
  });

  it('hardly counts a term that no file has against those that lack it', () => {
    const counted = [1, 0];
    const of = scoresOf([
      document('a', { counted, counts: [1, 0] }),
      document('plain', { counted }),
    ]);
    isAbout(of('a') - of('plain'), worthOf(1 / (1 + 1 / 4)));
  });

  it('of nothing is nothing', () => {
    assert.deepEqual(rank(terms, rare, new Set(), []), []);
    const [file] = rank([], { files: 1, inText: new Float64Array(), roots: [] }, new Set(), [
      document('a'),
    ]);
    assert.ok(Number.isFinite(file?.score));
  });

  it('prefers what the query names, the less the more have it', () => {
    const place = { kind: 'declaration', text: 'Ledger', line: 1, worth: 3 } as const;
    const odds = (named: FileText['named'], others: number, kind: FileKind = 'source'): number => {
      const all = [document('with', { named, kind }), document('plain', { kind })];
      for (let at = 0; at < others; at++) all.push(document(`other${at}`, { named: [place] }));
      const scores = rank(terms, rare, new Set(), all);
      const of = (path: string) => scores.find(one => one.path === path)?.score ?? Number.NaN;
      return of('with') - of('plain');
    };
    isAbout(odds([place], 0), 3);
    isAbout(odds([place], 1), 3 - Math.log(2));
    isAbout(odds([place], 40), 0);
    isAbout(odds([place, { ...place, text: 'Queue', worth: 4 }], 0), 4);
    isAbout(odds([place], 0, 'docs'), 0, 'an example');
    isAbout(odds([{ ...place, kind: 'phrase' }], 0, 'docs'), 3);
  });
});
