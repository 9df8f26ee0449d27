import assert from 'node:assert/strict';
import { readTaggedBlocks } from '../../../../../src/merge/patch/read/taggedBlocks';

const read = (text: string, ...known: string[]) => {
  const blocks = readTaggedBlocks(text, new Set(known));
  return blocks === 'incomplete' ? blocks : blocks?.map(({ search, replace }) => [search, replace]);
};

const blockIn = (old: string, fresh: string) => (a: string, b: string) =>
  `<${old}>\n${a}\n</${old}>\n<${fresh}>\n${b}\n</${fresh}>\n`;

describe('blocks in tags', () => {
  for (const [old, fresh] of [
    ['old_str', 'new_str'],
    ['old_string', 'new_string'],
    ['old_code', 'new_code'],
    ['search', 'replace'],
    ['find', 'replace'],
    ['original', 'updated'],
    ['before', 'after'],
    ['old', 'new'],
  ] as const)
    it(`are read from <${old}> and <${fresh}>`, () => {
      const block = blockIn(old, fresh);
      assert.deepEqual(read(block('a', 'b')), [['a', 'b']]);
      assert.deepEqual(read(block('  a\n', '') + block('c', ' d')), [
        ['  a\n', ''],
        ['c', ' d'],
      ]);
    });

  it('may be in one line, in other tags, with sentences around', () => {
    const text =
      'Here is the edit:\n<edit>\n<old_str>a</old_str><new_str>b</new_str>\n</edit>\nLet me know if you need more.';
    assert.deepEqual(read(text), [['a', 'b']]);
    assert.deepEqual(read('<old>\r\na\r\n</old>\r\n<new>\r\nb\r\n  </new>'), [['a', 'b']]);
  });

  it('may have other tags in them', () => {
    const inner = blockIn('old', 'new')('a', 'b').replaceAll('\n', '');
    assert.deepEqual(read(blockIn('search', 'replace')(inner, 'c')), [[inner, 'c']]);
  });

  for (const [what, text, ...known] of [
    ['a side is missing', '<old>a</old>'],
    ['a side does not end', '<old>a</old><new>b'],
    ['the sides are turned around', '<new>b</new><old>a</old>'],
    ['text stands between the sides', '<old>a</old>\nx = 1\n<new>b</new>'],
    ['code stands around them', 'x = 1;\n<old>a</old><new>b</new>'],
    ['code stands behind them', '<old>a</old><new>b</new>\nf(x);'],
    ['the tags are lines of the file', '<old>\na\n</old>\n<new>\nb\n</new>', '<old>'],
    ['there are none', 'a < b'],
  ] as [string, string, ...string[]][])
    it(`are none when ${what}`, () => assert.equal(read(text, ...known), undefined));

  it('are read in capitals, but not mixed', () => {
    assert.deepEqual(read(blockIn('SEARCH', 'REPLACE')('a', 'b')), [['a', 'b']]);
    assert.equal(read('<SEARCH>a</SEARCH><replace>b</replace>'), undefined);
  });

  const lines = blockIn('old_str', 'new_str')('a', 'b').split('\n');
  for (const tag of lines.filter(line => line.startsWith('<')))
    it(`are incomplete without ${tag} on its line`, () => {
      const text = lines.filter(line => line !== tag).join('\n');
      assert.equal(read(text), 'incomplete');
      assert.equal(read(text.replaceAll('<', '  <')), 'incomplete');
      assert.equal(read(`${lines.join('\n')}${text}`), 'incomplete');
      assert.equal(read(text, ...lines), undefined);
    });
});
