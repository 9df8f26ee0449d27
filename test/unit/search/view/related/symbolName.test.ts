import assert from 'node:assert/strict';
import { mentionAt, namedSymbolOf } from '../../../../../src/search/view/related/symbolName';

const lines = [
  'export class Queue {',
  '  // close is called at the end',
  '  async close(): Promise<void> {',
  '    await this.drain();',
  '    this.closed = true;',
  '  }',
  '}',
  'const reopen = closeAll(close);',
];
const of = (symbol: string | undefined, startLine: number, endLine: number) =>
  namedSymbolOf(lines, { symbol, startLine, endLine }, 'src/queue.ts');

describe('the name of the symbol of a place', () => {
  it('stands where it is declared, in the place or above it', () => {
    const whole = { symbol: 'Queue.close', names: ['Queue', 'close'], line: 2, character: 8 };
    assert.deepEqual(of('Queue.close', 2, 6), whole);
    assert.deepEqual(of('Queue.close', 4, 5), whole);
    assert.equal(of('Queue', 1, 7)?.character, 13);
  });

  it('stands where the place mentions it, if no line declares it', () => {
    assert.equal(of('closed', 1, 8)?.line, 4);
    const twice = ['run(a);', 'stop(a);', 'stop(b);'];
    assert.equal(
      namedSymbolOf(twice, { symbol: 'stop', startLine: 1, endLine: 3 }, 'src/queue.ts')?.line,
      1,
    );
    assert.equal(of('reopen', 2, 6), undefined, 'a line below the place is not in it');
    const found = of('closeAll', 7, 8);
    assert.deepEqual([found?.line, found?.character], [7, 15]);
  });

  it('is not there for headings, for no symbol and for what is nowhere', () => {
    assert.equal(of('Getting started', 1, 3), undefined);
    assert.equal(of('Getting started.close', 1, 6), undefined);
    assert.equal(of(undefined, 1, 3), undefined);
    assert.equal(of('missing', 1, 8), undefined);
    assert.equal(of('Queue.close', 900, 901)?.line, 2, 'a place behind the end of the text');
  });

  it('is a whole identifier', () => {
    assert.equal(mentionAt('closeAll(close)', 'close'), 9);
    assert.equal(mentionAt('enclose, close_, $close, größclose', 'close'), -1);
    assert.equal(mentionAt('a.close', 'close'), 2);
  });
});
