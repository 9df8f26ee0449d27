import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type UndoneChange,
  undoneMessage,
} from '../../../../../../src/apply/external/agents/core/message';
import { readMarkdown } from '../../../../../../src/markdown';

describe('the message about what was undone', () => {
  it('says where, what and why', () => {
    assert.equal(
      undoneMessage([
        {
          path: 'src/cart.ts',
          line: 12,
          undone: ['  total += 1;\n', '  log(total);\n'],
          restored: ['  total += price;\n'],
          reason: 'The price counts.\nNot the number.',
        },
        { path: 'src/new.ts', whole: 'created' },
        { path: 'src/old.ts', whole: 'deleted', reason: ' ' },
        { path: 'src/b.ts', whole: 'renamed', from: 'src/a.ts' },
        { path: 'icon.png', whole: 'replaced' },
      ]),
      `I undid these changes. The files have the lines with "+" again, and no longer those with "-".

src/cart.ts, line 12:
Reason: The price counts.
Not the number.
\`\`\`diff
-  total += 1;
-  log(total);
+  total += price;
\`\`\`

src/new.ts: the new file is gone again.

src/old.ts: the deleted file is there again.

src/b.ts: the file is named src/a.ts again.

icon.png: the whole file is as it was before.`,
    );
  });

  it('shows the beginning of long changes and lines', () => {
    const text = undoneMessage([
      { path: 'a', undone: Array.from({ length: 40 }, () => 'x'.repeat(500)) },
    ]);
    assert.ok(text.includes(`\n-${'x'.repeat(199)}…\n`));
    assert.ok(text.endsWith('\n… 10 more lines\n```'));
  });

  it('shows the first 30 lines of a change, and says how many more there are', () => {
    const undone = Array.from({ length: 31 }, (_, at) => `line ${at + 1}`);
    const shown = undoneMessage([{ path: 'a', undone }]).split('\n');
    assert.deepEqual(
      shown.filter(line => line.startsWith('-')),
      undone.slice(0, 30).map(line => `-${line}`),
    );
    assert.match(shown.join('\n'), /\n… 1 more line\n/);
    const whole = undoneMessage([{ path: 'a', undone: undone.slice(1) }]);
    assert.match(whole, /-line 31\n/);
    assert.doesNotMatch(whole, /more line/);
  });

  it('is never too long: first lines are left out, then changes, which are counted', () => {
    const change: UndoneChange = {
      path: `src/${'p'.repeat(60)}.ts`,
      line: 1,
      undone: Array.from({ length: 20 }, () => 'y'.repeat(100)),
    };
    const text = undoneMessage(Array.from({ length: 500 }, () => change));
    assert.ok(text.length <= 10_000, String(text.length));
    const shown = text.match(/^src\//gm)?.length ?? 0;
    assert.ok(shown >= 10, String(shown));
    assert.ok(text.endsWith(`\n\n${500 - shown} more changes were undone.`));
  });

  it('has the lines in blocks that they cannot end, and nothing that a terminal obeys', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '```',
        '~~~',
        '````\nhello',
        '```diff',
        '\u001b[2J',
        'a\u0007\r\nb',
        '\u2028',
      ),
    );
    fc.assert(
      fc.property(fc.array(line), fc.array(line), line, (undone, restored, path) => {
        const text = undoneMessage([{ path: `src/a${path.trim()}`, undone, restored }]);
        assert.ok(text.length <= 10_000);
        assert.ok(!/(?![\t\n])\p{Cc}/u.test(text));
        const [block, ...others] = readMarkdown(text).blocks;
        assert.deepEqual(others, []);
        const count = undone.length + restored.length;
        const shown =
          block?.text.trimEnd() === '' ? [] : block?.text.replace(/\n$/, '').split('\n');
        assert.equal(shown?.length ?? 0, Math.min(count, 31));
      }),
    );
  });
});
