import assert from 'node:assert/strict';
import { previewLanguageIds } from '../../../../../src/apply/review/editor/previewLanguages';
import {
  pageContributions,
  pageFolder,
  pageLanguageOf,
} from '../../../../../src/apply/review/page/pageLanguages';

describe('the language of a document of the page', () => {
  it('is told by its folder, wherever the file is', () => {
    for (const languageId of previewLanguageIds)
      assert.equal(
        pageLanguageOf(`/${pageFolder(languageId)}/src/a/b.x`),
        `splice-page-${languageId}`,
      );
    for (const path of ['/src/a.ts', `/src/${pageFolder('typescript')}/a.ts`, '', '/typescript/a'])
      assert.equal(pageLanguageOf(path), undefined, path);
  });

  it('is plain text where no language is known', () => {
    assert.equal(pageLanguageOf(`/${pageFolder('my-own')}/a.x`), 'splice-page-plaintext');
  });

  it('is one that VS Code is told of, with the pattern of its folder and its settings', () => {
    const { languages, grammars, configurationDefaults } = pageContributions();
    assert.deepEqual(
      languages.map(({ id, filenamePatterns }) => [id, ...filenamePatterns]),
      previewLanguageIds.map(id => [`splice-page-${id}`, `**/${pageFolder(id)}/**`]),
    );
    const ids = languages.map(({ id }) => id);
    assert.ok(grammars.length > 0 && grammars.every(({ language }) => ids.includes(language)));
    const [selector = ''] = Object.keys(configurationDefaults);
    assert.deepEqual(
      [...selector.matchAll(/\[([^\]]+)\]/g)].map(([, id]) => id),
      ids,
    );
  });
});
