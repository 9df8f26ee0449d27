import assert from 'node:assert/strict';
import { TermFinder } from '../../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../../src/search/local/query/terms';
import {
  endOfDeclaredName,
  isDeclaration,
} from '../../../../../src/search/local/text/declarations';
import { type FileText, TextReader } from '../../../../../src/search/local/text/fileText';

const read = (query: string, text: string): FileText => {
  const terms = termsOf(query);
  return new TextReader(terms, new TermFinder(terms)).read(text);
};

describe('isDeclaration', () => {
  const declarations = [
    'function open() {',
    'export default async function open() {',
    'export const open = 1;',
    'class Socket extends Stream {',
    'public abstract class Socket',
    'interface Reader {',
    'def open(self):',
    '  async def open(self):'.replace('async ', ''),
    'fn open(path: &str) -> Result<()> {',
    'pub(crate) fn open() {',
    'func (s *Server) Open() error {',
    'type Reader interface {',
    'impl Reader for File {',
    'macro_rules! open {',
    '#define OPEN 1',
    'defmodule Socket do',
    'static int open_file(const char *path)',
    'void Socket::open(int port) {',
    '  public static void main(String[] args)',
    '  private readonly open(port: number): void {',
    '  open(port) {',
    '  get size() {',
    '  async open(port: number): Promise<{ a: 1 }> {',
    '  open({ port }) {',
    '  open(port): void {',
    '  #define OPEN(port) 1',
  ];
  const others = [
    '',
    'open();',
    '  open(port);',
    '    wrap(open(port))',
    '    wrap(open(port)),',
    '    wrap(() => open({',
    '  open(port); close() {',
    '  if (open) {',
    '  while (open()) {',
    '  return open(1) {',
    '} else if (x) {',
    '  for (const a of b) {',
    '  switch (kind) {',
    "import { open } from 'node:fs';",
    'open = 1',
    'functional programming: open to all',
    `const ${'x'.repeat(300)} = 1;`,
  ];
  for (const line of declarations)
    it(`is true for ${line}`, () => assert.equal(isDeclaration(line), true));
  for (const line of others)
    it(`is false for ${line.slice(0, 40) || 'an empty line'}`, () =>
      assert.equal(isDeclaration(line), false));

  it('ends the name before parameters, value and type', () => {
    for (const [line, name] of [
      ['function open(port) {', 'function open'],
      ['const open = port;', 'const open '],
      ['let open: Port;', 'let open'],
      ['class Open {', 'class Open '],
      ['func (s *Port) Open(port int) {', 'func (s *Port) Open'],
      ['void Socket::open(int port) {', 'void Socket::open'],
      ['def open', 'def open'],
    ] as const)
      assert.equal(line.slice(0, endOfDeclaredName(line)), name);
  });
});

const countOf = (text: string, query = 'port'): number => read(query, text).counts[0] ?? 0;

describe('a text read for a query', () => {
  it('counts a word in all its forms and spellings as one hit', () => {
    for (const text of [
      'port',
      'Port',
      'PORT',
      'ports',
      'PORTS',
      'serverPort',
      'port_max',
      'aPort',
    ])
      assert.equal(countOf(text), 1, text);
    assert.equal(countOf('retries', 'retry'), 1, 'retries');
    assert.equal(countOf('RetryPolicy', 'retry'), 1, 'RetryPolicy');
    assert.equal(countOf('RETRIES', 'retry'), 1, 'RETRIES');
  });

  it('counts a longer word that begins so for less, and one that ends so hardly', () => {
    assert.ok(countOf('portrait') > 0 && countOf('portrait') < 1);
    assert.equal(Math.round(10 * countOf('ports portrait ports')), 24);
    assert.equal(countOf('support'), 0);
    const inside = countOf('unthrottled', 'throttled');
    assert.ok(inside > 0 && inside < countOf('throttledly', 'throttled') + 1);
    const five = countOf('xqueue', 'queue');
    assert.ok(five < countOf('xthrottle', 'throttle'));
  });

  it('counts a short word only as a whole', () => {
    for (const text of ['id', 'ids', 'ID', 'IDs', 'userId', 'idOf', 'ID_MAX', 'an_id'])
      assert.equal(countOf(text, 'id'), 1, text);
    for (const text of ['width', 'identity', 'ide', 'Idle', 'IDLE', 'userIdle'])
      assert.equal(countOf(text, 'id'), 0, text);
    for (const text of ['s3', 'S3Client', 'awsS3', 's3_bucket'])
      assert.equal(countOf(text, 's3'), 1, text);
    for (const text of ['s30', 'files3', 's3cr3t']) assert.equal(countOf(text, 's3'), 0, text);
  });

  it('counts a synonym for less than the word', () => {
    const message = read('message', 'message').counts[0] ?? 0;
    const msg = read('message', 'msg').counts[0] ?? 0;
    assert.ok(msg > 0 && msg < message, `${msg} ${message}`);
  });

  it('tells hits in the declared name from those in the rest of the line', () => {
    const { declared, declaring, counts } = read('port', 'function open(port, port2) {}');
    assert.deepEqual([declared[0], declaring[0] === counts[0]], [0, true]);
    const named = read('port', 'function openPort(port) {}');
    assert.deepEqual([named.declared[0], named.declaring[0]], [1, 2]);
    const after = read('port', 'function open() {}\nport();');
    assert.deepEqual([after.declared[0], after.declaring[0]], [0, 0]);
  });

  it('counts neighbours in the order of the query, up to six characters apart', () => {
    const pairs = (text: string): number[] => [...read('socket ledger', text).pairs.values()];
    const key = [...read('socket ledger', 'socket ledger').pairs.keys()];
    assert.deepEqual(key, [1]);
    assert.deepEqual(pairs('socket ledger, socketLedger'), [2]);
    assert.deepEqual(pairs('socket      ledger'), [1]);
    assert.deepEqual(pairs('socket       ledger'), []);
    assert.deepEqual(pairs('ledger socket'), []);
    assert.deepEqual(pairs('socket socket'), []);
  });

  it('knows the line and the length', () => {
    const { hits, length } = read('port', 'a\nport\n\nb port port\n');
    assert.deepEqual(
      hits.map(({ line }) => line),
      [2, 4, 4],
    );
    assert.equal(length, 20);
  });

  it('is the same when read again', () => {
    const terms = termsOf('port');
    const reader = new TextReader(terms, new TermFinder(terms));
    const text = 'port\nserverPort portrait\nfunction port() {}';
    assert.deepEqual(reader.read(text), reader.read(text));
  });
});
