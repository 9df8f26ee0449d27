import assert from 'node:assert/strict';
import { written } from '../../../../../src/base/sentence';
import { mergeEdit } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';

function mergedText(original: string, update: string, path = 'a.ts'): string {
  const result = mergeEdit(original, update, { path });
  return result.kind === 'merged' ? result.text : `refused: ${written(result.reason)}`;
}

describe('one more entry, shown below its neighbor', () => {
  const errors = `const errors = [
  'the server was stopped',
  'the server timed out: EOF',
  'read: reset by peer',
  'closed',
];
`;

  it('replaces no similar one', () => {
    const added = "  'the server timed out: reset by peer',\n";
    const neighbor = "  'the server timed out: EOF',\n";
    assert.equal(
      mergedText(errors, `  ${gap}${neighbor}${added}  ${gap}`),
      errors.replace(neighbor, neighbor + added),
    );
  });

  it('replaces the one of the same name', () => {
    const original = 'const a = 1;\nconst limit = compute(a, 1);\nconst b = 3;\nrun(limit, b);\n';
    const update = `${gap}const a = 1;\nconst limit = computeLimits(a, { most: 1 });\n${gap}`;
    assert.equal(
      mergedText(original, update),
      original.replace('compute(a, 1)', 'computeLimits(a, { most: 1 })'),
    );
  });

  it('replaces the one that it hardly changes', () => {
    const original = "use('actions/first@v2');\nuse('actions/checkout@v3');\nuse('others');\n";
    const update = `use('actions/first@v2');\nuse('actions/checkout@v4');\n${gap}`;
    assert.equal(mergedText(original, update), original.replace('@v3', '@v4'));
  });

  it('keeps the function below a new one', () => {
    const below = 'function below(value) {\n  const one = read(value);\n  return one;\n}\n';
    const above = 'function above() {\n  return read(0);\n}\n';
    const added = 'function added(value) {\n  const one = read(value);\n  return one + 1;\n}\n';
    const original = `${above}\n${below}\nfunction other() {\n  const one = read(value);\n}\n`;
    assert.equal(
      mergedText(original, `${gap}${above}\n${added}\n${gap}`),
      original.replace(below, `${added}\n${below}`),
    );
  });

  it('keeps the same line elsewhere, which is indented otherwise', () => {
    const original =
      "import a from 'a';\n\nif (TYPES) {\n  other();\n  import b from 'b';\n}\n\nrun(a);\n";
    const update = `${gap}import a from 'a';\nimport b from 'b';\n${gap}`;
    assert.equal(
      mergedText(original, update),
      original.replace("'a';\n", "'a';\nimport b from 'b';\n"),
    );
  });
});

const object = (name: string): string => `  {\n    "name": "${name}",\n    "kind": "x"\n  },\n`;
const titled = (title: string): string =>
  `  it('${title}', async () => {\n    await run(model);\n  });\n\n`;
const rustTest = (name: string): string =>
  `#[test]\nfn ${name}() {\n    check(${name.length});\n}\n\n`;
const tableRow = (name: string): string => `| ${name} | The identifier of ${name} |\n`;

/** The text with `added` in front of the line that starts with `next`. */
function withAdded(original: string, added: string, next: string): string {
  const at = original.indexOf(next);
  assert.ok(at > 0, `no ${next}`);
  return original.slice(0, at) + added + original.slice(at);
}

describe('one more entry with lines of its own', () => {
  const steps = `steps:
  - name: Merge
    run: git merge
    env:
      TOKEN: one
  - name: Push
    run: git push
    env:
      TOKEN: one
`;

  it('keeps the step of a workflow that ends as the new one does', () => {
    const added = '  - name: Clear\n    run: git push --delete\n    env:\n      TOKEN: one\n';
    const shown = '  - name: Merge\n    run: git merge\n    env:\n      TOKEN: one\n';
    assert.equal(
      mergedText(
        steps,
        `  # ... existing code ...\n${shown}${added}  # ... existing code ...\n`,
        'a.yml',
      ),
      withAdded(steps, added, '  - name: Push'),
    );
  });

  it('changes the step of the same action', () => {
    const original = steps.replace('- name: Push', '- uses: actions/setup@v4');
    const update =
      '  # ...\n  - name: Merge\n    run: git merge\n    env:\n      TOKEN: one\n  - uses: actions/setup@v5\n    run: git push\n  # ...\n';
    assert.equal(mergedText(original, update, 'a.yml'), original.replace('@v4', '@v5'));
  });

  it('keeps what a step has above the next one', () => {
    const original =
      'steps:\n  - uses: checkout\n  - name: Set up\n    with:\n      version: 3\n  - name: Test\n';
    const added = '    with:\n      keep: false\n';
    assert.equal(
      mergedText(original, `  # ...\n  - uses: checkout\n${added}  # ...\n`, 'a.yml'),
      withAdded(original, added, '  - name: Set up'),
    );
  });

  it('keeps the older releases of a changelog', () => {
    const original =
      '# Changes\n\n## Unreleased\n\n## 1.1.0\n\n### Added\n\n- one\n\n## 1.0.0\n\n### Fixed\n\n- two\n';
    const marker = '<!-- ... existing code ... -->\n';
    const added = '### Fixed\n\n- three\n\n';
    assert.equal(
      mergedText(original, `${marker}## Unreleased\n\n${added}${marker}`, 'CHANGELOG.md'),
      withAdded(original, added, '## 1.1.0'),
    );
  });

  it('keeps the table of a TOML file whose header the new one shares', () => {
    const original =
      '[[bin]]\nname = "one"\npath = "one.rs"\n\n[[bin]]\nname = "two"\npath = "two.rs"\n';
    const added = '[[bin]]\nname = "three"\npath = "three.rs"\n\n';
    assert.equal(
      mergedText(original, `# ...\npath = "one.rs"\n\n${added}# ...\n`, 'Cargo.toml'),
      withAdded(original, added, '[[bin]]\nname = "two"'),
    );
  });

  it('keeps the object of a list that starts and ends as the new one does', () => {
    const original = `[\n${object('a/tests')}${object('a')}${object('b')}  {}\n]\n`;
    const marker = '  // ... existing code ...\n';
    assert.equal(
      mergedText(
        original,
        `${marker}${object('a/tests')}${object('a/tests/more')}${marker}`,
        'a.json',
      ),
      withAdded(original, object('a/tests/more'), object('a')),
    );
  });

  it('keeps the test below, in blocks with titles', () => {
    const original = `describe('all', () => {\n${titled('one')}${titled('two')}${titled('four')}});\n`;
    assert.equal(
      mergedText(original, `  ${gap}${titled('one')}${titled('three')}  ${gap}`),
      original.replace(titled('one'), titled('one') + titled('three')),
    );
  });

  it('leaves an attribute with the function that it belongs to', () => {
    const original = `${rustTest('one')}${rustTest('two')}`;
    const shown = rustTest('one').replace('#[test]\n', '');
    assert.equal(
      mergedText(original, `${gap}${shown}${rustTest('three')}${gap}`, 'a.rs'),
      rustTest('one') + rustTest('three') + rustTest('two'),
    );
  });

  it('leaves the start of a comment with the comment', () => {
    const original =
      'enum Flag {\n  One = 1,\n\n  /**\n   * The second one.\n   */\n  Two = 2,\n}\n';
    const added = '  /**\n   * The third one.\n   */\n  Three = 3,\n\n';
    assert.equal(
      mergedText(original, `  ${gap}  One = 1,\n\n${added}  ${gap}`),
      withAdded(original, added, '  /**'),
    );
  });

  it('repeats no line of its neighbor', () => {
    const original = `def test_one(path):
    result = read(path)
    assert "a" in result

def test_two(path):
    result = read(path)
    assert "b" in result
`;
    const added = `def test_more(path):
    result = read(path)
    assert "c" in result

def test_most(path):
    result = read(path)
    assert result["d"]

`;
    const shown = 'def test_one(path):\n    result = read(path)\n    assert "a" in result\n\n';
    assert.equal(
      mergedText(original, `# ...\n${shown}${added}# ...\n`, 'a.py'),
      withAdded(original, added, 'def test_two'),
    );
  });

  it('leaves the end of the function above it where it is', () => {
    const original =
      'function one(a) {\n  run(a)\n  return a\n}\n\nfunction two() {\n  stop()\n}\n';
    const added = 'function more() {\n  const a = get()\n  return a\n}\n\n';
    const update = `function one(a) {\n  ${gap}}\n\n${added}function two() {\n  ${gap}}\n`;
    assert.equal(mergedText(original, update), withAdded(original, added, 'function two'));
  });

  it('keeps the branches below a new one', () => {
    const original = `switch code {
case ok:
  return green
case moved:
  return white
case other:
  return white
default:
  return red
}
`;
    assert.equal(
      mergedText(original, `switch code {\ncase info:\n  return white\n${gap}`, 'a.go'),
      original.replace('case ok', 'case info:\n  return white\ncase ok'),
    );
  });

  it('keeps the statements below a new one with a block', () => {
    const original = `  open(stream);
  const own = isDecorated();
  stream = other(own);
  if (!decorated) {
    set(own);
  }
  close();
`;
    const added = '  if (!formatter) {\n    stream = plain();\n  }\n';
    assert.equal(
      mergedText(original, `  ${gap}  open(stream);\n${added}  ${gap}`),
      withAdded(original, added, '  const own'),
    );
  });

  it('keeps the code below a new comment', () => {
    const original = '<?php\n\nnamespace A;\n\nuse B;\n\n/**\n * @group c\n */\nclass D {\n}\n';
    const added = '/*\n * This file is free.\n */\n\n';
    assert.equal(
      mergedText(original, `<?php\n\n${added}${gap}`, 'a.php'),
      withAdded(original, added, 'namespace'),
    );
  });

  it('keeps the lists of a package.json apart', () => {
    const original = `{
  "dev": {
    "one": "^0.1.0",
    "test": "^1.0.0"
  },
  "peer": {
    "one": "^0.1.0",
    "two": ">=0.2.0"
  }
}
`;
    assert.equal(
      mergedText(
        original,
        `  ${gap}  "dev": {\n    "one": "^0.1.0",\n    "two": "*",\n    ${gap}`,
        'a.json',
      ),
      withAdded(original, '    "two": "*",\n', '    "test"'),
    );
  });

  it('replaces a function whose new name is shown above its own lines', () => {
    const original =
      'def old(path):\n    first(path)\n    second(path)\n\ndef other():\n    pass\n';
    const update = 'def renamed(path):\n    first(path)\n    # ...\n';
    assert.equal(mergedText(original, update, 'a.py'), original.replace('old', 'renamed'));
  });
});

describe('one more line beside others', () => {
  it('keeps the last entry of a map', () => {
    const original =
      'const all = new Map([\n  ["plugin-one", [1]],\n  ["plugin-two", [1]],\n]);\n\nrun(all);\n';
    const added = '  ["plugin-tree", [1]],\n';
    assert.equal(
      mergedText(original, `const all = new Map([\n  ${gap}${added}]);\n${gap}`),
      original.replace(']);', `${added}]);`),
    );
  });

  it('keeps the rows of a table', () => {
    const original = `| Name | What |\n|---|---|\n${tableRow('gateway')}${tableRow('endpoint_ssm')}${tableRow('vpc')}`;
    const marker = '<!-- ... existing code ... -->\n';
    assert.equal(
      mergedText(
        original,
        `${marker}${tableRow('gateway')}${tableRow('endpoint_sns')}${marker}`,
        'a.md',
      ),
      withAdded(original, tableRow('endpoint_sns'), tableRow('endpoint_ssm')),
    );
  });

  it('is right above what it decorates', () => {
    const original = 'class A {\n  // MARK: Tests\n\n  func testOne() {}\n}\n';
    assert.equal(
      mergedText(original, `  ${gap}  // MARK: Tests\n\n  @MainActor\n  ${gap}`, 'a.swift'),
      withAdded(original, '  @MainActor\n', '  func'),
    );
  });

  it('keeps its tabs in the part of a file that has tabs', () => {
    const script = 'const script = `\n' + '    echo one\n'.repeat(9) + '`\n';
    const original = `package a\n\n${script}\nfunc one() {\n\trun(1)\n}\n\nfunc two() {\n\trun(2)\n}\n`;
    const added = 'func three() {\n\trun(3)\n\tstop()\n}\n\n';
    assert.equal(
      mergedText(original, `${gap}func one() {\n\trun(1)\n}\n\n${added}${gap}`, 'a.go'),
      withAdded(original, added, 'func two'),
    );
  });

  it('is no entry where it is the body of the line above', () => {
    const original = 'def a():\n    return 1\n\n\ndef b():\n    return 2\n';
    assert.equal(
      mergedText(original, 'def a():\n    return 3\n\n# ... existing code ...\n', 'a.py'),
      original.replace('return 1', 'return 3'),
    );
  });
});
