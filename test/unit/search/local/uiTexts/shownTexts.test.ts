import assert from 'node:assert/strict';
import { isShownAs, shownTextsOf } from '../../../../../src/search/local/uiTexts/shownTexts';

const told = (query: string): string[] => shownTextsOf(query).map(({ text }) => text);

/** Whether a value is what the query, as a whole, shows. */
const shows = (query: string, value: string): boolean => {
  const [whole] = shownTextsOf(query);
  assert.ok(whole, query);
  return isShownAs(value, whole);
};

describe('the texts of a user interface in a query', () => {
  it('are its lines, and what is in quotes', () => {
    assert.deepEqual(told('Delete this page?'), ['Delete this page']);
    assert.deepEqual(told('Sign in\nForgot it?\n').slice(1), ['Sign in', 'Forgot it']);
    for (const quoted of ['"Sign in"', '“Sign in”', '«Sign in»', '`Sign in`', "'Sign in'"]) {
      assert.ok(told(`where is ${quoted} shown?`).includes('Sign in'), quoted);
    }
    assert.ok(told("where is 'Couldn't save it' shown").includes("Couldn't save it"));
    assert.deepEqual(told('  "Sign\tin…" '), ['Sign in']);
  });

  it('have two words or more, or some letters of a script without spaces', () => {
    assert.deepEqual(told('Cancel'), []);
    assert.deepEqual(told('retryUpload'), []);
    assert.deepEqual(told('12 34'), []);
    assert.deepEqual(told('删除页面吗'), ['删除页面吗']);
    assert.deepEqual(told('删除'), []);
  });

  it('are none in an issue or a long text', () => {
    assert.deepEqual(told('one two\n'.repeat(5)), []);
    assert.deepEqual(told('word '.repeat(80)), []);
  });
});

describe('a value that a program shows', () => {
  it('is the text, but for signs around it, quotes and spaces', () => {
    assert.ok(shows('Sign in', 'Sign in…'));
    assert.ok(shows('Sign in:', 'Sign in'));
    assert.ok(shows('Don’t save', "Don't save"));
    assert.ok(shows("Don't save", "Don\\'t  save"));
    assert.ok(shows("Don't save", "Don''t save"));
    assert.ok(shows('Tom & Jerry', 'Tom &amp; Jerry'));
    assert.ok(shows('Größe ändern', 'Gr\\u00f6\\u00dfe \\u00e4ndern'));
    assert.ok(!shows('Sign in', 'Sign in now'));
    assert.ok(!shows('Sign in', 'Please sign in'));
  });

  it('may be in another case where it has four words, or where all of it is in capitals', () => {
    assert.ok(shows('delete all the pages', 'Delete all the pages'));
    assert.ok(!shows('delete page', 'Delete page'));
    assert.ok(shows('DELETE PAGE', 'Delete page'));
  });

  it('may have values put in, and tags that add nothing', () => {
    for (const value of [
      'You have {count} new messages',
      'You have {{ count }} new messages',
      'You have %d new messages',
      'You have %1$s new messages',
      'You have :count new messages',
      'You have $count new messages',
      'You have ${count} new messages',
      'You have %{count} new messages.',
      'You have <b>{count}</b> new messages',
      'No new messages|You have {count} new messages',
      'You have {n, plural, one {a few} other {# or more}} new messages',
    ]) {
      assert.ok(shows('You have 3 new messages', value), value);
    }
    assert.ok(shows('Ada invited you to Tea', '{name} invited you to {room}'));
    assert.ok(!shows('You have 3 old messages', 'You have {count} new messages'));
    assert.ok(!shows('new messages have 3', 'You have {count} new messages'));
  });

  it('has enough letters of its own', () => {
    assert.ok(!shows('3 of 4 pages', '{a} of {b} {c}'));
    assert.ok(!shows('any text at all', '{text}'));
  });
});
