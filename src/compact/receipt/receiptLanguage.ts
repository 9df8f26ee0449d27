/**
 * The language id of receipts. It is assigned by folder, so that the last segment of the path can be
 * the title of the tab.
 */
export const receiptLanguage = 'splice-receipt';
export const receiptFolder = '.splice-receipt';

/** Language-specific defaults, which override the settings of the user without changing a settings file. */
const editorSettings = {
  'editor.lineNumbers': 'off',
  'editor.codeLens': true,
  'editor.glyphMargin': true,
  'editor.folding': true,
  'editor.showFoldingControls': 'always',
  // Removed ranges are reported as imports, which VS Code folds by default.
  'editor.foldingImportsByDefault': true,
  'editor.foldingMaximumRegions': 65_000,
  'editor.stickyScroll.enabled': true,
  'editor.bracketPairColorization.enabled': false,
  'editor.guides.bracketPairs': false,
  'editor.guides.indentation': false,
  'editor.matchBrackets': 'never',
  'editor.occurrencesHighlight': 'off',
  'editor.selectionHighlight': false,
  'editor.inlayHints.enabled': 'off',
  'editor.links': false,
  'editor.renderWhitespace': 'none',
  'editor.unicodeHighlight.nonBasicASCII': false,
  'editor.unicodeHighlight.invisibleCharacters': false,
  'editor.unusualLineTerminators': 'off',
} as const;

/** What package.json must contribute for the language above. */
export function receiptContributions() {
  return {
    language: {
      id: receiptLanguage,
      aliases: [],
      filenamePatterns: [`**/${receiptFolder}/**`],
      configuration: './media/preview-language.json',
    },
    settings: { [`[${receiptLanguage}]`]: editorSettings },
  };
}
