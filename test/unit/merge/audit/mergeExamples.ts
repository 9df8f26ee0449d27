import type { MergeOptions } from '../../../../src/merge';

export const gap = '// ... existing code ...\n';

export const cart = `import { tax } from './tax';
import { log } from './log';

const limit = 20;

export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

export function isFull(items) {
  return items.length >= limit;
}

export function describe(items) {
  const count = items.length;
  log('describe', count);
  return \`\${count} items\`;
}
`;

/** The change that most tests break in one way each. */
export const taxed = `${gap}  for (const item of items) {
    sum += item.price;
    sum += tax(item);
  }
  return sum;
}
${gap}`;
export const taxedCart = cart.replace('item.price;\n', 'item.price;\n    sum += tax(item);\n');

export interface Example {
  title: string;
  original?: string;
  update?: string;
  merged: string;
  options?: MergeOptions;
}

export const right: Example[] = [
  { title: 'an insertion', update: taxed, merged: taxedCart },
  {
    title: 'a deletion shown by the lines round it',
    update: `${gap}  const count = items.length;\n  return \`\${count} items\`;\n}\n`,
    merged: cart.replace("  log('describe', count);\n", ''),
  },
  {
    title: 'a replaced line',
    update: `${gap}import { log } from './log';\n\nconst limit = 50;\n\nexport function total(items) {\n${gap}`,
    merged: cart.replace('limit = 20', 'limit = 50'),
  },
  {
    title: 'a changed line that stands alone between markers',
    update: `${gap}const limit = 50;\n${gap}`,
    merged: cart.replace('limit = 20', 'limit = 50'),
  },
  {
    title: 'two changes',
    update: `import { tax } from './tax';\nimport { log } from './journal';\n${gap}  return sum;\n}\n\nexport function isFull(items) {\n  return items.length > limit;\n}\n${gap}`,
    merged: cart.replace("'./log'", "'./journal'").replace('>= limit', '> limit'),
  },
  {
    title: 'a moved function',
    update: `${gap}const limit = 20;

export function isFull(items) {
  return items.length >= limit;
}

export function total(items) {
${gap}  return sum;
}

export function describe(items) {
${gap}`,
    merged: cart
      .replace(/export function isFull[\s\S]*?\n}\n\n/, '')
      .replace(
        'export function total',
        'export function isFull(items) {\n  return items.length >= limit;\n}\n\nexport function total',
      ),
  },
  {
    title: 'a whole new file',
    update: cart.replaceAll('items', 'goods').replace('limit = 20', 'limit = 50'),
    merged: cart.replaceAll('items', 'goods').replace('limit = 20', 'limit = 50'),
  },
  {
    title: 'a bare definition in place of the old one',
    update: 'export function isFull(items) {\n  return items.length > limit - 1;\n}\n',
    merged: cart.replace('>= limit', '> limit - 1'),
  },
  {
    title: 'new lines at the end of the file',
    update: `${gap}\nexport const empty = [];\n`,
    merged: `${cart}\nexport const empty = [];\n`,
  },
  {
    title: 'CRLF kept under an LF snippet',
    original: cart.replaceAll('\n', '\r\n'),
    update: taxed,
    merged: taxedCart.replaceAll('\n', '\r\n'),
  },
  {
    title: 'a dedented snippet put at the indentation of the file',
    update: `${gap}let sum = 0;
for (const item of items) {
  sum += item.price;
  sum += tax(item);
}
${gap}`,
    merged: taxedCart,
  },
  {
    title: 'blanks of the snippet turned into the tabs of the file',
    original: cart.replaceAll('  ', '\t'),
    update: taxed,
    merged: taxedCart.replaceAll('  ', '\t'),
  },
  {
    title: 'blank lines beside markers left out',
    update: taxed.replace(gap, `${gap}\n`).replace(/}\n(\/\/ .*\n)$/, '}\n\n$1'),
    merged: taxedCart,
  },
  {
    title: 'a section that shows no change',
    update: `import { tax } from './tax';\n${taxed}  return \`\${count} items\`;\n}\n`,
    merged: taxedCart,
  },
  {
    title: 'a marker that stands for nothing',
    update: `${gap}const limit = 50;\n${gap}export function total(items) {\n${gap}`,
    merged: cart.replace('limit = 20', 'limit = 50'),
  },
  {
    title: 'a selection filled by a snippet without markers',
    update: 'const limit = readLimit();\nconst most = 10 * limit;\n',
    merged: cart.replace(
      'const limit = 20;',
      'const limit = readLimit();\nconst most = 10 * limit;',
    ),
    options: { range: { startLine: 4, endLine: 4 } },
  },
  {
    title: 'aligned columns that the snippet shows with single blanks',
    original: cart.replace('const limit = 20', 'const limit   = 20'),
    update: `${gap}const limit = 20;\nconst most = 40;\n${gap}`,
    merged: cart.replace('const limit = 20;', 'const limit   = 20;\nconst most = 40;'),
  },
  {
    title: 'a block that moved next to a like bracket',
    update: `${gap}  return sum;
}

export function describe(items) {
  const count = items.length;
  log('describe', count);
  return \`\${count} items\`;
}

export function isFull(items) {
  return items.length >= limit;
}
`,
    merged: `${cart.replace(/export function isFull[\s\S]*?\n}\n\n/, '')}
export function isFull(items) {
  return items.length >= limit;
}
`,
  },
  { title: 'no change at all', update: gap, merged: cart },
  { title: 'a first text in an empty file', original: '', update: cart, merged: cart },
  {
    title: 'brackets that were never balanced',
    original: cart.replace('return sum;', 'return (sum;'),
    update: taxed.replace('return sum;', 'return (sum;'),
    merged: taxedCart.replace('return sum;', 'return (sum;'),
  },
];

export interface Mistake extends Example {
  /** Findings as "line severity kind"; all of them. */
  found: string[];
}

export const wrong: Mistake[] = [
  {
    title: 'a dropped function',
    merged: taxedCart.replace(/export function isFull[\s\S]*?\n}\n\n/, ''),
    found: ['13 warning droppedCode'],
  },
  {
    title: 'a line dropped far from the change',
    merged: taxedCart.replace("  log('describe', count);\n", ''),
    found: ['21 error droppedCode'],
  },
  {
    title: 'a line dropped right above the snippet',
    merged: taxedCart.replace('  let sum = 0;\n', ''),
    found: ['7 error droppedCode'],
  },
  {
    title: 'lines dropped between two sections',
    update: `import { tax } from './tax';\n${gap}const limit = 50;\n${gap}`,
    merged: cart.replace('limit = 20', 'limit = 50').replace("import { log } from './log';\n", ''),
    found: ['3 error droppedCode'],
  },
  {
    title: 'the end of the file cut off',
    merged: taxedCart.slice(0, taxedCart.indexOf("  log('describe'")),
    found: ['20 error truncated', '20 warning imbalance'],
  },
  {
    title: 'a marker left in the file',
    merged: gap + taxedCart,
    found: ['1 error leakedMarker'],
  },
  {
    title: 'a code fence left in the file',
    merged: `\`\`\`ts\n${taxedCart}`,
    found: ['1 error codeFence'],
  },
  {
    title: 'a sentence of the chat left in the file',
    merged: `Here is the new file:\n${taxedCart}`,
    found: ['1 error unexplainedChange'],
  },
  {
    title: 'new lines that stand twice',
    merged: taxedCart.replace(
      '  return sum;\n}\n',
      '  return sum;\n}\n  sum += tax(item);\n  }\n  return sum;\n}\n',
    ),
    found: ['10 warning imbalance', '14 error duplicatedBlock'],
  },
  {
    title: 'an old function beside its new form',
    update: 'export function isFull(items) {\n  return items.length > limit - 1;\n}\n',
    merged: `${cart}\nexport function isFull(items) {\n  return items.length > limit - 1;\n}\n`,
    found: ['24 warning wrongPlace'],
  },
  {
    title: 'an old line above its new form',
    update: `${gap}const limit = 50;\n\nexport function total(items) {\n${gap}`,
    merged: cart.replace('const limit = 20;\n', 'const limit = 20;\nconst limit = 50;\n'),
    found: ['4 warning duplicatedBlock'],
  },
  {
    title: 'the last line of the snippet left a second time below it',
    update: `${gap}export function describe(items) {\n  const size = items.length;\n  log('describe', count);\n${gap}`,
    merged: cart.replace(
      '  const count = items.length;\n',
      "  const size = items.length;\n  log('describe', count);\n",
    ),
    found: ['21 warning duplicatedBlock'],
  },
  {
    title: 'a change put into the wrong function',
    update: `${gap}  log('total', sum);\n  return sum;\n${gap}`,
    merged: cart.replace(
      '  return items.length >= limit;\n',
      "  log('total', sum);\n  return sum;\n  return items.length >= limit;\n",
    ),
    found: ['15 warning wrongPlace'],
  },
  {
    title: 'a place where the snippet fits twice',
    original: `${cart}\nexport const limits = [\n  low,\n];\nexport const sizes = [\n  low,\n];\n`,
    update: `${gap}  low,\n  high,\n];\n${gap}`,
    merged: `${cart}\nexport const limits = [\n  low,\n  high,\n];\nexport const sizes = [\n  low,\n];\n`,
    found: ['25 warning wrongPlace'],
  },
  {
    title: 'new lines between markers that nothing ties to their place',
    update: `${gap}log('start');\n${gap}`,
    merged: cart.replace('  let sum', "  log('start');\n  let sum"),
    found: ['7 error lostIndentation', '7 warning wrongPlace'],
  },
  {
    title: 'an old line above a snippet that is open there',
    update: `import { log, warn } from './journal';\n\nconst limit = 20;\n${gap}`,
    merged: cart.replace('const limit', "import { log, warn } from './journal';\n\nconst limit"),
    found: ['4 warning wrongPlace'],
  },
  {
    title: 'a changed number elsewhere',
    merged: taxedCart.replace('limit = 20', 'limit = 30'),
    found: ['4 error unexplainedChange'],
  },
  {
    title: 'a missing change',
    merged: cart,
    found: ['8 error missingEdit'],
  },
  {
    title: 'a change that was made by half',
    update: `import { tax } from './tax';\nimport { log } from './journal';\n${gap}  return sum;\n}\n\nexport function isFull(items) {\n  return items.length > limit;\n}\n${gap}`,
    merged: cart.replace("'./log'", "'./journal'"),
    found: ['11 error missingEdit'],
  },
  {
    title: 'lost indentation of a new line',
    merged: taxedCart.replace('    sum += tax', 'sum += tax'),
    found: ['10 error lostIndentation'],
  },
  {
    title: 'a tab for the blanks of a new line',
    merged: taxedCart.replace('    sum += tax', '\tsum += tax'),
    found: ['10 error lostIndentation'],
  },
  {
    title: 'lost indentation of an old line',
    merged: taxedCart.replace('  return items', 'return items'),
    found: ['16 error lostIndentation'],
  },
  {
    title: 'an old line that keeps its indentation in a new block',
    update: `${gap}const limit = 20;

export function total(items) {
  if (items) {
    let sum = 0;
    for (const item of items) {
      sum += item.price;
    }
    return sum;
  }
}
${gap}`,
    merged: cart
      .replace('  let sum = 0;\n', '  if (items) {\n    let sum = 0;\n')
      .replace('  for (const', '    for (const')
      .replace('    sum +=', '      sum +=')
      .replace('  }\n  return sum;\n', '    }\n  return sum;\n  }\n'),
    found: ['12 warning lostIndentation'],
  },
  {
    title: 'line endings turned to CRLF',
    merged: taxedCart.replaceAll('\n', '\r\n'),
    found: ['1 error lineEndings'],
  },
  {
    title: 'mixed line endings',
    merged: taxedCart.replace('\n', '\r\n'),
    found: ['1 error lineEndings'],
  },
  {
    title: 'a new byte order mark',
    merged: `\uFEFF${taxedCart}`,
    found: ['1 warning lineEndings'],
  },
  {
    title: 'a lost final newline',
    merged: taxedCart.trimEnd(),
    found: ['23 warning finalNewline'],
  },
  {
    title: 'blank lines lost elsewhere',
    merged: taxedCart.replace('}\n\nexport function describe', '}\nexport function describe'),
    found: ['18 warning unexplainedChange'],
  },
  {
    title: 'blanks added at the end of a line elsewhere',
    merged: taxedCart.replace('limit = 20;', 'limit = 20; '),
    found: ['4 warning unexplainedChange'],
  },
  {
    title: 'blanks changed within a line elsewhere',
    merged: taxedCart.replace('limit = 20;', 'limit  = 20;'),
    found: ['4 error unexplainedChange'],
  },
  {
    title: 'a bracket that the snippet does not close',
    update: `${gap}const limit = Math.max(20;\n\nexport function total(items) {\n${gap}`,
    merged: cart.replace('= 20', '= Math.max(20'),
    found: ['4 warning imbalance'],
  },
  {
    title: 'a change outside of the selection',
    merged: taxedCart,
    options: { range: { startLine: 14, endLine: 16 } },
    found: ['10 error outsideSelection'],
  },
  {
    title: 'a bare definition in place of the whole file',
    update: 'export function isEmpty(items) {\n  return !items;\n}\n',
    merged: 'export function isEmpty(items) {\n  return !items;\n}\n',
    found: ['1 warning droppedCode'],
  },
  {
    title: 'a whole new file with a line of its own',
    update: cart.replaceAll('items', 'goods'),
    merged: cart.replaceAll('items', 'goods').replace('let sum', 'let amount'),
    found: ['1 error missingEdit', '7 error unexplainedChange'],
  },
];
