import assert from 'node:assert/strict';
import { kindOf, partsOfPath, testedName } from '../../../src/search/local/paths';
import { termsOf } from '../../../src/search/local/query';
import { spansOf } from '../../../src/search/local/spans';
import { spellingsOf, TermFinder } from '../../../src/search/local/spellings';
import { type FileText, TextReader } from '../../../src/search/local/fileText';
import { partsOf, stemOf } from '../../../src/search/local/words';
import { bestWindows } from '../../../src/search/local/windows';
import { FileHistory, readCommits } from '../../../src/search/local/history';

const formsOf = (query: string): string[] =>
  termsOf(query).flatMap(({ forms }) => forms.map(({ words }) => words.join(' ')));

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
    assert.deepEqual(spellingsOf(['max', 'tokens']), [
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
      ['examples/a.ts', 'aside'],
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
  const history = new FileHistory(termsOf('queue closes twice'), commits, '');

  it('votes for the files of changes that were described alike', () => {
    assert.ok(history.of('src/worker.ts').votes > history.of('src/button.ts').votes);
    assert.equal(history.of('src/worker.ts').votes, 1);
    assert.ok(history.of('src/queue.ts').words > 0);
  });

  it('says nothing of a file without one', () => {
    assert.equal(history.of('src/new.ts').churn, 0);
  });

  it('of a folder leaves the folder out of the paths', () => {
    const inFolder = new FileHistory(termsOf('queue closes twice'), commits, 'src/');
    assert.equal(inFolder.of('worker.ts').votes, 1);
  });
});
