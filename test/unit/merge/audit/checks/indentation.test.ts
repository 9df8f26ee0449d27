import assert from 'node:assert/strict';
import { auditMerge } from '../../../../../src/merge';
import { LineCodes } from '../../../../../src/merge/audit/auditText';
import { shiftCost } from '../../../../../src/merge/audit/checks/indentation';

const cost = (section: string, merged = 'class A {\n  a() {\n    b;\n  }\n}\n'): number => {
  const codes = new LineCodes();
  return shiftCost(codes.read(section), codes.read(merged), 1);
};

describe('the cost of the indentation of a section', () => {
  it('is nothing for lines that stand as the snippet has them', () => {
    assert.equal(cost('  a() {\n    b;\n  }\n'), 0);
    assert.equal(cost('  a() {\n    b;\n  }\n', 'class A {\n  a() {\n    b; \n  }\n}\n'), 0);
  });

  it('is lower for lines that are shifted together than for one that is shifted alone', () => {
    const together = cost('a() {\n  b;\n}\n');
    const alone = cost('  a() {\n  b;\n  }\n');
    assert.ok(together > 0);
    assert.ok(alone > together);
  });
});

const tabs = 'function f() {\n\tif (a) {\n\t\tone();\n\t}\n\ttwo();\n}\n';
const snippet = 'function f() {\n  if (a) {\n    one();\n    more();\n  }\n  two();\n}\n';
/** What is found where a snippet with blanks was merged into a file with tabs. */
const foundIn = (merged: string): string[] =>
  auditMerge(tabs, snippet, merged, { path: 'a.js' })
    .filter(({ kind }) => kind === 'lostIndentation')
    .map(({ line }) => `${line}`);

describe('a snippet without any indentation', () => {
  it('is told at its first new line', () => {
    const code = 'function f() {\n  if (a) {\n    one();\n  }\n  two();\n}\n';
    const flat = 'function f() {\nif (a) {\none();\nmore();\n}\ntwo();\nlast();\n}\n';
    const merged = code
      .replace('one();\n', 'one();\n    more();\n')
      .replace('two();\n', 'two();\n  last();\n');
    assert.deepEqual(
      auditMerge(code, flat, merged, { path: 'a.js' }).map(({ line, kind }) => `${line} ${kind}`),
      ['4 repaired'],
    );
  });
});

describe('the indentation of a merge from blanks to tabs', () => {
  it('is right where each line is as deep as in the snippet', () => {
    assert.deepEqual(foundIn(tabs.replace('\t}', '\t\tmore();\n\t}')), []);
  });

  it('is wrong where a new line is deeper or less deep than in the snippet', () => {
    for (const more of ['\tmore();', '\t\t\tmore();', 'more();'])
      assert.deepEqual(foundIn(tabs.replace('\t}', `${more}\n\t}`)), ['4'], JSON.stringify(more));
  });
});
