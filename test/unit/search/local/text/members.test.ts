import assert from 'node:assert/strict';
import { querySymbolsOf } from '../../../../../src/search/local/query/querySymbols';
import { TermFinder } from '../../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../../src/search/local/query/terms';
import { TextReader } from '../../../../../src/search/local/text/fileText';
import { linesAbove } from '../../../../../src/search/local/text/members';
import { NamedPlaceFinder } from '../../../../../src/search/local/text/namedPlaces';

/** The line in which a text declares a name, 1-based. */
function declaredAt(text: string, name: string): number | undefined {
  const query = `where is ${name} defined`;
  const terms = termsOf(query);
  const places = new NamedPlaceFinder(querySymbolsOf(query), []);
  return new TextReader(terms, new TermFinder(terms), places).read(text).named[0]?.line;
}

describe('a part of a type', () => {
  for (const [kind, text, name, line] of [
    [
      'a constant in Java',
      'public enum Kind {\n    CONNECT(1),\n    PUBLISHED(2);\n',
      'PUBLISHED',
      3,
    ],
    ['a constant in TypeScript', 'enum Kind {\n  Opened,\n  Closed,\n}', 'Closed', 3],
    ['a constant in C#', 'internal enum Kind\n{\n    Opened = 1,\n    Closed = 2\n}', 'Closed', 4],
    [
      'a constant in Rust',
      'pub(crate) enum Kind {\n    /// Done.\n    Closed(u8),\n}',
      'Closed',
      3,
    ],
    ['a constant in Swift', 'enum Kind {\n    case opened\n    case closed\n}', 'closed', 3],
    [
      'a field in C',
      'struct queue {\n    int size;\n    struct item *first_item;\n};',
      'first_item',
      3,
    ],
    [
      'a field in C++',
      'class Queue {\n public:\n  std::vector<int> jobs_left;\n};',
      'jobs_left',
      3,
    ],
    ['a field in Go', 'type queue struct {\n\tsize int\n\tjobsLeft []job // all\n}', 'jobsLeft', 3],
    ['a method in Go', 'type Queue interface {\n\tDrainAll() error\n}', 'DrainAll', 2],
    [
      'a field in Rust',
      'struct Queue {\n    size: u8,\n    jobs_left: Vec<Job>,\n}',
      'jobs_left',
      3,
    ],
    [
      'a field in Python',
      'class Queue(Base):\n    size: int = 1\n    jobs_left: list[Job]\n',
      'jobs_left',
      3,
    ],
    ['a field in TypeScript', 'export interface Queue {\n  jobsLeft?: Job[]\n}', 'jobsLeft', 2],
    [
      'a property in Kotlin',
      'enum class Kind(val size: Int) {\n    Opened(1),\n    Closed(2),\n}',
      'Closed',
      3,
    ],
  ] as const)
    it(`is ${kind}`, () => assert.equal(declaredAt(text, name), line));

  for (const [kind, text, name] of [
    ['the type of a field in C', 'struct queue {\n    JobList *jobs;\n};', 'JobList'],
    ['the type of a field in Go', 'type queue struct {\n\tjobs JobList\n}', 'JobList'],
    ['the type of a field in TypeScript', 'interface Queue {\n  jobs: JobList;\n}', 'JobList'],
    [
      'a variable of a function',
      'struct queue *open(int size) {\n    int jobs_left;\n',
      'jobs_left',
    ],
    ['an argument', 'open(\n    JOBS_LEFT,\n    size);\n', 'JOBS_LEFT'],
    [
      'a variable of a method',
      'class Queue:\n    def open(self):\n        jobs_left: int = 1\n',
      'jobs_left',
    ],
    ['a value in an object', 'const all = {\n  jobsLeft: 1,\n};', 'jobsLeft'],
    ['a call in a method', 'class Queue {\n  open() {\n    drainAll();\n  }\n}', 'drainAll'],
  ] as const)
    it(`is not ${kind}`, () => assert.equal(declaredAt(text, name), undefined));

  it('is looked for in the lines above, the nearest first', () => {
    const text = 'one\n\ntwo\nthree';
    assert.deepEqual([...linesAbove(text, text.indexOf('three'))], ['two', '', 'one']);
    assert.deepEqual([...linesAbove(text, 0)], []);
    assert.deepEqual([...linesAbove('\none', 1)], ['']);
  });
});
