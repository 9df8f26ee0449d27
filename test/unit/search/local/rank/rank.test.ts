import assert from 'node:assert/strict';
import { findCandidates } from '../../../../../src/search/local/candidates';
import { type Commit, FileHistory, readCommits } from '../../../../../src/search/local/history';
import {
  kindOf,
  moduleOf,
  partsOfPath,
  requestedKindsOf,
  testedName,
} from '../../../../../src/search/local/paths';
import type { Intent } from '../../../../../src/search/local/query/intent';
import { spellingsOf, TermFinder } from '../../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../../src/search/local/query/terms';
import { partsOf, stemOf } from '../../../../../src/search/local/query/words';
import { type RankedFile, rank } from '../../../../../src/search/local/rank/rank';
import { scoreDocuments } from '../../../../../src/search/local/rank/score';
import { type FileText, TextReader } from '../../../../../src/search/local/text/fileText';
import { spansOf } from '../../../../../src/search/local/text/spans';
import { bestWindows } from '../../../../../src/search/local/text/windows';
import { countedRoot } from '../countedRoot';

const formsOf = (query: string): string[] =>
  termsOf(query).flatMap(({ forms }) => forms.map(({ words }) => words.join(' ')));

const kindsOf = (query: string): string[] =>
  termsOf(query).map(({ kind, forms }) => `${kind} ${forms[0]?.words.join(' ')}`);

describe('terms of a query', () => {
  const cases: [query: string, has: string[], lacks: string[]][] = [
    ['fix the serialization of cookies', ['serializ', 'cook'], ['fix', 'the', 'of']],
    ['maxTokens is ignored', ['max tokens', 'max', 'token', 'ignor'], ['is']],
    ['respect no_proxy', ['no proxy', 'prox'], []],
    ['mount ext4 over oauth2', ['ext4', 'oauth2', 'oauth', 'mount'], ['ext', '4']],
    ["don't crash on empty input", ['crash', 'empt', 'input', 'panic'], ['don', 't']],
    ['the `for` keyword', ['for', 'keyword'], []],
    ['constructor of the prototype', ['construct', 'prototyp'], []],
    ['перенос строки', ['перенос', 'строки'], []],
  ];
  for (const [query, has, lacks] of cases) {
    it(`of «${query}»`, () => {
      const forms = formsOf(query);
      for (const form of has) {
        assert.ok(forms.includes(form), `${form} in ${forms.join(', ')}`);
      }
      for (const form of lacks) {
        assert.ok(!forms.includes(form), `${form} not in ${forms.join(', ')}`);
      }
    });
  }

  it('weigh less behind a long description, and are never too many', () => {
    const words = Array.from(
      { length: 30 },
      (_, index) => `${'abcdefghij'[index % 10]}${'klmnop'[index % 6]}lerand`,
    );
    const terms = termsOf(words.join(' '));
    assert.equal(terms.length, 24);
    assert.equal(terms[0]?.weight, 1);
    assert.ok((terms.at(-1)?.weight ?? 1) < 1);
  });

  it('are common ones for words such as file, unless they are part of a name', () => {
    assert.deepEqual(kindsOf('the upload option'), ['word upload', 'common option']);
    assert.deepEqual(kindsOf('`option` of the upload'), ['word option', 'word upload']);
    assert.deepEqual(kindsOf('the option, OPTION_MAX').includes('word option'), true);
  });

  it('have a number in them where it is part of the name', () => {
    assert.ok(formsOf('a utf8 text').includes('utf8'));
    assert.ok(formsOf('a mp3 player').includes('mp3'));
    assert.ok(formsOf('an h2 title').includes('h2'));
  });

  it('are none in a query of stop words', () => {
    assert.deepEqual(termsOf('how does it work?'), []);
  });
});

describe('words', () => {
  it('of an identifier', () => {
    assert.deepEqual(partsOf('parseHTMLBody_v2'), ['parse', 'HTML', 'Body', 'v', '2']);
  });

  it('of one meaning have one stem', () => {
    for (const [a, ...others] of [
      ['serializing', 'serializer', 'serialize', 'serializes'],
      ['caching', 'cache', 'cached'],
      ['queries', 'query'],
      ['connection', 'connections'],
      ['stopped', 'stopping', 'stop'],
    ] as [string, ...string[]][]) {
      for (const other of others) {
        const [short = '', long = ''] = [stemOf(a), stemOf(other)].sort(
          (x, y) => x.length - y.length,
        );
        assert.ok(long.startsWith(short), `${a} ${stemOf(a)}, ${other} ${stemOf(other)}`);
      }
    }
  });

  it('are looked for in every spelling', () => {
    assert.deepEqual(spellingsOf({ words: ['max', 'tokens'] }), [
      'maxtokens',
      'maxTokens',
      'MaxTokens',
      'MAXTOKENS',
      'max_tokens',
      'MAX_TOKENS',
      'max-tokens',
    ]);
  });
});

const read = (query: string, text: string): FileText => {
  const terms = termsOf(query);
  return new TextReader(terms, new TermFinder(terms)).read(text);
};

describe('a text read for a query', () => {
  it('counts words, not their accidents', () => {
    const count = (text: string): number => read('port', text).counts[0] ?? 0;
    assert.equal(count('the port of serverPort and PORT_MAX, ports'), 4);
    assert.equal(count('import report'), 0);
    assert.equal(read('cookies', 'a cookie').counts[0], 1);
    assert.ok(count('portrait') < 1);
  });

  it('knows names that are declared', () => {
    const { declared, declaring } = read('socket', 'function openSocket(a) {}\nconnect(socket);\n');
    assert.equal(declared[0], 1);
    assert.equal(declaring[0], 1);
    assert.equal(read('socket', 'function open(socket) {}').declared[0], 0);
    assert.equal(read('socket', 'func (s *Server) Socket() {').declared[0], 1);
    assert.equal(read('socket', '  if (socket) {').declaring[0], 0);
  });

  it('sees neighbours of the query in any spelling', () => {
    for (const text of ['worker_concurrency', 'workerConcurrency', 'WORKER-CONCURRENCY']) {
      assert.equal(read('worker concurrency', text).pairs.size, 1, text);
    }
    assert.equal(read('worker concurrency', 'concurrency worker').pairs.size, 0);
  });

  it('tells the line of each hit', () => {
    const { hits } = read('alpha', 'x\r\nalpha\n\nalpha alpha');
    assert.deepEqual(
      hits.map(({ line }) => line),
      [2, 4, 4],
    );
  });
});

const filler = (lines: number): string[] =>
  Array.from({ length: lines }, (_, at) => `  step(${at});`);

describe('windows and spans', () => {
  const terms = termsOf('retry budget');
  const reader = new TextReader(terms, new TermFinder(terms));
  const weights = terms.map(() => 1);
  const text = [
    'const retry = 1;',
    ...filler(60),
    'export function spend(budget: number) {',
    '  if (budget > 0) {',
    '    return retry(budget - 1);',
    '  }',
    '  return 0;',
    '}',
    '',
    'export function other() {',
    ...filler(5),
    '}',
  ].join('\n');

  it('begin where most of the query is', () => {
    const [window] = bestWindows(reader.read(text).hits, weights, 30, 3, 0.35);
    assert.equal(window?.firstLine, 62);
    assert.equal(window?.lastLine, 64);
  });

  it('widen to the definition', () => {
    const [span] = spansOf(text, reader.read(text).hits, weights, 80);
    assert.ok(span && span.startLine <= 62 && span.endLine >= 67, JSON.stringify(span));
  });

  it('keep to the lines they may have, and do not overlap', () => {
    const long = [
      'class Retry {',
      ...filler(400).map((row, at) => (at % 25 ? row : 'retry budget')),
    ];
    const joined = [...long, '}'].join('\n');
    const spans = spansOf(joined, reader.read(joined).hits, weights, 60);
    const lines = spans.flatMap(({ startLine, endLine }) =>
      Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
    );
    assert.ok(lines.length <= 60);
    assert.equal(new Set(lines).size, lines.length);
    assert.ok(spans.every(({ startLine, endLine }) => startLine >= 1 && endLine <= 402));
  });

  it('are the head of a file whose path alone fits', () => {
    assert.deepEqual(spansOf('one\ntwo\n', [], weights, 80), [{ startLine: 1, endLine: 2 }]);
    assert.deepEqual(spansOf('', [], weights, 80), []);
  });
});

describe('paths', () => {
  it('tell what a file is for', () => {
    for (const [path, kind] of [
      ['src/_pytest/main.py', 'source'],
      ['src/app.test.ts', 'test'],
      ['src/test/java/FooTest.java', 'test'],
      ['spec/models/user_spec.rb', 'test'],
      ['pkg/server_test.go', 'test'],
      ['src/latest/contest.ts', 'source'],
      ['docs/guide.md', 'docs'],
      ['README.md', 'docs'],
      ['vendor/lib/a.go', 'generated'],
      ['api/user.pb.go', 'generated'],
      ['src/i18n/localization-server.ts', 'source'],
      ['src/lib/locale/set.js', 'source'],
      ['src/i18n/pt-BR.ts', 'generated'],
      ['src/locale/de.js', 'generated'],
      ['locales/en/messages.json', 'generated'],
      ['i18n/test/catalog.test.ts', 'test'],
      ['examples/a.ts', 'aside'],
      ['t/unit/tasks/case.py', 'test'],
      ['t/smoke/workers/dev.py', 'test'],
      ['t/t0001-init.sh', 'test'],
      ['t/lib-bash.sh', 'test'],
      ['t/t4013/diff.log', 'test'],
      ['t/close.t', 'test'],
      ['modules/queue/t/001_close.pl', 'test'],
      ['t/benchmarks/bench_worker.py', 'aside'],
      ['t/page.html', 'source'],
      ['app/t/unit/page.ts', 'source'],
      ['t.ts', 'source'],
      ['config.yaml', 'data'],
    ]) {
      assert.equal(kindOf(path!), kind, path);
    }
  });

  it('give an index file the name of its folder', () => {
    assert.equal(partsOfPath('src/plugin-container/index.ts').name, 'plugincontainer');
    assert.equal(partsOfPath('src/pluginContainer.ts').name, 'plugincontainer');
    assert.equal(partsOfPath('index.ts').name, 'index');
  });

  it('is the module, whose path has no ending', () => {
    assert.equal(moduleOf('src/queue/drain.test.ts'), 'src/queue/drain.test');
    assert.equal(moduleOf('src/queue/index.ts'), 'src/queue');
    assert.equal(moduleOf('queue/__init__.py'), 'queue');
    assert.equal(moduleOf('main.rs'), 'main');
  });

  it('lead from a test to what it tests', () => {
    for (const path of [
      'test_retry.py',
      'retry_test.go',
      'retry.spec.ts',
      'RetryTest.java',
      'TestRetry.cs',
    ]) {
      assert.equal(testedName(`some/${path}`), 'retry', path);
    }
  });
});

const commit = (id: string, subject: string, ...paths: string[]): string =>
  `\x1e${id}\x1f\x1f0\x1f${subject}\x1f\n${paths.join('\n')}\n`;

describe('history', () => {
  const commits = readCommits(
    [
      commit('c', 'Stop the worker before the queue is closed', 'src/worker.ts'),
      commit('b', 'Colours of the button', 'src/button.ts', 'src/colour.ts'),
      commit('a', 'Close the queue once', 'src/queue.ts', 'src/worker.ts'),
    ].join(''),
  );
  const history = new FileHistory(termsOf('queue closes twice'), new Map([['here', commits]]));

  it('votes for the files of changes that were described alike', () => {
    assert.ok(
      history.of('here', 'src/worker.ts').votes > history.of('here', 'src/button.ts').votes,
    );
    assert.equal(history.of('here', 'src/worker.ts').votes, 1);
    assert.ok(history.of('here', 'src/queue.ts').words > 0);
  });

  it('counts a word that nearly all changes have for nearly nothing', () => {
    const many = readCommits(
      Array.from({ length: 30 }, (_, at) =>
        commit(`${at}`, at === 3 ? 'Lock the ledger' : 'Change the ledger', `src/${at}.ts`),
      ).join(''),
    );
    const of = new FileHistory(termsOf('ledger lock'), new Map([['here', many]]));
    const [usual, rare] = [of.of('here', 'src/5.ts'), of.of('here', 'src/3.ts')];
    assert.ok(usual.words > 0 && usual.words < 0.05 * rare.words, `${usual.words} ${rare.words}`);
  });

  it('says nothing of a file without one', () => {
    assert.equal(history.of('here', 'src/new.ts').churn, 0);
  });

  it('is compared with that of other repositories', () => {
    const logs = new Map([
      ['here', commits],
      ['there', commits.slice(1)],
    ]);
    const both = new FileHistory(termsOf('queue closes twice'), logs);
    const [here, there] = [both.of('here', 'src/worker.ts'), both.of('there', 'src/worker.ts')];
    assert.equal(here.votes, 1);
    assert.ok(there.votes < 1, String(there.votes));
    assert.equal(both.of('elsewhere', 'src/worker.ts').votes, 0);
  });
});

type Change = [subject: string, ...paths: string[]];

/** What is ranked for a query; changes are given newest first. */
async function documentsOf(
  query: string,
  files: Record<string, string>,
  changes: Change[] = [],
): Promise<Parameters<typeof scoreDocuments>> {
  const terms = termsOf(query);
  const finder = new TermFinder(terms);
  const reader = new TextReader(terms, finder);
  const counts = new Map<string, Float32Array>();
  for (const [path, text] of Object.entries(files)) {
    const ofFile = new Float32Array(terms.length);
    for (const [match] of text.matchAll(finder.regex()))
      for (const { term, factor } of finder.matchesOf(match)) ofFile[term]! += factor;
    if (ofFile.some(count => count > 0)) counts.set(path, ofFile);
  }
  const commits = changes.map(
    ([subject, ...paths], at): Commit => ({
      id: `${at}`,
      parents: [],
      time: 0,
      stems: new Set(subject.split(' ').map(stemOf)),
      paths,
    }),
  );
  const history = new FileHistory(terms, new Map([['', commits]]));
  const requestedKinds = requestedKindsOf(query);
  const found = await findCandidates({ terms, paths: [], requestedKinds }, finder, [
    countedRoot(Object.keys(files), counts, terms.length),
  ]);
  return [
    terms,
    found.corpus,
    requestedKinds,
    found.candidates.map(candidate => ({
      candidate,
      text: reader.read(files[candidate.path] ?? ''),
      history: history.of('', candidate.path),
    })),
  ];
}

/** Files by text, best first. */
const ranked = async (...args: Parameters<typeof documentsOf>): Promise<RankedFile[]> =>
  rank(...(await documentsOf(...args)));

const orderOf = async (...args: Parameters<typeof documentsOf>): Promise<string[]> =>
  (await ranked(...args)).map(({ path }) => path);

/** How far the first of the two files is ahead of the second by the weighted sums. */
async function lead(
  first: string,
  second: string,
  ...args: Parameters<typeof documentsOf>
): Promise<number> {
  const { documents } = scoreDocuments(...(await documentsOf(...args)));
  const scoreOf = (wanted: string): number =>
    documents.find(({ document }) => document.candidate.path === wanted)?.score ?? Number.NaN;
  return scoreOf(first) - scoreOf(second);
}

/** How much more `rank` gives the first than the second, for a query of that intent. */
function leadIn(
  intent: Intent,
  given: Parameters<typeof scoreDocuments>,
  first: string,
  second: string,
): number {
  const files = rank(...given, intent);
  const scoreOf = (wanted: string): number =>
    files.find(({ path }) => path === wanted)?.score ?? Number.NaN;
  return scoreOf(first) - scoreOf(second);
}

const steps = (lines: number, word = 'step'): string =>
  Array.from({ length: lines }, (_, at) => `  ${word}(${at});`).join('\n');
/** Files without any term, so that a term is rare. */
const others = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`src/other${at}.ts`, steps(10)]),
);

const hits = (count: number): string => `${'retry();\n'.repeat(count)}${steps(40 - count)}`;

describe('rank', () => {
  it('puts the best first', async () => {
    const files = await ranked('retry budget', {
      ...others,
      'src/a.ts': 'retry()',
      'src/b.ts': 'retry(budget)',
      'src/c.ts': 'function retryBudget() {}\nretryBudget(budget, retry);',
    });
    const scores = files.map(({ score }) => score);
    assert.equal(scores.length, 3);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  });

  it('prefers the text that has more of the query', async () => {
    const files = {
      ...others,
      'src/one.ts': `retry();\n${steps(9)}`,
      'src/two.ts': `retry(budget);\n${steps(9)}`,
    };
    assert.deepEqual(await orderOf('retry budget', files), ['src/two.ts', 'src/one.ts']);
  });

  it('is by the weighted sum and the trees, and has the score of both', async () => {
    const given = await documentsOf('retry', {
      ...others,
      'src/less.ts': hits(1),
      'docs/retry.md': hits(4),
      'src/more.ts': hits(3),
    });
    const sums = new Map(
      scoreDocuments(...given).documents.map(({ document, score }) => [
        document.candidate.path,
        score,
      ]),
    );
    const files = rank(...given);
    assert.ok(files.length > 2);
    assert.ok(files.every(({ path, score }) => score !== sums.get(path)));
    const scores = files.map(({ score }) => score);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  });

  it('prefers more hits, with each further one counting less', async () => {
    const leads = await Promise.all(
      [1, 2, 4].map(count =>
        lead('src/more.ts', 'src/less.ts', 'retry', {
          ...others,
          'src/less.ts': hits(count),
          'src/more.ts': hits(2 * count),
        }),
      ),
    );
    assert.ok(
      leads.every(one => one > 0),
      leads.join(),
    );
    assert.ok(leads[0]! > leads[1]! && leads[1]! > leads[2]!, leads.join());
  });

  it('prefers the rarer of two terms', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`src/common${at}.ts`, 'socket();']),
    );
    const both = { ...others, ...files, 'src/rare.ts': 'ledger();' };
    assert.equal((await orderOf('socket ledger', both))[0], 'src/rare.ts');
  });

  it('does not take a word that contains a term for the term', async () => {
    // The first pass counts `important` as a hit of port; as a word, port is rare.
    const importing = Object.fromEntries(
      Array.from({ length: 15 }, (_, at) => [`src/importing${at}.ts`, "import 'socket';"]),
    );
    const files = { ...others, ...importing, 'src/x.ts': 'port();', 'src/y.ts': 'socket();' };
    for (const other of ['src/importing0.ts', 'src/y.ts']) {
      assert.ok((await lead('src/x.ts', other, 'port socket', files)) > 0, other);
    }
  });

  it('prefers where the name is declared to where it is used', async () => {
    const files = {
      ...others,
      'src/uses.ts': `start();\n${steps(5)}\nspendBudget(1);`,
      'src/declares.ts': `start();\n${steps(5)}\nfunction spendBudget(a) {}`,
    };
    assert.equal((await orderOf('spend budget', files))[0], 'src/declares.ts');
  });

  it('prefers a file that is called so, the more the less else its name says', async () => {
    const text = `budget();\n${steps(5)}`;
    const files = {
      ...others,
      'src/plain.ts': text,
      'src/budget.ts': text,
      'src/budgetPlan.ts': text,
    };
    assert.deepEqual(await orderOf('budget', files), [
      'src/budget.ts',
      'src/budgetPlan.ts',
      'src/plain.ts',
    ]);
  });

  it('prefers a file in a folder that is called so', async () => {
    const text = `limit();\n${steps(5)}`;
    const files = { ...others, 'src/a/limit.ts': text, 'src/budget/limit.ts': text };
    assert.equal((await orderOf('budget limit', files))[0], 'src/budget/limit.ts');
  });

  it('prefers neighbours to words that are apart', async () => {
    const files = {
      ...others,
      'src/apart.ts': `worker();\n${steps(2)}\nconcurrency();`,
      'src/beside.ts': `workerConcurrency();\n${steps(2)}\nstep();`,
    };
    assert.equal((await orderOf('worker concurrency', files))[0], 'src/beside.ts');
  });

  it('prefers neighbours that few files have', async () => {
    const common = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [
        `src/common${at}.ts`,
        `alphaBeta();\n${steps(5)}\ngamma();\n${steps(5)}\ndelta();`,
      ]),
    );
    const files = {
      ...others,
      ...common,
      'src/usual.ts': `alphaBeta();\n${steps(11)}`,
      'src/unusual.ts': `gammaDelta();\n${steps(11)}`,
    };
    assert.ok((await lead('src/unusual.ts', 'src/usual.ts', 'alpha beta. gamma delta', files)) > 0);
  });

  it('prefers words of the query close to each other', async () => {
    const files = {
      ...others,
      'src/far.ts': `worker();\n${steps(120)}\nqueue();`,
      'src/close.ts': `worker();\n${steps(8)}\nqueue();\n${steps(112)}`,
    };
    assert.equal((await orderOf('queue of a worker', files))[0], 'src/close.ts');
  });

  it('leaves length alone where there is no history', async () => {
    const short = `retry();\n${steps(30)}`;
    const long = `${short}\nretry();\n${steps(30)}`;
    const files = { ...others, 'src/short.ts': short, 'src/long.ts': long };
    assert.ok((await lead('src/long.ts', 'src/short.ts', 'retry', files)) > 0);
    const changes: Change[] = [['Colours', 'src/short.ts', 'src/long.ts']];
    const withoutHistory = await lead('src/long.ts', 'src/short.ts', 'retry', files);
    assert.ok(
      (await lead('src/long.ts', 'src/short.ts', 'retry', files, changes)) < withoutHistory,
    );
  });

  it('prefers source to anything else, unless it is asked for', async () => {
    const text = `retry(budget);\n${steps(5)}`;
    const files = {
      ...others,
      'src/net.ts': text,
      'docs/net.md': text,
      'examples/net.ts': text,
      'vendor/net.ts': text,
      'test/net.test.ts': text,
      'net.json': text,
    };
    assert.deepEqual(await orderOf('retry budget', files), [
      'src/net.ts',
      'net.json',
      'examples/net.ts',
      'docs/net.md',
      'vendor/net.ts',
      'test/net.test.ts',
    ]);
    assert.equal((await orderOf('test of the retry budget', files))[0], 'test/net.test.ts');
    assert.equal((await orderOf('docs of the retry budget', files))[0], 'docs/net.md');
    assert.equal((await orderOf('example of the retry budget', files))[0], 'examples/net.ts');
  });

  it('prefers what a matching test is about', async () => {
    const text = `limit();\n${steps(5)}`;
    const files = {
      ...others,
      'src/alpha.ts': text,
      'src/gamma.ts': text,
      'test/gamma.test.ts': 'limit the retry budget',
    };
    assert.ok(
      (await lead('src/gamma.ts', 'src/alpha.ts', 'limit of the retry budget', files)) > 0.2,
    );
  });

  it('lifts a file that declares a name of the query, most for a query about code', async () => {
    const given = await documentsOf('retry budget', {
      ...others,
      'src/uses.ts': `retry(budget);\n${steps(9)}`,
      'src/has.ts': `function retryBudget() {}\n${steps(9)}`,
      'src/more.ts': `function retryOnce() {}\nfunction budgetOf() {}\n${steps(8)}`,
    });
    const gains = ['src/uses.ts', 'src/more.ts'].map(
      path =>
        leadIn('words', given, 'src/has.ts', path) - leadIn('change', given, 'src/has.ts', path),
    );
    assert.ok(
      gains.every(gain => gain > 0.5),
      String(gains),
    );
    assert.equal(rank(...given, 'words')[0]?.path, 'src/has.ts');
  });

  it('prefers, for a sentence, a file that has all of its words, in names that it declares, and is not large', async () => {
    const given = await documentsOf('the retry budget that is left', {
      ...others,
      'src/all.ts': `function retryLater() {}\nspend(budget, left);\n${steps(9)}`,
      'src/part.ts': `function retryLater() {}\nretry(budget, budget);\n${steps(9)}`,
      'src/names.ts': `function retryLater() {}\nfunction budgetLeft() {}\n${steps(9)}`,
      'src/large.ts': `function retryLater() {}\nspend(budget, left);\n${steps(900)}`,
    });
    const gainOf = (first: string, second: string): number =>
      leadIn('sentence', given, first, second) - leadIn('words', given, first, second);
    const gains = [
      gainOf('src/all.ts', 'src/part.ts'),
      gainOf('src/names.ts', 'src/all.ts'),
      gainOf('src/all.ts', 'src/large.ts'),
    ];
    assert.ok(
      gains.every(gain => gain > 0.2),
      String(gains),
    );
  });

  describe('with a history', () => {
    it('goes by it less for a query about code', async () => {
      const given = await documentsOf(
        'retry budget',
        { ...others, 'src/busy.ts': hits(2), 'src/quiet.ts': hits(2) },
        Array.from({ length: 9 }, (): Change => ['spend the retry budget', 'src/busy.ts']),
      );
      for (const intent of ['words', 'change'] as const) {
        assert.equal(rank(...given, intent)[0]?.path, 'src/busy.ts');
      }
      const [words = Number.NaN, change = Number.NaN] = (['words', 'change'] as const).map(intent =>
        leadIn(intent, given, 'src/busy.ts', 'src/quiet.ts'),
      );
      assert.ok(words > 0);
      assert.ok(words < 0.8 * change, `${words} ${change}`);
    });

    const text = `socket();\n${steps(5)}`;
    const files = { ...others, 'src/alpha.ts': text, 'src/gamma.ts': text };
    const leadAfter = (query: string, ...changes: Change[]): Promise<number> =>
      lead('src/gamma.ts', 'src/alpha.ts', query, files, changes);

    it('prefers what was changed for the same reason', async () => {
      const changes: Change[] = [
        ['Colours of the button', 'src/alpha.ts'],
        ['Close the socket', 'src/gamma.ts'],
      ];
      assert.ok((await leadAfter('close the socket', ...changes)) > 0.5);
    });

    it('prefers what was changed for it most of the times', async () => {
      const changes: Change[] = [
        ['Close the socket', 'src/alpha.ts', 'src/gamma.ts'],
        ...Array.from({ length: 5 }, (): Change => ['Colours of the button', 'src/alpha.ts']),
      ];
      const many = await leadAfter('close the socket', ...changes);
      const once = await leadAfter('close the socket', ...changes.slice(0, 2));
      // Being changed often speaks for a file too.
      assert.ok(once < 0 && many < 0, `${once} ${many}`);
    });

    it('prefers what is changed often', async () => {
      const changes: Change[] = [
        ['Colours', 'src/alpha.ts'],
        ['Colours', 'src/gamma.ts'],
        ['Sizes', 'src/gamma.ts'],
      ];
      assert.ok((await leadAfter('socket', ...changes)) > 0.1);
    });

    it('counts a change of many files for little', async () => {
      const others30 = Array.from({ length: 12 }, (_, at) => `src/many${at}.ts`);
      const wide: Change = ['Close the socket', 'src/gamma.ts', ...others30];
      const narrow: Change = ['Close the socket', 'src/alpha.ts'];
      assert.ok((await leadAfter('close the socket', wide, narrow)) < 0);
    });
  });

  it('gives all files the same weights, and more to what is rarer', async () => {
    const files = {
      ...others,
      'src/a.ts': 'retry(); budget();',
      'src/b.ts': 'retry();',
      'src/c.ts': 'retry();',
    };
    const [first, ...rest] = await ranked('retry budget', files);
    assert.ok(rest.every(({ weights }) => weights === first?.weights));
    const [retry = 0, budget = 0] = first?.weights ?? [];
    assert.ok(budget > retry && retry > 0);
  });

  it('ranks nothing without files', async () => {
    assert.deepEqual(await ranked('retry', {}), []);
  });
});

/** Twenty files, of which some have both terms. */
const rootOf = (share: number) => {
  const names = Array.from({ length: 20 }, (_, at) => `file${at}.ts`);
  const counts = new Map(
    names.slice(0, share).map(name => [name, new Float32Array([1, 1])] as const),
  );
  return countedRoot(names, counts, 2);
};

describe('candidates of several roots', () => {
  it('prefer the root in which the words are at home', async () => {
    const terms = termsOf('queue worker');
    const finder = new TermFinder(terms);
    const reader = new TextReader(terms, finder);
    const text = 'queue(worker);\n';
    for (const shares of [
      [2, 15],
      [15, 2],
    ]) {
      const found = await findCandidates(
        { terms, paths: [], requestedKinds: new Set() },
        finder,
        shares.map(rootOf),
      );
      assert.deepEqual(
        found.corpus.roots.map(({ inText }) => inText[0]),
        shares,
      );
      const history = new FileHistory(terms, new Map()).of('', '');
      const [first] = rank(
        terms,
        found.corpus,
        new Set(),
        found.candidates.map(candidate => ({ candidate, text: reader.read(text), history })),
      );
      assert.equal(first?.root, shares.indexOf(15));
    }
  });
});
