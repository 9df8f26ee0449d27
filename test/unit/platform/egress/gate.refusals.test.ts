import assert from 'node:assert/strict';
import { EgressRefusal } from '../../../../src/platform/egress/gate';
import { keyTokens } from '../../../../src/platform/egress/secrets/keyTokens';
import { withheldMark, withholdSecrets } from '../../../../src/platform/egress/secrets/withhold';
import { ClearedFile, type Purpose, type Sending } from '../../../../src/platform/egress/sending';
import { gateFor } from './ways';

/** A made-up key. */
const key = 'ghp_a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h8';

const refusal = async (
  sending: Sending,
  { text = key, isTrusted = true } = {},
): Promise<[reason: string, message: string]> => {
  const { gate, record } = gateFor({ isTrusted: () => isTrusted });
  try {
    await gate.send('apply', { text }, sending, async () => assert.fail('it was sent'));
    return assert.fail('it was not refused');
  } catch (error) {
    assert.ok(error instanceof EgressRefusal);
    // Nothing was sent, so that it is neither billed nor counted as a failure of the service.
    assert.equal(error.kind, 'limit');
    const [entry] = record.entries;
    assert.deepEqual([entry?.outcome, entry?.reason, entry?.chars], ['refused', error.message, 0]);
    return [error.reason, error.message];
  }
};

describe('a call that the gate refuses', () => {
  it('says what is in the way, and what to do', async () => {
    const file = new ClearedFile('a.ts', 'x', false);
    const agreed = new ClearedFile('a.ts', 'x', true);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object that only looks like one
    const forged = { name: 'a.ts', chars: 1, agreedText: '', isAgreed: false } as ClearedFile;
    for (const [sending, reason, message] of [
      [
        { purpose: 'chat' },
        'secret',
        /^The text seems to hold a key or a password, so nothing was/,
      ],
      [
        { purpose: 'apply', files: [file] },
        'secret',
        /^a\.ts, or what is sent with it, seems to hold a key/,
      ],
      [
        { purpose: 'apply', files: [agreed] },
        'secret',
        /^What is sent with a\.ts seems to hold a key .* that you were not asked about/,
      ],
      [{ purpose: 'edit', files: [] }, 'file', /the file was not checked/],
      [{ purpose: 'chat', files: [forged] }, 'file', /the file was not checked/],
      [{ purpose: 'watch', hasConsent: false }, 'consent', /you have not agreed to that/],
    ] as readonly [Sending, string, RegExp][]) {
      const [why, text] = await refusal(sending);
      assert.equal(why, reason);
      assert.match(text, message);
    }
  });

  it('is any in a workspace that is not trusted, but for texts that the user chose then', async () => {
    const allowed: Purpose[] = ['classify', 'prompt', 'test'];
    for (const purpose of ['chat', 'search', 'compact', 'batch', 'guard'] as const)
      assert.equal((await refusal({ purpose }, { text: 'x', isTrusted: false }))[0], 'untrusted');
    for (const purpose of allowed) {
      const { gate } = gateFor({ isTrusted: () => false });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some purposes need more, which is not looked at
      const sending = { purpose } as Sending;
      assert.equal(await gate.send('chat', { text: 'x' }, sending, async () => 1), 1);
    }
  });
});

const isKey = (text: string): boolean => [...keyTokens(text)].length > 0;

describe('a key in a text', () => {
  it('is known from a word by a digit or by letters of both cases', () => {
    for (const rest of [
      'abcdefghijklmnopA',
      'abcdefghijklmnopZ',
      'abcdefghijklmnop0',
      'ABCDEFGHIJKLMNOPa',
      'ABCDEFGHIJKLMNOPz',
    ])
      assert.equal(isKey(`sk-${rest}`), true, rest);
    for (const rest of ['abcdefghijklmnopq', 'ABCDEFGHIJKLMNOPQ', 'abcd-efgh-ijkl-mnop', 'aB3'])
      assert.equal(isKey(`sk-${rest}`), false, rest);
    assert.equal(isKey('task-abcdefghijklmnopA1'), false);
    assert.deepEqual(
      [...keyTokens(`x ${key}, ${key}`)],
      [
        [2, 42],
        [44, 84],
      ],
    );
  });

  it('is left out with others of another kind, before it and behind it', () => {
    const text = `password = "hunter2abc" ${key} Authorization: Bearer abcdef0123456789abcdef end`;
    assert.deepEqual(withholdSecrets(text), {
      text: `password = "${withheldMark}" ${withheldMark} Authorization: ${withheldMark} end`,
      count: 3,
    });
  });
});
