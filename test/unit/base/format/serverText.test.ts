import assert from 'node:assert/strict';
import { cleanServerText } from '../../../../src/base/format/serverText';

describe('text of the service in a message', () => {
  for (const [what, text, clean] of [
    ['is one line', ' one\r\n\ttwo\u2028three ', 'one two three'],
    ['hides and reorders nothing', 'a\u200bb\u202ec\u2066d\ufeffe\u001b[1m', 'a b c d e [1m'],
    ['quotes no key', 'incorrect key provided: sk-abcd-1234.', 'incorrect key provided: ….'],
    ['quotes no other key', 'pk_12345678 and key-12345678', '… and …'],
    ['quotes no header', 'got Bearer abc.def', 'got …'],
    ['keeps words that only begin like a key', 'sk-short key_ideas', 'sk-short key_ideas'],
  ] as const)
    it(what, () => assert.equal(cleanServerText(text), clean));

  it('has at most as many characters as asked, and ends in a whole one', () => {
    assert.equal(cleanServerText('x'.repeat(300)), 'x'.repeat(300));
    assert.equal(cleanServerText('x'.repeat(301)), `${'x'.repeat(299)}…`);
    assert.equal(cleanServerText('abcde', 5), 'abcde');
    assert.equal(cleanServerText('abcdef', 5), 'abcd…');
    assert.equal(cleanServerText('abc😀def', 5), 'abc…');
  });
});
