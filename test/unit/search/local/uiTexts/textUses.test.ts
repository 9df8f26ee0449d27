import assert from 'node:assert/strict';
import { TextUseFinder } from '../../../../../src/search/local/uiTexts/textUses';

const entry = { file: 'locales/en.json', line: 7 };

/** The line of a file that uses a key, and what it is worth; undefined where none does. */
function use(key: string, text: string, file = 'src/menu.ts', of = entry): string | undefined {
  const place = new TextUseFinder([{ ...of, names: key.split('.') }]).placeIn(text, file);
  return place && `${place.line} ${place.worth}`;
}

describe('what shows a text', () => {
  it('has its key', () => {
    for (const code of [
      "t('menu.out')",
      '$t("menu.out")',
      't.menu.out',
      'L10n.menu.out',
      '`menu:out`',
    ]) {
      assert.equal(use('menu.out', `\n${code}\n`), '2 14', code);
    }
    assert.equal(
      use('menu.out', "t('menu.outer'); t('menu.out-door'); t('my-menu.out')"),
      undefined,
    );
  });

  it('may have the name of the file in front of it', () => {
    const of = { file: 'lang/en/auth.php', line: 3 };
    assert.equal(use('failed', "trans('auth.failed')", 'src/a.php', of), '1 14');
    assert.equal(use('failed', "trans('user.failed')", 'src/a.php', of), undefined);
  });

  it('may have a key of one part, which is marked as one or says enough', () => {
    for (const code of [
      'getString(R.string.out)',
      'android:text="@string/out"',
      '"title": "%out%"',
      'AppLocalizations.of(context)!.l10n.out',
      "chrome.i18n.getMessage('out')",
      'AppLocalizations.of(context)!.out',
      `<p>\${out}</p>`,
    ]) {
      assert.equal(use('out', code), '1 14', code);
    }
    assert.equal(use('sign_out', "data-i18n='sign_out'"), '1 13');
    assert.equal(use('sign-out', '"sign-out"'), '1 13');
    assert.equal(use('sign_out', 'Spree.t(:sign_out)'), '1 13');
    assert.equal(use('signOut', 'user.signOut()'), '1 5');
    assert.equal(use('out', 'user.out()'), undefined);
  });

  it('may have a part of the key, where its file says the rest', () => {
    assert.equal(use('page.menu.out', "t('menu.out')"), '1 11');
    const scoped = "const t = useTranslations('page.menu');\nt('out')";
    assert.equal(use('page.menu.out', scoped), '2 11');
    assert.equal(use('page.menu.out', "t('out')"), undefined);
    assert.equal(use('page.sign_out', 't(:sign_out)'), '1 10');
    assert.equal(use('page.sign_out', 'user.sign_out'), '1 5');
    assert.equal(
      use('users.show.title', "= t('.title')", 'app/views/users/show.html.erb'),
      '1 13.5',
    );
    assert.equal(
      use('users.show.title', "= t('.title')", 'app/views/users/edit.html.erb'),
      undefined,
    );
  });

  it('is neither an entry nor a translation', () => {
    assert.equal(use('menu.out', '', 'locales/en.json'), '7 6');
    assert.equal(use('menu.out', '"menu.out": "Abmelden"', 'locales/de.json'), undefined);
    assert.equal(
      use('menu.out', "'menu.out'        => 'x'", 'resources/lang/en/menu.php'),
      undefined,
    );
    assert.equal(use('sign_out', '<string name="sign_out">', 'res/values/more.xml'), undefined);
    assert.equal(use('menu.out', '<message key="menu.out"/>', 'src/validation.xml'), '1 14');
    assert.equal(use('menu.out', 'a ? "menu.out" : "menu.in"'), '1 14');
  });
});
