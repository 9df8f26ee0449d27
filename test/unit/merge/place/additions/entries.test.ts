import assert from 'node:assert/strict';
import {
  entryName,
  isCase,
  isDecorator,
  isHeading,
  isListItem,
  leadsEntry,
  opensEntry,
  opensItem,
} from '../../../../../src/merge/place/additions/entries';

const lines: Record<string, string> = {
  declaration: 'export function read(path) {',
  method: 'read(path: string): void {',
  longSignature: 'public static read(',
  object: '"dev": {',
  block: 'backend {',
  title: "it('reads', () => {",
  resource: 'resource "kind" "name" {',
  condition: 'if (kind === "a") {',
  loop: 'for (const one of read("a")) {',
  call: 'read(path);',
  decorator: '@Input()',
  attribute: '#[test]',
  table: '[package]',
  tables: '[[bin]]',
  bracket: '{',
  closer: '}',
  heading: '## 1.0.0',
  documentTitle: '# Changes',
  case: 'case ok:',
  otherCase: 'default:',
  caseWithCode: 'case ok: return 1;',
  item: '- name: Push',
  quotedItem: "- 'one'",
  rule: '---',
};

/** The kinds of lines of which the test is true. */
const those = (test: (line: string) => boolean): readonly string[] =>
  Object.entries(lines).flatMap(([kind, line]) => (test(line) ? [kind] : []));

describe('a line of an entry', () => {
  const entries = [
    'declaration',
    'method',
    'longSignature',
    'object',
    'block',
    'title',
    'resource',
  ];
  const cases = ['case', 'otherCase'];
  const items = ['item', 'quotedItem'];

  it('opens one with lines of its own', () => {
    assert.deepEqual(those(opensEntry), entries);
  });

  it('opens what ends where the next such line starts', () => {
    assert.deepEqual(those(opensItem), [...entries, 'heading', ...cases, ...items]);
  });

  it('leads one that says what it is only below', () => {
    assert.deepEqual(those(isDecorator), ['decorator', 'attribute']);
    assert.deepEqual(those(leadsEntry), ['decorator', 'attribute', 'table', 'tables', 'bracket']);
  });

  it('is a heading, a branch or an item of a list', () => {
    assert.deepEqual(those(isHeading), ['heading']);
    assert.deepEqual(those(isCase), cases);
    assert.deepEqual(those(isListItem), items);
  });
});

describe('the name of an entry', () => {
  const names: [line: string, name: string | undefined][] = [
    ['function read(path) {', 'read'],
    ['## 1.0.0', '## 1.0.0'],
    ["import { a, b } from './both';", './both'],
    ["export * from './all';", './all'],
    ['from: 3,', 'from'],
    ['const limit = read();', 'limit'],
    ['export let limit = read();', 'limit'],
    ['"@scope/name": "^1.0.0",', '@scope/name'],
    ['- name: Push', 'name'],
    ['key => value', 'key'],
    ['| endpoint | The identifier |', 'endpoint'],
    ['["one", 1],', 'one'],
    ['read(path);', undefined],
    ['return 1;', undefined],
    ['}', undefined],
  ];
  for (const [line, name] of names) {
    it(`is ${name ?? 'none'} in ${line}`, () => assert.equal(entryName(line), name));
  }
});
