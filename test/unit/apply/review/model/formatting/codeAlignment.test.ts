import assert from 'node:assert/strict';
import { isSameCode } from '../../../../../../src/apply/review/model/formatting/codeAlignment';

/** `/` separates lines. */
const span = (text: string) => {
  const lines = text.split('/');
  return { lines, start: 0, end: lines.length };
};
const thirdLine = (lines: readonly string[]) => ({ lines, start: 2, end: 3 });

describe('isSameCode', () => {
  for (const [what, before, after] of [
    ['blanks at line ends', 'a  /\tb\t', 'a/\tb'],
    ['blank lines', 'a///b', 'a//b/'],
    ['indentation', 'if x:/    y', 'if x:/\ty'],
    ['wrapped lines', 'call(a, b)', 'call(/  a,/  b,/)'],
    ['joined lines', 'call(/  a,/  b, # last/)', 'call(a, b # last/)'],
    ['quotes', `a = 'it\\'s'`, `a = "it's"`],
    ['semicolons at line ends', 'a;/b; # why', 'a/b # why'],
    ['a semicolon before a line that could continue the one above', 'a/;[b]', 'a;/[b]'],
    ['semicolons and commas of types', 'x: { a: b, c: d }', 'x: {/  a: b;/  c: d;/}'],
    ['semicolons that become line breaks', 'x: { a: b; c: d }', 'x: {/  a: b/  c: d/}'],
    ['parentheses of parameters', 'x => x', '(x) => x'],
    ['parentheses that group', 'return a && b || c;', 'return (/  (a && b) || c/);'],
    ['parentheses after a word that does not call', 'if (a):/  b', 'if a:/  b'],
    ['parentheses in parentheses', 'return f((a))', 'return f(a)'],
    ['quotes of keys', `{ 'a': b, c: d }`, '{ a: b, c: d }'],
    ['the bar before a union', 'type A = B | C', 'type A =/  | B/  | C'],
    ['backslashes at line ends', 'if a and \\/  b:', 'if (/  a and/  b/):'],
    ['the case of numbers', '0XFFu + 1E5', '0xffU + 1e5'],
  ] as const)
    it(`leaves ${what} aside`, () => {
      assert.ok(isSameCode(span(before), span(after)));
      assert.ok(isSameCode(span(after), span(before)));
    });

  for (const [what, before, after] of [
    ['a word', 'a b', 'a c'],
    ['the case of a word', 'Name', 'name'],
    ['a missing line', 'a/b', 'a'],
    ['the order of lines', 'import a/import b', 'import b/import a'],
    ['a comma between items', '[a, b]', '[a b]'],
    ['a call', 'f a', 'f(a)'],
    ['one of two parentheses', 'return (a', 'return a'],
    ['a string that becomes a name', `call('a')`, 'call(a)'],
    ['an operator', 'a = &b', 'a = b'],
    ['a backslash', '\\d', 'd'],
  ] as const)
    it(`sees ${what}`, () => {
      assert.ok(!isSameCode(span(before), span(after)));
      assert.ok(!isSameCode(span(after), span(before)));
    });

  it('looks below the lines for what a comma ends', () => {
    assert.ok(isSameCode(thirdLine(['f(', 'a,', 'b', ')']), thirdLine(['f(', 'a,', 'b,', ')'])));
    assert.ok(!isSameCode(thirdLine(['f(', 'a,', 'b', 'c)']), thirdLine(['f(', 'a,', 'b,', 'c)'])));
  });
});
