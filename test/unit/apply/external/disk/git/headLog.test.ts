import assert from 'node:assert/strict';
import { lastLine, newEntries } from '../../../../../../src/apply/external/disk/git/headLog';

const [a, b, c] = ['a', 'b', 'c'].map(letter => letter.repeat(40));
const line = (from = '', to = '', message = 'commit: x'): string =>
  `${from} ${to} A B <a@example.org> 1700000000 +0000\t${message}\n`;
const tail = (text: string, before = 0) => ({ size: before + text.length, text });

describe('the log of HEAD', () => {
  for (const [message, kind] of [
    ['commit: x', 'commit'],
    ['commit (initial): x', 'commit'],
    ['commit (amend): checkout: x', 'commit'],
    ['commit (merge): x', 'commit'],
    ['commit (cherry-pick): x', 'commit'],
    ['am: x', 'commit'],
    ['rebase (continue): x', 'commit'],
    ['rebase -i (continue): x', 'commit'],
    ['pull --rebase (continue): x', 'commit'],
    ['checkout: moving from main to other', 'move'],
    ['merge other: Fast-forward', 'move'],
    ["merge other: Merge made by the 'ort' strategy.", 'move'],
    ['pull: Fast-forward', 'move'],
    ['pull --rebase origin main (start): checkout abc', 'move'],
    ['rebase (start): checkout abc', 'move'],
    ['rebase (pick): (continue)', 'move'],
    ['rebase finished: returning to refs/heads/x', 'move'],
    ['cherry-pick: x', 'move'],
    ['revert: x', 'move'],
    ['push', 'move'],
    ['reset: moving to HEAD~1', 'reset'],
    ['Branch: renamed refs/heads/a to refs/heads/b', 'other'],
    ['committed by something else', 'other'],
    ['checkout', 'other'],
    ['', 'other'],
  ] as const) {
    it(`takes ${JSON.stringify(message)} for ${kind}`, () => {
      const entries = newEntries(undefined, tail(line(a, b, message)));
      assert.deepEqual(entries, [{ from: a, to: b, kind }]);
    });
  }

  it('has the entries that came later', () => {
    const before = line(a, b);
    const now = before + line(b, c, 'reset: x') + line(c, a, 'checkout: x');
    assert.deepEqual(
      newEntries(tail(before), tail(now))?.map(({ to }) => to),
      [c, a],
    );
    assert.deepEqual(newEntries(tail(now), tail(now)), []);
    assert.deepEqual(newEntries(tail(''), tail(''))?.length, 0);
    assert.equal(newEntries(tail(''), tail(now))?.length, 3);
  });

  it('tells entries apart that are the same to a letter', () => {
    const twice = line(a, a, 'reset: moving to HEAD');
    assert.equal(newEntries(tail(twice), tail(twice + twice))?.length, 1);
    assert.equal(newEntries(tail(twice), tail(twice.repeat(4)))?.length, 3);
  });

  it('needs only the end of the log', () => {
    const old = line(a, b).repeat(10);
    const known = { size: old.length, text: lastLine(old) };
    assert.equal(known.text, line(a, b));
    const end = line(a, b).repeat(2) + line(b, c);
    const now = { size: old.length + line(b, c).length, text: end };
    assert.deepEqual(newEntries(known, now), [{ from: b, to: c, kind: 'commit' }]);
  });

  it('is found again when old entries have expired', () => {
    const [first, second, third] = [line(a, b), line(b, c), line(c, a)];
    const before = tail(first + second);
    assert.deepEqual(newEntries(before, tail(second + third))?.length, 1);
    assert.deepEqual(newEntries(before, tail(second)), []);
  });

  it('says nothing when it has grown too much, or was written anew', () => {
    const [first, second, third] = [line(a, b), line(b, c), line(c, a)];
    assert.equal(newEntries(tail(first), { size: 10_000, text: second + third }), undefined);
    assert.equal(newEntries(tail(first + second), tail(third)), undefined);
    assert.equal(newEntries(tail(first), tail(line(a, c) + second)), undefined);
    assert.equal(newEntries(tail(first), tail('')), undefined);
    assert.equal(lastLine(''), '');
  });
});
