import assert from 'node:assert/strict';
import { looksLikeCode } from '../../../../src/apply/parse/codeShape';

describe('looksLikeCode', () => {
  it('knows code in several languages', () => {
    for (const code of [
      'x = 1',
      'foo();',
      'def f(a):\n    return a',
      'SELECT * FROM users;',
      'name: ci\non:\n  push:\n    branches: [main]',
      '<div class="a">\n  <p>Hello to all of you</p>\n</div>',
      '.a {\n  color: red;\n}',
      '$brand: #336699',
      'node_modules/\n*.log',
      '# Adds two numbers, as the name says.\ndef add(a, b):\n    return a + b',
      '[package]\nname = "a"',
      '// ... existing code ...\nfoo();',
      '# ... existing code ...',
      'if x > 3:\n    print(x)',
      'if amount > limit then',
      'return left + right',
      '// It adds the numbers that it is given.\nf(1)',
      'x = 1\nThis is what the line above does.',
    ]) {
      assert(looksLikeCode(code), code);
    }
  });

  it('knows prose, whatever signs are in it', () => {
    for (const prose of [
      'hello',
      'Buy milk and bread.\nCall the bank, please.',
      '- buy milk and bread today\n- call the bank, please',
      'Hi Anna,\nwe met at noon and spoke about the plan (as agreed)\nand that was all of it,',
      'On 3 May 2026 we sent 12 boxes to you\nOn 4 May 2026 we sent 18 boxes to them',
      'Hint: try it another way next time.',
      '"Well, (that) was *it*," she said to \'them\'.',
      'import taxes are due at the border, as always',
      'これは文章です。\nこれも文章です。',
      'Thank you.\nIt works.',
      'one two three four\nfive six seven eight',
      'x = 1\nThis is what the line above does.\nAnd this says it once more.',
    ]) {
      assert(!looksLikeCode(prose), prose);
    }
  });

  it('judges a long text by some of its lines', () => {
    assert(looksLikeCode('x = f(1);\n'.repeat(25_000)));
    assert(!looksLikeCode('This is a sentence with several words.\n'.repeat(25_000)));
  });
});
