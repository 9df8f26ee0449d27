import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mergeEdit } from '../../../../src/merge';
import { cleanSnippet } from '../../../../src/merge/snippet/cleanSnippet';
import { cpuMs } from '../../../support/unit/cpuTime';

const original = [
  'import { a } from "a";',
  '',
  'export function first(one: string, two: number) {',
  '  const sum = one.length + two;',
  '  return sum;',
  '}',
  '',
  'export function second() {',
  '  return call(1, "two", { three: 3 }, () => 4);',
  '}',
  '',
].join('\n');
const code = [
  'export function first(one: string, two: number) {',
  '  const sum = one.length * two;',
  '  return sum;',
  '}',
].join('\n');

const unchanged = (update: string, source = original): void =>
  assert.equal(cleanSnippet(update, source), update);
const cleaned = (update: string, expected: string, source = original): void =>
  assert.equal(cleanSnippet(update, source), expected);

const numbered = (draw: (text: string, number: number) => string): string =>
  code
    .split('\n')
    .map((text, at) => draw(text, at + 9))
    .join('\n');

describe('cleanSnippet, fences and chatter', () => {
  it('takes off a fence with chatter round it', () => {
    cleaned(
      `Sure! Here is \`first\` with a product:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nKey changes:\n- \`a() { }\` is new, and\n1. **Fast**: it is\n`,
      code,
    );
  });

  it('takes off a fence that lost its other end', () => {
    cleaned(`\`\`\`ts\n${code}`, code);
    cleaned(`Here it is:\n\`\`\`ts\n${code}`, code);
    cleaned(`${code}\n\`\`\`\nLet me know!`, code);
  });

  it('joins the blocks of one answer, without commands for a terminal', () => {
    cleaned(
      'First:\n```ts\na\n```\nInstall it:\n```bash\nnpm i a\n```\nThen:\n```ts\nb\n```',
      'a\n...\nb',
    );
  });

  it('leaves fences that are part of the file', () => {
    const readme = '# A\n\n```ts\nold();\n```\n\nText\n';
    unchanged('```ts\nfresh();\n```\n', readme);
    unchanged('# A\n\n```js\nfresh();\n```\n', readme);
    cleaned(
      '```markdown\n# A\n\n```ts\nfresh();\n```\n```\n',
      '# A\n\n```ts\nfresh();\n```',
      readme,
    );
    cleaned('```\n# A\n\n```ts\nfresh();\n```\n```\n', '# A\n\n```ts\nfresh();\n```', readme);
    cleaned('```js\n// ...\nfresh();\n```\n', '// ...\nfresh();', readme);
    cleaned('```text\n# A\n\nText\n```\n', '# A\n\nText', readme);
    unchanged('def f():\n    """Doc\n\n```\nexample\n```\n"""\n');
  });

  it('takes off sentences to the user that no fence sets apart', () => {
    cleaned(`Here is the updated code:\n\n${code}`, `\n${code}`);
    cleaned(`${code}\n\nLet me know if you want more changes.`, `${code}\n`);
    cleaned(`${code}\n\nI've changed the sum.\n\nThe rest works as it did.\n`, `${code}\n`);
  });

  it('takes off the name of the file above its code', () => {
    cleaned(`// src/a.ts\n${code}`, code);
    cleaned(`\`\`\`ts\n// File: src/a/b.test.ts\n${code}\n\`\`\``, code);
    cleaned('<!-- pages/a.html -->\n<b/>', '<b/>');
    unchanged(`// src/a.ts\n${code}`, `// src/a.ts\n${original}`);
    unchanged(`// see src/a.ts\n${code}`);
    unchanged(`#!/bin/sh\n${code}`);
    unchanged(`// a.ts\n${code}`);
  });

  it('leaves sentences in a file of sentences, and those of the file', () => {
    const notes = 'Some words that were here.\nThis is another sentence.\n';
    cleaned(
      'Some words that were here.\n\nLet me know if you need more.',
      'Some words that were here.\n',
      notes,
    );
    unchanged('Some words that were here.\n\nNote that this is new text.\n', notes);
    unchanged(`Here is the updated code:\n${code}`, `Here is the updated code:\n${original}`);
    unchanged('# Here is the code:\nprint(1)\n');
  });
});

describe('cleanSnippet, line numbers', () => {
  it('takes off line numbers in any dress', () => {
    cleaned(
      numbered((text, number) => `${number} | ${text}`),
      code,
    );
    cleaned(
      numbered((text, number) => `${number}|${text}`),
      code,
    );
    cleaned(
      numbered((text, number) => `${number}: ${text}`),
      code,
    );
    cleaned(
      numbered((text, number) => `${String(number).padStart(6)}\t${text}`),
      code,
    );
    cleaned(
      numbered((text, number) => `${number}→${text}`),
      code,
    );
    cleaned(
      numbered((text, number) => `${String(number).padStart(4)}  ${text}`),
      code,
    );
    cleaned(
      `// ... existing code ...\n${numbered((text, number) => `L${number}: ${text}`)}`,
      `// ... existing code ...\n${code}`,
    );
  });

  it('leaves numbers that are code', () => {
    unchanged('1: "one",\n2: "two",\n');
    unchanged('1 | a\n2 | b\n', '1 | a\na\n');
    unchanged(numbered((text, number) => `${20 - number} | ${text}`));
    unchanged('1. first\n2. return sum;\n');
  });
});

describe('cleanSnippet, marks of a diff', () => {
  it('applies marks at the start of the lines', () => {
    cleaned(
      ' export function first(one: string, two: number) {\n-  const sum = one.length + two;\n+  const sum = one.length * two;\n   return sum;\n }',
      code,
    );
    cleaned(
      'export function first(one: string, two: number) {\n-   const sum = one.length + two;\n+   const sum = one.length * two;\n  return sum;\n}',
      code,
    );
    cleaned('// ...\n-  return sum;\n+  return one;\n}', '// ...\n  return one;\n}');
    cleaned('  return sum;\n+  // done\n}', '  return sum;\n  // done\n}');
  });

  it('leaves lists and sums', () => {
    unchanged('- one\n- two\n- three\n', '- one\n- three\n');
    unchanged('items:\n- fresh\n- new\n', 'items:\n- old\n');
    cleaned(' /*\n- * a\n+ * b\n  */', '/*\n * b\n */', '/*\n * a\n */');
    unchanged('list:\n+ one\n+ two\n', 'list:\n+ one\n');
    unchanged('  return sum\n+ more;\n', 'no such line');
    unchanged('- sum\n+ more\n', 'total\n');
  });
});

describe('cleanSnippet, elided lines', () => {
  it('opens a block on one line', () => {
    cleaned(
      'export function second() { ... }\n\nfunction third() { ... }',
      'export function second() {\n    ...\n}\n\nfunction third() { ... }',
    );
    cleaned(
      '  def a(self): ...',
      '  def a(self):\n      ...',
      'class A:\n  def a(self):\n    pass\n',
    );
  });

  it('fills in arguments when one line fits', () => {
    cleaned('  return call(1, /* ... */);', '  return call(1, "two", { three: 3 }, () => 4);');
    cleaned('  return call(…);', '  return call(1, "two", { three: 3 }, () => 4);');
    unchanged('  return call(2, /* ... */);');
    unchanged('  return call(1, ...);');
    unchanged('call(1, /* ... */);', 'call(1, 2);\ncall(1, 3);\n');
  });
});

describe('cleanSnippet on arbitrary texts', () => {
  const line = fc.constantFrom(
    ...'|a|  b(c, ...)|- a|+ a|-a|...|// ...|1: a|2: b|3: c|12  a|Here is the code:|Let me know.'.split(
      '|',
    ),
    ...'f() {|}|f() { ... }|@@|>>> x|\tt| a|1 → a|2 → b'.split('|'),
  );
  const lines = fc.array(fc.oneof(line, fc.constantFrom('```', '```ts')), { maxLength: 14 });
  const unfenced = fc.array(line, { maxLength: 14 });

  it('leaves a snippet of lines that stand in the original', () => {
    fc.assert(
      fc.property(lines, lines, (shown, more) => {
        const update = shown.join('\n');
        assert.equal(cleanSnippet(update, [...more, ...shown].join('\n')), update);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has nothing left to take off the second time', () => {
    fc.assert(
      fc.property(unfenced, lines, (shown, known) => {
        const source = known.join('\n');
        const once = cleanSnippet(shown.join('\n'), source);
        assert.equal(cleanSnippet(once, source), once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes hostile texts in little time', () => {
    const many = 100_000;
    const hostile = [
      '// ...\n',
      '```\n',
      '+ a\n',
      '- a\n',
      'a(1, /* ... */)\n',
      'Let me know.\n\n',
    ];
    const ms = cpuMs(() => {
      for (const text of hostile) cleanSnippet(text.repeat(many), original);
      cleanSnippet(`${'.'.repeat(1_000_000)} existing`, original);
    });
    assert(ms < 5_000, `${ms} ms`);
  });
});

describe('a sentence that an edit adds', () => {
  it('stays in a file of text, whatever the file has', () => {
    for (const before of ['# Notes\n', '# Links\n\n- [one](a.md)\n- [two](b.md)\n']) {
      const update = `${before}\nWritten by somebody.\n`;
      const result = mergeEdit(before, update, { path: 'notes.md' });
      assert.deepEqual(result, { kind: 'merged', text: update, certain: true });
    }
  });

  it('stays in a list of words', () => {
    const update = 'python\ngo\nrust\nzig\n';
    const result = mergeEdit('go\nrust\nzig\n', update, { path: 'languages.txt' });
    assert.deepEqual(result, { kind: 'merged', text: update, certain: true });
  });
});
