// The parsers that read texts of others, with the words of what each of them reads.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseClipboard, looksLikeCode } from '../../src/apply/clipboard';
import { readAnswer } from '../../src/apply/instruct/answer';
import { readMarkdown } from '../../src/apply/markdown';
import {
  isPath,
  pathAbove,
  pathFromComment,
  pathFromHeading,
  pathFromInfo,
} from '../../src/apply/pathHint';
import { rankTargets } from '../../src/apply/target';
import { applyInput, editOf } from '../../src/apply/toolEdits';
import { wordSpans } from '../../src/apply/wordSpans';
import { hasEdits } from '../../src/chat/blocks';
import { readWish } from '../../src/chat/transcript';
import { compactText } from '../../src/compact/compactor';
import { readHistory } from '../../src/compact/histories';
import { UnsupportedHistory } from '../../src/compact/histories/history';
import { readJson } from '../../src/compact/histories/json';
import { findSegments } from '../../src/compact/turns';
import { redact } from '../../src/host/redact';
import { hasSecret } from '../../src/host/secretText';
import { escapeMarkdown, labelText } from '../../src/host/words';
import { diffLines } from '../../src/merge/diff/lineDiff';
import { unifiedDiff } from '../../src/merge/diff/unifiedDiff';
import { auditMerge, hasMarkers, mergeEdit } from '../../src/merge/index';
import { isUnifiedDiff, splitByFile } from '../../src/merge/patch/diffText';
import { hasSearchReplace, readSearchReplace } from '../../src/merge/patch/searchReplace';
import { splitLines } from '../../src/merge/text';
import { pickRequest } from '../../src/models/auto';
import { ToolNames } from '../../src/models/toolNames';
import { columnsOf, formatOf, readRecords } from '../../src/reflex/tables';
import { callsInText } from '../../src/search/agent/textCalls';
import { TextReader } from '../../src/search/local/fileText';
import { termsOf } from '../../src/search/local/query';
import { spansOf } from '../../src/search/local/spans';
import { TermFinder } from '../../src/search/local/spellings';
import { describeFile, queryTerms } from '../../src/search/results';
import { parseListCommand } from '../../src/search/tools/list';
import { parseRanges } from '../../src/search/tools/toolText';
import { parseLedger } from '../../src/service/billing/ledger';
import { csvCell, inertText } from '../../src/service/csv';
import { ServiceError, cleanServerText } from '../../src/service/errors';
import { JsonItems } from '../../src/service/jsonItems';
import { retryAfterMs } from '../../src/service/retry';
import { applyMessage, stripFence } from '../../src/service/wire/apply';
import { ServiceClient } from '../../src/service/client';
import { largeEdit } from './largeFile';

export interface Parser {
  readonly name: string;
  readonly tokens: readonly string[];
  readonly run: (text: string) => unknown;
  /** A text of the usual kind, to be repeated. */
  readonly ordinary: string;
  /** Texts made by hand, at a length. */
  readonly byHand?: Readonly<Record<string, (length: number) => string>>;
}

const code = largeEdit(400).original;
const marker = '// ... existing code ...';
const words = (list: string): string[] => list.split(' ');
const filled = (part: string) => (length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const prose =
  'The function reads the file and returns its lines.\nIt was changed because `read` could fail; see (below).\n\n';
const markdownText = `${prose}\`\`\`ts src/a.ts\n${code.slice(0, 1500)}\n\`\`\`\n\n`;
const diffText = unifiedDiff('src/a.ts', code, code.replaceAll('const', 'let')).text;
const markdownTokens = [
  ...words('> - * + 1. ``` ~~~ ` ` ** # ### :'),
  '> ',
  '- ',
  '1) ',
  '```ts\n',
  '```\n',
  '\n```\n',
  '~~~\n',
  '*/ ',
  'src/a.ts',
  '**src/a.ts**\n',
  'title="a.ts"',
  '"',
  "'",
  '\n> > ',
  '// src/a.ts\n',
];
const codeTokens = [
  ...words('{ } ( ) [ ] ; , = => : . \' " ` // /* */ <!-- --> # @ -- ...'),
  'const ',
  'end',
  'function a(',
  marker,
  `${marker}\n`,
];
const diffTokens = [
  '--- a/a.ts\n',
  '+++ b/a.ts\n',
  '@@ -1,3 +1,3 @@\n',
  '@@ ',
  '@@',
  'diff --git a/a b/a\n',
  '+a\n',
  '-a\n',
  ' a\n',
  '*** Update File: a\n',
  '*** Begin Patch\n',
  '\\ No newline\n',
  'GIT binary patch\n',
  '--- ',
  '+++ ',
];
const blockTokens = [
  '<<<<<<< SEARCH\n',
  '=======\n',
  '>>>>>>> REPLACE\n',
  '<<<<<',
  '<<<<<<< SEARCH',
  '=====',
  '>>>>>',
  'a.ts\n',
  '```\n',
  '----- SEARCH',
  '<old_str>',
  '</old_str>',
  '<new_str>',
  '</new_str>',
];
const headerTokens = [
  '## User\n',
  '## Assistant\n',
  'User: ',
  '\nUser: hi\n',
  '**User:** ',
  '# ',
  '[tool_result]',
  '(',
  ')',
  ' (',
  ') ',
  ': ',
  ' - ',
  ' | ',
  '=== ',
  '{"role": "user", ',
  '"a": "b", ',
  '"role": "',
  '```\n',
  '````\n',
  '```ts\n',
  '#### ',
  '> ',
  '$ ',
  'a@b:',
  '>>> ',
  '_**',
  '<',
  '*',
  '\n=== A ===\n',
  '\n# a - a',
  '\n# a: a',
  '\n# A ()',
  '<keepContext>',
  '</keepContext>',
  '\n\u23fa ',
];
const jsonTokens = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u',
  '1',
  '1e',
  '-',
  'true',
  'null',
  '{"a":',
  '[[',
  '"a":1,',
  '{"type":"user","message":{"role":"user","content":"a"}}\n',
  '{"data":[',
  '{"id":"a","model":"b"},',
];
const secretTokens = [
  'eyJ',
  'eyJ-',
  'eyJhbGciOiJIUzI1NiJ9',
  '.eyJhbGciOiJIUzI1NiJ9',
  '.',
  '-',
  'sk-',
  'sk_live_',
  'abc8Q~',
  'AZDO',
  '.atlasv1.',
  'AAAA',
  'PMAK-',
  'Private-Lines: 1',
  'ghp_',
  'xoxb-',
  'AKIA',
  'AIza',
  'SG.',
  'Bearer ',
  '://',
  ':',
  '@',
  'password',
  'password=',
  'token: ',
  '"',
  '-----BEGIN ',
  'A ',
  'api_key',
  '=',
  'A1b2C3d4E5',
  '/',
  'token_',
];
const csvTokens = ['"', '""', ',', ';', 'a,b\n', '"a', '"\n', 'a"b', ',,', '\\"', "'"];
const listTokens = ["'", '"', '-R', '-name ', '*', '/', '|', 'ls ', 'find ', '1-2', ',', ';'];

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
const query = 'parse the fence of a block';
const searchTerms = termsOf(query);
const refusal = (error: unknown): undefined => {
  if (error instanceof ServiceError || error instanceof UnsupportedHistory) return undefined;
  throw error;
};
const attempt = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return refusal(error);
  }
};

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 1 << 16) yield text.slice(at, at + (1 << 16));
}

/** A client whose service answers every request with one body. */
export function clientOf(type: string, body: string): ServiceClient {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const all = Buffer.from(body);
    for (let at = 0; at < all.length; at += 1 << 16) yield all.subarray(at, at + (1 << 16));
  }
  return new ServiceClient({
    baseUrl: () => 'https://service.test',
    apiKey: async () => 'sk-hostile',
    transport: async () => ({
      concurrency: 1,
      request: async () => ({
        status: 200,
        headers: new Headers({ 'content-type': type }),
        body: bytes(),
        cancel: () => undefined,
      }),
    }),
  });
}

const { signal: never } = new AbortController();
const ask = { model: 'svc-glm52-744b', messages: [{ role: 'user', content: 'go' }] } as const;
const delta = `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content: 'a word or two ' } }] })}\n\n`;
const fixture = (name: string): string =>
  readFileSync(path.join('test/fixtures/histories', name), 'utf8');

async function readTable(name: string, text: string): Promise<void> {
  const format = formatOf(name, text.slice(0, 1000));
  if (!format) return;
  try {
    let first: string[][] | undefined;
    for await (const records of readRecords(chunksOf(text), format)) first ??= records;
    columnsOf(first ?? [], format);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'UserError')) throw error;
  }
}

export const parsers: readonly Parser[] = [
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
    name: 'markdown',
    tokens: markdownTokens,
    run: text => readMarkdown(text),
    ordinary: markdownText,
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
      isPath(text);
      pathFromInfo(text);
      pathFromHeading(text);
      pathFromComment(text);
      pathAbove(text.split('\n'));
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
      editOf(text);
    },
    ordinary: markdownText,
  },
  {
    name: 'answers',
    tokens: [...markdownTokens, '<think>', '</think>', 'CANNOT: '],
    run: text => readAnswer(text, { path: 'src/a.ts', languageId: 'typescript' }),
    ordinary: markdownText,
  },
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
    name: 'chat',
    tokens: [...markdownTokens, '@@ ', '<<<<< SEARCH', '50%', '%'],
    run: text => {
      hasEdits(text);
      readWish(text);
    },
    ordinary: markdownText,
  },
  {
    name: 'turns',
    tokens: headerTokens,
    run: text => findSegments(text),
    ordinary: fixture('transcript.md'),
  },
  {
    name: 'compaction',
    tokens: headerTokens,
    run: text => compactText(text, { query: 'the parser', ratio: 0.5 }),
    ordinary: fixture('transcript.md') + fixture('aider.md'),
  },
  {
    name: 'histories (text)',
    tokens: headerTokens,
    run: text => attempt(() => readHistory('a.md', text)),
    ordinary: fixture('transcript.md'),
  },
  {
    name: 'histories (lines)',
    tokens: [
      ...jsonTokens,
      fixture('claude.jsonl').split('\n')[0] ?? '',
      fixture('codex.jsonl').split('\n')[0] ?? '',
      '\n{',
      '{"',
      '\n',
    ],
    run: text => attempt(() => readHistory('a.jsonl', text)),
    ordinary: fixture('claude.jsonl'),
    byHand: {
      'nested lists': filled('['),
      'nested lists in a line': length => `{"type":"user","message":${'['.repeat(length)}`,
    },
  },
  {
    name: 'histories (JSON)',
    tokens: jsonTokens,
    run: text => {
      attempt(() => readHistory('a.json', text));
      readJson(text);
    },
    ordinary: `{"messages":[${'{"role":"user","content":"hello there"},'.repeat(30)}{"role":"assistant","content":"hi"}]}`,
    byHand: { 'nested lists': filled('['), 'nested objects': filled('{"a":') },
  },
  {
    name: 'secrets',
    tokens: secretTokens,
    run: text => hasSecret(text),
    ordinary: code + prose,
    byHand: { 'beginnings of tokens': filled('eyJ-') },
  },
  { name: 'redaction', tokens: secretTokens, run: text => redact(text), ordinary: code + prose },
  {
    name: 'labels',
    tokens: [...markdownTokens, '](', '$(', 'www.', '1.', '\u200b', '<', '&'],
    run: text => {
      escapeMarkdown(text);
      labelText(text);
      cleanServerText(text);
      csvCell(text);
      inertText(text);
    },
    ordinary: prose,
  },
  {
    name: 'CSV',
    tokens: csvTokens,
    run: text => readTable('a.csv', text),
    ordinary: 'id,text,note\n1,"some, text",a note\n',
    byHand: {
      'as many columns as fit': length => `${'a,'.repeat(length / 2)}a\n1,2\n`,
      'columns of one name': length => `${'a b,'.repeat(length / 4)}\n`,
    },
  },
  {
    name: 'JSON lines',
    tokens: jsonTokens,
    run: text => readTable('a.jsonl', text),
    ordinary: '{"text":"some text","id":1}\n',
    byHand: { 'nested lists': filled('[') },
  },
  {
    name: 'query words',
    tokens: [...codeTokens, 'aB', 'A', 'AA', '_', '1', 'ä', '\u00df', '漢'],
    run: text => {
      termsOf(text);
      queryTerms(text);
    },
    ordinary: prose,
  },
  {
    name: 'local search of a file',
    tokens: [
      ...codeTokens,
      'parse',
      'fence',
      'parseFence',
      ')]}',
      '>',
      '\n  }',
      '\n)',
      '  ',
      '\tpublic ',
      'public ',
      '\n  a(',
      'int a',
      '):',
      '\nfunction parse(',
      '\nparse block fence',
    ],
    run: text => {
      const { hits } = new TextReader(searchTerms, new TermFinder(searchTerms)).read(text);
      const weights = searchTerms.map(() => 1);
      return spansOf(text, hits, weights, 80);
    },
    ordinary: code,
    byHand: {
      'a line of brackets below a hit': length =>
        `function parse() {\n  block();\n${')'.repeat(length)}x\n`,
    },
  },
  {
    name: 'found files',
    tokens: [...codeTokens, 'parse ', 'export ', 'pub(', 'type '],
    run: text => describeFile({ root: 0, path: 'a.ts', ranges: '*' }, text, query),
    ordinary: code,
  },
  {
    name: 'calls in text',
    tokens: [
      '<tool_call>',
      '</tool_call>',
      '<tool_call>{',
      '}',
      '{',
      '<function=a>',
      '</function>',
      '<function=',
      '<parameter=a>',
      '</parameter>',
      '<parameter=',
      '>',
    ],
    run: text => callsInText(text),
    ordinary: `${prose}<tool_call>{"name":"read","arguments":{"path":"a.ts"}}</tool_call>\n<function=grep><parameter=pattern>a</parameter></function>`,
  },
  {
    name: 'list commands',
    tokens: listTokens,
    run: text => {
      parseListCommand(text);
      parseRanges(text);
    },
    ordinary: 'find src -name "*.ts" -type f ',
  },
  {
    name: 'tool names',
    tokens: ['_', '-', '.', '__', 'a_', '_h', '0', 'é'],
    run: text => new ToolNames().toWire(text),
    ordinary: 'mcp_server.read_file ',
  },
  {
    name: 'prompts for the router',
    tokens: ['<userRequest>', '</userRequest>', '<userRequest', '<', '>'],
    run: text =>
      pickRequest(
        {
          turns: [{ role: 'user', parts: [{ type: 'text', text }] }],
          tools: [],
          toolMode: 'auto',
        },
        [],
        10,
      ),
    ordinary: `${prose}<userRequest>${prose}</userRequest>`,
  },
  {
    name: 'merged files',
    tokens: [...markdownTokens, '</code>', '<code>', '</code', '_s0', '_s1', '~~~~'],
    run: text => {
      const { restore } = applyMessage({ original: text, update: text });
      stripFence(restore(text), { original: code, update: code });
    },
    ordinary: markdownText,
    byHand: {
      'every suffix': length =>
        `</code>${Array.from({ length: length / 8 }, (_, at) => `_s${at}`).join('')}`,
      'a long fence': length => `${'`'.repeat(length / 2)}\na\n${'`'.repeat(length / 2)}`,
    },
  },
  {
    name: 'JSON items',
    tokens: jsonTokens,
    run: text =>
      attempt(() => {
        const items = new JsonItems({ listNames: ['data'], isItem: () => true, maxChars: 4 << 20 });
        for (let at = 0; at < text.length; at += 1 << 16)
          items.feed(text.slice(at, at + (1 << 16)));
      }),
    ordinary: `{"data":[${'{"id":"a","label":"b"},'.repeat(2000)}{"id":"a"}]}\n`,
  },
  {
    name: 'JSON answers',
    tokens: jsonTokens,
    run: text => clientOf('application/json', text).chat(ask, { signal: never }).catch(refusal),
    ordinary: '{"id":"a","object":"chat.completion","choices":[]}          ',
    byHand: {
      'lists in lists': length => '['.repeat(length / 2) + ']'.repeat(length / 2),
      'lists in a field': length => `{"a":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}`,
      'many lists': length => `{"a":[${'[],'.repeat(length / 3)}[]]}`,
      'objects in objects': length => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
    },
  },
  {
    name: 'server-sent events',
    tokens: [
      'data: ',
      'data:',
      '\n',
      '\n\n',
      'event: a\n',
      'id: 1\n',
      'retry: 1\n',
      ': comment\n',
      'x: y\n',
      'x\n',
      ':\n',
      '\r',
      '\r\n',
      'data: {}\n\n',
      'data: [DONE]\n\n',
      delta,
      'a: b\r\n',
      'data: [[\n\n',
    ],
    run: text =>
      clientOf('text/event-stream', text).chat(ask, { signal: never, stream: true }).catch(refusal),
    ordinary: delta,
    byHand: {
      'lines of unknown fields': filled('x: y\n'),
      'lines without a field': filled('x\n'),
      comments: filled(':\n'),
    },
  },
  {
    name: 'retry hints',
    tokens: ['1', ',', ' ', '.', 'mon', 'Mon, ', 'try again in ', 's', 'ms', 'in ', 'retry'],
    run: text =>
      retryAfterMs(new Headers(), text, 0) ?? retryAfterMs({ get: () => text }, undefined, 0),
    ordinary: 'Rate limit reached; please try again in 3 seconds. ',
  },
  {
    name: 'ledgers',
    tokens: jsonTokens,
    run: text => parseLedger(text),
    ordinary: '{"at":1,"operation":"chat","usd":0.1}\n',
  },
  {
    name: 'changed words',
    tokens: codeTokens,
    run: text => wordSpans(text.split('\n'), text.replaceAll('a', 'b').split('\n')),
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
  },
  {
    name: 'merge into a hostile file',
    tokens: [...codeTokens, '\n}\n', '{\n', 'a\n', '  a();\n', '\n\n', 'class A {\n', 'def a():\n'],
    run: text => {
      const update = `${marker}\n  step();\n  stop();\n}\n${marker}\n`;
      const result = mergeEdit(text, update, { path: 'a.ts' });
      if (result.kind === 'merged') auditMerge(text, update, result.text, { path: 'a.ts' });
    },
    ordinary: code,
  },
];
