import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineCodes, Postings } from '../../../../src/merge/audit/auditText';
import { explainMerge, type SectionPlacement } from '../../../../src/merge/audit/explainMerge';

type Explained = ReturnType<typeof explainMerge>;

/** Each letter is a line. What replaces lines that a section does not show costs one for each of them. */
function explained(
  original: string,
  sections: readonly string[],
  merged: string,
  shiftCost: (section: number, newStart: number) => number = () => 0,
): Explained {
  const codes = new LineCodes();
  const [before, after] = [codes.ofLines(original.split('')), codes.ofLines(merged.split(''))];
  const shown = sections.map(section => codes.ofLines(section.split('')).codes);
  return explainMerge({
    original: before,
    merged: after,
    sections: shown,
    inOriginal: new Postings(before.codes, codes.count),
    inMerged: new Postings(after.codes, codes.count),
    cost: (section, from, to) =>
      before.codes.subarray(from, to).filter(code => !shown[section]?.includes(code)).length,
    shiftCost,
  });
}

const told = (found: Explained): string =>
  typeof found === 'string'
    ? found
    : found
        .map(
          ({ section, oldStart, oldEnd, newStart, newEnd }) =>
            `${section}: ${oldStart}-${oldEnd} ${newStart}-${newEnd}`,
        )
        .join(', ');

/** The lines of the original with the sections at their places. */
function rebuilt(
  original: string,
  sections: readonly string[],
  placed: readonly SectionPlacement[],
): string {
  let text = '';
  let from = 0;
  for (const { section, oldStart, oldEnd, newStart } of placed) {
    text += original.slice(from, oldStart);
    assert.equal(text.length, newStart);
    text += sections[section] ?? '';
    from = oldEnd;
  }
  return text + original.slice(from);
}

describe('the explanation of a merge', () => {
  it('says what each section replaced', () => {
    assert.equal(told(explained('abcdef', ['bxd'], 'abxdef')), '0: 1-4 1-4');
    assert.equal(told(explained('abcdef', ['bxc'], 'abxcdef')), '0: 1-3 1-4');
    assert.equal(told(explained('abcdef', ['be'], 'abef')), '0: 1-5 1-3');
    assert.equal(told(explained('abcxde', ['bc'], 'abcde')), '0: 1-4 1-3');
    assert.equal(told(explained('abcdefgh', ['bxc', 'fg'], 'abxcdefgh')), '0: 1-3 1-4, 1: 5-7 6-8');
    assert.equal(told(explained('abcd', [], 'abcd')), '');
  });

  it('may be at an end of the file', () => {
    assert.equal(told(explained('abc', ['xab'], 'xabc')), '0: 0-2 0-3');
    assert.equal(told(explained('abc', ['bcx'], 'abcx')), '0: 1-3 1-4');
    assert.equal(told(explained('abc', ['xyz'], 'xyz')), '0: 0-3 0-3');
    assert.equal(told(explained('', ['x'], 'x')), '0: 0-0 0-1');
  });

  it('is none where a section or a line is missing, or something else changed', () => {
    assert.equal(explained('abcd', ['bxc'], 'abcd'), 'none');
    assert.equal(explained('abcd', ['bxc'], 'abxcdy'), 'none');
    assert.equal(explained('abcd', [], 'abc'), 'none');
    assert.equal(explained('abcdef', ['ex', 'bx'], 'abxcdexf'), 'none', 'in another order');
  });

  it('is the cheapest one', () => {
    // Below the first b, or in place of all up to the second one.
    assert.equal(told(explained('abcbd', ['bx'], 'abxcbd')), '0: 1-2 1-3');
    assert.equal(told(explained('abcbd', ['bx'], 'abxd')), '0: 1-4 1-3');
    assert.equal(told(explained('aabb', ['ab'], 'aabb')), '0: 1-3 1-3');
  });

  it('is the first place without a change, unless a later one is indented as shown', () => {
    assert.equal(told(explained('abab', ['ab'], 'abab')), '0: 0-2 0-2');
    const later = explained('abab', ['ab'], 'abab', (_, start) => (start === 0 ? 1 : 0));
    assert.equal(told(later), '0: 2-4 2-4');
    assert.equal(told(explained('abab', ['ab', 'ab'], 'abab')), '0: 0-2 0-2, 1: 2-4 2-4');
  });

  it('has sections that follow each other', () => {
    assert.equal(told(explained('abcd', ['bx', 'cy'], 'abxcyd')), '0: 1-2 1-3, 1: 2-3 3-5');
    assert.equal(told(explained('abcd', ['bxc', 'yd'], 'abxcyd')), '0: 1-3 1-4, 1: 3-4 4-6');
    assert.equal(told(explained('abzcd', ['bx', 'cy'], 'abxzcyd')), '0: 1-2 1-3, 1: 3-4 4-6');
  });

  it('is too much for lines that are all alike', () => {
    const many = 'a'.repeat(3000);
    const sections = Array.from({ length: 200 }, () => 'a'.repeat(10));
    assert.equal(explained(many, sections, many), 'tooLarge');
  });

  const letter = fc.constantFrom(...'abcdefghij'.split(''));
  const part = fc.record({
    kept: fc.array(letter, { minLength: 1, maxLength: 4 }),
    gone: fc.array(letter, { maxLength: 3 }),
    fresh: fc.array(fc.constantFrom(...'uvwxyz'.split('')), { minLength: 1, maxLength: 3 }),
  });

  it('is there for every merge, and gives its text', () =>
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.array(letter, { maxLength: 3 }),
        (parts, end) => {
          const side = (of: (one: (typeof parts)[0]) => readonly string[]): string =>
            parts.flatMap(one => [...one.kept, ...of(one)]).join('') + end.join('');
          const [original, merged] = [side(({ gone }) => gone), side(({ fresh }) => fresh)];
          const sections = parts.map(({ kept, fresh }) => `${kept.at(-1)}${fresh.join('')}`);
          const found = explained(original, sections, merged);
          assert.ok(typeof found !== 'string', merged);
          assert.equal(rebuilt(original, sections, found), merged);
          assert.equal(found.length, sections.length);
        },
      ),
      { numRuns: 1000 },
    ));
});
