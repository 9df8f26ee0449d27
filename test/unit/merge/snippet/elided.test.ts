import assert from 'node:assert/strict';
import { expandElided } from '../../../../src/merge/snippet/elided';

const known = new Set([
  'export function first(one: string) {',
  'class Cart {',
  'export function all(...items) {',
  'all(...items) {',
  'list.forEach((...items) => {',
  'def load(path):',
  'async def send(mail):',
  'class Store:',
  'return call(1, "two", { three: 3 }, () => 4);',
  'pair(1, 2, x)',
  'pair(1, 3, x)',
  'a(1, 2)',
  'const shape = { kind: 1, ...rest };',
]);
const expanded = (line: string) => expandElided([line], known);

const many = (count: number) => Array.from({ length: count }, (_, at) => `call${at}(/* ... */, 2)`);

describe('a line with omitted parts', () => {
  for (const body of ['...', '…', '/* ... */', '/*...*/', '/** … **/', '/***/', '/* the same */'])
    for (const blank of [' ', ''])
      it(`becomes the lines of the original around {${blank}${body}${blank}}`, () => {
        for (const [header, end] of [
          ['export function all(...items) {', '}'],
          ['  all(...items) {', '};'],
          ['\tlist.forEach((...items) => {', '});'],
        ] as const) {
          const margin = header.slice(0, header.length - header.trimStart().length);
          assert.deepEqual(expanded(`${header}${blank}${body}${blank}${end}`), [
            header,
            `${margin}    ...`,
            `${margin}${end}`,
          ]);
        }
        assert.equal(
          expanded(`  class Cart {${blank}${body}${blank}}`).length,
          /\.{3}|…/.test(body) ? 3 : 1,
        );
      });

  it('may be a header with its colon', () => {
    assert.deepEqual(expanded('def load(path): ...'), ['def load(path):', '    ...']);
    assert.deepEqual(expanded('    async def send(mail): …'), [
      '    async def send(mail):',
      '        ...',
    ]);
    assert.deepEqual(expanded('class Store:...'), ['class Store:', '    ...']);
  });

  it('becomes the one line that starts and ends like it', () => {
    const full = 'return call(1, "two", { three: 3 }, () => 4);';
    assert.deepEqual(expanded('  return call(1, /* ... */, () => 4);'), [`  ${full}`]);
    assert.deepEqual(expanded('return call(1, …, () => 4);'), [full]);
    assert.deepEqual(expanded('return call(…);'), [full]);
  });

  for (const line of [
    'export function second() { ... }',
    'def save(path): ...',
    '{ ... }',
    'pair(1, /* ... */, x)',
    'pair(/* ... */, …)',
    'a(/* ... */, 2)',
    'return call(1, /* ... */',
    'return other(1, /* ... */, () => 4);',
    'export function first(one: string) { return ...one; }',
    'export function first(one: string) { one(); /* done */ }',
    'export function first(one: string) {}',
    'const shape = { kind: 1, ...rest };',
    '// ... existing code ...',
    'x'.repeat(400) + '{ ... }',
  ])
    it(`stays when its meaning is not clear: ${line.slice(0, 60)}`, () => {
      const lines = ['before', line];
      assert.equal(expandElided(lines, known), lines);
    });

  it('stays where the dots are syntax, in more than twenty lines', () => {
    const line = 'class Cart { ... }';
    assert.equal(expandElided([...many(19), line], known).length, 22);
    assert.equal(expandElided([...many(20), line], known).length, 21);
  });
});
