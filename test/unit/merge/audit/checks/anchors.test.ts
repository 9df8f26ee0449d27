import assert from 'node:assert/strict';
import { auditMerge } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';
const file = 'alpha(one);\nbeta();\ngamma();\ndelta();\nomega();\n';
/** What is said of a snippet between markers. */
const said = (section: string, merged: string, original = file): string[] =>
  auditMerge(original, `${gap}${section}${gap}`, merged).map(
    ({ line, message }) => `${line}: ${message}`,
  );

const isTwice =
  'This line appears twice or next to its new form; the snippet may be meant to replace it.';
const isLoose = 'Nothing ties these lines to this place';

describe('the place of new lines', () => {
  it('may be another one that they are like, the first line too', () => {
    const merged = file.replace('gamma();\n', 'gamma();\nalpha(two);\n');
    assert.deepEqual(said('alpha(two);\n', merged), [
      `4: ${isLoose}; they look like line 1 of the file before the edit.`,
    ]);
    const last = file.replace('beta();\n', 'beta();\nomega(1);\n');
    assert.deepEqual(said('omega(1);\n', last), [
      `3: ${isLoose}; they look like line 5 of the file before the edit.`,
    ]);
    assert.deepEqual(said('x = 1;\n', file.replace('gamma();\n', 'gamma();\nx = 1;\n')), [
      `4: ${isLoose}.`,
    ]);
  });

  it('is not above the part of the snippet that is above them', () => {
    const merged = 'alpha(one);\nbeta();\nmore();\ngamma();\ndelta();\nalpha(two);\nomega();\n';
    assert.deepEqual(said(`beta();\nmore();\ngamma();\n${gap}alpha(two);\n`, merged), [
      `6: ${isLoose}.`,
    ]);
  });

  it('is beside no line of which they are the new form', () => {
    assert.deepEqual(
      said('beta(1);\ngamma();\n', file.replace('gamma', 'beta(1);\ngamma')).slice(0, 1),
      [`2: ${isTwice}`],
    );
    assert.deepEqual(
      said('beta();\ngamma(1);\n', file.replace('gamma', 'gamma(1);\ngamma')).slice(0, 1),
      [`4: ${isTwice}`],
    );
  });

  it('may be beside a bracket like the one at their end', () => {
    const text = 'run({\n  one,\n});\nrun({\n  two,\n});\n';
    const section = 'run({\n  three,\n});\nrun({\n  two,\n';
    const merged = text.replace('run({\n  two', 'run({\n  three,\n});\nrun({\n  two');
    assert.ok(!said(section, merged, text).some(words => words.endsWith(isTwice)));
  });
});
