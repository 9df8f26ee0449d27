import { pageScheme } from '../../../platform/ids';
import {
  labelFormatter,
  previewContributions,
  previewIcon,
  previewLanguageIds,
} from '../editor/previewLanguages';

/** How long after typing the text is stored, in milliseconds. */
export const autoSaveDelayMs = 200;

/**
 * The private languages of the page for a whole change set: those of the review preview once more, because the diff
 * editor takes line numbers, code lenses and saving from the language.
 */
const pageSettings = {
  'editor.lineNumbers': 'on',
  'editor.codeLens': true,
  'editor.wordWrap': 'off',
  'editor.stickyScroll.enabled': false,
  'editor.inlayHints.enabled': 'off',
  'editor.unicodeHighlight.nonBasicASCII': false,
  'editor.formatOnSave': false,
  'diffEditor.codeLens': true,
  'diffEditor.renderSideBySide': false,
  // What is typed is stored at once, so that VS Code neither opens a tab for it nor asks at the end.
  'files.autoSave': 'afterDelay',
  'files.autoSaveDelay': autoSaveDelayMs,
  'files.encoding': 'utf8',
  'files.autoGuessEncoding': false,
  'files.insertFinalNewline': false,
  'files.trimFinalNewlines': false,
  'files.trimTrailingWhitespace': false,
} as const;

const pageLanguage = (languageId: string) => `splice-page-${languageId}`;

/** The folder that gives a document of the page its language. VS Code may show it, so it is readable. */
export function pageFolder(languageId: string): string {
  const known = previewLanguageIds.includes(languageId) ? languageId : 'plaintext';
  return `${folderStart}${known}`;
}

const folderStart = 'Splice review of ';

/** The language of a document of the page, by its path; undefined for another one. */
export function pageLanguageOf(path: string): string | undefined {
  const [, folder = ''] = path.split('/');
  const languageId = folder.startsWith(folderStart) ? folder.slice(folderStart.length) : '';
  return previewLanguageIds.includes(languageId) ? pageLanguage(languageId) : undefined;
}

/** What package.json must contribute for the page. */
export function pageContributions() {
  return {
    languages: previewLanguageIds.map(languageId => ({
      id: pageLanguage(languageId),
      aliases: [],
      filenamePatterns: [`**/${pageFolder(languageId)}/**`],
      configuration: './media/preview-language.json',
      icon: previewIcon,
    })),
    // The same grammars: a scope has only one file.
    grammars: previewContributions().grammars.map(({ language, ...grammar }) => ({
      language: language.replace('splice-review-', 'splice-page-'),
      ...grammar,
    })),
    configurationDefaults: {
      [previewLanguageIds.map(languageId => `[${pageLanguage(languageId)}]`).join('')]:
        pageSettings,
    },
    resourceLabelFormatters: [labelFormatter(pageScheme)],
  };
}
