import assert from 'node:assert/strict';
import { nameDeclaredIn, symbolAt } from '../../../../src/search/view/symbols';

const cases: [path: string, code: string, symbol: string | undefined][] = [
  ['a.ts', 'export async function retryUpload(file: File) {\n  wait(); // here\n}', 'retryUpload'],
  [
    'a.ts',
    'export class Queue<T> extends Base {\n  close(): void {\n    // here\n  }\n}',
    'Queue.close',
  ],
  [
    'a.ts',
    'class Queue {\n  open() {\n    a();\n  }\n\n  close() {\n    if (x) {\n      // here\n    }\n  }\n}',
    'Queue.close',
  ],
  ['a.ts', 'class Queue {\n  open() {\n    a();\n  }\n  size = 1; // here\n}', 'Queue'],
  ['a.ts', 'function open() {\n}\n\nstart(); // here', undefined],
  ['a.ts', 'export const greet = (name) => {\n  // here\n};', 'greet'],
  [
    'a.ts',
    'export const routes = {\n  open: 1,\n  getUser: async (request) => {\n    // here\n  },\n};',
    'routes.getUser',
  ],
  ['a.js', "const api = create({\n  'get-user': function (id) {\n    // here\n", 'api.get-user'],
  ['a.js', 'const routes = {\n  getUser(id) {\n    // here\n', 'routes.getUser'],
  [
    'a.ts',
    'class Menu {\n  register() {\n    add({\n      execute: async () => {\n        // here\n',
    'Menu.register',
  ],
  ['a.js', 'const routes = {\n  user: {\n    get: () => {\n      // here\n', 'routes.get'],
  ['a.js', 'app.use({\n  verify: function (request) {\n    // here\n', 'verify'],
  ['a.js', 'const routes = {\n  open: () => 1,\n  size: 2, // here\n', 'routes'],
  ['a.ts', 'function open(\n  after: (size: number) => void, // here\n) {', 'open'],
  ['a.ts', 'class Queue {\n\tclose() {\n\t\ta(); // here\n\t}\n}', 'Queue.close'],
  ['a.rb', 'class Cart\n  def self.empty\n    x # here', 'Cart.empty'],
  ['a.py', 'class Worker(Base):\n    def stop(self):\n        pass  # here', 'Worker.stop'],
  ['a.py', 'async def stop(self):\n    pass  # here', 'stop'],
  ['a.go', 'func (s *Server) Close(now bool) error {\n\treturn nil // here\n}', 'Server.Close'],
  ['a.go', 'func (Set[K]) Len() int {\n\treturn 0 // here\n}', 'Set.Len'],
  ['a.go', 'func (l *List[K, V]) Add(key K) {\n\tgo func() { // here\n', 'List.Add'],
  ['a.go', 'func Keep[T any](all []T) {\n\tfunc(t T) { // here\n', 'Keep'],
  ['a.go', 'type Server struct {\n\tname string // here\n}', 'Server'],
  [
    'a.rs',
    'impl Display for Colour {\n    pub fn fmt(&self) -> Result {\n        x // here',
    'Colour.fmt',
  ],
  ['a.rs', 'impl<T> Stack<T> {\n    fn pop(&mut self) {\n        x // here', 'Stack.pop'],
  ['a.c', 'static int\nread_all(void)\n{\n  x; // here\n}', 'read_all'],
  ['a.c', 'static int read_all(struct file *f) {\n  x; // here\n}', 'read_all'],
  [
    'a.cs',
    'public class Cart {\n    public async Task<int> Total(int x) {\n        // here',
    'Cart.Total',
  ],
  ['a.rb', 'module Shop\n  class Cart\n    def empty?\n      x # here', 'Cart.empty?'],
  ['a.ts', "import {\n  type Planned, // here\n} from './a';\n\nfunction open() {\n}", 'open'],
  ['a.ts', 'import {\n  type Here,\n} from "x"; // here', undefined],
  ['a.ts', 'function open() {\n  const found = 1; // here\n}', 'open'],
  ['a.ts', 'function open() {\n  const find = () => {\n    // here\n  };\n}', 'find'],
  ['a.ts', '/**\n * Opens it here.\n */\nexport function open() {\n}', 'open'],
  [
    'a.ts',
    'class Queue {\n  size = 1;\n\n  /** Closes it here. */\n  close(): void {',
    'Queue.close',
  ],
  ['a.py', 'import os  # here\n\n\ndef stop():\n    pass', 'stop'],
  ['a.md', '# Guide\n\n## Keys of the view\n\ntext here', 'Keys of the view'],
  ['a.md', '# Guide\n\n```sh\n# install\nrun here\n```', 'Guide'],
  ['a.md', '# Guide\n\n```sh\n# install\n```\n\nhere', 'Guide'],
  ['a.md', '# Guide\n\n````md\n```\n# install\n```\n````\n# Keys\nhere', 'Keys'],
  ['a.md', '# Guide\n\n```a```\n# Keys\nhere', 'Keys'],
  ['a.md', '# Guide\n\n~~~\n```\n# install\n~~~\n# Keys\nhere', 'Keys'],
  ['a.md', 'Guide\n=====\n\nKeys of it\n---\ntext here', 'Keys of it'],
  ['a.md', '---\ntitle: Guide\n---\n\nhere', undefined],
  ['a.md', '# Guide\n\n```yaml\n---\na: 1\n---\nhere\n```', 'Guide'],
  ['a.md', '# Guide\n\ntext\nmore text\n---\nhere', 'Guide'],
  ['a.rst', '=====\nGuide\n=====\n\nKeys of it\n----------\n\ntext here', 'Keys of it'],
  ['a.rst', 'Guide\n~~~~~\n\n  Example\n  -------\n\nhere', 'Guide'],
  ['a.rst', 'Guide\n=====\n\n==== ====\nhere b\n==== ====', 'Guide'],
  ['a.adoc', '= Guide\n\n== Keys of it\n\ntext here', 'Keys of it'],
  ['a.org', '* Guide\n** Keys of it\ntext here', 'Keys of it'],
  ['a.tex', '\\section{Guide}\n\\subsection*{Keys of it}\ntext here', 'Keys of it'],
  ['a.txt', 'text here', undefined],
];

function check([path, code, symbol]: (typeof cases)[number]): void {
  it(`is ${symbol ?? 'none'} in ${code.split('\n')[0]}`, () => {
    const lines = code.split('\n');
    const at = lines.findIndex(line => /\bhere\b/.test(line));
    assert.equal(symbolAt(lines, at < 0 ? lines.length - 1 : at, lines.length, path), symbol);
  });
}

describe('the symbol of a line', () => {
  for (const one of cases) check(one);
});

const cSharp = `namespace App.Core;

public class Queue<T> : Base
    where T : class
{
    private int size; // FIELD

    Queue(int size) : base(size)
    {
        this.size = size; // INIT
    }

    public void Close<K>(
        int now,
        string name)
        where K : class
    {
        if (now > 0)
        {
            Flush(now); // IF
        }
        else
        {
            using (lock)
            {
                Flush(0); // ELSE
            }
        }
    } // END

    public int Count()
    {
        return size;
    }
}`;

describe('the symbol of a line where braces have lines of their own', () => {
  for (const [mark, symbol] of [
    ['FIELD', 'Queue.size'],
    ['INIT', 'Queue.Queue'],
    ['IF', 'Queue.Close'],
    ['ELSE', 'Queue.Close'],
    ['END', 'Queue.Close'],
  ] as const)
    check(['a.cs', cSharp.replace(mark, 'here'), symbol]);

  for (const one of [
    ['a.cpp', 'void Queue::close(int now)\n{\n    flush(now); // here\n}', 'Queue.close'],
    ['a.php', 'class Queue\n{\n    public function close()\n    {\n        // here', 'Queue.close'],
    [
      'a.c',
      'static void\nread_all(struct file *f,\n    int n) {\n\tx; // here\n}\nint next(void) {',
      'read_all',
    ],
    ['a.c', 'static int // here\nread_all(void)\n{\n}', undefined],
    ['a.c', 'static int\nread_all(void)\n{\n}\nvoid\nhere(void)\n{\n}', 'here'],
    ['a.rs', 'fn open<F>(at: F) -> u8\nwhere\n    F: Copy,\n{\n    at // here', 'open'],
  ] satisfies typeof cases)
    check(one);
});

describe('the symbol of a line that is around it', () => {
  for (const one of [
    // Not the next one.
    ['a.sh', 'deploy() {\n  echo # here\n}\nfunction build() {\n}', 'deploy'],
    ['a.go', 'func Map() {\nouter:\n\tfor {\n\t\tx() // here\n\t}\n}\nfunc Next() {}', 'Map'],
    ['a.c', 'int open(void) {\n  a();\nfail:\n  b(); // here\n}', 'open'],
    ['a.c', 'int open(void) {\n  a();\n#ifdef WIN32\n  b(); // here\n#endif\n}', 'open'],
    ['a.c', 'int open(void) {\n  a();\n#ifdef HERE // here\n  b();\n#endif\n}', 'open'],
    ['a.c', '#define OPEN(x) \\\n  do { \\\n    here(x); \\\n  } while (0)', 'OPEN'],
    ['a.c', 'int open(void) {\n#define A \\\n  1\n  here();\n}', 'open'],
    ['a.c', '#define OPEN 1 // here', 'OPEN'],
    ['a.ts', 'start(); // here\nfunction open() {\n}', undefined],
    ['a.ts', 'const limit = 3;\nstart(\n  here,\n);', undefined],
    ['a.ts', '// here\nimport a from "a";\nfunction open() {\n}', undefined],
    ['a.py', '@option(\n    here=1,\n)\ndef stop():\n    pass', undefined],
    ['a.py', 'def open():\n    pass\n@option(\n    here=1,\n)\ndef stop():\n    pass', undefined],
    ['a.ts', 'function a() {\n  b();\n    // here\n}\nfunction c() {}', 'a'],
    ['a.go', 'func Text() {\n\tx(`\n{"a": 1,\n\t"b": "here"', 'Text'],
    ['a.go', 'var (\n\tclosed = 1 // here\n)', undefined],
    ['a.c', 'int open(void) {\n  struct item *next; // here\n}', 'open'],
    ['a.c', 'int open(void) {\n  static const char *names[] = { // here\n}', 'open'],
    ['a.java', 'class Queue {\n  void add() {\n    synchronized (x) {\n      // here', 'Queue.add'],
    ['a.php', 'function add() {\n  foreach ($a as $b) {\n    // here', 'add'],
    ['a.kt', 'fun add() {\n  when (a) {\n    1 -> b() // here', 'add'],
    ['a.kt', 'fun add() {\n  launch(job) {\n    b() // here', 'add'],
    ['a.js', 'it("closes", function () {\n  close(); // here\n});', undefined],
    ['a.js', 'module.exports = {\n  a, // here\n};', undefined],
    ['a.cs', 'class A {\n  int B() {\n    var c = new D(e =>\n      here\n    );', 'A.B'],
    ['a.rb', 'class A\n  def b\n    c\n  rescue Here # here\n    d\n  end\nend', 'A.b'],
    ['a.rst', 'class of things\n  here', undefined],
    // With what it is called.
    ['a.rs', 'impl<T: Fn(A) -> B> Queue<T> {\n    fn close() {\n        x // here', 'Queue.close'],
    ['a.rs', 'impl fmt::Display for app::Queue {\n    const X: u8 = 1; // here', 'Queue'],
    ['a.lua', 'function M.close(q)\n  return q -- here\nend', 'M.close'],
    ['a.lua', 'function M:run()\n  return 1 -- here\nend', 'M.run'],
    ['a.kt', 'fun String.shout(): String {\n  return here', 'String.shout'],
    ['a.swift', 'class Queue {\n  init(size: Int) {\n    here', 'Queue.init'],
    ['a.kt', 'actual open class Queue {\n  actual fun close() {\n    here', 'Queue.close'],
    ['a.kt', 'package app\n\n/** here */\ninternal actual object Queue {\n', 'Queue'],
    ['a.kt', 'expect fun close(here: Int)\n', 'close'],
    ['a.java', 'package io.netty.buffer; // here', 'netty.buffer'],
    [
      'a.ts',
      'class Queue {\n  close = async (now: number): Promise<void> => {\n    here',
      'Queue.close',
    ],
    ['a.js', 'Queue.prototype.close = function (x) {\n  here', 'Queue.close'],
    ['a.ts', 'class Queue {\n  *walk() {\n    here', 'Queue.walk'],
    ['a.java', 'interface Queue {\n  int here(int now) throws E;\n}', 'Queue.here'],
    ['a.ts', 'interface Queue {\n  here?(): void;\n}', 'Queue.here'],
    ['a.cs', 'class Queue {\n  public int here() => 1;\n}', 'Queue.here'],
  ] satisfies typeof cases)
    check(one);
});

describe('the name that a line declares', () => {
  for (const [line, name] of [
    ['export const limit = 3;', 'limit'],
    ['  const limit = 3;', undefined],
    ['  const open = () => {', 'open'],
    ['  let open = function () {', 'open'],
    ['#define LIMIT 3', 'LIMIT'],
    ['macro_rules! open {', 'open'],
    ['impl Reader for File {', 'File'],
    ['impl File {', 'File'],
    ['pub(crate) fn open(path: &str) {', 'open'],
    ['func (s *Server) Open() error {', 'Open'],
    ['def self.open(path)', 'open'],
    ['class Queue<T> extends Base<T> {', 'Queue'],
    ['const Point move(int x) {', 'move'],
    ['const open = (file) => {', 'open'],
    ['type Planned,', undefined],
    ['type Planned, // here', undefined],
    ['open();', undefined],
    ['  close() {}', 'close'],
    ['  size() { return 1; }', 'size'],
    ['  public int size() { return 1; }', 'size'],
    ['  return open(1) { }', undefined],
    ['  each(list) { |one| one }', undefined],
    ['  strcmp(a, b) != 0) {', undefined],
    ['struct redisCommand *lookup(const char *name) {', 'lookup'],
    ['struct item *next;', undefined],
    ['typedef struct item {', 'item'],
    ['const char *names[] = {', 'names'],
    ['pub(crate) const fn limit() -> usize {', 'limit'],
    ['const (', undefined],
    ['type, name = parse(text)', undefined],
    ['class extends Base {', undefined],
    ['@objc private func close() {', 'close'],
    ['module Shop::Cart', 'Cart'],
    [`function open(${'a'.repeat(282)}) {`, 'open'],
    [`function open(${'a'.repeat(283)}) {`, undefined],
  ] as const)
    it(`is ${name ?? 'none'} in ${line.slice(0, 40)}`, () =>
      assert.equal(nameDeclaredIn(line, 'src/queue.ts'), name));
});

const far = (lines: number): string | undefined => {
  const code = ['function open() {', ...Array.from({ length: lines }, () => '  step();')];
  return symbolAt(code, code.length - 1, code.length, 'a.ts');
};

describe('the symbol of a line far from others', () => {
  it('is looked for in 2,000 lines above', () => {
    assert.deepEqual([far(2000), far(2001)], ['open', undefined]);
    const text = ['# Guide', ...Array.from({ length: 2001 }, () => 'text')];
    assert.deepEqual(
      [2000, 2001].map(at => symbolAt(text, at, text.length, 'a.MDX')),
      ['Guide', undefined],
    );
  });

  it('is a next one only inside of the place', () => {
    const code = ['import os', '', 'def stop():', '    pass'];
    assert.deepEqual(
      [symbolAt(code, 0, 3, 'a.py'), symbolAt(code, 0, 2, 'a.py')],
      ['stop', undefined],
    );
  });

  it('has at most the two innermost names', () => {
    const code = ['class A {', '  class B {', '    class C {', '      open() {', '        x;'];
    assert.equal(symbolAt(code, 4, 5, 'a.ts'), 'C.open');
  });
});
