import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { applySearchReplace, applyUnifiedDiff } from '../../../../src/merge/patch/mergePatch';

const file = `class A:
    def run(self):
        with open(path) as file:
            one(file)
            two(file)
        return file
`;
const added = file.replace('            two', '            new(file)\n            two');
const textOf = (result: ReturnType<typeof applyUnifiedDiff>): string =>
  result.kind === 'merged' ? result.text : written(result.reason);
const halved = (text: string): string =>
  text.replace(/^ +/gm, blanks => blanks.slice(blanks.length / 2));

describe('the indentation of new lines', () => {
  it('is scaled by what two depths of the block show', () => {
    for (const change of [
      halved,
      (text: string) => text.replace(/^ +/gm, blanks => blanks + blanks),
      (text: string) => text.replace(/^ +/gm, blanks => '\t'.repeat(blanks.length / 4)),
    ]) {
      const blocks = [{ search: change(file), replace: change(added) }];
      assert.equal(textOf(applySearchReplace(file, blocks)), added);
    }
  });

  it('goes deeper than any line that is shown', () => {
    const search = halved(
      '    def run(self):\n        with open(path) as file:\n            one(file)',
    );
    const replace = `${search}\n${halved('                deep(file)')}`;
    assert.equal(
      textOf(applySearchReplace(file, [{ search, replace }])),
      file.replace('one(file)\n', 'one(file)\n                deep(file)\n'),
    );
  });

  it('goes less deep than any line that is shown', () => {
    const search = '    one(file)\n    two(file)';
    const blocks = [{ search, replace: `${search}\n  three(file)\nfour(file)` }];
    assert.equal(
      textOf(applySearchReplace(file, blocks)),
      file.replace('two(file)\n', 'two(file)\n          three(file)\n        four(file)\n'),
    );
  });

  it('may be none, by the unit of the file', () => {
    const deep = '    a {\n        b();\n    }\n';
    const search = '  a {\n    b();\n  }';
    assert.equal(
      textOf(applySearchReplace(deep, [{ search, replace: `${search}\nz();` }])),
      `${deep}z();\n`,
    );
  });

  it('is in tabs where the file has them, however many blanks stand for one', () => {
    for (const unit of ['  ', '    ']) {
      const search = `${unit}one();`;
      const blocks = [{ search, replace: `${search}\n${unit}${unit}two();` }];
      assert.equal(textOf(applySearchReplace('\tone();\n', blocks)), '\tone();\n\t\ttwo();\n');
    }
  });

  it('is that of a line as deep, though another one is nearer', () => {
    const flat = '    one();\n    two();\n';
    const replace = 'one();\n  two();\nthree();';
    assert.equal(
      textOf(applySearchReplace(flat, [{ search: 'one();\n  two();', replace }])),
      `${flat}    three();\n`,
    );
  });

  it('is that of the nearest line where lines lost their marks', () => {
    const diff =
      '@@\nclass A:\n+    x = 1\n    def run(self):\n-        with open(path) as file:\n+        with open(path) as f:';
    assert.equal(
      textOf(applyUnifiedDiff(file, diff)),
      file.replace('class A:\n', 'class A:\n    x = 1\n').replace('as file', 'as f'),
    );
  });
});
