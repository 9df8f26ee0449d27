import assert from 'node:assert/strict';
import { recalledText } from '../../../../src/compact/recall/recalledText';
import { completeLines, keptText } from '../../../../src/compact/session/keptText';
import { withholdLines } from '../../../../src/compact/tool/withholdLines';
import { lineCountOf } from '../../../../src/compact/worker/sessionLineIndex';
import { withheldMark } from '../../../../src/platform/egress/secrets/withhold';
import { chatOf, keptOf, said } from '../session/parsed';

// Not a key, but of the shape of one.
const body = Array.from({ length: 6 }, (_, at) => `${String.fromCharCode(65 + at)}bCd`.repeat(16));
const key = ['-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----'];
const text = ['before', ...key, 'after'].join('\n');
const { chat, lineIndex } = chatOf([
  ['user', said('Which key?')],
  ['assistant', said(text)],
]);

const assertNoKey = (given: string): void => {
  for (const line of body) assert.ok(!given.includes(line), given);
};

describe('lines of a chat for an agent', () => {
  it('are as many, with all lines of a key withheld', () => {
    const own = withholdLines(lineIndex);
    assert.equal(lineCountOf(own), lineCountOf(lineIndex));
    const marks = key.map(() => withheldMark);
    assert.equal(own.text, ['Which key?', 'before', ...marks, 'after', ''].join('\n'));
    const { lineIndex: plain } = chatOf([['user', said('no key\nat all')]]);
    assert.equal(withholdLines(plain), plain);
  });

  it('have no part of a key whose first line is left out', () => {
    const labels = { turn: () => 'User', part: () => undefined };
    for (const kept of ['1000111001', '0000000110', '1100111110']) {
      const left = completeLines(chat, lineIndex, keptOf(kept), true);
      assertNoKey(keptText(chat, withholdLines(lineIndex), left, labels));
    }
  });

  it('have no part of a key when they are recalled, from whichever line on', () => {
    const count = lineCountOf(lineIndex);
    for (let first = 0; first < count; first++) {
      const recalled = { file: 'a.md', range: [first, count, 'x'], withheld: [] } as const;
      for (let from = 1; from <= count - first; from++) {
        const given = recalledText(lineIndex, recalled, from);
        assertNoKey(given);
        assert.equal(given.split('\n').length, count - first - from + 2);
        assert.ok(given.endsWith('after\n'));
      }
    }
  });

  it('have none when the user left out the first line of it', () => {
    const range = [1, lineCountOf(lineIndex), 'x'] as const;
    const given = recalledText(lineIndex, { file: 'a.md', range, withheld: [2, 1] }, 1);
    assertNoKey(given);
    assert.match(given, /^before\n\[left out by the user\]\n\[withheld/);
  });
});
