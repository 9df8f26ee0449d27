import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  decodeHistory,
  detectFormat,
  HistoryFile,
  historyFormats,
  readHistory,
  UnsupportedHistory,
} from '../../../../src/compact/sessions';
import { cpuMs } from '../../../support/unit/cpuTime';
import {
  asCopy,
  draw,
  fixtures,
  minting,
  readFixture,
  sameEdits,
  textOf,
  textWritten,
  writable,
  write,
} from './fixtures';

const fixtureOf = (name: string) => {
  const found = fixtures.find(one => one.name === name);
  assert.ok(found, name);
  return found;
};

const claudeLine = (uuid: string, parentUuid: string | null, text: string, more = '') =>
  `{"parentUuid":${JSON.stringify(parentUuid)},"sessionId":"s","type":"user","message":{"role":"user","content":${JSON.stringify(text)}},"uuid":"${uuid}"${more}}\n`;

const codexMeta = '{"type":"session_meta","payload":{"id":"c","cwd":"/w"}}\n';
const codexItem = (payload: unknown) => `${JSON.stringify({ type: 'response_item', payload })}\n`;
const log = (...entries: unknown[]) =>
  [{ kind: 0, v: { version: 3, sessionId: 's', responderUsername: 'A', requests: [] } }, ...entries]
    .map(entry => JSON.stringify(entry))
    .join('\n');
const session = (version: unknown) =>
  JSON.stringify({ version, sessionId: 's', requests: [{ message: { text: 'a' }, response: [] }] });
const cursorRows = (composer: unknown, bubble: unknown) =>
  JSON.stringify([
    { key: 'composerData:1', value: composer },
    { key: 'bubbleId:1:b', value: bubble },
  ]);
const chat = (message: unknown) => JSON.stringify([{ role: 'user', content: 'a' }, message]);

const chainOf = (count: number) => {
  const made: string[] = [];
  for (let at = 0; at < count; at++)
    made.push(claudeLine(`u${at}`, at === 0 ? null : `u${at - 1}`, `line ${at}\n`.repeat(50)));
  return made.join('');
};

/** To read a file and write it in both ways. */
function msOf(text: string): number {
  return cpuMs(() => {
    const read = readHistory('a.jsonl', text);
    const edits = read.history.messages.map((_, at) => [`line ${at}\n`]);
    write(read, edits, asCopy);
    write(read, edits, minting());
  });
}

const refused: [name: string, text: string, message: RegExp][] = [
  ['a.txt', '', /the file is empty/],
  ['a.jsonl', '\n \r\n\0\0\n', /the file is empty/],
  ['a.md', '\uFEFF', /the file is empty/],
  ['a.txt', 'abc\0def', /of no tool that is known/],
  ['a.md', 'abc\0def', /Markdown: the file is not text/],
  ['a.json', '{"a":1}', /of no tool that is known/],
  ['a.txt', '{"messages":[{"role":"user","content":"a', /of no tool that is known/],
  ['a.json', '[]', /of no tool that is known/],
  ['a.json', '[null]', /of no tool that is known/],
  ['a.json', '"text"', /of no tool that is known/],
  ['a.json', '['.repeat(100_000), /of no tool that is known/],
  ['a.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /of no tool that is known/],
  ['a.json', '[{"role":"user","content":"raw\ncontrol"}]', /of no tool that is known/],
  [
    'a.jsonl',
    `${claudeLine('a', null, 'x')}{"type":\n{\n${claudeLine('b', 'a', 'y')}{\n{}}\n{}`,
    /Claude Code: line 2 is damaged/,
  ],
  [
    'a.jsonl',
    claudeLine('a', null, 'x').replace('"role":"user"', '"role":"ghost"'),
    /Claude Code: A role "ghost" is not known/,
  ],
  [
    'a.jsonl',
    claudeLine('a', null, 'x').replace('"x"', '[{"type":"hologram"}]'),
    /Claude Code: A block "hologram" is not known/,
  ],
  [
    'a.jsonl',
    claudeLine('a', null, 'x').replace('"x"', '[{"type":"my secret words"}]'),
    /Claude Code: A block without a known name/,
  ],
  [
    'a.jsonl',
    claudeLine('a', null, 'x').replace('"type":"user"', '"type":"system"'),
    /Claude Code: the session has no messages/,
  ],
  ['a.jsonl', codexMeta, /Codex: the session has no messages/],
  [
    'a.jsonl',
    codexMeta + codexItem({ type: 'hologram' }),
    /Codex: An item "hologram" is not known/,
  ],
  [
    'a.jsonl',
    codexMeta + codexItem({ type: 'message', role: 'ghost', content: [] }),
    /Codex: A role "ghost"/,
  ],
  [
    'a.jsonl',
    '{"sessionId":"s","projectHash":"p"}\n{"other":1}\n',
    /Gemini CLI: A line "other" is not known/,
  ],
  [
    'a.json',
    '{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"ghost"}]}',
    /Gemini CLI: A message "ghost"/,
  ],
  ['a.json', '{"sessionId":"s","history":[]}', /Continue: the session has no messages/],
  [
    'a.json',
    '{"sessionId":"s","history":[{"message":{"role":"ghost"}}]}',
    /Continue: A role "ghost"/,
  ],
  [
    'a.json',
    '{"info":{},"messages":[{"info":{"role":"user"},"parts":[{"type":"hologram"}]}]}',
    /opencode: A part "hologram"/,
  ],
  [
    'a.json',
    '{"responderUsername":"A","requests":[]}',
    /VS Code chat export: the chat has no messages/,
  ],
  [
    'a.json',
    '{"responderUsername":"A","requests":[{"response":[{"x":1}]}]}',
    /VS Code chat export: a part of an answer/,
  ],
  ['a.json', session(4), /VS Code chat session: version 4 of the format is not known/],
  ['a.json', session(undefined), /VS Code chat session: version without a number/],
  ['a.jsonl', log({ kind: 4 }, {}), /the log is damaged: line 2 is an entry of kind 4/],
  [
    'a.jsonl',
    log({ kind: 1, k: ['a', 'b'], v: 1 }, {}),
    /line 2 changes something that is not there/,
  ],
  [
    'a.jsonl',
    log({ kind: 1, k: ['requests', 1e9], v: 1 }, {}),
    /line 2 changes something that is not there/,
  ],
  [
    'a.jsonl',
    log({ kind: 1, k: ['requests', -1], v: 1 }, {}),
    /line 2 changes something that is not there/,
  ],
  [
    'a.jsonl',
    log({ kind: 2, k: ['requests'], i: 4294967295 }, {}),
    /line 2 adds to something that is no list/,
  ],
  [
    'a.jsonl',
    log({ kind: 2, k: ['sessionId'], v: [1] }, {}),
    /line 2 adds to something that is no list/,
  ],
  [
    'a.jsonl',
    log({ kind: 2, k: ['__proto__', 'x'], v: [1] }, {}),
    /line 2 adds to something that is no list/,
  ],
  ['a.jsonl', log({ kind: 1, k: [{}], v: 1 }, {}), /a path is no list of keys/],
  ['a.json', cursorRows({ _v: 99 }, {}), /Cursor: version 99 of a composer is not known/],
  [
    'a.json',
    cursorRows({ _v: 3, fullConversationHeadersOnly: [{ bubbleId: 'b' }] }, { _v: 42, type: 1 }),
    /Cursor: version 42 of a bubble/,
  ],
  [
    'a.json',
    cursorRows({ _v: 3, fullConversationHeadersOnly: [{ bubbleId: 'b' }] }, { type: 7 }),
    /Cursor: A message of type "7"/,
  ],
  ['a.json', cursorRows('{"_v":3', {}), /Cursor: a row is damaged/],
  ['a.json', chat({ role: 'ghost', content: 'x' }), /A role "ghost"/],
  ['a.json', chat({ role: 'user', content: { a: 1 } }), /Content "object"/],
  ['a.json', chat({ role: 'user', content: [{ type: 'hologram' }] }), /A block "hologram"/],
  ['a.json', chat(null), /A role without a known name/],
];

describe('chat histories that are damaged or made up', () => {
  it('are refused in words', () => {
    for (const [name, text, message] of refused)
      assert.throws(
        () => readHistory(name, text),
        (error: unknown) => {
          assert.ok(error instanceof UnsupportedHistory, `${text.slice(0, 100)}: ${String(error)}`);
          assert.match(error.message, message);
          assert.ok(error.advice.length > 0);
          return true;
        },
        `${name} ${text.slice(0, 100)}`,
      );
  });

  it('are refused by every format that did not find them', () => {
    for (const one of fixtures)
      for (const format of historyFormats) {
        const file = new HistoryFile(one.path, textOf(one));
        if (format.detect(file) || ['markdown', 'text', 'aider'].includes(format.id)) continue;
        try {
          const { messages } = format.read(file);
          assert.ok(messages.length > 0);
        } catch (error) {
          assert.ok(
            error instanceof UnsupportedHistory,
            `${format.id} ${one.name}: ${String(error)}`,
          );
        }
      }
  });

  it('never end in anything but a history or a refusal', () => {
    const pieces = fixtures.map(textOf);
    fc.assert(
      fc.property(
        fc.nat(pieces.length - 1),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(40),
        fc.constantFrom(
          '',
          '{',
          ']',
          '"',
          '\\',
          '\n',
          'null',
          '{}',
          '[]',
          '0',
          '\0',
          '"__proto__"',
        ),
        (which, share, length, wedge) => {
          const text = pieces[which] ?? '';
          const at = Math.floor(share * text.length);
          const broken = text.slice(0, at) + wedge + text.slice(at + length);
          const { path, companions } = fixtures[which] ?? { path: '' };
          try {
            const read = readHistory(path, broken, companions);
            if (!read.format.write) return;
            // NUL bytes at the end are of a power cut, and no part of the session.
            assert.equal(textWritten(read, sameEdits(read.history)), broken.replace(/\0+$/, ''));
            write(read, sameEdits(read.history), minting());
            const halves = read.history.messages.map(({ parts }, index) =>
              parts.map(({ text: own, isEditable }) =>
                index % 2 === 0 ? (isEditable ? '' : own) : index % 3 === 0 ? null : own,
              ),
            );
            write(read, halves, minting());
          } catch (error) {
            assert.ok(error instanceof UnsupportedHistory, String(error));
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('are read as far as they go when the last line is cut off', () => {
    for (const one of writable.filter(({ name }) => name.endsWith('.jsonl'))) {
      const whole = textOf(one);
      const text = `${whole}{"type":"user","mess`;
      const read = readFixture(one, text);
      assert.equal(read.history.isCut, true, one.name);
      assert.deepEqual(draw(read.history), draw(readFixture(one).history), one.name);
      assert.equal(textWritten(read, sameEdits(read.history)), text, one.name);
      const made = write(read, sameEdits(read.history), minting()).files[0]?.text ?? '';
      // What a tool adds has to start on a line of its own; who imports the file adds nothing.
      const isAddedTo = /^(?:claudeCode|codex|gemini)$/.test(one.format);
      if (isAddedTo) assert.match(made, /\}\n$/, one.name);
      if (isAddedTo) assert.equal(made.includes('"mess\n'), false, one.name);
    }
  });

  it('may go round in circles', () => {
    const text =
      claudeLine('a', 'c', 'one') + claudeLine('b', 'a', 'two') + claudeLine('c', 'b', 'three');
    const read = readHistory('a.jsonl', text);
    assert.deepEqual(
      read.history.messages.flatMap(({ parts }) => parts.map(part => part.text)),
      ['one', 'two', 'three'],
    );
    const edits = sameEdits(read.history);
    edits[0] = [null];
    edits[1] = [null];
    assert.match(textWritten(read, edits), /^\{"parentUuid":null,.*"uuid":"c"\}\n$/);
  });

  it('may hold keys that objects have by themselves', () => {
    const text =
      '[{"role":"user","__proto__":{"role":"system"},"constructor":1,"content":"a\\nb"}]';
    const read = readHistory('a.json', text);
    assert.deepEqual(draw(read.history), ['user', '  text: a|b']);
    assert.equal(textWritten(read, [['b']]), text.replace('a\\n', ''));
    const entry = { kind: 1, k: ['__proto__', 'polluted'], v: true };
    assert.throws(() => readHistory('a.jsonl', `${log(entry)}\n{}\n`), UnsupportedHistory);
    assert.equal('polluted' in {}, false);
  });

  it('may hold halves of characters', () => {
    const text = String.raw`[{"role":"user","content":"\ud83d half\nkept \ud83d"}]`;
    const read = readHistory('a.json', text);
    assert.equal(
      textWritten(read, [['kept \ud83d']]),
      String.raw`[{"role":"user","content":"kept \ud83d"}]`,
    );
    assert.equal(
      textWritten(read, [['new \ud83d']]),
      String.raw`[{"role":"user","content":"new \ud83d"}]`,
    );
  });

  it('may hold a key twice', () => {
    const text = '[{"role":"user","content":"old","content":"a\\nb"}]';
    const read = readHistory('a.json', text);
    assert.equal(textWritten(read, [['b']]), '[{"role":"user","content":"old","content":"b"}]');
  });

  it('are not taken when their bytes could not be written back', () => {
    assert.throws(() => decodeHistory(Uint8Array.of(0x61, 0xff)), /the file is not UTF-8 text/);
    assert.equal(decodeHistory(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), '\uFEFFa');
  });

  it('ask for edits of their own shape', () => {
    const read = readFixture(fixtureOf('openai.json'));
    assert.throws(() => textWritten(read, []), RangeError);
    assert.throws(
      () =>
        textWritten(
          read,
          read.history.messages.map(() => []),
        ),
      RangeError,
    );
    assert.throws(
      () =>
        textWritten(
          read,
          read.history.messages.map(({ parts }) => parts.map(() => null)),
        ),
      UnsupportedHistory,
    );
  });

  it('may be large: the time grows with the length', () => {
    const [small, large] = [chainOf(2000), chainOf(16_000)];
    msOf(small);
    // 8 times the text; quadratic work would take 64 times as long.
    assert.ok(msOf(large) < Math.max(40 * msOf(small), 2000));
  });

  it('have names that do not matter where the content is clear', () => {
    for (const { name, format, path } of fixtures)
      if (path === name && !['aider', 'markdown', 'text'].includes(format))
        assert.equal(detectFormat('download', textOf(fixtureOf(name)))?.id, format, name);
  });
});
