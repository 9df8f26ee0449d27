import assert from 'node:assert/strict';
import { written } from '../../../src/base/sentence';
import { type MergeOptions, mergeEdit } from '../../../src/merge/index';

interface Case {
  title: string;
  original: string;
  update: string;
  /** The merged text, or a part of the reason of refusal. */
  merged?: string;
  refused?: RegExp;
  options?: MergeOptions;
}

const shop = `import { tax } from './tax';

export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

export function label(item) {
  return item.name;
}
`;

const cart = `class Cart {
  add(item) {
    if (this.items) {
      this.items.push(item);
    } else {
      this.items = [item];
    }
  }

  set(item, count) {
    if (count <= 0) {
      this.items.delete(item);
    } else {
      item.count = count;
    }
  }
}
`;

const scalaMethod = (name: string): string =>
  `    def ${name}(\n        ids: Seq[Id],\n    ): Future[Prices] = {\n      get(\n        ids,\n        "${name}"\n      )\n    }\n`;

const cases: Case[] = [
  {
    title: 'TypeScript: changes one line between markers',
    original: shop,
    update: `// ... existing code ...
  for (const item of items) {
    sum += item.price * tax(item);
  }
// ... existing code ...
`,
    merged: shop.replace('item.price;', 'item.price * tax(item);'),
  },
  {
    title: 'TypeScript: a bare function replaces the one of the same name',
    original: shop,
    update: 'export function label(item) {\n  return item.name.trim();\n}',
    merged: shop.replace('item.name;', 'item.name.trim();'),
  },
  {
    title: 'TypeScript: CRLF stays CRLF under an LF snippet',
    original: shop.replaceAll('\n', '\r\n'),
    update: '// ... existing code ...\nexport function label(item) {\n  return item.id;\n}\n',
    merged: shop.replace('item.name', 'item.id').replaceAll('\n', '\r\n'),
  },
  {
    title: 'TypeScript: keeps the byte order mark and the missing final newline',
    original: `\uFEFF${shop.trimEnd()}`,
    update: '// ... existing code ...\nexport function label(item) {\n  return item.id;\n}\n',
    merged: `\uFEFF${shop.trimEnd().replace('item.name', 'item.id')}`,
  },
  {
    title: 'TypeScript: deletes lines whose neighbours stand together',
    original: shop,
    update: '// ...\n  let sum = 0;\n  return sum;\n}\n// ...\n',
    merged: shop.replace(/ {2}for[\s\S]*? {2}\}\n/, ''),
  },
  {
    title: 'TypeScript: a dedented snippet gets the indentation of the file',
    original: shop,
    update:
      '// ... existing code ...\nlet sum = 0;\nlet count = 0;\nfor (const item of items) {\n  sum += item.price;\n  count += 1;\n}\n// ... existing code ...',
    merged: shop
      .replace('  let sum = 0;\n', '  let sum = 0;\n  let count = 0;\n')
      .replace('item.price;\n', 'item.price;\n    count += 1;\n'),
  },
  {
    title: 'TypeScript: a whole new file replaces the file',
    original: shop,
    update: shop.replaceAll('sum', 'result'),
    merged: shop.replaceAll('sum', 'result'),
  },
  {
    title: 'TypeScript: a comment of the file that looks like a marker stays a line',
    original: '// ... existing users keep their id\nconst a = 1;\nconst b = 2;\n',
    update: '// ... existing users keep their id\nconst a = 3;\n// ... existing code ...\n',
    merged: '// ... existing users keep their id\nconst a = 3;\nconst b = 2;\n',
  },
  {
    title: 'Python: inserts a method at the end of a class',
    original:
      'class Cart:\n    def add(self, item):\n        self.items.append(item)\n\n    def clear(self):\n        self.items = []\n\n\ndef main():\n    Cart()\n',
    update:
      '# ... existing code ...\n    def clear(self):\n        self.items = []\n\n    def size(self):\n        return len(self.items)\n\n\ndef main():\n# ... rest of the file unchanged ...\n',
    merged:
      'class Cart:\n    def add(self, item):\n        self.items.append(item)\n\n    def clear(self):\n        self.items = []\n\n    def size(self):\n        return len(self.items)\n\n\ndef main():\n    Cart()\n',
  },
  {
    title: 'Go: tabs of the file win over the blanks of the snippet',
    original: 'package main\n\nfunc main() {\n\tif ready {\n\t\trun()\n\t}\n}\n',
    update:
      '// ... existing code ...\nfunc main() {\n    if ready {\n        prepare()\n        run()\n    }\n}\n',
    merged: 'package main\n\nfunc main() {\n\tif ready {\n\t\tprepare()\n\t\trun()\n\t}\n}\n',
  },
  {
    title: 'SQL: changes a column under -- markers',
    original:
      'create table a (\n  id int,\n  name text\n);\n\ncreate table b (\n  id int,\n  a_id int\n);\n',
    update: '-- ... existing code ...\ncreate table b (\n  id bigint,\n  a_id int\n);\n',
    merged:
      'create table a (\n  id int,\n  name text\n);\n\ncreate table b (\n  id bigint,\n  a_id int\n);\n',
  },
  {
    title: 'CSS: adds a declaration',
    original: '.a {\n  color: red;\n}\n\n.b {\n  color: blue;\n}\n',
    update: '/* ... existing styles ... */\n.b {\n  color: blue;\n  margin: 0;\n}\n',
    merged: '.a {\n  color: red;\n}\n\n.b {\n  color: blue;\n  margin: 0;\n}\n',
  },
  {
    title: 'HTML: changes one element',
    original: '<body>\n  <h1>Hello</h1>\n  <p>One</p>\n  <p>Two</p>\n</body>\n',
    update:
      '<!-- ... existing code ... -->\n  <p>One</p>\n  <p>Two and a half</p>\n<!-- ... existing code ... -->\n',
    merged: '<body>\n  <h1>Hello</h1>\n  <p>One</p>\n  <p>Two and a half</p>\n</body>\n',
  },
  {
    title: 'YAML: adds a key',
    original: 'on: push\njobs:\n  test:\n    runs-on: ubuntu\n    steps:\n      - run: npm test\n',
    update: '# ...\n  test:\n    runs-on: ubuntu\n    timeout: 5\n    steps:\n# ...\n',
    merged:
      'on: push\njobs:\n  test:\n    runs-on: ubuntu\n    timeout: 5\n    steps:\n      - run: npm test\n',
  },
  {
    title: 'Rust: appends after a marker at the end of the file',
    original: 'fn one() -> u8 {\n    1\n}\n\nfn main() {\n    one();\n}\n',
    update: '// ... existing code ...\n    one();\n}\n\nfn two() -> u8 {\n    2\n}\n',
    merged:
      'fn one() -> u8 {\n    1\n}\n\nfn main() {\n    one();\n}\n\nfn two() -> u8 {\n    2\n}\n',
  },
  {
    title: 'Ruby: moves a method up',
    original:
      'class A\n  def first\n    1\n  end\n\n  def second\n    2\n  end\n\n  def third\n    3\n  end\nend\n',
    update:
      'class A\n  def third\n    3\n  end\n\n  def first\n    1\n  end\n\n  def second\n    2\n  end\nend\n',
    merged:
      'class A\n  def third\n    3\n  end\n\n  def first\n    1\n  end\n\n  def second\n    2\n  end\nend\n',
  },
  {
    title: 'refuses a tie',
    original: 'a {\n  x: 1;\n}\nb {\n  x: 1;\n}\n',
    update: '/* ... existing code ... */\n  x: 1;\n  y: 2;\n/* ... existing code ... */\n',
    refused: /two places/,
  },
  {
    title: 'refuses prose',
    original: shop,
    update: 'Sure! You should multiply each price by the tax rate before summing it up.',
    refused: /No line of the snippet/,
  },
  {
    title: 'refuses a snippet of another file',
    original: shop,
    update:
      '// ... existing code ...\nconst server = http.createServer();\nserver.listen(80);\n// ... existing code ...\n',
    refused: /No line of the snippet is in shop\.ts/,
    options: { path: 'src/shop.ts' },
  },
  {
    title: 'refuses an empty snippet',
    original: shop,
    update: ' \n',
    refused: /empty/,
  },
  {
    title: 'a selection settles where a repeated line changes',
    original: 'a {\n  x: 1;\n}\nb {\n  x: 1;\n}\n',
    update: '/* ... existing code ... */\n  x: 1;\n  y: 2;\n/* ... existing code ... */\n',
    merged: 'a {\n  x: 1;\n}\nb {\n  x: 1;\n  y: 2;\n}\n',
    options: { range: { startLine: 4, endLine: 6 } },
  },
  {
    title: 'a snippet without anchors replaces the selection',
    original: shop,
    update: '  return [item.brand, item.title].join();',
    merged: shop.replace('  return item.name;', '  return [item.brand, item.title].join();'),
    options: { range: { startLine: 12, endLine: 12 } },
  },
  {
    title: 'a diff within the selection',
    original: shop,
    update: '@@ -12 +12 @@\n-  return item.name;\n+  return item.id;\n',
    merged: shop.replace('item.name', 'item.id'),
    options: { range: { startLine: 11, endLine: 13 } },
  },
  {
    title: 'refuses a diff that changes lines outside of the selection',
    original: shop,
    update: '@@ -12 +12 @@\n-  return item.name;\n+  return item.id;\n',
    refused: /outside the selection/,
    options: { range: { startLine: 3, endLine: 9 } },
  },
  {
    title:
      'refuses a diff that takes a line outside of the selection along, though the rest reads the same',
    original: 'a\nb\nX\nb\nc\n',
    update: '@@ -1,5 +1,3 @@\n a\n b\n-X\n-b\n c\n',
    refused: /outside the selection/,
    options: { range: { startLine: 3, endLine: 3 } },
  },
  {
    title: 'a selection may lose all of its lines',
    original: 'a\nb\nX\nb\nc\n',
    update: '@@ -1,5 +1,4 @@\n a\n b\n-X\n b\n c\n',
    merged: 'a\nb\nb\nc\n',
    options: { range: { startLine: 3, endLine: 3 } },
  },
  {
    title: 'a rewrite ends as the file does: without a final newline',
    original: 'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = 4;',
    update: 'const a = 1;\nconst b = 3;\nconst c = 3;\nconst d = 4;\n',
    merged: 'const a = 1;\nconst b = 3;\nconst c = 3;\nconst d = 4;',
  },
  {
    title: 'a rewrite ends as the file does: with one',
    original: 'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = 4;\n',
    update: 'const a = 1;\nconst b = 3;\nconst c = 3;\nconst d = 4;',
    merged: 'const a = 1;\nconst b = 3;\nconst c = 3;\nconst d = 4;\n',
  },
  {
    title: 'a method given whole replaces the method, not its neighbours',
    original: cart,
    update:
      '// ... existing code ...\n  add(item) {\n    if (!item) {\n      throw new Error();\n    }\n    this.items.push(item, now());\n  }\n// ... existing code ...\n',
    merged: cart.replace(
      '    if (this.items) {\n      this.items.push(item);\n    } else {\n      this.items = [item];\n    }\n',
      '    if (!item) {\n      throw new Error();\n    }\n    this.items.push(item, now());\n',
    ),
  },
  {
    title: 'a new last line without a marker below replaces the last line',
    original: 'a\nb\nlog "done"\n',
    update: '# ...\nb\nlog "done: $(count)"\n',
    merged: 'a\nb\nlog "done: $(count)"\n',
  },
  {
    title: 'a new function after a marker goes to the end of the file',
    original: shop,
    update: '// ... existing code ...\n\nexport function count(cart) {\n  return cart.length;\n}\n',
    merged: `${shop}\nexport function count(cart) {\n  return cart.length;\n}\n`,
  },
  {
    title: 'a selection within one part of the snippet leaves the other parts alone',
    original: cart,
    update:
      '// ...\nclass Cart {\n  // ...\n  set(item, count) {\n    item.count = count;\n  }\n}\n',
    merged: cart.replace(
      / {4}if \(count <= 0\)[\s\S]*? {4}\}\n {2}\}/,
      '    item.count = count;\n  }',
    ),
    options: { range: { startLine: 10, endLine: 16 } },
  },
  {
    title: 'a part that starts and ends like the file is no rewrite of it',
    original: 'import { a } from "a";\n\nfunction f(x) {\n  return a(x);\n}\n\nstart(f);\n',
    update: 'import { a } from "a";\n\nfunction f(x) {\n  log(x);\n  return a(x);\n',
    merged:
      'import { a } from "a";\n\nfunction f(x) {\n  log(x);\n  return a(x);\n}\n\nstart(f);\n',
  },
  {
    title: 'four blanks of the snippet for two of the file',
    original: 'function f() {\n  if (x) {\n    one();\n  }\n  two();\n}\n',
    update: 'function f() {\n    if (x) {\n        zero();\n        one();\n    }\n    // ...\n}\n',
    merged: 'function f() {\n  if (x) {\n    zero();\n    one();\n  }\n  two();\n}\n',
  },
  {
    title: 'keeps trailing blanks of each line where they are',
    original: 'first();\n} \nf() { \nlast();\n',
    update: '// ...\nfirst();\n}\n}\nf() {\nlast();\n// ...\n',
    merged: 'first();\n} \n}\nf() { \nlast();\n',
  },
  {
    title: 'names the two places of a tie',
    original: 'a {\n  x: 1;\n}\nb {\n  x: 1;\n}\n',
    update: '/* ... existing code ... */\n  x: 1;\n  y: 2;\n/* ... existing code ... */\n',
    refused: /two places of the file: line 2 and line 5\./,
  },
];

describe('mergeEdit', () => {
  for (const { title, original, update, merged, refused, options } of cases) {
    it(title, () => {
      const result = mergeEdit(original, update, options);
      if (refused) {
        assert.equal(result.kind, 'refused');
        assert.match(result.kind === 'refused' ? written(result.reason) : '', refused);
      } else {
        assert.equal(result.kind === 'merged' ? result.text : written(result.reason), merged);
      }
    });
  }

  it('is not certain that new code takes the place of a function that it never mentions', () => {
    const result = mergeEdit(
      'function a() {\n  one();\n}\n\nfunction b() {\n  two();\n  three();\n}\n',
      '// ...\n}\n\nexport function c() {\n  four();\n}\n',
    );
    assert.equal(result.kind === 'merged' && result.certain, false);
  });

  it('is not certain that lines without a marker, all from the file, delete those between them', () => {
    const file =
      'public class Item\n{\n    private int weight = 1;\n    private int size = 2;\n\n    public string Name => name;\n    public int Weight => weight;\n    public int Size => size;\n}\n';
    const quoted = 'private int weight = 1;\nprivate int size = 2;\npublic int Size => size;\n';
    const result = mergeEdit(file, quoted);
    assert.equal(result.kind === 'merged' && result.certain, false);
    const marked = mergeEdit(file, `// ... existing code ...\n${quoted}// ... existing code ...\n`);
    assert.equal(marked.kind === 'merged' && marked.certain, true);
    const block = 'getName() {\n  trace();\n  count();\n  return this.name;\n}\n';
    const whole = mergeEdit(`function ${block}`, `function ${block.replace('  count();\n', '')}`);
    assert.equal(whole.kind === 'merged' && whole.certain, true);
  });

  it('is certain where the anchors settle the place', () => {
    const result = mergeEdit(
      shop,
      '// ... existing code ...\n  let sum = 0;\n  let count = 0;\n  for (const item of items) {\n// ... existing code ...\n',
    );
    assert.equal(result.kind === 'merged' && result.certain, true);
  });

  it('adds a declaration below the one whose closing line alone it shares, and is not certain', () => {
    const header = 'class Prices(\n    client: Client\n) {';
    const added =
      '    def update(id: String): Future[Done] = {\n      stub\n        .update(\n          request(id)\n        )\n        .map(_ => Done)\n    }\n';
    const marker = '    // ... existing code ...\n';
    const result = mergeEdit(
      `${header}\n${scalaMethod('one')}\n${scalaMethod('two')}}\n`,
      `${header}\n${marker}\n${added}\n${marker}}\n`,
      { path: 'a.scala' },
    );
    assert.equal(
      result.kind === 'merged' && result.text,
      `${header}\n${scalaMethod('one')}\n${added}\n${scalaMethod('two')}}\n`,
    );
    assert.equal(result.kind === 'merged' && result.certain, false);
  });
});
