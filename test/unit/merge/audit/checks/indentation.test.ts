import assert from 'node:assert/strict';
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
