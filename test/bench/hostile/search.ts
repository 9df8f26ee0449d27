import { callsInText } from '../../../src/search/agent/textCalls';
import { TermFinder } from '../../../src/search/local/query/termFinder';
import { termsOf } from '../../../src/search/local/query/terms';
import { TextReader } from '../../../src/search/local/text/fileText';
import { spansOf } from '../../../src/search/local/text/spans';
import { parseListCommand } from '../../../src/search/tools/list';
import { parseRanges } from '../../../src/search/tools/toolText';
import { describeFile } from '../../../src/search/view/results';
import type { Parser } from './parser';
import { code, prose } from './texts';
import { codeTokens } from './tokens';

const listTokens = ["'", '"', '-R', '-name ', '*', '/', '|', 'ls ', 'find ', '1-2', ',', ';'];
const query = 'parse the fence of a block';
const searchTerms = termsOf(query);

export const searchParsers: readonly Parser[] = [
  {
    name: 'query words',
    tokens: [...codeTokens, 'aB', 'A', 'AA', '_', '1', 'ä', '\u00df', '漢'],
    run: text => {
      termsOf(text);
      describeFile({ root: 0, path: 'a.ts', ranges: '*' }, 'let a = 1;\n', text);
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
];
