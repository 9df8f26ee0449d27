import assert from 'node:assert/strict';
import { uiTextsIn } from '../../../../../src/search/local/uiTexts/entries';
import { shownTextsOf } from '../../../../../src/search/local/uiTexts/shownTexts';

/** The keys and lines of a text that a file has for `Sign out now`. */
const found = (lines: readonly string[], file = 'locales/en.json'): string[] =>
  uiTextsIn(lines.join('\n'), file, shownTextsOf('Sign out now')).map(
    ({ names, line }) => `${line} ${names.join('.')}`,
  );

describe('an entry of a file of texts', () => {
  it('has a key, and what that is in', () => {
    assert.deepEqual(
      found(['{', '  "menu": {', '    "out": "Sign out now",', '    "in": "Sign in"', '  }', '}']),
      ['3 menu.out'],
    );
    assert.deepEqual(found(['{', '  "menu.out": "Sign out now"', '}']), ['2 menu.out']);
    assert.deepEqual(
      found(['en:', '  # Menu.', '  menu:', '    out: Sign out now'], 'config/locales/en.yml'),
      ['4 menu.out'],
    );
    assert.deepEqual(found(['en:', "  out: 'Sign out now'"], 'config/locales/en.yml'), ['2 out']);
    assert.deepEqual(
      found(
        ['<?php', 'return [', "    'menu' => [", "        'out'   => 'Sign out now',"],
        'lang/en/a.php',
      ),
      ['4 menu.out'],
    );
    assert.deepEqual(
      found(['export default {', '  menu: {', '    out: `Sign out now`,'], 'src/i18n/en.ts'),
      ['3 menu.out'],
    );
    assert.deepEqual(
      found(['return [', " 'in' => 'Sign in',", "    'out' => 'Sign out now',"], 'lang/en/a.php'),
      ['3 out'],
    );
    assert.deepEqual(found(['[menu.user]', 'out = Sign out now'], 'locale/en.ini'), [
      '2 menu.user.out',
    ]);
    assert.deepEqual(found(['menu.out=Sign out now'], 'messages.properties'), ['1 menu.out']);
    assert.deepEqual(found(['"menu.out" = "Sign out now";'], 'en.lproj/A.strings'), ['1 menu.out']);
    assert.deepEqual(found(['export const OUT = "Sign out now";'], 'src/strings.ts'), ['1 OUT']);
  });

  it('may be an element with a name', () => {
    assert.deepEqual(
      found(['<string name="menu_out">Sign out now</string>'], 'res/values/strings.xml'),
      ['1 menu_out'],
    );
    assert.deepEqual(
      found(
        ['<data name="MenuOut" xml:space="preserve">', '  <value>Sign out now</value>'],
        'Resources.resx',
      ),
      ['2 MenuOut'],
    );
    assert.deepEqual(
      found(
        ['<plurals name="out">', '<item quantity="one">Sign out now</item>'],
        'res/values/plurals.xml',
      ),
      ['2 out'],
    );
  });

  it('may say in which form its text is', () => {
    assert.deepEqual(
      found(['{', '  "menuOut": {', '    "message": "Sign out now",', '    "description": "x"']),
      ['3 menuOut'],
    );
    assert.deepEqual(
      found(['"menu": { "message": "Sign out now", "description": "Says more" },']),
      ['1 menu'],
    );
  });

  it('is nothing that only mentions the text', () => {
    assert.deepEqual(found(['"out": "Sign out now, please"']), []);
    assert.deepEqual(found(['Sign out now']), []);
    assert.deepEqual(found(['// out: Sign out now'], 'src/i18n/en.ts'), []);
    assert.deepEqual(found(['<p>Sign out now</p>'], 'res/values/strings.xml'), []);
  });
});
