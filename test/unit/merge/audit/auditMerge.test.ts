import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { auditMerge } from '../../../../src/merge';
import { cpuMs } from '../../../support/unit/cpuTime';
import { cart, gap, right, taxed, taxedCart, wrong } from './mergeExamples';

function lineOf(at: number): string {
  return `${String.fromCharCode(97 + (at % 26)).repeat(4)}${at}`;
}

function textOf(...parts: string[][]): string {
  return `${parts.flat().join('\n')}\n`;
}

describe('auditMerge', () => {
  for (const { title, original = cart, update = taxed, merged, options } of right) {
    it(`is silent on ${title}`, () => {
      assert.deepEqual(auditMerge(original, update, merged, options), []);
    });
  }

  for (const { title, original = cart, update = taxed, merged, options, found } of wrong) {
    it(`finds ${title}`, () => {
      const findings = auditMerge(original, update, merged, options);
      assert.deepEqual(
        findings.map(({ line, severity, kind }) => `${line} ${severity} ${kind}`).sort(),
        [...found].sort(),
      );
      for (const { message } of findings) {
        assert.match(message, /^[A-Z\d].*\.$/);
      }
    });
  }

  it('names the file, the number of lines and where new lines may belong', () => {
    const path = 'src/cart.ts';
    const dropped = taxedCart.replace('  let sum = 0;\n', '');
    assert.equal(
      auditMerge(cart, taxed, dropped, { path })[0]?.message,
      'A line of cart.ts is gone above this line; the snippet does not show that.',
    );
    const misplaced = wrong.find(({ title }) => title.includes('wrong function'));
    assert.ok(misplaced?.update);
    assert.match(
      auditMerge(cart, misplaced.update, misplaced.merged, { path }).at(-1)?.message ?? '',
      /line 11 of/,
    );
  });

  it('says so when lines are too many and too alike', () => {
    const file = '}\n'.repeat(30_000);
    const findings = auditMerge(file, `${gap}}\n`.repeat(1_000), file);
    assert.match(findings[0]?.message ?? '', /too many similar lines/);
  });

  /** One edit of a file without two alike lines, shown with a line of context on either side. */
  const edit = fc
    .record({ size: fc.integer({ min: 8, max: 40 }), gone: fc.nat(2), added: fc.nat(2) })
    .chain(({ size, gone, added }) =>
      fc.record({
        size: fc.constant(size),
        gone: fc.constant(gone),
        added: fc.constant(gone + added === 0 ? 1 : added),
        at: fc.integer({ min: 1, max: size - gone - 1 }),
        broken: fc.nat(size - gone - 3),
      }),
    );

  it('is silent on any one edit, and finds any one line that is lost, doubled or changed', () => {
    fc.assert(
      fc.property(edit, ({ size, gone, added, at, broken }) => {
        const lines = Array.from({ length: size }, (_, nth) => lineOf(nth));
        const fresh = Array.from({ length: added }, (_, nth) => `<${nth}>`);
        const above = lines.slice(0, at);
        const below = lines.slice(at + gone);
        const update = [above.at(-1), ...fresh, below[0]].join('\n');
        const audit = (merged: string) =>
          auditMerge(textOf(lines), `${gap}${update}\n${gap}`, merged).length;

        assert.equal(audit(textOf(above, fresh, below)), 0);
        const kept = [...above.slice(0, -1).keys()].map(nth => [above, nth] as const);
        kept.push(...[...below.slice(1).keys()].map(nth => [below, nth + 1] as const));
        const [side, nth] = kept[broken % kept.length] ?? [above, 0];
        const line = side[nth] ?? '';
        for (const instead of [[], [line, line], [`${line}!`]]) {
          const other = side.toSpliced(nth, 1, ...instead);
          const merged = side === above ? textOf(other, fresh, below) : textOf(above, fresh, other);
          assert.ok(audit(merged) > 0, JSON.stringify({ line, instead }));
        }
      }),
      { numRuns: 300 },
    );
  });

  const long = 'x'.repeat(1_000_000);
  const quotes = "'\\".repeat(500_000);
  const hostile: [title: string, original: string, update: string, merged: string][] = [
    ['a line of a megabyte', `${long}\na\n`, `${gap}${long}y\na\n`, `${long}y\na\n`],
    ['a megabyte of open quotes', `${quotes}\na\n`, `${gap}a\n(\n`, `${quotes}\na\n(\n`],
    ['100,000 markers', cart, gap.repeat(100_000), cart],
    ['only brackets', '{\n}\n'.repeat(20_000), `${gap}}\nx\n{\n`.repeat(500), '{\n}\n'.repeat(9)],
  ];
  for (const [title, original, update, merged] of hostile) {
    it(`ends soon on ${title}`, () => {
      const ms = cpuMs(() => auditMerge(original, update, merged));
      assert.ok(ms < 3_000, `${ms} ms`);
    });
  }
});
