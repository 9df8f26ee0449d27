import assert from 'node:assert/strict';
import { createPatch, createTwoFilesPatch } from 'diff';
import * as fc from 'fast-check';
import { written } from '../../../../src/base/sentence';
import type { MergeResult } from '../../../../src/merge';
import {
  applySearchReplace,
  applyUnifiedDiff,
  mergePatch,
} from '../../../../src/merge/patch/mergePatch';

function draw(patched: MergeResult): string {
  if (patched.kind === 'refused') return `refused: ${written(patched.reason)}`;
  const text = patched.text.replaceAll('\r', '^').replaceAll('\n', '|');
  return patched.certain ? text : `perhaps: ${text}`;
}

const text = (letters: string) => letters.split(' ').join('\n');
const join = (lines: string[], end: string) => lines.map(line => line + end).join('');
const replace = (source: string, search: string, by: string) =>
  draw(applySearchReplace(source, [{ search, replace: by }]));
const file = text('a b c d e f g h ');

/** The hunk of an agent's patch at the end of a file. */
const agentPatch = (hunk: string): string =>
  `*** Begin Patch\n*** Update File: f\n@@\n${hunk}\n*** End of File\n*** End Patch`;

describe('applyUnifiedDiff', () => {
  it('applies a diff', () => {
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ -1,3 +1,3 @@\n a\n-b\n+X\n c')),
      'a|X|c|d|e|f|g|h|',
    );
  });

  it('mends wrong counts and finds hunks at other lines', () => {
    const diff = '--- a/f\n+++ b/f\n@@ -40,9 +41,7 @@ fn\n c\n-d\n+X\n+Y\n e';
    assert.equal(draw(applyUnifiedDiff(file, diff)), 'a|b|c|X|Y|e|f|g|h|');
  });

  it('searches for hunks without line numbers', () => {
    assert.equal(draw(applyUnifiedDiff(file, '@@\n c\n-d\n+X')), 'a|b|c|X|e|f|g|h|');
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ ... @@\n-b\n@@ ... @@\n-g\n+G')),
      'a|c|d|e|f|G|h|',
    );
  });

  it('is not certain when the context differs', () => {
    const diff = '@@ -1,5 +1,5 @@\n a\n other\n c\n-d\n+X\n e';
    assert.equal(draw(applyUnifiedDiff(file, diff)), 'perhaps: a|b|c|X|e|f|g|h|');
  });

  it('refuses what does not fit', () => {
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ -1,1 +1,1 @@\n-zzz\n+X')),
      'refused: The change is not in the file: the lines that it changes are not there. Check that it is meant for this file, or ask for the change again.',
    );
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ -1,1 +1,1 @@\n a')),
      'refused: The diff holds no changes.',
    );
  });

  it('keeps CRLF and creates files', () => {
    const diff = '@@ -1,2 +1,2 @@\n a\n-b\n+X';
    assert.equal(draw(applyUnifiedDiff('a\r\nb\r\nc\r\n', diff)), 'a^|X^|c^|');
    assert.equal(draw(applyUnifiedDiff('', '@@ -0,0 +1,2 @@\n+a\n+b')), 'a|b|');
  });

  it('applies every diff between two texts', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', ' e'), { maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, fc.constantFrom('\n', '\r\n'), (before, after, eol) => {
        fc.pre(before.join() !== after.join());
        const diff = createPatch('f', join(before, '\n'), join(after, '\n'));
        const source = join(before, eol);
        // Nothing tells the line end of an empty file.
        const expected = join(after, before.length === 0 ? '\n' : eol);
        const patched = applyUnifiedDiff(source, diff);
        assert(patched.kind === 'merged');
        assert.equal(patched.text, expected);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('applySearchReplace', () => {
  it('replaces what stands in exactly one place', () => {
    assert.equal(replace(file, 'b\nc', 'X'), 'a|X|d|e|f|g|h|');
    assert.equal(replace(file, 'b\nc', ''), 'a|d|e|f|g|h|');
    assert.equal(replace('a\r\nb\r\n', 'b', 'X\nY'), 'a^|X^|Y^|');
  });

  it('says in how many places it stands otherwise', () => {
    assert.equal(
      replace('a\nb\na\n', 'a', 'X'),
      'refused: The search text fits at 2 places of the file. Add more unchanged lines around it, so that only one fits.',
    );
    assert.match(replace(file, 'z', 'X'), /^refused: The search text is not in the file: /);
    assert.match(replace(file, '', 'X'), /^refused: The search text is empty, but the file is not/);
  });

  it('fits other trailing blanks and indentation, and is not certain then', () => {
    assert.equal(replace('a \nb\n', 'a\nb', 'X'), 'perhaps: X|');
    assert.equal(
      replace('{\n    if a\n        b\n}\n', 'if a\n    b', 'if c\n    d\n\n    e'),
      'perhaps: {|    if c|        d||        e|}|',
    );
  });

  it('applies one block after the other, or none', () => {
    const blocks = [
      { search: 'a', replace: 'X' },
      { search: 'X\nb', replace: 'Y' },
    ];
    assert.equal(draw(applySearchReplace(file, blocks)), 'Y|c|d|e|f|g|h|');
    assert.equal(
      draw(applySearchReplace(file, [...blocks, { search: 'a', replace: 'Z' }])),
      'refused: Search text 1 and search text 3 change the same lines. Combine them, or apply them one by one.',
    );
  });

  it('fills an empty file', () => {
    assert.equal(replace('', '', 'a\nb'), 'a|b|');
  });
});

const merge = (source: string, update: string) => {
  const merged = mergePatch(source, update);
  return merged ? draw(merged) : 'no patch';
};
const code = [
  'class A {',
  '  one() {',
  '    return 1;',
  '  }',
  '',
  '  two() {',
  '    return 2;',
  '  }',
  '}',
  '',
].join('\n');

describe('mergePatch, diffs', () => {
  const expected = code.replace('return 2', 'return 3').replaceAll('\n', '|');

  for (const [what, diff] of Object.entries({
    'true line numbers':
      '--- a/f\n+++ b/f\n@@ -6,3 +6,3 @@\n   two() {\n-    return 2;\n+    return 3;\n   }',
    'wrong line numbers': '@@ -60,9 +61,2 @@\n   two() {\n-    return 2;\n+    return 3;\n   }',
    'dots for line numbers': '@@ ... @@\n   two() {\n-    return 2;\n+    return 3;',
    'a bare header': '@@\n-    return 2;\n+    return 3;',
    'a fence and chatter':
      'Here is the diff:\n\n```diff\n@@ -1 +1 @@\n-    return 2;\n+    return 3;\n```\nDone.',
    'the patch format of some agents':
      '*** Begin Patch\n*** Update File: f.ts\n@@ class A {\n   two() {\n-    return 2;\n+    return 3;\n*** End Patch',
    'a marker between': '@@\n class A {\n ...\n   two() {\n-    return 2;\n+    return 3;',
    CRLF: '@@\r\n-    return 2;\r\n+    return 3;\r\n',
    'an introduction': 'Here is the diff:\n\n@@ -6,2 +6,2 @@\n-    return 2;\n+    return 3;',
    'no header': '-    return 2;\n+    return 3;\n   }',
  })) {
    it(`applies a diff with ${what}`, () => assert.equal(merge(code, diff), expected));
  }

  for (const [what, diff] of Object.entries({
    'context without the blank in front': '@@\n  two() {\n-    return 2;\n+    return 3;\n  }',
    'lost indentation': '@@\n two() {\n-  return 2;\n+  return 3;\n }',
    'context that leaves out lines':
      '@@ -1,9 +1,9 @@\n class A {\n   two() {\n-    return 2;\n+    return 3;\n   }',
    'another context line':
      '@@ -1,4 +1,4 @@\n other();\n   two() {\n-    return 2;\n+    return 3;\n   }\n }',
  })) {
    it(`applies a diff with ${what}, and is not certain`, () =>
      assert.equal(merge(code, diff), `perhaps: ${expected}`));
  }

  it('takes the place that the line number names', () => {
    const twice = 'a\nx\nb\na\nx\nb\n';
    assert.equal(merge(twice, '@@ -4,3 +4,3 @@\n a\n-x\n+y\n b'), 'a|x|b|a|y|b|');
    assert.equal(merge(twice, '@@ -5,3 +5,3 @@\n a\n-x\n+y\n b'), 'perhaps: a|x|b|a|y|b|');
    assert.match(merge(twice, '@@\n a\n-x\n+y\n b'), /^refused: The change fits at 2 places/);
  });

  it('takes the place that the heading or the order of the hunks settles', () => {
    const twice = 'def f\n  x\nend\ndef g\n  x\nend\n';
    assert.equal(merge(twice, '@@ def g\n-  x\n+  y'), 'def f|  x|end|def g|  y|end|');
    assert.equal(merge(twice, '@@ def g @@\n-  x\n+  y'), 'def f|  x|end|def g|  y|end|');
    assert.equal(merge(twice, '@@ -9 +9 @@ def g\n-  x\n+  y'), 'def f|  x|end|def g|  y|end|');
    const bounded = '@@\n-  x\n+  y\n@@\n-def g\n+def h\n   x';
    assert.equal(merge(twice, bounded), 'def f|  y|end|def h|  x|end|');
  });

  it('takes the first place below an anchor, and is not certain', () => {
    const twice = 'def f\n  x\n  w\n  x\nend\ndef g\n  x\nend\n';
    const first = 'def f|  y|  w|  x|end|def g|  x|end|';
    assert.equal(merge(twice, '@@ def f\n-  x\n+  y'), `perhaps: ${first}`);
    assert.match(merge(twice, '@@ def h\n-  x\n+  y'), /^refused: The change fits at 3 places/);
  });

  it('takes the end of the file where an agent says so', () => {
    const twice = 'a\nx\nb\na\nx\n';
    assert.equal(merge(twice, agentPatch(' a\n-x\n+y')), 'a|x|b|a|y|');
    assert.equal(merge(twice, agentPatch('+z')), 'a|x|b|a|x|z|');
    assert.equal(merge(twice, agentPatch('-b\n+c')), 'perhaps: a|x|c|a|x|');
  });

  it('names the hunk that it refuses', () => {
    const good = '@@\n-    return 1;\n+    return 3;\n';
    assert.match(
      merge(code, `${good}@@\n-    nothing();\n+    more();`),
      /^refused: Hunk 2 is not in/,
    );
    assert.match(
      merge(code, `${good}@@\n-    gone();\n+    return 2;`),
      /^refused: Hunk 2 is already applied/,
    );
    assert.match(
      merge(code, `${good}@@\n-    return 1;\n+    return 5;`),
      /^refused: Hunk 1 and hunk 2 change the same lines/,
    );
    assert.match(
      merge(code, '@@\n   two() {\n+    return 2;'),
      /^refused: The change is already applied/,
    );
    assert.match(
      merge(code, '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n'),
      /^refused: The diff changes 2 files \(f, g\)/,
    );
  });

  it('keeps the bytes of lines that stay', () => {
    assert.equal(
      merge('\uFEFFa \r\nb\t\nc\r\nd', '@@\n b\n-c\n+X\n'),
      'perhaps: \uFEFFa ^|b\t|X^|d',
    );
    assert.equal(merge('a\nb', '@@\n-b\n+c'), 'a|c');
    assert.equal(merge('a\nb', '@@\n-b\n\\ No newline at end of file\n+c'), 'a|c|');
    assert.equal(merge('a\nb\n', '@@\n-b\n+c\n\\ No newline at end of file'), 'a|c');
  });

  it('leaves what is no patch', () => {
    for (const update of [
      code,
      '- a\n- b\n',
      '@decorator\nclass A {}\n',
      '// ...\n  @@count = 1\n',
    ]) {
      assert.equal(merge(code, update), 'no patch');
    }
    assert.equal(merge(`@@ -1 +1 @@\n${code}`, '@@ -1 +1 @@\n-a\n+b\n'), 'no patch');
  });
});

const block = (search: string, by: string) =>
  `<<<<<<< SEARCH\n${search}\n=======\n${by}\n>>>>>>> REPLACE\n`;

describe('mergePatch, search and replace', () => {
  it('reads the common forms', () => {
    const expected = code.replace('return 2', 'return 3').replaceAll('\n', '|');
    for (const update of [
      block('    return 2;', '    return 3;'),
      `\`\`\`ts\n${block('    return 2;', '    return 3;')}\`\`\`\n`,
      '------- SEARCH\n    return 2;\n=======\n    return 3;\n+++++++ REPLACE\n',
      '<<<<<<< ORIGINAL\n:start_line:7\n-------\n    return 2;\n=======\n    return 3;\n>>>>>>> UPDATED\n',
      block('2', '3').replace('2', 'return 2').replace('3', 'return 3'),
      block('  two() {\n    ...\n}', '  two() {\n    ...\n}') +
        block('    return 2;', '    return 3;'),
    ]) {
      assert.equal(merge(code, update).replace('perhaps: ', ''), expected);
    }
  });

  it('reads tags, unless they are code', () => {
    const expected = code.replace('return 2', 'return 3').replaceAll('\n', '|');
    const update = '<old_str>\n    return 2;\n</old_str>\n<new_str>\n    return 3;\n</new_str>\n';
    assert.equal(merge(code, update), expected);
    assert.equal(merge(code, `Change this:\n<edit>\n${update}</edit>\n`), expected);
    assert.equal(merge(code, '<find>return 2</find><replace>return 3</replace>'), expected);
    const page = '<search>\na\n</search>\n<replace>\nb\n</replace>\n';
    assert.equal(merge(page, page.replace('b', 'c')), 'no patch');
    assert.equal(merge('<p/>\n', `<main>x = {1}\n${page}</main>`), 'no patch');
  });

  it('keeps underlined headings apart from the separator', () => {
    const update = block('Old\n=======', 'New\n=======');
    assert.equal(merge('Old\n=======\ntext\n', update), 'New|=======|text|');
  });

  it('turns blanks into the tabs of the file', () => {
    const tabbed = 'if a {\n\tb()\n}\n';
    assert.equal(
      merge(tabbed, block('    b()', '    for {\n        c()\n    }')),
      'perhaps: if a {|\tfor {|\t\tc()|\t}|}|',
    );
  });

  it('refuses blocks that are not complete, or apply twice', () => {
    assert.match(
      merge(code, '<<<<<<< SEARCH\na\n=======\nb\n'),
      /^refused: A search\/replace block is/,
    );
    assert.match(
      merge(
        code,
        block('    return 2;', '    return 3;') + block('    return 9;', '    return 1;'),
      ),
      /^refused: Search text 2 is already applied/,
    );
  });
});

describe('mergePatch on arbitrary edits', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', '  c', '', '}', '- d', '+ e'), {
    maxLength: 10,
  });

  it('applies the diff of any edit of distinct lines, whatever its line numbers', () => {
    const edits = fc.array(fc.constantFrom('keep', 'drop', 'change', 'insert'), { maxLength: 30 });
    fc.assert(
      fc.property(
        edits,
        fc.integer({ min: -50, max: 50 }),
        fc.boolean(),
        (steps, drift, isCrlf) => {
          const before = steps.map((_, at) => `line ${at}`);
          const after = before.flatMap((line, at) => {
            if (steps[at] === 'drop') return [];
            return steps[at] === 'keep'
              ? [line]
              : steps[at] === 'change'
                ? [`${line}!`]
                : ['new', line];
          });
          fc.pre(before.join() !== after.join());
          const diff = createTwoFilesPatch(
            'f',
            'f',
            join(before, '\n'),
            join(after, '\n'),
            '',
            '',
            { context: 2 },
          );
          const moved = diff.replaceAll(
            /-(\d+),/g,
            (_, at) => `-${Math.max(1, Number(at) + drift)},`,
          );
          const eol = isCrlf ? '\r\n' : '\n';
          const merged = mergePatch(join(before, eol), moved);
          assert(merged?.kind === 'merged', JSON.stringify(merged));
          assert.equal(merged.text, join(after, eol));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('replaces any lines that stand once', () => {
    fc.assert(
      fc.property(lines, lines, lines, (above, fresh, below) => {
        const old = ['old 1', '', 'old 2'];
        const by = ['x', ...fresh, 'y'];
        const merged = mergePatch(
          join([...above, ...old, ...below], '\n'),
          `<<<<<<< SEARCH\n${old.join('\n')}\n=======\n${by.join('\n')}\n>>>>>>> REPLACE`,
        );
        assert(merged?.kind === 'merged' && merged.certain);
        assert.equal(merged.text, join([...above, ...by, ...below], '\n'));
      }),
    );
  });

  it('never throws, and changes nothing where it refuses', () => {
    const noise = fc.array(
      fc.constantFrom(
        '@@',
        '@@ -1,2 +1,2 @@',
        '-a',
        '+b',
        ' a',
        'a',
        '',
        '...',
        '\\ No',
        '<<<<<<< SEARCH',
        '=======',
        '>>>>>>> REPLACE',
        '--- a',
        '+++ b',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(lines, noise, (source, update) => {
        const merged = mergePatch(join(source, '\n'), update.join('\n'));
        assert(merged === undefined || merged.kind === 'refused' || merged.text !== undefined);
      }),
      { numRuns: 3_000 },
    );
  });
});
