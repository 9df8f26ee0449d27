import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../src/merge';

/** A file of `count` functions, most lines of which are in each of them. */
const fileOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `function run${at}() {\n  open();\n  step(${at});\n  close();\n}\n`,
  ).join('\n');

/** A change that takes an alignment to place: it ends with lines that are everywhere. */
const changeOf = (at: number): string =>
  `// ... existing code ...\nfunction run${at}() {\n  open();\n  step(${at}, true);\n  close();\n}\n// ... existing code ...`;

function merge(count: number, at: number): string {
  const original = fileOf(count);
  const result = mergeEdit(original, changeOf(at), { path: 'run.js' });
  const wanted = original.replace(`step(${at});`, `step(${at}, true);`);
  return result.kind === 'merged' && result.text === wanted ? 'as wanted' : result.kind;
}

describe('an alignment', () => {
  it('does not depend on those before it', () => {
    const alone = merge(3, 1);
    assert.equal(alone, 'as wanted');
    // Files below and above the sizes of which the tables are kept.
    for (const count of [40, 3, 500, 3, 4000, 3]) {
      assert.equal(merge(count, count - 2), 'as wanted', `${count} functions`);
      assert.equal(merge(3, 1), alone);
    }
  });
});
