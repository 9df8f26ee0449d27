import { splitLines } from '../../../src/base/text/textLines';
import { pathAbove } from '../../../src/markdown/pathHint';
import { diffLines } from '../../../src/merge/diff/lineDiff';
import { auditMerge, hasMarkers, mergeEdit } from '../../../src/merge/index';
import { isUnifiedDiff, splitByFile } from '../../../src/merge/patch/read/diffText';
import { hasSearchReplace, readSearchReplace } from '../../../src/merge/patch/read/searchReplace';
import type { Parser } from './parser';
import { code, diffText, marker } from './texts';
import { blockTokens, codeTokens, diffTokens, markdownTokens } from './tokens';

export const mergeParsers: readonly Parser[] = [
  {
    name: 'diff',
    tokens: diffTokens,
    run: text => isUnifiedDiff(text) && splitByFile(text),
    ordinary: diffText,
  },
  {
    name: 'blocks',
    tokens: blockTokens,
    run: text => hasSearchReplace(text) && readSearchReplace(text, pathAbove),
    ordinary: `a.ts\n<<<<<<< SEARCH\n${code.slice(0, 400)}\n=======\n${code.slice(0, 500)}\n>>>>>>> REPLACE\n`,
  },
  {
    name: 'markers',
    tokens: [
      ...codeTokens,
      '-',
      '=',
      '*',
      '…',
      '. ',
      '.',
      '****',
      '----',
      '\n// ',
      'rest of ',
      "a'",
      '#',
    ],
    run: text => hasMarkers(text),
    ordinary: code,
  },
  {
    name: 'line diff',
    tokens: ['a\n', 'b\n', '}\n', '\n', 'a\nb\n', '{\n'],
    run: text => {
      const lines = splitLines(text);
      return diffLines(lines, [...lines].reverse());
    },
    ordinary: code,
  },
  {
    name: 'merge',
    mostRecipes: 2500,
    tokens: [
      ...codeTokens,
      ...markdownTokens,
      ...diffTokens.slice(0, 7),
      ...blockTokens,
      '\n}\n',
      '{\n',
      'a\n',
      '  a();\n',
    ],
    run: text => {
      const result = mergeEdit(code, text, { path: 'a.ts' });
      if (result.kind === 'merged') auditMerge(code, text, result.text, { path: 'a.ts' });
    },
    ordinary: code,
    byHand: {
      'as many lines as are taken': length =>
        `// ... existing code ...\n${'         }\n'.repeat(length / 12)}`,
      'marked lines': length => '+        }\n         }\n'.repeat(length / 22),
    },
  },
  {
    name: 'merge into a hostile file',
    mostRecipes: 2500,
    tokens: [...codeTokens, '\n}\n', '{\n', 'a\n', '  a();\n', '\n\n', 'class A {\n', 'def a():\n'],
    run: text => {
      const update = `${marker}\n  step();\n  stop();\n}\n${marker}\n`;
      const result = mergeEdit(text, update, { path: 'a.ts' });
      if (result.kind === 'merged') auditMerge(text, update, result.text, { path: 'a.ts' });
    },
    ordinary: code,
  },
];
