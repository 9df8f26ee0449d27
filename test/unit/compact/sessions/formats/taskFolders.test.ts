import assert from 'node:assert/strict';
import {
  detectFormat,
  HistoryFile,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { asCopy, draw, minting, sameEdits, write } from '../fixtures';

const fileName = 'api_conversation_history.json';
const ts = 1_772_445_600_000;
const said = (role: string, text: string, more: object = {}) => ({
  role,
  content: [{ type: 'text', text }],
  ts,
  ...more,
});
const texts = (...each: string[]) => ({
  role: 'user',
  content: each.map(text => ({ type: 'text', text })),
  ts,
});
const read = (messages: readonly unknown[], ...companions: HistoryFile[]): ReadHistory =>
  readHistory(`/tasks/t1/${fileName}`, JSON.stringify(messages), companions);
const drawn = (...messages: readonly unknown[]): string[] => draw(read(messages).history);

const about = { id: 't1', ts, task: 'Paint', workspace: '/home/ada/kettle', number: 3 };
const request = (more: object) => ({
  ts,
  type: 'say',
  say: 'api_req_started',
  text: JSON.stringify({ request: 'x', ...more }),
});

describe('a task of Roo Code', () => {
  it('is without what a summary or a truncation has replaced', () => {
    assert.deepEqual(
      drawn(
        said('user', 'a', { truncationParent: 'cut-1' }),
        said('assistant', 'b', { condenseParent: 'sum-1' }),
        said('user', 'c', { truncationParent: 'cut-9', condenseParent: 'sum-9' }),
        said('user', 'the rest was cut', { isTruncationMarker: true, truncationId: 'cut-1' }),
        said('user', 'in short', { isSummary: true, condenseId: 'sum-1' }),
        said('assistant', 'd'),
      ),
      [
        'user',
        '  text: c',
        'user',
        '  text: the rest was cut',
        'user',
        '  summary whole: in short',
        'assistant',
        '  text: d',
      ],
    );
  });

  it('has results as messages of tools, unless the user said something with them', () => {
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'out' };
    const [text] = said('user', 'go on').content;
    for (const [content, ...lines] of [
      [[result], 'tool', '  tool_result #c1: out'],
      [[result, text], 'user', '  tool_result #c1: out', '  text: go on'],
      [[], 'user'],
    ] as [unknown[], ...string[]][])
      assert.deepEqual(drawn(said('assistant', 'a'), { role: 'user', content, ts }), [
        'assistant',
        '  text: a',
        ...lines,
      ]);
  });

  it('is not in the file of what is shown', () => {
    const shown = JSON.stringify([request({})]);
    for (const folder of ['/tasks/t1', '/home/ada/.cline/data/tasks/1']) {
      assert.throws(
        () => readHistory(`${folder}/ui_messages.json`, shown),
        /what the extension shows\. Choose api_conversation_history\.json/,
      );
    }
  });

  it('has results in texts of the user, beside what the user says to a tool', () => {
    const details = '<environment_details>\n# Tabs\n</environment_details>';
    const head = "[read_file for 'a.ts'] Result:";
    const both = "[run_it for 'b\nc'] Result:\nout";
    const feedback = 'Consider this:\n<feedback>\nNo.\n</feedback>';
    const { history } = read([
      texts('<task>\nPaint.\n</task>', '[a_note] of mine', details),
      texts(head, 'let a;\nlet b;', details),
      texts(both, '[attempt_completion] Result:', feedback),
      said('assistant', `${head} is a text.`),
    ]);
    assert.deepEqual(draw(history), [
      'user',
      '  text: <task>|Paint.|</task>',
      '  text: [a_note] of mine',
      '  text: <environment_details>|# Tabs|</environment_details>',
      'user',
      `  context: ${head}`,
      '  context: let a;|let b;',
      '  text: <environment_details>|# Tabs|</environment_details>',
      'user',
      "  context: [run_it for 'b|c'] Result:|out",
      '  context: [attempt_completion] Result:',
      '  text: Consider this:|<feedback>|No.|</feedback>',
      'assistant',
      `  text: ${head} is a text.`,
    ]);
    assert.deepEqual(
      history.messages.flatMap(({ parts }) =>
        parts.filter(({ isPinned }) => isPinned === true).map(({ text }) => text),
      ),
      [head, '[attempt_completion] Result:'],
    );
  });

  it('may have reasoning as entries of its own, and no other entries without a role', () => {
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'x', ts };
    assert.deepEqual(drawn(said('user', 'a'), reasoning), [
      'user',
      '  text: a',
      'assistant',
      '  encrypted whole: ',
    ]);
    for (const other of [{ type: 'note', ts }, said('ghost', 'boo'), { ts }])
      assert.throws(() => read([said('user', 'a'), other]), UnsupportedHistory);
    assert.throws(() => readHistory(`/.roo/${fileName}`, '[]'), UnsupportedHistory);
  });

  it('tells the times of its messages, where they were noted', () => {
    const { history } = read([said('user', 'a'), { role: 'assistant', content: 'b' }]);
    assert.equal(history.startedAt, '2026-03-02T10:00:00.000Z');
    assert.deepEqual(
      history.messages.map(({ at }) => at),
      ['2026-03-02T10:00:00.000Z', undefined],
    );
    const old = readHistory(fileName, '[{"role":"user","content":"a"}]').history;
    assert.deepEqual([old.tool, old.startedAt], ['roo', undefined]);
  });

  it('is told by the name of its file or by the times, and from Cline by its folder', () => {
    const stamped = JSON.stringify([said('user', 'a')]);
    const plain = JSON.stringify([{ role: 'user', content: 'a' }]);
    for (const [path, text, id] of [
      [`/tasks/1/${fileName}`, plain, 'roo'],
      ['/tasks/1/copy.json', stamped, 'roo'],
      ['/tasks/1/copy.json', plain, 'openai'],
      [`/tasks/1/${fileName}`, '[{"ts":1,"content":[]}]', undefined],
      [`/User/globalStorage/saoudrizwan.claude-dev/tasks/1/${fileName}`, stamped, 'cline'],
      [`/home/ada/.cline/data/tasks/1/${fileName}`, plain, 'cline'],
      [`C:\\Users\\ada\\.cline\\data\\tasks\\1\\${fileName}`, plain, 'cline'],
      [`/home/ada/decline/tasks/1/${fileName}`, plain, 'roo'],
    ] as const)
      assert.equal(detectFormat(path, text)?.id, id, path);
  });

  it('is written as a task of its own, with what the extension lists and shows', () => {
    const shown = [
      { ts, type: 'say', say: 'text', text: '{"tokensIn":90000}' },
      request({ tokensIn: 90_000, tokensOut: 7, cacheWrites: 5, cacheReads: 6 }),
      request({ tokensIn: 10, cacheWrites: 40_000, cacheReads: 0 }),
      request({ tokensIn: 10, cacheWrites: 0, cacheReads: 0 }),
      { ts, type: 'say', say: 'api_req_started', text: 'no JSON' },
      { ts, type: 'say', say: 'api_req_started' },
    ];
    const session = read(
      [said('user', 'word '.repeat(2000)), said('assistant', 'b')],
      new HistoryFile('/tasks/t1/history_item.json', JSON.stringify(about)),
      new HistoryFile('/tasks/t1/ui_messages.json', JSON.stringify(shown)),
      new HistoryFile('/tasks/t1/task_metadata.json', JSON.stringify(about)),
    );
    assert.deepEqual(
      [session.history.sessionId, session.history.title, session.history.workspace],
      ['t1', 'Paint', '/home/ada/kettle'],
    );
    const { files, continueBy } = write(session, [['short'], ['b']], minting());
    const id = '99999999-9999-4999-8999-000000000001';
    assert.deepEqual(
      files.map(({ path }) => path),
      [fileName, 'history_item.json', 'ui_messages.json', 'task_metadata.json'].map(
        name => `../${id}/${name}`,
      ),
    );
    assert.match(continueBy.sentence, /history of the extension/);
    const [own, item, ui, metadata] = files.map((file): unknown => JSON.parse(file.text));
    assert.deepEqual(own, [said('user', 'short'), said('assistant', 'b')]);
    assert.deepEqual(item, { ...about, id, ts: Date.parse('2026-03-03T08:00:00Z') });
    assert.deepEqual(metadata, about);
    // The usual size of the instructions and tools, and what is left.
    const size = 15_000 + 2;
    assert.deepEqual(ui, [
      shown[0],
      request({ tokensIn: size, tokensOut: 7, cacheWrites: 0, cacheReads: 0 }),
      request({ tokensIn: size, cacheWrites: 0, cacheReads: 0 }),
      ...shown.slice(3),
    ]);
    const copy = write(session, sameEdits(session.history), asCopy);
    assert.deepEqual(
      copy.files.map(({ path }) => path),
      [fileName],
    );
  });
});
