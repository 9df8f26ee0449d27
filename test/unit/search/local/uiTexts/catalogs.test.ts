import assert from 'node:assert/strict';
import {
  isCatalog,
  isOfTexts,
  isTranslation,
  languageRank,
} from '../../../../../src/search/local/uiTexts/catalogs';

describe('a file of texts', () => {
  it('is known by its format or its folder', () => {
    for (const file of [
      'src/locales/en.json',
      'lang/en/auth.php',
      'config/locales/devise.en.yml',
      'app/src/main/res/values/strings.xml',
      'app/src/main/res/values-de/plurals.xml',
      'Resources/en.lproj/Localizable.strings',
      'Properties/Resources.resx',
      'lib/l10n/intl_en.arb',
      'src/i18n/messages.ts',
      'package.nls.json',
      'messages_de.properties',
      'i18n/locale_en-US.ini',
    ]) {
      assert.ok(isCatalog(file) && isOfTexts(file), file);
    }
    for (const file of ['src/app.ts', 'docs/lang.md', 'src/language.cpp', 'lang/en.txt']) {
      assert.ok(!isCatalog(file), file);
    }
    for (const file of ['package.json', 'openapi.yaml', 'docker-compose.ci.yml']) {
      assert.ok(isCatalog(file) && !isOfTexts(file), file);
    }
  });

  it('is in the language that others are translated from, or in another one', () => {
    for (const [file, rank] of [
      ['locales/en.json', 0],
      ['locales/en-US.json', 0],
      ['strings/en-us.json', 0],
      ['locales/messages.json', 0],
      ['ui/values/strings.xml', 0],
      ['locales/en-GB.json', 1],
      ['locales/de.json', 2],
      ['lang/pt-BR/admin/auth.php', 2],
      ['lang/fil-PH/auth.php', 2],
      ['res/values-zh-rTW/strings.xml', 2],
      ['locales/zh_Hans.json', 2],
      ['messages_de.properties', 2],
    ] as const) {
      assert.equal(languageRank(file), rank, file);
      assert.equal(isTranslation(file), rank > 0, file);
    }
  });
});
