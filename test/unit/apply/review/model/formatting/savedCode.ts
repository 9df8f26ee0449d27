// Code of three languages, and what formatters make of it when a file is saved.

/** The code without its form, by other means than the review's: all characters but blanks, separators, quotes and parentheses. */
export const codeOf = (lines: readonly string[]): string =>
  lines.join('\n').replaceAll(/[\s,;()'"\\]/g, '');

export interface Language {
  readonly name: string;
  readonly lines: readonly string[];
  /** Other lines for a place, by a number. */
  readonly inserted: (n: number) => readonly string[];
  readonly formatters: readonly (readonly [string, (lines: readonly string[]) => string[]])[];
}

type Format = (lines: readonly string[]) => string[];

const each =
  (change: (line: string) => string): Format =>
  lines =>
    lines.map(line => change(line));
const inText =
  (change: (text: string) => string): Format =>
  lines =>
    change(lines.join('\n')).split('\n');

export const trim = each(line => line.trimEnd());
export const finalNewline: Format = lines => (lines.at(-1) === '' ? [...lines] : [...lines, '']);
const noBlankRuns = inText(text => text.replaceAll(/\n(?:[ \t]*\n){2,}/g, '\n\n'));
const indentTo = (unit: string, from: number): Format =>
  each(line => {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    return unit.repeat(Math.floor(indent / from)) + ' '.repeat(indent % from) + line.slice(indent);
  });
/** One line per item, with a comma behind the last one. */
const wrapLists: Format = lines =>
  lines.flatMap(line => {
    const [, head = '', items, tail = ''] =
      /^(\s*[^'"(]*\()([^()'"]+, [^()'"]+)(\).*)$/.exec(line) ?? [];
    if (!items || line.includes('function') || /^\s*(?:for|if|func|def)/.test(line)) return [line];
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const inner = items.split(', ').map(item => `${indent}  ${item},`);
    return [head, ...inner, indent + tail];
  });
/** Calls in one line, without a comma at the end. */
const joinLists = inText(text =>
  text.replaceAll(/\(\n\s+((?:[\w.]+,\n\s+)*[\w.]+),?\n\s*\)/g, (_, items: string) => {
    return `(${items.split(/,\s*/).join(', ')})`;
  }),
);

const typescript: readonly string[] = Array.from({ length: 9 }, (_, n) => [
  `export function work${n}(input: Input) {  `,
  `    const first${n} = input.list.map(x => x.name${n});`,
  `    const text${n} = 'it is ${n}';\t`,
  `    call${n}(first${n}, text${n}, input.size)`,
  `    register${n}(`,
  `        alpha${n},`,
  `        beta${n},`,
  `        gamma${n}`,
  '    );',
  '',
  '',
  `    if (first${n}.length && text${n} || input.isForced) {`,
  `        total += first${n}.length`,
  '    }',
  `    return { 'name${n}': first${n}, size: total };   `,
  '}',
  '',
]).flat();

const python: readonly string[] = Array.from({ length: 9 }, (_, n) => [
  `def work${n}(source, size):`,
  `    values${n} = [item.name for item in source]  `,
  `    label${n} = 'run ${n}'`,
  `    result${n} = call${n}(values${n}, label${n}, size)`,
  `    store${n}(`,
  `        alpha${n},`,
  `        beta${n}`,
  '    )',
  `    if (size > ${n}):`,
  `        size = size-${n}\t`,
  `    return values${n}, result${n}`,
  '',
]).flat();

const go: readonly string[] = Array.from({ length: 9 }, (_, n) => [
  `func work${n}(source []Item, size int) error {`,
  `    first${n} := len(source)  // the count`,
  `    label${n} := "run"`,
  `    if err := call${n}(first${n}, label${n}, size); err != nil {`,
  '        return err',
  '    }',
  `    options${n} := Options{Name: label${n}, Size:size}`,
  '    ',
  '',
  `    return store${n}(options${n})`,
  '}',
  '',
]).flat();

export const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    lines: typescript,
    inserted: n =>
      [
        [`    added${n}(one${n}, two${n});  `],
        [`    const more${n} = [`, `        'item ${n}',`, '    ];', ''],
        [`        deeper${n} += 1`],
      ][n % 3] ?? [],
    formatters: [
      ['trim', trim],
      ['final newline', finalNewline],
      ['blank lines', noBlankRuns],
      ['indentation', indentTo('  ', 4)],
      ['tabs', indentTo('\t', 4)],
      ['quotes', each(line => line.replaceAll("'", '"'))],
      ['keys', each(line => line.replaceAll(/'(\w+)':/g, '$1:'))],
      [
        'semicolons',
        each(line => line.replace(/([\w)\]])\s*$/, '$1;').replace(/^(\s*\w+),?;$/, '$1')),
      ],
      ['no semicolons', each(line => line.replace(/;\s*$/, ''))],
      ['parameters', each(line => line.replaceAll(/\((\w+) =>/g, '(($1) =>'))],
      ['conditions', each(line => line.replace(/\((\S+ && \S+) \|\|/, '(($1) ||'))],
      [
        'results',
        inText(text => text.replaceAll(/return (\{.*?\});/g, 'return (\n      $1\n    );')),
      ],
      ['longer lists', wrapLists],
      ['shorter lists', joinLists],
    ],
  },
  {
    name: 'Python',
    lines: python,
    inserted: n =>
      [
        [`    added${n}(one${n}, two${n})`],
        [`    more${n} = {`, `        'item': ${n}`, '    }'],
        [`        deeper${n} = size+1  `],
      ][n % 3] ?? [],
    formatters: [
      ['trim', trim],
      ['final newline', finalNewline],
      ['quotes', each(line => line.replaceAll("'", '"'))],
      ['blank lines', inText(text => text.replaceAll(/\n+(?=def )/g, '\n\n\n'))],
      ['operators', each(line => line.replaceAll(/(\w)([-+])(\w)/g, '$1 $2 $3'))],
      ['conditions', each(line => line.replace(/if \((.*)\):/, 'if $1:'))],
      [
        'results',
        inText(text =>
          text.replaceAll(/return (\w+), (\w+)/g, 'return (\n        $1,\n        $2,\n    )'),
        ),
      ],
      ['longer lists', wrapLists],
      ['shorter lists', joinLists],
    ],
  },
  {
    name: 'Go',
    lines: go,
    inserted: n =>
      [
        [`    added${n}(one${n}, two${n})`],
        [`    if more${n} {`, '        panic("more")', '    }'],
        [`    deeper${n} := size+1  // one more`],
      ][n % 3] ?? [],
    formatters: [
      ['trim', trim],
      ['final newline', finalNewline],
      ['blank lines', inText(text => text.replaceAll(/\n(?:[ \t]*\n){2,}/g, '\n\n'))],
      ['tabs', indentTo('\t', 4)],
      ['comments', each(line => line.replace(/ +\/\//, '    //'))],
      ['operators', each(line => line.replaceAll(/(\w)([-+:])(\w)/g, '$1 $2 $3'))],
    ],
  },
];
