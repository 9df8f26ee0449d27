/** A text with the number of its tokens in two public vocabularies, of 100,000 and of 200,000 tokens. */
export interface Sample {
  readonly kind: string;
  readonly text: string;
  readonly tokens: readonly [small: number, large: number];
}

const prose = `A language model does not read letters. Its text is first cut into pieces, some of them whole words, some only a few letters long, and each piece becomes a number. How many pieces a text has decides what the request costs and whether it fits at all, so an editor wants to know it before anything is sent.

Counting exactly would need the vocabulary of every model, a few megabytes each, and time that a person who is typing does not have. An estimate that is wrong by a few percent is good enough, provided that it is wrong in the same direction each time: then the usage that comes back with every answer tells how far off it is, and the next estimate can be put right.`;

const typescript = `import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface Entry {
  readonly id: string;
  readonly sizeBytes: number;
  readonly tags?: readonly string[] | undefined;
}

/** Reads the index; entries that cannot be read are left out. */
export async function readIndex(folder: string, signal: AbortSignal): Promise<Entry[]> {
  const text = await readFile(path.join(folder, 'index.json'), { encoding: 'utf8', signal });
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items)) throw new TypeError('the index is no list');
  return items.filter(isEntry).sort((a, b) => b.sizeBytes - a.sizeBytes || a.id.localeCompare(b.id));
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}
`;

const python = `from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path


class WordIndex:
    """Maps each word to the lines that it stands on."""

    def __init__(self, min_length: int = 3) -> None:
        self.min_length = min_length
        self._lines: dict[str, list[int]] = defaultdict(list)

    def add(self, number: int, line: str) -> None:
        for word in line.lower().split():
            if len(word) >= self.min_length and word.isalpha():
                self._lines[word].append(number)

    def most_common(self, count: int = 10) -> list[tuple[str, int]]:
        ranked = sorted(self._lines.items(), key=lambda item: (-len(item[1]), item[0]))
        return [(word, len(lines)) for word, lines in ranked[:count]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Counts words.")
    parser.add_argument("path", type=Path)
    args = parser.parse_args()
    index = WordIndex()
    for number, line in enumerate(args.path.read_text().splitlines(), start=1):
        index.add(number, line)
    print(index.most_common())
`;

const rust = `use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Token<'a> {
    Word(&'a str),
    Number(f64),
    Sign(char),
}

pub fn tokenize(input: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::with_capacity(input.len() / 4);
    let mut rest = input.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            'a'..='z' | 'A'..='Z' | '_' => rest.find(|c: char| !c.is_alphanumeric() && c != '_'),
            '0'..='9' => rest.find(|c: char| !c.is_ascii_digit() && c != '.'),
            _ => Some(first.len_utf8()),
        }
        .unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        tokens.push(match first {
            '0'..='9' => Token::Number(word.parse().map_err(|_| ParseError::BadNumber)?),
            c if c.is_alphabetic() || c == '_' => Token::Word(word),
            c => Token::Sign(c),
        });
        rest = tail.trim_start();
    }
    Ok(tokens)
}
`;

const schema = JSON.stringify({
  name: 'replace_string_in_file',
  description:
    'Replaces one occurrence of a text in a file. The old text must be unique; include at least three lines of context before and after it.',
  parameters: {
    type: 'object',
    properties: {
      filePath: { type: 'string', description: 'An absolute path to the file to edit.' },
      oldString: { type: 'string', description: 'The exact text to replace, with all blanks.' },
      newString: { type: 'string', description: 'The text to put in its place.' },
      options: {
        type: 'object',
        properties: {
          dryRun: { type: 'boolean', default: false },
          encoding: { type: 'string', enum: ['utf8', 'utf16le', 'latin1'] },
          maxChanges: { type: 'integer', minimum: 1, maximum: 100 },
        },
      },
    },
    required: ['filePath', 'oldString', 'newString'],
  },
});

const pretty = JSON.stringify(
  Array.from({ length: 12 }, (_, n) => ({
    id: `order-${1000 + n * 37}`,
    state: ['ready', 'provisioning', 'canceled'][n % 3],
    createdAt: `2026-0${(n % 9) + 1}-1${n % 10}T08:${10 + n}:00Z`,
    price: { input: 0.15 * n, output: 1.1 + n, currency: 'USD' },
    tags: n % 2 === 0 ? ['gpu', 'reserved'] : [],
  })),
  null,
  2,
);

const markdown = `# Getting started

1. Install the package: \`npm install --save-dev kettle\`
2. Add a script to \`package.json\`:

   \`\`\`json
   { "scripts": { "brew": "kettle --temperature 96 ./leaves" } }
   \`\`\`

3. Run \`npm run brew\`.

| Option          | Default | What it does                               |
| --------------- | ------- | ------------------------------------------ |
| \`--temperature\` | \`96\`    | Water temperature in degrees Celsius       |
| \`--steep\`       | \`180\`   | How long the leaves stay in the water, in s |
| \`--verbose\`     | off     | Writes every step to the console           |

> **Note:** green tea wants *cooler* water; see [the table](docs/teas.md#green).
`;

const log = Array.from(
  { length: 14 },
  (_, n) =>
    `2026-11-21T09:${String(10 + n)}:${String((n * 7) % 60).padStart(2, '0')}.${100 + n * 3}Z [info] request ${n * 17} POST /v1/chat/completions 200 in ${120 + n * 31} ms (attempt 1, ${n * 211} bytes)`,
).join('\n');

const trace = `TypeError: Cannot read properties of undefined (reading 'length')
    at countWords (/home/ada/kettle/src/words.ts:42:18)
    at Array.map (<anonymous>)
    at summarize (/home/ada/kettle/src/summary.ts:108:31)
    at async Promise.all (index 3)
    at async main (/home/ada/kettle/src/main.ts:17:5) {
  code: 'ERR_KETTLE_EMPTY',
  [cause]: RangeError: Invalid string length
      at String.repeat (<anonymous>)
      at indent (/home/ada/kettle/src/text.ts:9:14)
}
`;

const chinese =
  '语言模型并不直接阅读文字。文本首先被切分成许多小片段,有的是完整的词,有的只有一两个字,每个片段都会变成一个数字。一段文本有多少个片段,决定了请求的费用,也决定了它是否能够放进模型的窗口。因此编辑器希望在发送之前就知道这个数目。精确的计数需要每个模型的词表,而估计值只要误差稳定就足够了。';

const japanese =
  '言語モデルは文字をそのまま読むわけではありません。文章はまず小さな断片に分けられ、それぞれが数字に置き換えられます。断片の数によって料金が決まり、モデルの窓に収まるかどうかも決まります。そのためエディタは送信する前にその数を知りたいのです。正確に数えるにはモデルごとの語彙が必要ですが、誤差が一定であれば見積もりで十分です。';

const russian =
  'Языковая модель не читает буквы. Текст сначала делится на части, одни из них целые слова, другие всего из нескольких букв, и каждая часть становится числом. От количества частей зависит цена запроса и то, поместится ли он в окно модели, поэтому редактор хочет знать его до отправки.';

const german =
  'Ein Sprachmodell liest keine Buchstaben. Sein Text wird zuerst in Stücke geschnitten, manche davon ganze Wörter, manche nur wenige Buchstaben lang, und jedes Stück wird eine Zahl. Wie viele Stücke ein Text hat, entscheidet über den Preis der Anfrage und darüber, ob sie überhaupt in das Kontextfenster passt.';

export const samples: readonly Sample[] = [
  { kind: 'prose', text: prose, tokens: [145, 144] },
  { kind: 'TypeScript', text: typescript, tokens: [198, 202] },
  { kind: 'Python', text: python, tokens: [263, 264] },
  { kind: 'Rust', text: rust, tokens: [273, 276] },
  { kind: 'tool schema', text: schema, tokens: [170, 172] },
  { kind: 'JSON', text: pretty, tokens: [1011, 1023] },
  { kind: 'Markdown', text: markdown, tokens: [173, 173] },
  { kind: 'log', text: log, tokens: [625, 625] },
  { kind: 'stack trace', text: trace, tokens: [132, 133] },
  { kind: 'Chinese', text: chinese, tokens: [155, 108] },
  { kind: 'Japanese', text: japanese, tokens: [164, 120] },
  { kind: 'Russian', text: russian, tokens: [116, 70] },
  { kind: 'German', text: german, tokens: [89, 64] },
];
