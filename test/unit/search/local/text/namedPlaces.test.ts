import assert from 'node:assert/strict';
import { literalsOf } from '../../../../../src/search/local/query/literals';
import { phrasesOf } from '../../../../../src/search/local/query/phrases';
import { querySymbolsOf } from '../../../../../src/search/local/query/querySymbols';
import { TermFinder } from '../../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../../src/search/local/query/terms';
import { TextReader } from '../../../../../src/search/local/text/fileText';
import {
  type NamedPlace,
  NamedPlaceFinder,
} from '../../../../../src/search/local/text/namedPlaces';

function placesIn(text: string, query: string): readonly NamedPlace[] {
  const terms = termsOf(query);
  const places = new NamedPlaceFinder(querySymbolsOf(query), [
    ...literalsOf(query),
    ...phrasesOf(query),
  ]);
  return new TextReader(terms, new TermFinder(terms), places).read(text).named;
}

/** Each as `kind text:line`. */
const found = (text: string, query: string): string[] =>
  placesIn(text, query).map(({ kind, text: own, line }) => `${kind} ${own}:${line}`);

describe('what a query names in a text', () => {
  it('is declared in any language', () => {
    for (const line of [
      'export class DrainQueue extends Queue {',
      'interface DrainQueue<T> {',
      'type DrainQueue = Queue & { isDrained: boolean };',
      'class DrainQueue(Queue):',
      'type DrainQueue struct {',
      'pub struct DrainQueue {',
      'public sealed class DrainQueue : Queue',
      'DrainQueue = make_queue()',
      'DrainQueue: TypeAlias = Queue',
      'export const DrainQueue = (all: Job[]) => {',
      '#define DrainQueue(all) drain(all)',
    ]) {
      assert.deepEqual(found(`\n${line}\n`, 'DrainQueue'), ['declaration DrainQueue:2'], line);
    }
    for (const line of [
      'static int drain_all(struct queue *q, int now)',
      '  def drain_all(self, now):',
      'def self.drain_all(now)',
      'pub fn drain_all(&self, now: bool) {',
      'func (q *Queue) drain_all(now bool) {',
    ]) {
      assert.deepEqual(found(line, 'drain_all'), ['declaration drain_all:1'], line);
    }
  });

  it('is a flag or a key as a whole', () => {
    for (const text of ["'--no-cache'", 'long: "no-cache",', 'see --no-cache.', '\n--no-cache=1'])
      assert.equal(found(text, '--no-cache')[0]?.split(':')[0], 'phrase no-cache', text);
    for (const text of ['--no-cache-dir', 'no-cached', 'auto-no-cache', 'xno-cache', 'NO-CACHE'])
      assert.deepEqual(found(text, '--no-cache'), [], text);
    assert.deepEqual(found('no-cache-dir\n\nno-cache', '--no-cache'), ['phrase no-cache:3']);
    assert.deepEqual(found('  noCache: bool\nconst noCache = 1;', '--no-cache'), [
      'declaration noCache:2',
    ]);
  });

  it('is a constant of a class or of an enumeration', () => {
    for (const line of [
      '    public static final Map<String, Long> MAX_HEAT = of(3);',
      '  MAX_HEAT = "heat",',
      '  readonly MAX_HEAT: number = 3;',
      '    MAX_HEAT: int = 3',
    ]) {
      assert.deepEqual(found(line, 'MAX_HEAT'), ['declaration MAX_HEAT:1'], line);
    }
    for (const line of [
      '  export MAX_HEAT=3',
      '  kettle.MAX_HEAT = 3;',
      '  if (MAX_HEAT == 3) {',
      '  boil(heat, MAX_HEAT = 3)',
      '  heat = MAX_HEAT;',
      '  MAX_HEAT_ALL = 3',
      '  case MAX_HEAT:',
    ]) {
      assert.deepEqual(found(line, 'MAX_HEAT'), [], line);
    }
  });

  it('is not declared where it is used', () => {
    for (const line of [
      'import { DrainQueue } from "./queue";',
      'class Other extends DrainQueue {',
      'const queue = new DrainQueue();',
      '  DrainQueue = 1;',
      'if (DrainQueue == all) {',
      'type DrainQueues = DrainQueue[];',
      'struct DrainQueue *next;',
      `${' '.repeat(300)}class DrainQueue {`,
    ]) {
      assert.deepEqual(found(line, 'DrainQueue'), [], line);
    }
  });

  it('is worth more outside of a class, and the first place counts', () => {
    const text = '  drainAll(now) {\n  }\n  drainAll(now) {\n  }\n';
    const [member, ...others] = placesIn(text, 'drainAll');
    assert.deepEqual([member?.line, others], [1, []]);
    const [atMargin] = placesIn('function drainAll(now) {', 'drainAll');
    assert.equal(atMargin?.worth, (member?.worth ?? 0) + 1);
  });

  it('may be typed without its capitals, alone', () => {
    const text = 'class AppState {\n}\nclass Theme {\n}\n';
    assert.equal(placesIn(text, 'appstate')[0]?.worth, placesIn(text, 'theme')[0]?.worth);
    assert.ok((placesIn(text, 'theme')[0]?.worth ?? 9) < (placesIn(text, 'Theme')[0]?.worth ?? 0));
    assert.deepEqual(found(text, 'a class AppSTATE that forgets'), []);
    assert.deepEqual(found(text, 'app state'), ['declaration AppState:1']);
    assert.deepEqual(found('def drain_all(now):', 'drain all'), ['declaration drain_all:1']);
    assert.deepEqual(found('def drain_all(now):', 'drainAll'), ['declaration drain_all:1']);
  });

  it('is worth more as it is spelled than with other signs', () => {
    const [same] = placesIn('def drain_all(now):', 'drain_all');
    const [other] = placesIn('class DrainAll:', 'drain_all');
    assert.ok((other?.worth ?? 9) < (same?.worth ?? 0));
    assert.deepEqual(found('_drain_all = 1', 'drain_all'), []);
  });

  it('is a phrase, whole before a part, at its line', () => {
    const text = 'one\nfail("the queue is full");\n';
    assert.deepEqual(found(text, 'Error: the queue is full'), ['phrase the queue is full:2']);
    assert.deepEqual(found(text, 'fail("the queue is full");'), [
      'phrase fail("the queue is full"):2',
    ]);
    assert.deepEqual(found(text, 'Error: The Queue is full'), []);
  });
});
