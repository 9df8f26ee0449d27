import assert from 'node:assert/strict';
import { createPatch } from 'diff';
import { auditBlocks, auditDiff, auditMerge } from '../../../../../src/merge/index';
import { attemptAll } from '../../../../bench/accuracy';

const attempts = attemptAll().filter(({ style }) => style === 'two lines of context');
const diffOf = (original: string, wanted: string, context = 3): string =>
  createPatch('f', original, wanted, '', '', { context }).split('\n').slice(4).join('\n');
const blocksOf = (diff: string): { search: string; replace: string }[] =>
  diff
    .split(/^@@.*\n/m)
    .slice(1)
    .map(hunk => {
      const side = (marks: string): string =>
        hunk
          .split('\n')
          .filter(line => line !== '' && marks.includes(line[0] ?? ''))
          .map(line => line.slice(1))
          .join('\n');
      return { search: side(' -'), replace: side(' +') };
    });

const file = `def first():
    start()
    load()
    stop()

def second():
    start()
    send()
    stop()
`;
const wanted = file.replace('    load()', '    read()\n    check()');
const diff = diffOf(file, wanted);
/** The same without its indentation, so that it is not in the file as it is. */
const flat = diff.replace(/^([-+ ]) +/gm, '$1');
const kinds = (merged: string, update = diff, original = file): string[] =>
  auditMerge(original, update, merged).map(({ kind, severity }) => `${severity} ${kind}`);

describe('the audit of a patch', () => {
  it('finds nothing in right results', () => {
    for (const { original, wanted: right, title } of attempts) {
      for (const context of [0, 1, 3]) {
        const own = diffOf(original, right, context);
        assert.deepEqual(auditDiff(original, own, right), [], title);
        const fences = `Here:\n\n\`\`\`diff\n--- a/f\n+++ b/f\n${own}\`\`\`\n`;
        assert.deepEqual(auditMerge(original, fences, right), [], title);
        if (context > 0) assert.deepEqual(auditBlocks(original, blocksOf(own), right), [], title);
      }
    }
    assert.deepEqual(kinds(wanted), []);
    assert.deepEqual(kinds(wanted, flat), []);
    assert.deepEqual(
      kinds(wanted.replaceAll('\n', '\r\n'), diff, file.replaceAll('\n', '\r\n')),
      [],
    );
  });

  it('finds new lines behind one at which the patch is not read any more', () => {
    const rows = ['@@', ' def first():', '     start()', '-    load()', '+    read()', '```'];
    const more = [' def second():', '     start()', '-    send()', '+    send(1)'];
    const update = [...rows, ...more].join('\n');
    const half = file.replace('load()', 'read()');
    assert.deepEqual(
      auditDiff(file, update, half).map(({ severity, message }) => [severity, message]),
      [['warning', 'A new line of the patch is not in the result: send(1)']],
    );
    // Brackets alone are in every file, and the names above the hunks are no lines.
    const marks = ['--- a/f', '+++ b/f', ...rows, '+)'].join('\n');
    assert.deepEqual(auditDiff(file, marks, half), []);
  });

  const isGone = 'A line of the file is gone here that the patch does not remove.';
  const isKept = 'The patch removes this line, but it is still there.';
  const isNotAsItWas = 'The patch does not change this line, but it is not as it was.';
  const isMore = 'This line stands in the result more often than the file and the patch say.';
  const isMissing = 'A new line of the patch is not in the result.';
  const isApart = 'These new lines are not next to the lines that the patch shows around them.';
  const isSyntax = 'A line of the patch was left in the file.';

  /** The line from which on it is not the result, and what is found when the patch has no indentation. */
  type Damage = [merged: string, from: number, ...found: string[]];
  const damages: Record<string, Damage> = {
    'the edit left out': [file, 3, `1: ${isMissing}`, `3: ${isKept}`],
    'a line lost elsewhere': [wanted.replace('    send()\n', ''), 9, `9: ${isGone}`],
    'a line twice': [
      wanted.replace('    send()\n', '    send()\n    send()\n'),
      10,
      `10: ${isMore}`,
    ],
    'the old line kept': [
      wanted.replace('    read()', '    load()\n    read()'),
      3,
      `3: ${isKept}`,
    ],
    'half of the edit': [
      wanted.replace('    check()\n', ''),
      4,
      `3: ${isMissing}`,
      `3: ${isApart}`,
    ],
    'a line in another place': [
      wanted.replace('    check()\n', '').replace('    send()', '    check()\n    send()'),
      4,
      `3: ${isApart}`,
    ],
    'another line changed': [wanted.replace('send()', 'post()'), 9, `9: ${isGone}`, `9: ${isMore}`],
    'the indentation of another line': [
      wanted.replace('    send', '  send'),
      9,
      `9: ${isNotAsItWas}`,
    ],
    'lines in another order': [
      wanted.replace('    start()\n    send()', '    send()\n    start()'),
      8,
      `8: ${isNotAsItWas}`,
    ],
    'the end cut off': [
      wanted.slice(0, wanted.indexOf('    send')),
      8,
      '8: 2 lines of the file are gone here that the patch does not remove.',
    ],
    'a hunk header left': [
      wanted.replace('def second', '@@ -1,4 +1,5 @@\ndef second'),
      7,
      `7: ${isMore}`,
      `7: ${isSyntax}`,
    ],
    'a mark left': [`${wanted}>>>>>>> REPLACE\n`, 11, `11: ${isMore}`, `11: ${isSyntax}`],
  };
  for (const [name, [merged, from, ...found]] of Object.entries(damages)) {
    const says = (update: string): string[] =>
      auditMerge(file, update, merged)
        .filter(({ severity }) => severity === 'error')
        .map(({ line, message }) => `${line}: ${message}`);

    it(`finds ${name}`, () => {
      const differs = `${from}: From this line on, the result is not what the patch makes of the file.`;
      assert.deepEqual(says(diff), [differs, ...found.filter(one => one.endsWith(isSyntax))]);
      assert.deepEqual(says(flat), found);
    });
  }

  it('finds new lines that are not below the line of which they are shown below', () => {
    const update = '@@\nstart()\nload()\n+check()\n';
    const right = file.replace('load()', 'load()\n    check()');
    const found = (merged: string): string[] =>
      auditMerge(file, update, merged).map(({ line, message }) => `${line}: ${message}`);
    assert.deepEqual(found(right), []);
    const apart = file.replace('send()', 'send()\n    check()');
    assert.deepEqual(found(apart), [`9: ${isApart}`]);
  });

  it('does not count blank lines', () => {
    assert.deepEqual(kinds(wanted.replace('\n\n', '\n\n\n'), flat), []);
  });

  it('finds mixed line ends', () => {
    for (const update of [diff, flat]) {
      assert.deepEqual(
        auditMerge(file, update, wanted.replace('\n', '\r\n')).map(({ message }) => message),
        ['The line endings changed.'],
      );
    }
  });

  it('finds the damage of blocks, and lines outside of a selection', () => {
    const blocks = blocksOf(diff);
    assert.equal(auditBlocks(file, blocks, file)[0]?.severity, 'error');
    const range = { startLine: 6, endLine: 9 };
    assert.deepEqual(
      auditBlocks(file, blocks, wanted, { range }).map(({ kind }) => kind),
      ['outsideSelection'],
    );
  });

  it('accepts an old line with a typo, and a newline that the patch removes', () => {
    const typo = [
      {
        search: 'def first():\n    start()\n    laod()\n    stop()',
        replace: 'def first():\n    start()\n    read()\n    check()\n    stop()',
      },
    ];
    assert.deepEqual(auditBlocks(file, typo, wanted), []);
    const open = diffOf(file, wanted.trimEnd());
    assert.deepEqual(auditDiff(file, open, wanted.trimEnd()), []);
  });

  it('warns of an anchor that no line above the change meets', () => {
    const change = '-    load()\n+    read()\n+    check()';
    assert.deepEqual(kinds(wanted, `@@ def first():\n${change}`), []);
    assert.deepEqual(kinds(wanted, `@@ def third():\n${change}`), ['warning wrongPlace']);
    assert.deepEqual(kinds(wanted, `@@ def second():\n${change}`), ['warning wrongPlace']);
  });

  it('finds a patch that was taken for code', () => {
    const code = 'def first():\n    start()\n<<<SEARCH\n    load()\n    stop()\n';
    const merged = file.replace('    load', '<<<SEARCH\n    load');
    assert.ok(kinds(merged, code).includes('error leakedMarker'));
    // In a file about patches it is meant.
    const about = `${file}*** End Patch\n`;
    assert.ok(
      !kinds(about.replace('    load', '<<<SEARCH\n    load'), code, about).includes(
        'error leakedMarker',
      ),
    );
  });

  it('takes lines of a patch that a patch adds for meant', () => {
    const more = file.replace('    load()', '    load()\n*** Begin Patch');
    assert.deepEqual(kinds(more, diffOf(file, more)), []);
    assert.deepEqual(kinds(more, diffOf(file, more).replace(/^([-+ ]) +/gm, '$1')), []);
    const left = wanted.replace('    check()', '    check()\n*** End Patch');
    assert.ok(kinds(left, flat).includes('error leakedMarker'));
  });

  it('tells what was repaired', () => {
    const quoted = file.replace('start()', 'start("a")');
    const right = quoted.replace('start("a")', 'start("b")');
    const curly = diffOf(quoted, right).replaceAll('"a"', '“a”').replaceAll('"b"', '“b”');
    assert.deepEqual(kinds(right, curly, quoted), ['warning repaired']);
    assert.deepEqual(
      auditDiff(quoted, curly, right).map(({ kind }) => kind),
      ['repaired'],
    );
    const blocks = [{ search: '    start(“a”)', replace: '    start(“b”)' }];
    assert.deepEqual(
      auditBlocks(quoted, blocks, right).map(({ kind }) => kind),
      ['repaired'],
    );
  });
});
