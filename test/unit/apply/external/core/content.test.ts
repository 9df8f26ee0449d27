import assert from 'node:assert/strict';
import {
  absent,
  contentKey,
  contentOf,
  sameContent,
  unknown,
} from '../../../../../src/apply/external/core/content';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('contentOf', () => {
  it('has the id that git gives to the bytes', () => {
    // git hash-object, in repositories of both formats.
    assert.deepEqual(contentOf(bytes('hello\n'), 'sha1'), {
      kind: 'file',
      id: 'ce013625030ba8dba906f756967f9e9ca394464a',
      size: 6,
    });
    assert.equal(
      contentOf(bytes(''), 'sha256').id,
      '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
    );
  });

  it('counts bytes, not characters', () => assert.equal(contentOf(bytes('é'), 'sha1').size, 2));
});

describe('sameContent', () => {
  const [a, b] = [contentOf(bytes('a'), 'sha1'), contentOf(bytes('b'), 'sha1')];
  for (const [what, first, second, isSame] of [
    ['equal files', a, { ...a }, true],
    ['other files', a, b, false],
    ['no files', absent, absent, true],
    ['a file and none', a, absent, false],
    ['what nobody knows', unknown, unknown, false],
    ['a file and what nobody knows', a, unknown, false],
    ['none and what nobody knows', absent, unknown, false],
  ] as const)
    it(`is ${isSame} for ${what}`, () => {
      assert.equal(sameContent(first, second), isSame);
      assert.equal(sameContent(second, first), isSame);
    });

  it('has another key for each content', () =>
    assert.equal(new Set([a, b, absent, unknown].map(contentKey)).size, 4));
});
