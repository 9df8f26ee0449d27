import assert from 'node:assert/strict';
import { written } from '../../../../../src/base/sentence';
import { readHistory } from '../../../../../src/compact/sessions';
import { asCopy, minting, sameEdits, write } from '../fixtures';

type Line = readonly [
  uuid: string,
  parent: string | null,
  type: string,
  content: unknown,
  more?: { readonly message?: object; readonly [member: string]: unknown },
];

const textOf = (lines: readonly Line[]): string =>
  lines
    .map(([uuid, parentUuid, type, content, more = {}]) => {
      const { message, ...others } = more;
      const said = { role: type, content, ...message };
      return `${JSON.stringify({ uuid, parentUuid, sessionId: 's-1', type, message: said, ...others })}\n`;
    })
    .join('');
const read = (...lines: readonly Line[]) => readHistory('s-1.jsonl', textOf(lines));
const drawn = (...lines: readonly Line[]) =>
  read(...lines).history.messages.map(
    ({ role, parts }) => `${role}: ${parts.map(({ text }) => text).join('|')}`,
  );

const use = (id: string) => [{ type: 'tool_use', id, name: 'Read', input: { path: id } }];
const result = (...ids: readonly string[]) =>
  ids.map(id => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` }));
const answer = { message: { id: 'm1' } };

/** The new id with this number. */
const id = (at: number): string => `99999999-9999-4999-8999-${String(at).padStart(12, '0')}`;

describe('a session of Claude Code', () => {
  it('is the branch of its last message', () => {
    assert.deepEqual(
      drawn(
        ['a', null, 'user', 'Why?'],
        ['b', 'a', 'assistant', 'No idea.'],
        ['c', 'a', 'assistant', 'I know.'],
        ['d', 'c', 'user', 'Tell me.'],
        ['x', 'b', 'system', 'no message'],
      ),
      ['user: Why?', 'assistant: I know.', 'user: Tell me.'],
    );
  });

  it('has both of two lines that were written as one, and each on its own when it is written', () => {
    const text = textOf([
      ['a', null, 'user', 'Why?'],
      ['b', 'a', 'assistant', 'I see.'],
      ['c', 'b', 'user', 'Go on.'],
    ]);
    const session = readHistory('s-1.jsonl', text.replace('}\n{', '}{'));
    assert.equal(session.history.messages.length, 3);
    const [file] = write(session, sameEdits(session.history), minting()).files;
    const [whole] = write(
      readHistory('s-1.jsonl', text),
      sameEdits(session.history),
      minting(),
    ).files;
    assert.equal(file?.text, whole?.text);
  });

  it('loses one of two lines that were written as one when that one goes, and links around it', () => {
    const text = textOf([
      ['a', null, 'user', 'Why?'],
      ['b', 'a', 'assistant', 'I see.'],
      ['c', 'b', 'user', 'Go on.'],
    ]);
    const session = readHistory('s-1.jsonl', text.replace(/\n(?=.*Go on)/, ''));
    const [file] = write(session, [['Why?'], [null], ['Go on.']], minting()).files;
    assert.deepEqual(
      (file?.text ?? '')
        .trimEnd()
        .split('\n')
        .map(line => [JSON.parse(line).uuid, JSON.parse(line).parentUuid]),
      [
        [id(2), null],
        [id(3), id(2)],
      ],
    );
  });

  it('is without what agents of its own said', () => {
    assert.deepEqual(
      drawn(
        ['a', null, 'user', 'Why?'],
        ['b', 'a', 'assistant', 'I know.'],
        ['s', 'b', 'assistant', 'aside', { isSidechain: true }],
      ),
      ['user: Why?', 'assistant: I know.'],
    );
  });

  it('has all blocks of an answer and the results of all its calls, whatever their branches', () => {
    assert.deepEqual(
      drawn(
        ['a', null, 'user', 'Why?'],
        ['b', 'a', 'assistant', [{ type: 'text', text: 'I look.' }], answer],
        ['c', 'b', 'assistant', use('t1'), answer],
        ['d', 'b', 'assistant', use('t2'), answer],
        ['e', 'c', 'user', result('t1')],
        ['f', 'd', 'user', result('t2')],
        ['g', 'd', 'user', result('t3')],
        ['h', 'e', 'assistant', 'Done.', { message: { id: 'm2' } }],
      ),
      [
        'user: Why?',
        'assistant: I look.|path: t1|path: t2',
        'tool: of t1',
        'tool: of t2',
        'assistant: Done.',
      ],
    );
  });

  it('has one result for each call: the first that is not on the branch is taken only once', () => {
    assert.deepEqual(
      drawn(
        ['a', null, 'user', 'Why?'],
        ['b', 'a', 'assistant', use('t1'), answer],
        ['c', 'b', 'user', result('t1')],
        ['d', 'b', 'user', result('t1')],
        ['e', 'c', 'assistant', 'Done.', { message: { id: 'm2' } }],
      ),
      ['user: Why?', 'assistant: path: t1', 'tool: of t1', 'assistant: Done.'],
    );
  });

  it('says when lines are missing before its first one', () => {
    const { notes } = read(['b', 'gone', 'user', 'Why?']).history;
    assert.deepEqual(notes.map(written), ['Some earlier lines of the session are missing.']);
    assert.deepEqual(read(['b', null, 'user', 'Why?']).history.notes, []);
  });

  it('has notes of the tool as such, and a summary in place of what is before it', () => {
    const roles = (...lines: readonly Line[]) =>
      read(...lines).history.messages.map(({ role, parts }) => `${role} ${parts[0]?.type}`);
    assert.deepEqual(
      roles(
        ['a', null, 'user', 'Why?'],
        ['b', 'a', 'user', 'The file has changed.', { isMeta: true }],
        ['c', 'b', 'assistant', 'I see.', { isMeta: true }],
        ['d', 'c', 'user', [...result('t1'), { type: 'text', text: 'Go on.' }]],
      ),
      ['user text', 'tool text', 'assistant text', 'user tool_result'],
    );
    const [summary, after] = read(
      ['b', null, 'user', 'In short: why.', { isCompactSummary: true }],
      ['c', 'b', 'assistant', 'I see.'],
    ).history.messages;
    const [part] = summary?.parts ?? [];
    assert.deepEqual(
      [summary?.role, part?.type, part?.isEditable, part?.isPinned, after?.role],
      ['user', 'summary', false, true, 'assistant'],
    );
  });

  it('is written with new ids that name each other as the old ones did', () => {
    const whole = read(
      ['a', null, 'user', 'Why?'],
      ['b', 'a', 'assistant', use('t1'), answer],
      ['c', 'b', 'user', result('t1'), { sourceToolAssistantUUID: 'b' }],
      ['d', 'c', 'user', 'odd', { sourceToolAssistantUUID: 'gone', logicalParentUuid: 'x' }],
    );
    const [file] = write(whole, sameEdits(whole.history), minting()).files;
    const lines = (file?.text ?? '').trimEnd().split('\n');
    assert.deepEqual(
      lines.map(line => {
        const { uuid, parentUuid, sessionId, sourceToolAssistantUUID } = JSON.parse(line);
        return [uuid, parentUuid, sessionId, sourceToolAssistantUUID];
      }),
      [
        [id(2), null, id(1), undefined],
        [id(3), id(2), id(1), undefined],
        [id(4), id(3), id(1), id(3)],
        [id(5), id(4), id(1), 'gone'],
      ],
    );
    assert.equal(JSON.parse(lines[3] ?? '').logicalParentUuid, null);
  });

  it('tells the size that is left, in every line of an answer', () => {
    const usage = {
      input_tokens: 30_000,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 50,
      output_tokens: 9,
      cache_creation: { ephemeral_1h_input_tokens: 3, ephemeral_5m_input_tokens: 4 },
    };
    const long = 'words of a long question '.repeat(400);
    const whole = read(
      ['a', null, 'user', long],
      [
        'b',
        'a',
        'assistant',
        [{ type: 'text', text: 'I look.' }],
        { message: { id: 'm1', usage } },
      ],
      ['c', 'b', 'assistant', [{ type: 'text', text: 'Done.' }], { message: { id: 'm1', usage } }],
    );
    const shorter = sameEdits(whole.history).map((own, at) => (at === 0 ? ['Why?'] : own));
    const text = write(whole, shorter, minting()).files[0]?.text ?? '';
    const [first, second] = text
      .trim()
      .split('\n')
      .slice(1)
      .map(line => JSON.parse(line).message.usage);
    assert.deepEqual(first, second);
    assert.ok(first.input_tokens < 30_250 && first.input_tokens > 27_000, `${first.input_tokens}`);
    assert.deepEqual(
      [first.cache_creation_input_tokens, first.cache_read_input_tokens, first.cache_creation],
      [0, 0, { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 }],
    );
    const copy = write(whole, shorter, asCopy).files[0]?.text ?? '';
    assert.ok(copy.includes('"input_tokens":30000'));
  });
});
