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

  const damages: Record<string, string> = {
    'the edit left out': file,
    'a line lost elsewhere': wanted.replace('    send()\n', ''),
    'a line twice': wanted.replace('    send()\n', '    send()\n    send()\n'),
    'the old line kept': wanted.replace('    read()', '    load()\n    read()'),
    'half of the edit': wanted.replace('    check()\n', ''),
    'a line in another place': wanted
      .replace('    check()\n', '')
      .replace('    send()', '    check()\n    send()'),
    'another line changed': wanted.replace('send()', 'post()'),
    'the indentation of another line': wanted.replace('    send', '  send'),
    'lines in another order': wanted.replace('    start()\n    send()', '    send()\n    start()'),
    'the end cut off': wanted.slice(0, wanted.indexOf('    send')),
    'a hunk header left': wanted.replace('def second', '@@ -1,4 +1,5 @@\ndef second'),
    'a mark left': `${wanted}>>>>>>> REPLACE\n`,
    'line ends mixed': wanted.replace('\n', '\r\n'),
  };
  for (const [name, merged] of Object.entries(damages))
    it(`finds ${name}`, () => {
      for (const update of [diff, flat]) {
        const found = kinds(merged, update);
        assert.ok(
          found.some(kind => kind.startsWith('error')),
          `${name}: ${found.join()}`,
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
