import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseClipboard } from '../../../../src/apply/parse/clipboard';
import { written } from '../../../../src/base/sentence';
import { applyUnifiedDiff } from '../../../../src/merge/patch/mergePatch';

const names = (text: string) => draw(text).map(line => line.split(':')[0]);

const replace = (from: string, to: string) =>
  `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`;

/** `format path language: text`, with line ends as `|`. */
function draw(text: string): string[] {
  const content = parseClipboard(text);
  if (content.kind === 'rejected') return [`rejected: ${written(content.reason)}`];
  return content.edits.map(edit => {
    const path = edit.path ?? '?';
    if (edit.format === 'unifiedDiff') {
      return `diff ${path}: ${edit.diff.trimEnd().replaceAll('\n', '|')}`;
    }
    if (edit.format === 'searchReplace') {
      return `search ${path}: ${edit.blocks.map(part => `${part.search} => ${part.replace}`).join(', ')}`;
    }
    const comment = edit.pathComment === undefined ? '' : ` (${edit.pathComment})`;
    const body = edit.text.trimEnd().replaceAll('\n', '|');
    return `${path} ${edit.languageId ?? '?'}${comment}: ${body}`;
  });
}

const block = (info: string, text: string, above = '') =>
  `${above}\n\`\`\`${info}\n${text}\n\`\`\`\n`;

describe('parseClipboard, snippets', () => {
  it('takes bare code as it is', () => {
    assert.deepEqual(draw('function a() {\n  return 1;\n}\n'), [
      '? ?: function a() {|  return 1;|}',
    ]);
  });

  it('takes the code out of an answer with one block', () => {
    const text = `Sure! Here is the fix:\n${block('ts', 'const a = 1;')}\nThis sets a to one.`;
    assert.deepEqual(draw(text), ['? typescript: const a = 1;']);
  });

  for (const [where, text] of Object.entries({
    'the info string': block('ts src/a.ts', 'x();'),
    'a title': block('ts title="src/a.ts"', 'x();'),
    'an info string of a path alone': block('src/a.ts', 'x();'),
    'a code reference': block('12:40:src/a.ts', 'x();'),
    'an info string with a colon': block('typescript:src/a.ts', 'x();'),
    'bold text': block('ts', 'x();', '**src/a.ts**'),
    'a heading': block('ts', 'x();', '### src/a.ts'),
    'a numbered heading': block('ts', 'x();', '### 1. `src/a.ts`'),
    'a back-quoted line': block('ts', 'x();', '`src/a.ts`:'),
    'a label': block('ts', 'x();', 'File: src/a.ts'),
    'a bold label': block('ts', 'x();', '**File: `src/a.ts`**\n'),
    'a sentence with one quoted path': block('ts', 'x();', 'Now change `src/a.ts` like this:'),
    'a sentence that ends in a colon': block('ts', 'x();', 'Then in src/a.ts:'),
    'a note behind the path': block('ts', 'x();', '**src/a.ts** (new file)'),
  })) {
    it(`finds the path in ${where}`, () => {
      assert.deepEqual(draw(text), ['src/a.ts typescript: x();']);
    });
  }

  for (const [line, path] of [
    ['// src/a.ts', 'src/a.ts'],
    ['# path: src/a.py', 'src/a.py'],
    ['<!-- index.html -->', 'index.html'],
    ['/* styles/main.css */', 'styles/main.css'],
    ['-- db/schema.sql', 'db/schema.sql'],
    ['// File: app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ] as const) {
    it(`keeps the path comment ${line} apart`, () => {
      const [shown] = draw(block('', `${line}\nx = f();`));
      assert(shown?.startsWith(`${path} `) && shown.endsWith(`(${line}): x = f();`), shown);
    });
  }

  it('takes the path comment from below blank lines, and only its own line', () => {
    assert.deepEqual(draw(block('', '\n// src/a.ts\na();\nb();')), [
      'src/a.ts typescript (// src/a.ts): a();|b();',
    ]);
  });

  it('keeps a path comment that names another file than the heading', () => {
    assert.deepEqual(draw(block('ts', '// lib/b.ts\na();', '`src/a.ts`')), [
      'src/a.ts typescript: // lib/b.ts|a();',
    ]);
    assert.deepEqual(draw(block('ts', '// a.ts\na();', '`src/a.ts`')), [
      'src/a.ts typescript (// a.ts): a();',
    ]);
  });

  it('leaves a first comment that is no path in the code', () => {
    for (const line of [
      '// See obj.method',
      '# TODO: and/or',
      '#!/usr/bin/env python3',
      '// Node.js',
    ]) {
      assert.deepEqual(draw(block('', `${line}\nx = f();`)), [`? ?: ${line}|x = f();`]);
    }
  });

  it('gives one edit per file', () => {
    const text =
      block('ts', 'a();', '`a.ts`') + block('py', 'b()', '`b.py`') + block('ts', 'c();', '`a.ts`');
    assert.deepEqual(draw(text), [
      'a.ts typescript: a();||// ... existing code ...||c();',
      'b.py python: b()',
    ]);
  });

  it('reads longer fences, tildes, and blocks in lists', () => {
    assert.deepEqual(draw('````md\n# a\n```ts\nb();\n```\n````'), [
      '? markdown: # a|```ts|b();|```',
    ]);
    assert.deepEqual(draw('```md\n# a\n```ts\nb();\n```\n```'), ['? markdown: # a|```ts|b();|```']);
    assert.deepEqual(draw('~~~js\na();\n~~~'), ['? javascript: a();']);
    assert.deepEqual(draw('1. Do `a.js`:\n   ```js\n   a {\n     b();\n   ```'), [
      'a.js javascript: a {|  b();',
    ]);
  });

  it('takes a block that was not copied to its end', () => {
    assert.deepEqual(draw('```ts\na();\nb();'), ['? typescript: a();|b();']);
  });

  it('ignores terminal blocks beside code', () => {
    const text = `${block('bash', '$ npm i')}${block('ts', 'a();')}${block('', '$ npm test')}`;
    assert.deepEqual(draw(text), ['? typescript: a();']);
    assert.deepEqual(draw(block('bash', 'set -e\nmake')), ['? shellscript: set -e|make']);
    assert.deepEqual(draw(block('bash', '$ npm i')), [
      'rejected: The clipboard holds commands for a terminal, but no code.',
    ]);
  });

  it('takes a script that has a file name, beside code too', () => {
    const code = block('ts', 'a();');
    for (const script of [
      block('bash scripts/run.sh', 'set -e\nmake'),
      block('bash', 'set -e\nmake', '`scripts/run.sh`'),
    ])
      assert.deepEqual(draw(code + script), [
        '? typescript: a();',
        'scripts/run.sh shellscript: set -e|make',
      ]);
    assert.deepEqual(draw(code + block('bash', '# scripts/run.sh\nset -e\nmake')), [
      '? typescript: a();',
      'scripts/run.sh shellscript (# scripts/run.sh): set -e|make',
    ]);
    assert.deepEqual(draw(code + block('bash', '#!/bin/sh\nmake')), [
      '? typescript: a();',
      '? shellscript: #!/bin/sh|make',
    ]);
  });

  it('takes a thousand blocks', () => {
    assert.equal(draw(block('ts', 'a();').repeat(1000)).length, 1000);
  });

  it('takes scripts for the terminal when there is nothing else, without what was typed there', () => {
    assert.deepEqual(draw(block('bash', 'set -e\nmake') + block('bash', '$ make')), [
      '? shellscript: set -e|make',
    ]);
  });

  it('drops output of a terminal, whatever its prompt is', () => {
    for (const line of ['$ npm i', '> npm i', 'PS C:\\app> npm i', 'C:\\app> npm i'])
      assert.deepEqual(draw(block('', line) + block('ts', 'a();')), ['? typescript: a();'], line);
    assert.deepEqual(draw(block('text', 'all done') + block('ts', 'a();')), ['? typescript: a();']);
  });

  it('keeps fences that stand in code', () => {
    const code = 'def f():\n    """Example:\n    ```\n    f()\n    ```\n    """\n    return g(1)';
    assert.deepEqual(draw(code), [`? ?: ${code.replaceAll('\n', '|')}`]);
  });
});

describe('parseClipboard, diffs', () => {
  const hunk = '@@ -1,2 +1,2 @@\n a\n-b\n+c';

  it('splits a git diff by file', () => {
    const text = `diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n${hunk}\ndiff --git a/y.ts b/y.ts\n--- a/y.ts\n+++ b/y.ts\n${hunk}\n`;
    const shown = draw(text);
    assert.deepEqual(
      shown.map(line => line.split(':')[0]),
      ['diff x.ts', 'diff y.ts'],
    );
    assert(shown[0]?.endsWith('@@| a|-b|+c'), shown[0]);
  });

  it('reads headers without prefixes, and files that come or go', () => {
    assert.deepEqual(names(`--- src/x.ts\t2026-01-01\n+++ src/x.ts\t2026-01-02\n${hunk}`), [
      'diff src/x.ts',
    ]);
    assert.deepEqual(names('--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+a'), ['diff n.ts']);
    assert.deepEqual(names('--- a/o.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a'), ['diff o.ts']);
    assert.deepEqual(names(hunk), ['diff ?']);
  });

  it('reads diffs in blocks, even without hunk headers', () => {
    assert.deepEqual(draw(block('diff', `--- a/x.ts\n+++ b/x.ts\n${hunk}`)).length, 1);
    assert.deepEqual(draw(block('diff', ' a\n-b\n+c', '`x.ts`')), ['diff x.ts: @@| a|-b|+c']);
  });

  it('reads a diff in a block and the other blocks, in either kind of fence', () => {
    const answer = `First:\n\n${block('diff', `--- a/x.ts\n+++ b/x.ts\n${hunk}`)}\nThen:\n\n${block('ts', 'd();', '`y.ts`')}`;
    const expected = [
      'diff x.ts: --- a/x.ts|+++ b/x.ts|@@ -1,2 +1,2 @@| a|-b|+c',
      'y.ts typescript: d();',
    ];
    assert.deepEqual(draw(answer), expected);
    assert.deepEqual(draw(answer.replaceAll('```', '~~~')), expected);
  });

  it('gives one edit with all hunks of a file, from several blocks or parts', () => {
    const other = '@@ -9 +9 @@\n-y\n+z';
    const blocks =
      block('diff', `--- a/x.ts\n+++ b/x.ts\n${hunk}`) +
      block('diff', `--- a/x.ts\n+++ b/x.ts\n${other}`);
    assert.deepEqual(draw(blocks), [
      'diff x.ts: --- a/x.ts|+++ b/x.ts|@@ -1,2 +1,2 @@| a|-b|+c|@@ -9 +9 @@|-y|+z',
    ]);
    const patch =
      '*** Begin Patch\n*** Update File: x.ts\n-b\n+c\n*** Update File: x.ts\n-y\n+z\n*** End Patch';
    const content = parseClipboard(patch);
    assert(content.kind === 'edits' && content.edits.length === 1);
    const [edit] = content.edits;
    assert(edit?.format === 'unifiedDiff');
    const result = applyUnifiedDiff('b\nm\ny\n', edit.diff);
    assert.equal(result.kind === 'merged' && result.text, 'c\nm\nz\n');
  });

  it('refuses a diff without text', () => {
    assert.deepEqual(draw('diff --git a/x b/x\nBinary files a/x and b/x differ'), [
      'rejected: The diff on the clipboard changes no text.',
    ]);
  });
});

describe('parseClipboard, search and replace', () => {
  it('reads blocks with the file name above, in fences or not', () => {
    assert.deepEqual(draw(`src/a.py\n${replace('a', 'b')}`), ['search src/a.py: a => b']);
    assert.deepEqual(draw(`src/a.py\n\`\`\`python\n${replace('a', 'b')}\`\`\``), [
      'search src/a.py: a => b',
    ]);
    assert.deepEqual(draw(`\`\`\`python\nsrc/a.py\n${replace('a', 'b')}\`\`\``), [
      'search src/a.py: a => b',
    ]);
    assert.deepEqual(draw(replace('a', 'b')), ['search ?: a => b']);
  });

  it('gives several blocks of a file to one edit', () => {
    const text = `a.py\n${replace('a', 'b')}${replace('c', 'd')}\nb.py\n${replace('e', '')}`;
    assert.deepEqual(draw(text), ['search a.py: a => b, c => d', 'search b.py: e => ']);
  });

  it('reads the code blocks beside them, without terminals, prose and bare file names', () => {
    const text = [
      `a.py\n${replace('a', 'b')}`,
      block('py', 'def f():\n    return 1', '`b.py`'),
      block('bash', 'pip install left-pad'),
      block('', 'src/c.py'),
      block('', 'This part changes nothing at all.\nIt only says why that is so.'),
      block('', ''),
    ].join('\n');
    assert.deepEqual(draw(text), ['search a.py: a => b', 'b.py python: def f():|    return 1']);
  });

  it('refuses a block without its end', () => {
    assert.deepEqual(draw('<<<<<<< SEARCH\na\n=======\nb'), [
      'rejected: A search/replace block on the clipboard is incomplete.',
    ]);
  });
});

describe('parseClipboard, what it refuses', () => {
  for (const [text, reason] of [
    ['', 'The clipboard is empty.'],
    [' \n\t\n', 'The clipboard holds only white space.'],
    ['PNG\u0000\u0001', 'The clipboard holds binary data, not text.'],
    ['x'.repeat(5 * 1024 * 1024 + 1), 'The clipboard holds more than 5 MB of text.'],
    ['https://example.com/a?b=c', 'The clipboard holds a web address, not code.'],
    ['hello', 'The clipboard holds a single word, not code.'],
    ['src/apply/parse/clipboard.ts', 'The clipboard holds a file name, not code.'],
    [
      'Hi Anna, can we meet at noon? I would like to talk.',
      'The clipboard holds text, but no code.',
    ],
    ['Buy milk and bread\nCall the bank, please.', 'The clipboard holds text, but no code.'],
    ['If you return the book, let me know.', 'The clipboard holds text, but no code.'],
    ['```ts\n```', 'The code blocks on the clipboard are empty.'],
    ['```ts\na();\n```\n'.repeat(1001), 'The clipboard holds more than 1000 code blocks.'],
    [
      `${replace('a', 'b')}${'```ts\na();\n```\n'.repeat(1001)}`,
      'The clipboard holds more than 1000 code blocks.',
    ],
    ['diff --git a/x b/x\nmode', 'The diff on the clipboard changes no text.'],
    ['../src/', 'The clipboard holds a file name, not code.'],
  ] as const) {
    it(`says "${reason}" to ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.deepEqual(draw(text), [`rejected: ${reason}`]);
    });
  }

  it('fails on no word of 5 MB', () => {
    const length = 5 * 1024 * 1024;
    assert.deepEqual(draw('x'.repeat(length)), [
      'rejected: The clipboard holds text, but no code.',
    ]);
    for (const character of ['/', 'é', '(', '"', '.'])
      assert.doesNotThrow(() => parseClipboard(character.repeat(length)), character);
  });

  it('never throws', () => {
    const part = fc.constantFrom(
      '```',
      '~~~',
      '\n',
      'ts',
      ' a.ts',
      '@@',
      '--- a',
      '+++ b',
      '=======',
      '<<<<<<< SEARCH',
      '>>>>>>> REPLACE',
      '{',
      '> ',
      '# ',
      '-',
      'diff --git ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), parts => {
        parseClipboard(parts.join(''));
      }),
      { numRuns: 5_000 },
    );
  });
});
