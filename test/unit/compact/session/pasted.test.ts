import assert from 'node:assert/strict';
import { pastedLines } from '../../../../src/compact/session/pasted';
import { chatOf, said, type Turn } from './parsed';

/** 1 for each pasted line. */
function pastedOf(...turns: readonly Turn[]): string {
  const { lineIndex, table } = chatOf(turns);
  return [...pastedLines(table, lineIndex)].join('');
}
const typed = (text: string): string => pastedOf(['user', said(text)]);

/** Lines with these lengths, line ends included. */
const linesOf = (...lengths: readonly number[]): string =>
  lengths.map(length => `${'x'.repeat(length - 1)}\n`).join('');

describe('a long message of the user', () => {
  it('is pasted beyond 2000 characters, and not before', () => {
    assert.equal(typed(linesOf(...Array<number>(20).fill(100))), '0'.repeat(20));
    assert.equal(
      typed(linesOf(...Array<number>(19).fill(100), 101)),
      `${'0'.repeat(10)}${'1'.repeat(7)}000`,
    );
  });

  it('has up to 1200 typed characters at its start', () => {
    assert.equal(typed(linesOf(600, 600, 100, 3000)), '0011');
    assert.equal(typed(linesOf(600, 601, 100, 3000)), '0111');
    assert.equal(typed(linesOf(1201, 10, 3000)), '111');
  });

  it('has up to 600 typed characters at its end', () => {
    assert.equal(typed(linesOf(3000, 10, 300, 300)), '1100');
    assert.equal(typed(linesOf(3000, 10, 300, 301)), '1110');
    assert.equal(typed(linesOf(3000, 10, 601)), '111');
  });

  it('is told from what others wrote', () => {
    const long = said(linesOf(3000, 10));
    assert.equal(pastedOf(['assistant', long], ['user', said('x')], ['user', long]), '00010');
  });
});

describe('a message of the user with a marked request', () => {
  it('is pasted around it, whichever tag the tool uses', () => {
    for (const tag of ['userRequest', 'user_query', 'user_message'])
      assert.equal(typed(`<file>\n<${tag}>\nWhy?\n</${tag}>\nmore\nmore`), '100011', tag);
  });

  it('may begin or end with it', () => {
    assert.equal(typed('<user_query>\nWhy?\n</user_query>\nattached'), '0001');
    assert.equal(typed('attached\n<user_query>Why?</user_query>'), '10');
    assert.equal(typed('<user_query>Why?</user_query>'), '0');
  });

  it('is told by what encloses it, not by a tag that is only mentioned', () => {
    assert.equal(
      typed('See <user_query>\nand\n<user_message>\nWhy?\n</user_message>\nend'),
      '110001',
    );
    assert.equal(typed('</user_query>\n<user_query>\nno end'), '000');
  });

  it('is looked for in each message by itself', () => {
    assert.equal(
      pastedOf(
        ['user', said('a\n<user_query>')],
        ['user', said('b\nc')],
        ['user', said('</user_query>\n<user_query>d</user_query>')],
      ),
      '000010',
    );
  });
});
