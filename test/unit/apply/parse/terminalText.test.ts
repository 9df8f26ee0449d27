import assert from 'node:assert/strict';
import { plainText } from '../../../../src/apply/parse/terminalText';

const esc = '\u001B';

describe('text of a terminal or a log', () => {
  const texts: Readonly<Record<string, readonly [string, string]>> = {
    colors: [`${esc}[31m-a${esc}[m\n${esc}[1;32m+b${esc}[0m${esc}[K\n`, '-a\n+b\n'],
    'colors as they are shown': ['^[[31m-a^[[m\n^[[32m+b^[[m\n', '-a\n+b\n'],
    'colors without their first character': ['[31m-a[m\n[32m+b[m\n', '-a\n+b\n'],
    timestamps: ['2026-01-02T03:04:05.1234567Z a\n2026-01-02T03:04:06Z  b\n', 'a\n b\n'],
    'a JSON string': ['"a\\n\\"b\\"\\n"', 'a\n"b"\n'],
    'the line ends of Windows': ['a\r\nb\r\n', 'a\nb\n'],
  };
  for (const [name, [given, plain]] of Object.entries(texts)) {
    it(`loses ${name}`, () => assert.equal(plainText(given), plain));
  }

  const kept: Readonly<Record<string, string>> = {
    'an index that looks like a color': 'x[1m] = a[m]\n',
    'a string with a line end in it': '"a\\nb" + c\n',
    'a line without a timestamp': '2026-01-02T03:04:05Z a\nb\n',
    'one color of a text about colors': 'print("[31m")\n',
    'the colors of a script': 'RED = "\\033[1;31m"\nRESET = "\\x1b[0m"\n',
    'the colors of a script without their first character':
      "const red = esc + '[31m';\nconst plain = esc + '[0m';\n",
    'the colors of a template': ['`', '{esc}[31m', '{text}', '{esc}[0m`\n'].join('$'),
  };
  for (const [name, text] of Object.entries(kept)) {
    it(`keeps ${name}`, () => assert.equal(plainText(text), text));
  }
});
