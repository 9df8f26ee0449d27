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
  ['a.ts', 'class Queue {\n\tclose() {\n\t\ta(); // here\n\t}\n}', 'Queue.close'],
  ['a.rb', 'class Cart\n  def self.empty\n    x # here', 'Cart.empty'],
  ['a.py', 'class Worker(Base):\n    def stop(self):\n        pass  # here', 'Worker.stop'],
  ['a.py', 'async def stop(self):\n    pass  # here', 'stop'],
  ['a.go', 'func (s *Server) Close(now bool) error {\n\treturn nil // here\n}', 'Close'],
  ['a.go', 'type Server struct {\n\tname string // here\n}', 'Server'],
  [
    'a.rs',
    'impl Display for Colour {\n    pub fn fmt(&self) -> Result {\n        x // here',
    'Colour.fmt',
  ],
  ['a.rs', 'impl<T> Stack<T> {\n    fn pop(&mut self) {\n        x // here', 'Stack.pop'],
  ['a.c', 'static int\nread_all(void)\n{\n  x; // here\n}', undefined],
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
  ['a.txt', 'text here', undefined],
];

describe('the symbol of a line', () => {
  for (const [path, code, symbol] of cases)
    it(`is ${symbol ?? 'none'} in ${code.split('\n')[0]}`, () => {
      const lines = code.split('\n');
      const at = lines.findIndex(line => line.includes('here'));
      assert.equal(symbolAt(lines, at < 0 ? lines.length - 1 : at, lines.length, path), symbol);
    });
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
    [`function open(${'a'.repeat(282)}) {`, 'open'],
    [`function open(${'a'.repeat(283)}) {`, undefined],
  ] as const)
    it(`is ${name ?? 'none'} in ${line.slice(0, 40)}`, () =>
      assert.equal(nameDeclaredIn(line), name));
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
