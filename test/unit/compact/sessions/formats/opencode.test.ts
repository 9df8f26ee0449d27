import assert from 'node:assert/strict';
import {
  detectFormat,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { asCopy, draw, minting, sameEdits, write } from '../fixtures';

const info = {
  id: 'ses_3f2a00112233abcdefghijABCD',
  directory: '/home/ada/kettle',
  title: 'New session - 2026-03-02T10:00:00.000Z',
  time: { created: 1_772_445_600_000, updated: 1_772_445_600_000 },
};
const id = (kind: string, at: number) => `${kind}_3f2a0011223${at}abcdefghijABCD`;
const message = (at: number, role: string, parts: readonly object[], more: object = {}) => ({
  info: { id: id('msg', at), sessionID: info.id, role, ...more },
  parts: parts.map(part => ({ sessionID: info.id, messageID: id('msg', at), ...part })),
});
const text = (own: string) => ({ id: 'prt_1', type: 'text', text: own });
const textOf = (messages: readonly object[], about: object = info): string =>
  JSON.stringify({ info: about, messages });
const read = (...messages: readonly object[]): ReadHistory =>
  readHistory('session.json', textOf(messages));
const drawn = (...messages: readonly object[]): string[] => draw(read(...messages).history);
const tool = (state: object) => ({
  type: 'tool',
  tool: 'bash',
  callID: 'c1',
  state: { status: 'completed', input: { command: 'ls' }, ...state },
});

describe('a session of opencode', () => {
  it('of Kilo Code, which was made from it, goes on in Kilo Code', () => {
    for (const [version, name, command] of [
      ['7.7.7', 'Kilo Code', 'kilo'],
      ['10.0.0', 'Kilo Code', 'kilo'],
      ['1.18.33', 'opencode', 'opencode'],
      [undefined, 'opencode', 'opencode'],
    ] as const) {
      const own = textOf([message(1, 'user', [text('words')])], { ...info, version });
      const session = readHistory('session.json', own);
      assert.equal(session.history.label, name);
      const { continueBy, files } = write(session, sameEdits(session.history), minting());
      assert.equal(continueBy.shell, `${command} import ${files[0]?.path}`);
      assert.match(continueBy.sentence, new RegExp(`then “${command} --session ses_`));
      const copy = write(session, sameEdits(session.history), asCopy).continueBy;
      assert.equal(copy.shell, `${command} import session.json`);
    }
  });

  it('has the parts of a message in each of their forms', () => {
    for (const [part, ...lines] of [
      [text('words'), '  text: words'],
      [{ type: 'reasoning', text: 'Hm.' }, '  thinking whole: Hm.'],
      [{ type: 'reasoning' }, '  thinking whole: '],
      [{ type: 'file', url: 'x' }, '  image whole: '],
      [
        tool({ output: 'a.ts\n' }),
        '  tool_call bash #c1 whole: command: ls',
        '  tool_result #c1: a.ts|',
      ],
      [
        tool({ status: 'error', error: 'denied' }),
        '  tool_call bash #c1 whole: command: ls',
        '  tool_result #c1: denied',
      ],
      [tool({ status: 'running' }), '  tool_call bash #c1 whole: command: ls'],
      ...['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'retry', 'subtask'].map(
        type => [{ type }, '  other whole: '] as [object, string],
      ),
    ] as [object, ...string[]][])
      assert.deepEqual(drawn(message(1, 'user', [text('a')]), message(2, 'assistant', [part])), [
        'user',
        '  text: a',
        'assistant',
        ...lines,
      ]);
    for (const part of [{ type: 'hologram' }, { type: 'text', text: 5 }, {}])
      assert.throws(() => read(message(1, 'user', [part])), UnsupportedHistory);
  });

  it('begins with the request for its latest summary', () => {
    const summary = (at: number, parent: number, own: string) =>
      message(at, 'assistant', [text(own)], { summary: true, parentID: id('msg', parent) });
    const lines = [
      message(1, 'user', [text('gone')]),
      message(2, 'user', [{ type: 'compaction' }]),
      summary(3, 2, 'old'),
      message(4, 'user', [{ type: 'compaction' }]),
      summary(5, 4, 'sum'),
      message(6, 'user', [text('after')]),
    ];
    const left = ['user', '  summary whole: ', 'assistant', '  summary whole: sum'];
    assert.deepEqual(drawn(...lines), [...left, 'user', '  text: after']);
    // A request that is missing stands for nothing.
    assert.equal(drawn(lines[0] ?? {}, summary(5, 9, 'sum')).length, 4);
  });

  it('tells what it is about, and is refused where that is not clear', () => {
    const { history } = read(message(1, 'user', [text('a')]));
    assert.deepEqual(
      [history.sessionId, history.title, history.workspace, history.startedAt],
      [info.id, info.title, info.directory, '2026-03-02T10:00:00.000Z'],
    );
    assert.equal(history.messages[0]?.id, id('msg', 1));
    assert.throws(() => read(message(1, 'ghost', [text('a')])), UnsupportedHistory);
    assert.throws(() => read(), /the session has no messages/);
    for (const messages of [[{ info: {} }], [{ parts: [] }], [{ info: 'x', parts: [] }]])
      assert.notEqual(detectFormat('a.json', textOf(messages))?.id, 'opencode');
    assert.notEqual(detectFormat('a.json', '{"messages":[]}')?.id, 'opencode');
  });

  it('is written with ids and a name of its own', () => {
    const session = read(
      message(1, 'user', [text('Why no whistle?')]),
      message(2, 'assistant', [{ ...text('b'), id: 'odd' }], { parentID: id('msg', 1) }),
    );
    const { files, continueBy } = write(session, sameEdits(session.history), minting());
    const own = JSON.parse(files[0]?.text ?? '');
    const [first, second] = own.messages;
    assert.equal(own.info.title, 'Why no whistle?');
    assert.match(own.info.id, /^ses_3f2a00112233[0-9a-f]{14}$/);
    assert.match(second.parts[0].id, /^odd_/);
    assert.deepEqual(
      [first.info.sessionID, first.parts[0].sessionID, first.parts[0].messageID],
      [own.info.id, own.info.id, first.info.id],
    );
    assert.equal(second.info.parentID, first.info.id);
    assert.equal(continueBy.shell, `opencode import ${files[0]?.path}`);
    assert.match(continueBy.sentence, new RegExp(`“opencode --session ${own.info.id}”`));
    const copy = write(session, sameEdits(session.history), asCopy);
    assert.equal(copy.files[0]?.text, session.history.file.text);
    assert.match(copy.continueBy.sentence, new RegExp(`“opencode --session ${info.id}”`));
  });

  it('keeps the name that the user gave it', () => {
    const titled = { ...info, title: 'A New session' };
    const session = readHistory('a.json', textOf([message(1, 'user', [text('a')])], titled));
    const [file] = write(session, [['a']], minting()).files;
    assert.equal(JSON.parse(file?.text ?? '').info.title, 'A New session');
  });
});
