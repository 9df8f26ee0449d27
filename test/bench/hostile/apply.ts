import { readEditAnswer } from '../../../src/apply/instruct/editAnswer';
import { looksLikeCode, parseClipboard } from '../../../src/apply/parse/clipboard';
import { applyInput, parseToolEdit } from '../../../src/apply/parse/toolEdits';
import { wordSpans } from '../../../src/apply/review/model/wordSpans';
import { rankTargets } from '../../../src/apply/target/rankTargets';
import { hasEdits } from '../../../src/chat/editSource';
import { parseCompactPrompt } from '../../../src/chat/transcript';
import { readMarkdown } from '../../../src/markdown/codeBlocks';
import {
  isPath,
  pathAbove,
  pathFromComment,
  pathFromHeading,
  pathFromInfo,
} from '../../../src/markdown/pathHint';
import type { Parser } from './parser';
import { code, filled, markdownText, prose } from './texts';
import { blockTokens, codeTokens, diffTokens, markdownTokens } from './tokens';

const piecesOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );

const paths = {
  name: 'paths',
  tokens: [
    ...markdownTokens,
    '/',
    '\\',
    '.ts',
    '.',
    '//',
    '<!--',
    '-->',
    '*/',
    ' (',
    ')',
    ' - ',
    'file: ',
    'name=',
    '="',
    "='",
    '`a.ts`',
    ':1',
    'C:',
  ],
};

export const applyParsers: readonly Parser[] = [
  {
    name: 'clipboard',
    tokens: [
      ...markdownTokens,
      ...diffTokens.slice(0, 8),
      ...blockTokens.slice(0, 4),
      'const a = 1;\n',
    ],
    run: text => parseClipboard(text),
    ordinary: markdownText,
    byHand: {
      'quote marks': filled('> '),
      'as many files as fit': length =>
        Array.from(
          { length: length / 40 },
          (_, at) => `**src/f${at}.ts**\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n`,
        ).join(''),
      'a long fence': length => `${'`'.repeat(length / 2)}\na\n${'`'.repeat(length / 2)}`,
      'blank lines before a diff': length =>
        `${'\n'.repeat(length)}--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n`,
      'blocks of one file': length =>
        'a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n'.repeat(length / 50),
      'diffs of as many files as fit': length =>
        Array.from(
          { length: length / 60 },
          (_, at) => `--- a/${at}.ts\n+++ b/${at}.ts\n@@ -1 +1 @@\n-a\n+b\n`,
        ).join(''),
    },
  },
  {
    name: 'code shape',
    tokens: [...codeTokens, "'", '_', '*', '’', 'a.', '!', 'Word ', 'a:', 'a: '],
    run: text => looksLikeCode(text),
    ordinary: code + prose,
    byHand: { 'one word of quotes': filled("'"), 'one word of signs': filled("'_*a") },
  },
  {
    ...paths,
    run: text => {
      pathAbove(text.split('\n'));
      for (const line of [text, ...piecesOf(text, 1000)]) {
        isPath(line);
        pathFromInfo(line);
        pathFromHeading(line);
        pathFromComment(line);
      }
    },
    ordinary: prose.replaceAll('\n', ' '),
  },
  {
    name: 'targets',
    tokens: [...paths.tokens.slice(-18), '../', './', 'file:'],
    run: text =>
      rankTargets({ path: text, text }, [
        { id: 'a', path: 'src/a.ts', text: code, isActive: true, isOpen: true },
      ]),
    ordinary: code,
  },
  {
    name: 'tool edits',
    tokens: [...markdownTokens, ...blockTokens],
    run: text => {
      applyInput.safeParse({ path: 'a.ts', update: text.slice(0, 1_000_000) });
      parseToolEdit(text);
    },
    ordinary: markdownText,
  },
  {
    name: 'answers',
    tokens: [...markdownTokens, '<think>', '</think>', 'CANNOT: '],
    run: text => readEditAnswer(text, { path: 'src/a.ts', languageId: 'typescript' }),
    ordinary: markdownText,
  },
  {
    name: 'changed words',
    tokens: codeTokens,
    run: text => wordSpans(text.split('\n'), text.replaceAll('a', 'b').split('\n')),
    ordinary: code,
  },
  {
    name: 'markdown',
    tokens: markdownTokens,
    run: text => readMarkdown(text),
    ordinary: markdownText,
  },
  {
    name: 'chat',
    tokens: [...markdownTokens, '@@ ', '<<<<< SEARCH', '50%', '%'],
    run: text => {
      hasEdits(text);
      parseCompactPrompt(text);
    },
    ordinary: markdownText,
  },
];
