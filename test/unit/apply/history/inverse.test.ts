import assert from 'node:assert/strict';
import type { AppliedEdit } from '../../../../src/apply/history/appliedEdit';
import { againChange, undoChange } from '../../../../src/apply/history/inverse';
import { applyEdits, editOfHunk, hunksBetween } from '../../../../src/apply/review/model/rebase';
import { randomOf } from '../review/journal/world';
import { metaOf } from './world';

function entryOf(
  before: readonly string[],
  proposed: readonly string[],
  isAccepted: (id: number) => boolean = () => true,
): AppliedEdit {
  const hunks = hunksBetween(before, proposed);
  const accepted = hunks.filter(({ id }) => isAccepted(id));
  return {
    id: 'one',
    time: 1,
    meta: metaOf(),
    before,
    hunks,
    accepted,
    after: applyEdits(before, accepted.map(editOfHunk)),
    isReplaced: false,
    isSaved: true,
    isDamaged: false,
  };
}

const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const proposed = ['a', 'B', 'c', 'd', 'e', 'f', 'G', 'new', 'h'];

const ofUser = (lines: readonly string[]) => lines.filter(line => line.startsWith('mine'));

describe('the inverse of an applied edit', () => {
  it('is the text before, where the file is as the edit left it', () => {
    const entry = entryOf(before, proposed);
    const { base, text, conflicts, changes } = undoChange(entry, proposed);
    assert.deepEqual(base, proposed);
    assert.deepEqual(text, before);
    assert.deepEqual([conflicts, changes], [0, 2]);
  });

  it('takes out only what was accepted', () => {
    const entry = entryOf(before, proposed, id => id === 2);
    assert.deepEqual(undoChange(entry, entry.after).text, before);
    assert.equal(undoChange(entry, entry.after).changes, 1);
  });

  it('keeps what was written elsewhere since', () => {
    const now = ['mine', ...proposed, 'end'];
    const { text, conflicts } = undoChange(entryOf(before, proposed), now);
    assert.deepEqual(text, ['mine', ...before, 'end']);
    assert.equal(conflicts, 0);
  });

  it('is a conflict where the accepted lines were changed, and proposes nothing silently', () => {
    const now = proposed.with(1, 'B, mine');
    const change = undoChange(entryOf(before, proposed), now);
    assert.deepEqual([change.conflicts, change.changes], [1, 2]);
    assert.deepEqual([change.base, change.text], [proposed, before]);
  });

  it('has nothing to do in a file that no longer has the changes', () => {
    assert.equal(undoChange(entryOf(before, proposed), before).changes, 0);
    assert.equal(againChange(entryOf(before, proposed), proposed).changes, 0);
  });

  it('takes out what was formatted since', () => {
    const from = ['function f() {', '  return 1;', '}', ''];
    const to = ['function f() {', '  const a = g(1,2);', '  return a;', '}', ''];
    const formatted = ['function f() {', '    const a = g(1, 2);', '    return a;', '}', ''];
    const change = undoChange(entryOf(from, to), formatted);
    assert.equal(change.conflicts, 0);
    assert.ok(change.changes > 0);
    assert.ok(!change.text.join('\n').includes('const a'));
    assert.ok(change.text.some(line => line.trim() === 'return 1;'));
  });

  it('opens a rejected proposal again for the file as it is', () => {
    const entry = entryOf(before, proposed, () => false);
    const { text, conflicts } = againChange(entry, ['mine', ...before]);
    assert.deepEqual(text, ['mine', ...proposed]);
    assert.equal(conflicts, 0);
    assert.equal(againChange(entry, before.with(1, 'mine')).conflicts, 1);
  });

  it('gives back every line that the user wrote elsewhere, in 2,000 random files', () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const random = randomOf(seed);
      const pick = (count: number) => Math.floor(random() * count);
      // Every line is unique, so that the places of edits are certain.
      const lines = Array.from({ length: 10 + pick(40) }, (_, n) => `line ${n}`);
      const edited = lines.flatMap((line, n) => {
        if (n % 5 !== 2 || random() < 0.3) return [line];
        return [[], [line, `added ${n}`], [`changed ${n}`]][pick(3)] ?? [];
      });
      const wanted = new Set(Array.from({ length: 12 }, (_, n) => n).filter(() => random() < 0.7));
      const entry = entryOf(lines, edited, id => wanted.has(id));
      // In the middle between two changes, so that no edit of the user meets one.
      const mine = (line: string, n: number) =>
        line.startsWith('line') && Number(line.slice(5)) % 5 === 4 && random() < 0.4
          ? [line, `mine ${n}`]
          : [line];
      const now = entry.after.flatMap(mine);
      const { text, conflicts, changes } = undoChange(entry, now);
      const expected = now.flatMap(line => (line.startsWith('mine') ? [line] : []));
      assert.equal(conflicts, 0, `seed ${seed}`);
      assert.equal(changes > 0, entry.accepted.length > 0, `seed ${seed}`);
      const after = entry.accepted.length > 0 ? text : now;
      assert.deepEqual(
        after.filter(line => !line.startsWith('mine')),
        lines,
        `seed ${seed}`,
      );
      assert.deepEqual(
        after.filter(line => line.startsWith('mine')),
        expected,
        `seed ${seed}`,
      );
    }
  });

  it('loses no line of the user without a conflict, whatever was written, in 2,000 random files', () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const random = randomOf(seed);
      const pick = (count: number) => Math.floor(random() * count);
      const lines = Array.from({ length: 5 + pick(25) }, () => `line ${pick(12)}`);
      const change = (from: readonly string[], name: string, share: number) =>
        from.flatMap((line, n) =>
          random() < share
            ? ([[], [line, `${name} ${n}`], [`${name} ${n}`]][pick(3)] ?? [])
            : [line],
        );
      const entry = entryOf(lines, change(lines, 'added', 0.2), id => id % 3 > 0);
      const now = change(entry.after, 'mine', 0.15);
      const { text, conflicts } = undoChange(entry, now);
      if (conflicts > 0) continue;
      assert.deepEqual(ofUser(text), ofUser(now), `seed ${seed}`);
      assert.ok(text.length > 0);
    }
  });
});
