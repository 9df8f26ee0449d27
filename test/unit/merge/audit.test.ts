import assert from 'node:assert/strict';
import { auditMerge, type MergeOptions } from '../../../src/merge/index';

const original = `import { a } from 'a';

export function one() {
  return a(1);
}

export function two() {
  return a(2);
}

export function three() {
  return a(3);
}
`;
const update = `// ... existing code ...
export function two() {
  const value = a(2);
  return value;
}
// ... existing code ...
`;
const good = original.replace('  return a(2);', '  const value = a(2);\n  return value;');

const bad: { title: string; merged: string; kinds: string[]; options?: MergeOptions }[] = [
  {
    title: 'a dropped function',
    merged: good.replace(/export function three[\s\S]*/, ''),
    kinds: ['truncated', 'droppedCode'],
  },
  { title: 'a dropped line', merged: good.replace('  return a(1);\n', ''), kinds: ['droppedCode'] },
  {
    title: 'a leaked marker',
    merged: `// ... existing code ...\n${good}`,
    kinds: ['leakedMarker'],
  },
  { title: 'a code fence', merged: `\`\`\`ts\n${good}`, kinds: ['codeFence'] },
  {
    title: 'old lines beside the new',
    merged: good.replace('  return value;', '  return value;\n  return a(2);'),
    kinds: ['duplicatedBlock'],
  },
  { title: 'a changed number', merged: good.replace('a(3)', 'a(4)'), kinds: ['unexplainedChange'] },
  { title: 'changed line endings', merged: good.replaceAll('\n', '\r\n'), kinds: ['lineEndings'] },
  { title: 'a lost final newline', merged: good.trimEnd(), kinds: ['finalNewline'] },
  {
    title: 'lost indentation',
    merged: good.replace('  const value', 'const value'),
    kinds: ['lostIndentation'],
  },
  { title: 'a missing edit', merged: original, kinds: ['missingEdit'] },
  {
    title: 'a change outside of the selection',
    merged: good,
    kinds: ['outsideSelection'],
    options: { range: { startLine: 1, endLine: 5 } },
  },
  {
    title: 'a lost bracket',
    merged: good.replace('return a(1);', 'return a(1;'),
    kinds: ['imbalance'],
  },
];

describe('auditMerge', () => {
  it('finds nothing in the right result', () => {
    assert.deepEqual(auditMerge(original, update, good), []);
  });

  for (const { title, merged, kinds, options } of bad) {
    it(`finds ${title}`, () => {
      const found = auditMerge(original, update, merged, options);
      assert.ok(
        found.some(({ kind }) => kinds.includes(kind)),
        `found ${JSON.stringify(found)}`,
      );
      for (const { line, message } of found) {
        assert.ok(line >= 1 && line <= merged.split(/\r?\n/).length);
        assert.match(message, /^[A-Z].*\.$/);
      }
    });
  }
});
