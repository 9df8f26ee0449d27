import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { applySearchReplace, applyUnifiedDiff } from '../../../../src/merge/patch/mergePatch';

const file = `import os

def first():
    start()
    load()
    check()
    save()
    stop()

def second():
    start()
    load()
    send()
    stop()
`;

/** The merged text, after "perhaps: " when it is not certain, or why it is refused. */
function draw(result: ReturnType<typeof applyUnifiedDiff>): string {
  if (result.kind === 'refused') return `refused: ${written(result.reason)}`;
  return `${result.certain ? '' : 'perhaps: '}${result.text}`;
}
const applied = (diff: string, original = file) => draw(applyUnifiedDiff(original, diff));

const replaced = (search: string, replace: string, original = file) =>
  draw(applySearchReplace(original, [{ search, replace }]));

describe('the place of a hunk', () => {
  const cases: [what: string, diff: string, merged: string][] = [
    [
      'is the only one with its lines',
      '@@\n     save()\n-    stop()\n+    end()',
      file.replace('save()\n    stop()', 'save()\n    end()'),
    ],
    [
      'is the one of its number among several',
      '@@ -11,2 +11,2 @@\n     start()\n-    load()\n+    read()',
      file.replace(/load\(\)(?![^]*load\(\))/, 'read()'),
    ],
    [
      'is the one below its heading',
      '@@ def second\n     start()\n-    load()\n+    read()',
      file.replace(/load\(\)(?![^]*load\(\))/, 'read()'),
    ],
    [
      'is the one after the hunk before it',
      '@@\n-    save()\n+    keep()\n@@\n-    load()\n+    read()',
      file.replace('save', 'keep').replace(/load\(\)(?![^]*load\(\))/, 'read()'),
    ],
    [
      'is the one before the hunk after it',
      '@@\n-    load()\n+    read()\n@@\n-    check()\n+    test()',
      file.replace('load', 'read').replace('check', 'test'),
    ],
    [
      'is below the heading for new lines alone',
      '@@ def second():\n+    log()',
      `perhaps: ${file.replace('second():\n', 'second():\n    log()\n')}`,
    ],
    [
      'is the line of its number for new lines alone',
      '@@ -2,0 +3 @@\n+import sys',
      file.replace('import os\n\n', 'import os\n\nimport sys\n'),
    ],
    ['is the end of the file too', '@@ -14,0 +15,2 @@\n+\n+x = 1', `${file}\nx = 1\n`],
    [
      'needs no lines that were left out',
      '@@\n     start()\n-    load()\n+    read()\n     check()\n     stop()\n \n-def second():\n+def third():',
      `perhaps: ${file.replace('load', 'read').replace('second', 'third')}`,
    ],
    [
      'is found with a line of context that differs',
      '@@\n def first():\n     begin()\n     load()\n-    check()\n+    test()\n     save()',
      `perhaps: ${file.replace('check', 'test')}`,
    ],
    [
      'is found in other indentation, which the new lines take over',
      '@@\n save()\n-stop()\n+end()\n+log()',
      `perhaps: ${file.replace('save()\n    stop()', 'save()\n    end()\n    log()')}`,
    ],
    [
      'is found without the blank lines around',
      '@@\n \n     save()\n-    stop()\n+    end()\n ',
      file.replace('save()\n    stop()', 'save()\n    end()'),
    ],
  ];
  for (const [what, diff, merged] of cases) it(what, () => assert.equal(applied(diff), merged));

  const refusals: [what: string, diff: string, reason: RegExp][] = [
    [
      'no line of the file is shown',
      '@@\n+x = 1',
      /shows no line of the file.*Add the lines around/,
    ],
    ['its number is behind the end', '@@ -16,0 +16 @@\n+x = 1', /shows no line of the file/],
    ['its heading is not in the file', '@@ def third():\n+    x()', /shows no line of the file/],
    ['several places fit', '@@\n-    load()\n+    read()', /fits at 2 places of the file/],
    ['its lines are not there', '@@\n-    move()\n+    turn()', /is not in the file: the lines/],
    [
      'a removed line is not there, whatever stands around it',
      '@@\n     load()\n-    look()\n+    test()\n     save()\n     stop()',
      /is not in the file/,
    ],
    [
      'new lines would stand between others than it shows',
      '@@\n     load()\n+    test()\n     look()\n     save()\n     stop()',
      /is not in the file/,
    ],
    [
      'new lines would stand below another line than it shows',
      '@@\n     load()\n     look()\n+    test()\n     save()\n     stop()',
      /is not in the file/,
    ],
    ['only brackets stand around the change', '@@\n )\n+x\n (', /is not in the file/],
    ['its change is made', '@@\n-    move()\n+    check()\n     save()', /is already applied/],
    ['its lines are inserted', '@@\n     load()\n+    check()\n     save()', /is already applied/],
    [
      'two hunks change the same lines',
      '@@\n-    check()\n-    save()\n+    a()\n@@\n-    save()\n-    stop()\n+    b()',
      /Hunk 1 and hunk 2 change the same lines/,
    ],
    ['there is no change', '@@\n     check()\n     save()', /The diff holds no changes/],
  ];
  for (const [what, diff, reason] of refusals)
    it(`is refused when ${what}`, () => {
      const drawn = applied(diff);
      assert.match(drawn, /^refused: /);
      assert.match(drawn, reason);
    });

  it('is below its heading if that has no such line', () => {
    const more = file.replace('def second', 'def middle():\n    wait()\n\ndef second');
    assert.equal(
      applied('@@ def middle():\n-    load()\n+    read()', more),
      `perhaps: ${more.replace(/load\(\)(?![^]*load\(\))/, 'read()')}`,
    );
  });

  it('is the whole of an empty file', () => {
    assert.equal(applied('@@ -0,0 +1,2 @@\n+a\n+b', ''), 'a\nb\n');
    assert.equal(applied('@@\n+a\n+b', '\n'), 'a\nb\n\n');
  });
});

describe('the number of a hunk', () => {
  const rows = Array.from({ length: 30 }, (_, at) => (at % 20 === 5 ? 'same' : `row ${at}`));
  const text = `${rows.join('\n')}\n`;
  const hunk = '\n-same\n+other';

  it('says which of several places is meant, if it is far nearer to it', () => {
    assert.equal(applied(`@@ -8 +8 @@${hunk}`, text), `perhaps: ${text.replace('same', 'other')}`);
    assert.match(applied(`@@ -15 +15 @@${hunk}`, text), /fits at 2 places/);
  });

  it('is that of the first line, though blank ones are shown above it', () => {
    const last = text.replace(/same(?![^]*same)/, 'other');
    assert.equal(applied(`@@ -25,2 +25,2 @@\n ${hunk}`, text), last);
  });

  it('is none if it is a single 1 that is wrong', () => {
    assert.match(applied(`@@ -1 +1 @@${hunk}`, text), /fits at 2 places/);
    assert.equal(
      applied('@@ -1 +1 @@\n-row 0\n+first', `${text}row 0\n`),
      `${text.replace('row 0', 'first')}row 0\n`,
    );
  });

  it('may be a single 2', () => {
    const twice = `${text}row 1\n`;
    assert.equal(applied('@@ -2 +2 @@\n-row 1\n+second', twice), twice.replace('row 1', 'second'));
  });

  it('is off as far as that of the hunk above', () => {
    const more =
      text +
      rows
        .slice(10)
        .map(row => `${row}\n`)
        .join('');
    const two = `@@ -12 +12 @@\n-row 1\n+second\n@@ -37 +37 @@${hunk}`;
    assert.equal(
      applied(two, more),
      `perhaps: ${more.replace('row 1\n', 'second\n').replace('row 24\nsame', 'row 24\nother')}`,
    );
  });

  it('is none if the numbers do not ascend', () => {
    const two = `@@ -8 +8 @@${hunk}\n@@ -8 +8 @@\n-row 1\n+second`;
    assert.match(applied(two, text), /Hunk 1 fits at 2 places/);
    const both = `@@${hunk}\n@@\n-row 6\n+six`;
    assert.match(applied(both, `${text}row 6\nrow 6\n`), /Hunk 1 fits at 2 places/);
  });

  it('does not count in what other hunks have made', () => {
    const diff = '@@ -1 +1,4 @@\n row 0\n+new\n+more\n+new\n@@ -2 +2 @@\n-new\n+newer';
    assert.match(applied(diff, text), /^refused: /);
    const once = diff.replace('+more\n+new\n', '+more\n').replace('-2 +2', '-9 +9');
    assert.equal(applied(once, text), text.replace('row 0', 'row 0\nnewer\nmore'));
  });
});

describe('the hunks of a diff', () => {
  const three = 'one\ntwo\nthree\n';
  const cases: [what: string, diff: string, merged: string][] = [
    [
      'end at what is no line of a diff',
      '@@\n one\n-two\n+2\nindex 12..34\n-three',
      'one\n2\nthree\n',
    ],
    ['end at a fence', '@@\n one\n-two\n+2\n```\n-three', 'one\n2\nthree\n'],
    ['may lack the blank before context', '@@\none\n-two\n+2\nthree', 'one\n2\nthree\n'],
    ['skip chatter', '@@\n one\nHere it changes:\n-two\n+2', 'one\n2\nthree\n'],
    [
      'skip the header of a further part',
      '--- a/f\n+++ b/f\n@@\n-one\n+1\n--- a/f\n+++ b/f\n@@\n-three\n+3',
      '1\ntwo\n3\n',
    ],
    [
      'need no header in patches of agents',
      '*** Update File: f\n-one\n+1\n*** End Patch\n-two',
      '1\ntwo\nthree\n',
    ],
    ['need no @@ below a file header', '--- a/f\n+++ b/f\n one\n-two\n+2', 'one\n2\nthree\n'],
    ['stand between markers of what is left out', '@@\n-one\n+1\n ...\n-three\n+3', '1\ntwo\n3\n'],
    ['take the last newline away', '@@\n-three\n+3\n\\ No newline at end of file', 'one\ntwo\n3'],
    ['leave it to the old side', '@@\n-three\n\\ No newline at end of file\n+3', 'one\ntwo\n3\n'],
    [
      'leave an open end of both sides',
      '@@\n-three\n\\ No newline\n+3\n\\ No newline',
      'one\ntwo\n3',
    ],
    ['do not end the file in blank lines of theirs', '@@\n two\n-three\n+3\n\n\n', 'one\ntwo\n3\n'],
  ];
  for (const [what, diff, merged] of cases)
    it(what, () => {
      assert.equal(applied(diff, three), merged);
      assert.equal(applied(diff.replaceAll('\n', '\r\n'), three), merged);
    });

  it('may remove lines that look like a file header', () => {
    const sql = '-- a\n-- b\nx\n';
    assert.equal(
      applied('--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n--- a\n+++ c\n -- b\n x', sql),
      '++ c\n-- b\nx\n',
    );
  });

  it('keep lines of context that begin with a tab', () => {
    const tabs = 'a {\n\ttwo();\n\tone();\n\ttwo();\n}\n';
    const wanted = tabs.replace('one();\n\ttwo', 'one();\n\tzwei');
    assert.equal(applied('@@\n\tone();\n-\ttwo();\n+\tzwei();', tabs), wanted);
    assert.equal(applied('@@\n\tone();  \n-\ttwo();\n+\tzwei();', tabs), `perhaps: ${wanted}`);
  });

  it('keep list items that lost the blank before them', () => {
    assert.equal(applied('@@\n- a\n-- b\n+- c', '- a\n- b\n'), '- a\n- c\n');
  });
});

describe('a search/replace block', () => {
  it('may leave out lines with markers on both sides', () => {
    assert.equal(
      replaced(
        'def first():\n    start()\n# ... existing code ...\n    save()\n    stop()',
        'def one():\n    start()\n# ... existing code ...\n    keep()\n    stop()',
      ),
      file.replace('first', 'one').replace('save', 'keep'),
    );
  });

  it('may start and end within a line, once in the file', () => {
    assert.equal(replaced('ort o', 'ort sys, o'), file.replace('import os', 'import sys, os'));
    assert.match(replaced('oad()', 'oad(1)'), /^refused: .*is not in the file/);
    assert.match(replaced('s\n\nd', 's\nd'), /import os\ndef first/);
  });

  it('may have blank lines at its ends', () => {
    assert.equal(replaced('\n\n    save()\n\n', '\n    keep()\n\n'), file.replace('save', 'keep'));
  });

  it('replaces a file without text as a whole, and no other', () => {
    assert.equal(replaced('', 'a\nb\n', '\n\n'), 'a\nb\n\n');
    assert.equal(replaced(' \n', 'a\nb\n', '\n\n'), 'a\nb\n\n');
    assert.match(replaced(' ', 'a'), /^refused: The search text is empty, but the file is not\./);
  });

  it('removes its lines when nothing replaces them', () => {
    assert.equal(replaced('    check()\n', ''), file.replace('    check()\n', ''));
  });

  it('is named by its number when there are several', () => {
    const blocks = [
      { search: '    check()', replace: '    test()' },
      { search: '    gone()', replace: '    x()' },
    ];
    assert.match(draw(applySearchReplace(file, blocks)), /^refused: Search text 2 is not in/);
    assert.match(
      draw(applySearchReplace(file, blocks.slice(1))),
      /^refused: The search text is not/,
    );
  });
});
