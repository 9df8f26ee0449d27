import assert from 'node:assert/strict';
import { auditMerge } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';
const testOf = (name: string, wanted: string): string =>
  `func ${name}() {\n\tlet first = value\n\trun(first)\n\tcheck(first, ${wanted})\n}\n`;
const original = [testOf('readsOnce', '1'), testOf('readsTwice', '2')].join('\n');

const findings = (update: string, merged: string): string[] =>
  auditMerge(original, update, merged, { path: 'a.swift' }).map(({ message }) => message);

describe('a declaration that is gone without a word', () => {
  it('is named with the one that took its place', () => {
    const fresh = testOf('writesLater', '3');
    const merged = original.replace(testOf('readsTwice', '2'), fresh);
    assert.deepEqual(findings(`${gap}\n${fresh}\n${gap}`, merged), [
      '"writesLater" takes the place of "readsTwice", which the snippet does not mention. Check that both are not needed.',
    ]);
  });

  it('is told from one with another name, which more lines of the section use', () => {
    for (const [used, count] of [
      ['writesLater', 0],
      ['self.writesLater', 0],
      ['writesLaterOn', 1],
      ['rewritesLater', 1],
      ['rewritesLater, writesLater', 0],
    ] as const) {
      const fresh = testOf('writesLater', used);
      const merged = original.replace(testOf('readsTwice', '2'), fresh);
      assert.equal(findings(`${gap}\n${fresh}\n${gap}`, merged).length, count, used);
    }
  });

  it('is not gone if the snippet uses it, and new lines may begin with the new name', () => {
    for (const fresh of [
      testOf('writesLater', 'readsTwice'),
      testOf('writesLater', '3').replace('run(', 'writesLater('),
    ]) {
      const merged = original.replace(testOf('readsTwice', '2'), fresh);
      assert.deepEqual(findings(`${gap}\n${fresh}\n${gap}`, merged), []);
    }
  });

  it('has another name for sure if that is the old one with a part added', () => {
    const fresh = testOf('readsTwiceMore', '2');
    const merged = original.replace(testOf('readsTwice', '2'), fresh);
    assert.deepEqual(findings(`${gap}\n${fresh}\n${gap}`, merged), []);
  });

  it('is not told of one that is not shown to its end', () => {
    const open = testOf('writesLater', '3').replace(/\}\n$/, '');
    const merged = original.replace(testOf('readsTwice', '2'), `${open}}\n`);
    assert.ok(findings(`${gap}\n${open}${gap}`, merged).every(text => !text.includes('takes the')));
  });

  it('is replaced on purpose where its neighbors are shown', () => {
    const fresh = testOf('writesLater', '3');
    const update = `${testOf('readsOnce', '1')}\n${fresh}`;
    assert.deepEqual(findings(update, `${testOf('readsOnce', '1')}\n${fresh}`), []);
  });
});
