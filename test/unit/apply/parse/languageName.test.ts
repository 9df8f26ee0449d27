import assert from 'node:assert/strict';
import {
  existingCodeMarker,
  languageIdOf,
  languageIdOfPath,
  mayHold,
} from '../../../../src/apply/parse/languageName';
import {
  previewContributions,
  previewFolder,
  previewGrammars,
  previewLanguageIds,
} from '../../../../src/apply/review/editor/previewLanguages';
import { assertApproved } from '../../../support/unit/approved';

const names =
  'bash c# c++ cc cjs cs cts docker golang h hpp htm js jsx kt kts make md mjs mts objc pl ps1 py pyi rb rs sh shell tf ts tsx yml zsh c clojure cpp csharp css dart dockerfile elixir erlang fsharp go graphql groovy haskell html ini java javascript javascriptreact json jsonc julia kotlin latex less lua makefile markdown nix objective-c perl php powershell prisma proto python r ruby rust sass scala scss shellscript sql svelte swift terraform toml typescript typescriptreact vue xml yaml zig nothing';

describe('the languages', () => {
  it('have the ids of the editor and a marker in their comments', () =>
    assertApproved(
      'languages',
      names
        .split(' ')
        .map(name => `${name}: ${languageIdOf(name)} ${existingCodeMarker(languageIdOf(name))}\n`)
        .join(''),
    ));

  it('are told by the path too', () => {
    assert.equal(languageIdOf('TS'), 'typescript');
    assert.equal(languageIdOfPath('src/a.test.TS'), 'typescript');
    assert.equal(languageIdOfPath('src\\Makefile'), 'makefile');
    assert.equal(languageIdOfPath('src.ts/LICENSE'), undefined);
    assert.equal(languageIdOfPath(''), undefined);
  });

  it('may stand in a file of their own, or of one that holds them', () => {
    for (const [path, languages] of [
      ['a.ts', ['typescript', 'javascriptreact', 'vue']],
      ['a.vue', ['vue', 'html', 'scss', 'typescript']],
      ['a.php', ['php', 'html']],
      ['a.h', ['c', 'cpp', 'objective-c']],
      ['a.jsonc', ['jsonc', 'json']],
      ['a.py', ['python']],
    ] as const) {
      for (const language of languages) assert.equal(mayHold(path, language), true, language);
    }
    assert.equal(mayHold('a.php', 'typescript'), false);
    assert.equal(mayHold('a.ts', 'css'), false);
    assert.equal(mayHold('a.py', 'ruby'), false);
    assert.equal(mayHold('LICENSE', 'vue'), false);
  });

  it('of the preview have grammars and settings', () => {
    assertApproved('previewGrammars', `${JSON.stringify(previewGrammars(), null, 1)}\n`);
    const { languages, grammars, configurationDefaults } = previewContributions();
    assert.equal(languages.length, grammars.length + 1);
    assertApproved(
      'previewContributions',
      `${JSON.stringify({ language: languages[0], grammar: grammars[0], configurationDefaults }, null, 1)}\n`,
    );
    assert.equal(previewFolder('typescript'), 'TypeScript review');
    assert.equal(previewFolder('unknown'), 'Text review');
    assert.equal(previewFolder('constructor'), 'Text review');
    const folders = previewLanguageIds.map(id => previewFolder(id).toLowerCase());
    // VS Code compares patterns without case, and some characters mean something in them.
    assert.equal(new Set(folders).size, folders.length);
    for (const folder of folders) assert.match(folder, /^[a-z+#\- ]+$/);
  });
});
