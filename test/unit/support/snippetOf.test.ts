import assert from 'node:assert/strict';
import { type SnippetStyle, snippetOf } from '../../support/unit/snippetOf';

const before = `import a from 'a';

function one() {
  start();
  stop();
}

function two() {
  stop();
}

export { one, two };
`;

function snippet(after: string, style: Partial<SnippetStyle> = {}): string {
  return snippetOf(before, after, 'a.ts', { context: 1, ...style });
}

describe('snippetOf', () => {
  it('shows a change with its neighbours, and markers for the rest', () => {
    assert.equal(
      snippet(before.replace('  start();\n', '  start(1);\n')),
      `// ... existing code ...
function one() {
  start(1);
  stop();
// ... existing code ...
`,
    );
  });

  it('shows more where a deletion would not be seen', () => {
    assert.equal(
      snippet(before.replace('function two() {\n  stop();\n}\n\n', '')),
      `// ... existing code ...
  start();
  stop();
}

export { one, two };
`,
    );
    assert.equal(
      snippet(before.replace('function one() {\n  start();\n  stop();\n}\n\n', '')),
      `import a from 'a';

function two() {
// ... existing code ...
`,
    );
  });

  it('shows lines until the first and the last one stand once', () => {
    assert.equal(
      snippet(before.replace('  stop();\n}\n\nf', '  stop(1);\n}\n\nf'), { uniqueEdges: true }),
      `// ... existing code ...
  start();
  stop(1);
}

function two() {
// ... existing code ...
`,
    );
  });

  it('writes other words, line ends and indentation, and leaves out the outer markers', () => {
    const after = before.replace('  start();\n', '  start(1);\n');
    assert.equal(
      snippet(after, { wording: '...', lineEnd: '\r\n', swapsIndentation: true }),
      '// ...\r\nfunction one() {\r\n\tstart(1);\r\n\tstop();\r\n// ...\r\n',
    );
    assert.equal(
      snippet(after, { withoutFirstMarker: true, withoutLastMarker: true }),
      'function one() {\n  start(1);\n  stop();\n',
    );
  });
});
