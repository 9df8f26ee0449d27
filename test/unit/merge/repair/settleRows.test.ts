import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { auditMerge, mergeEdit } from '../../../../src/merge';

const python = `class Store:
    def load(self, path):
        """Reads a file."""
        for line in open(path):
            key, value = line.split("=")
            if key == "stop":
                return self.items
            self.items[key] = value
        self.loaded = True

    def clear(self):
        self.items = {}
`;
const script = `export class Store {
  load(path) {
    const lines = read(path);
    for (const line of lines) {
      if (line === "stop") {
        return this.items;
      }
      this.items.push(parse(line));
    }
    this.loaded = true;
  }
}
`;

const flat = (text: string): string => text.replaceAll(/^[ \t]+/gm, '');
const linesOf = (text: string, from: number, to: number): string =>
  text.split('\n').slice(from, to).join('\n');

function mergedText(original: string, update: string, path: string): string {
  const result = mergeEdit(original, update, { path });
  return result.kind === 'merged' ? result.text : `refused: ${written(result.reason)}`;
}

describe('a snippet that has lost its indentation', () => {
  it('keeps that of the file, and gives new lines the depth of their neighbors', () => {
    const expected = script
      .replace('      this.items.push', '      count(line);\n      this.items.push')
      .replace('    this.loaded', '    finish(() => {\n      this.end();\n    });\n    this.loaded')
      .replace('read(path)', 'readAll(path)');
    const update = flat(linesOf(expected, 1, -2));
    assert.equal(mergedText(script, update, 'store.js'), expected);
    const findings = auditMerge(script, update, expected, { path: 'store.js' });
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ['repaired'],
    );
  });

  it('is indented in a language where that is syntax, if only one depth fits', () => {
    const expected = python
      .replace('            self.items[key]', '            check(key)\n            self.items[key]')
      .replace('line.split("=")', 'line.split("=", 1)');
    assert.equal(mergedText(python, flat(linesOf(expected, 1, 10)), 'store.py'), expected);
    const below = python.replace(
      '                return self.items\n',
      '                log(key)\n                return self.items\n',
    );
    assert.equal(mergedText(python, flat(linesOf(below, 1, 11)), 'store.py'), below);
  });

  it('has the text of a new docstring at the depth of its quotes', () => {
    const original =
      'class Store:\n    def load(self):\n        self.a = 1\n        self.b = 2\n        return self\n\n    def clear(self):\n        pass\n';
    const expected = original.replace(
      '        self.a = 1\n',
      '        """\n        Reads all\n        """\n        self.a = 1\n',
    );
    assert.equal(mergedText(original, flat(linesOf(expected, 1, 8)), 'store.py'), expected);
  });

  it('is refused where more than one depth fits', () => {
    const update = flat(
      linesOf(
        python.replace('        self.loaded', '        self.count()\n        self.loaded'),
        1,
        10,
      ),
    );
    assert.match(
      mergedText(python, update, 'store.py'),
      /^refused: .*lost its indentation.*self\.count\(\)/,
    );
  });

  it('is flat in a file that is', () => {
    const original = 'one\ntwo\nthree\nfour\n';
    assert.equal(
      mergedText(original, 'one\ntwo\n2.5\nthree\nfour\n', 'a.txt'),
      'one\ntwo\n2.5\nthree\nfour\n',
    );
  });
});

describe('a snippet whose indentation is off', () => {
  it('gets back what its first line has lost', () => {
    for (const first of ['load(path) {', 'load(path, mode) {']) {
      const expected = script.replace('load(path) {', first).replace('read(path)', 'readAll(path)');
      const update = linesOf(expected, 1, -2).trimStart();
      assert.equal(mergedText(script, update, 'store.js'), expected);
    }
  });

  it('may begin at the margin on purpose', () => {
    const original = 'a();\nif (b) {\n  c();\n}\nd();\n';
    const update = 'e();\nif (b) {\n  c();\n}\nd();\n';
    assert.equal(mergedText(original, update, 'a.js'), update);
  });

  it('is scaled to the width of the file', () => {
    const expected = script.replace(
      '      this.items.push',
      '      count(line);\n      this.items.push',
    );
    const wide = linesOf(expected, 1, -2).replaceAll(/^ +/gm, blanks => blanks + blanks);
    assert.equal(mergedText(script, wide, 'store.js'), expected);
  });

  it('is not scaled where a block was put around lines', () => {
    const original = 'f() {\n  a();\n  b();\n}\n';
    const update = 'f() {\n  if (c) {\n    a();\n    b();\n  }\n}\n';
    assert.equal(mergedText(original, update, 'a.js'), update);
  });
});

describe('a closing line with a comment', () => {
  it('is the closing line of the file', () => {
    const expected = script.replace('read(path)', 'readAll(path)');
    const update = linesOf(expected, 1, -2).replace(/\}$/, '} // end of load');
    assert.equal(mergedText(script, update, 'store.js'), expected);
    assert.deepEqual(auditMerge(script, update, expected, { path: 'store.js' }), []);
  });

  it('keeps its comment in new code', () => {
    const added = '  clear() {\n    this.items = [];\n  } // end of clear\n';
    const expected = script.replace(/\}\n$/, `\n${added}}\n`);
    const update = `// ... existing code ...\n    this.loaded = true;\n  }\n\n${added}}\n`;
    assert.equal(mergedText(script, update, 'store.js'), expected);
    assert.deepEqual(auditMerge(script, update, expected, { path: 'store.js' }), []);
  });
});
