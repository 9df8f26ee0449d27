import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { removalOf } from '../../../../src/compact/session/removal';
import {
  type ChatFile,
  eraseFromChat,
  readChat,
  writeChat,
} from '../../../../src/compact/sessions/chat';
import {
  eraseCopies,
  minCopyChars,
  removedNote,
} from '../../../../src/compact/sessions/eraseCopies';
import { HistoryFile } from '../../../../src/compact/sessions/historyFile';
import { indexLines, lineCountOf, lineOf } from '../../../../src/compact/worker/sessionLineIndex';
import { fixtures } from './fixtures';

const now = new Date('2026-11-20T10:00:00Z');
const secret = 'TOKEN="abc\\def"; é';

function linesOf(file: ChatFile): string[] {
  const lineIndex = indexLines(readChat(file));
  return Array.from({ length: lineCountOf(lineIndex) }, (_, at) => lineOf(lineIndex, at));
}

describe('eraseFromChat', () => {
  for (const { name, path, companions = [], isReadOnly } of fixtures) {
    const file: ChatFile = {
      path,
      text: readFileSync(`test/fixtures/histories/${name}`, 'utf8'),
      companions: companions.map(other => ({ path: other.path, text: other.text })),
    };
    if (isReadOnly || !readChat(file).canWrite) continue;

    it(`removes any line of ${name}, and changes no other`, () => {
      const chat = readChat(file);
      const lineIndex = indexLines(chat);
      const before = linesOf(file);
      let removed = 0;
      for (const [line, text] of before.entries()) {
        const gone = new Uint8Array(before.length);
        gone[line] = 1;
        const { edits, lines, stuck } = removalOf(chat, lineIndex, gone);
        assert.equal(lines.length + stuck, 1);
        // A message of which nothing would be left cannot be written, which is said.
        if (stuck > 0) continue;
        removed++;
        const erased = eraseFromChat(file, { edits, lines }, now);
        const [own] = erased.files;
        assert.ok(own);
        if (text.trim().length >= minCopyChars) {
          assert.equal(erased.left, 0, text);
          assert.ok(!own.text.includes(JSON.stringify(text.trim()).slice(1, -1)), text);
        }
        const after = linesOf({ ...file, text: own.text });
        if (after.length !== before.length) continue;
        for (const [at, other] of after.entries()) {
          const isSame = other === before[at] || other.includes(removedNote);
          assert.ok(isSame, `${name} ${at}: ${other}`);
        }
      }
      assert.ok(removed > before.length / 2, `${removed} of ${before.length}`);
    });
  }

  it('removes copies in the other files of the session', () => {
    const fixture = fixtures.find(({ format }) => format === 'roo');
    assert.ok(fixture);
    const text = readFileSync(`test/fixtures/histories/${fixture.name}`, 'utf8');
    const [first = ''] = linesOf({ path: fixture.path, text }).filter(line => line.length > 20);
    const shown = JSON.stringify([{ say: 'text', text: `Before\n${first}after` }]);
    const file: ChatFile = {
      path: fixture.path,
      text,
      companions: [{ path: '/tasks/t1/ui_messages.json', text: shown }],
    };
    const chat = readChat(file);
    const lineIndex = indexLines(chat);
    const gone = new Uint8Array(lineCountOf(lineIndex));
    gone[linesOf(file).indexOf(first)] = 1;
    const { edits, lines } = removalOf(chat, lineIndex, gone);
    const { files } = eraseFromChat(file, { edits, lines }, now);
    assert.deepEqual(
      files.map(({ path }) => path),
      [fixture.path, '/tasks/t1/ui_messages.json'],
    );
    assert.equal(
      files[1]?.text,
      JSON.stringify([{ say: 'text', text: 'Before\n[removed]\nafter' }]),
    );
  });
});

const said = (id: string, parentId: string | null, content: string) => ({
  type: 'message',
  id,
  parentId,
  message: { role: 'user', content },
});

describe('writeChat', () => {
  it('removes copies of lines that were left out, but not of those that are kept elsewhere', () => {
    const content = 'gone for good\nkept twice';
    const entry = JSON.stringify({ role: 'user', content, shown: content });
    const file = { path: 'chat.jsonl', text: `${entry}\n` };
    const erase = { lines: ['  gone for good\n', 'kept twice\n'], kept: 'and kept twice' };
    const edits = [['left']];
    const { files } = writeChat(file, { edits, asCopy: true, now, erase }, () => 'new');
    const text = JSON.stringify({ role: 'user', content: 'left', shown: '[removed]\nkept twice' });
    assert.equal(files[0]?.text.trim(), text);
  });
});

describe('a line that is also a part of how a session is kept', () => {
  const text = ['/home/u/project', 'assistant', 'tool_result']
    .map((line, at) =>
      JSON.stringify({
        parentUuid: at === 0 ? null : `u${at - 1}`,
        isSidechain: false,
        cwd: '/home/u/project',
        sessionId: 's-1',
        version: '2.1.0',
        type: at === 1 ? 'assistant' : 'user',
        message: {
          role: at === 1 ? 'assistant' : 'user',
          content: [{ type: 'text', text: `It is\n${line}` }],
        },
        uuid: `u${at}`,
        timestamp: '2026-03-02T10:00:00Z',
      }),
    )
    .join('\n');
  const file: ChatFile = { path: 'chat.jsonl', text: `${text}\n` };

  for (const [message, line] of ['/home/u/project', 'assistant', 'tool_result'].entries()) {
    it(`is removed from the message alone: ${line}`, () => {
      const before = readChat(file);
      const edits = before.messages.map(({ parts }, at) =>
        parts.map(part => (at === message ? 'It is\n[removed]' : part.text)),
      );
      const [own] = eraseFromChat(file, { edits, lines: [line] }, now).files;
      const after = readChat({ ...file, text: own?.text ?? '' });
      assert.deepEqual(
        after.messages.map(({ role, parts }) => [role, parts[0]?.text]),
        before.messages.map(({ role }, at) => [role, edits[at]?.[0]]),
      );
      assert.equal(after.workspace, '/home/u/project');
      const erase = { lines: [line], kept: '' };
      const asNew = writeChat(file, { edits, asCopy: false, now, erase }, () => 'new').files[0];
      assert.equal(readChat({ ...file, text: asNew?.text ?? '' }).workspace, '/home/u/project');
      assert.equal(asNew?.text.match(/"type":"(?:user|assistant)"/g)?.length, 3);
    });
  }

  it('is not removed where that would lose messages', () => {
    const summary = {
      id: 'c1',
      parentId: 'keep-from-1',
      summary: 'S',
      firstKeptEntryId: 'keep-from-1',
    };
    const entries = [
      { type: 'session', id: 's1', cwd: '/w' },
      said('keep-from-1', null, 'keep-from-1\nmore'),
      { type: 'compaction', ...summary },
      said('m2', 'c1', 'go on'),
    ];
    const lines = entries.map(entry => JSON.stringify(entry));
    const pi: ChatFile = { path: 'a.jsonl', text: `${lines.join('\n')}\n` };
    const edits = [['S'], ['[removed]\nmore'], ['go on']];
    assert.throws(() => eraseFromChat(pi, { edits, lines: ['keep-from-1'] }, now), {
      name: 'UnsupportedHistory',
      message: /a line that was left out is also a part of how the session is kept/,
    });
  });
});

const erasedFrom = (text: string, lines: readonly string[]) =>
  eraseCopies([new HistoryFile('', text)], lines);

describe('eraseCopies', () => {
  it('finds a line in strings, in JSON within a string, and in plain text', () => {
    const args = JSON.stringify({ command: `x\n${secret}\ny` });
    for (const [text, expected] of [
      [JSON.stringify({ a: [`1 ${secret} 2`] }), JSON.stringify({ a: ['1 [removed] 2'] })],
      [JSON.stringify({ args }), JSON.stringify({ args: '{"command":"x\\n[removed]\\ny"}' })],
      [`# Title\n  ${secret}\nend`, '# Title\n  [removed]\nend'],
      [`{"a":1}\n{"b":${JSON.stringify(secret)}}\n`, '{"a":1}\n{"b":"[removed]"}\n'],
    ] as const) {
      assert.deepEqual(erasedFrom(text, [secret]), { texts: [expected], count: 1, left: 0 });
    }
  });

  it('finds a line that was escaped in another way', () => {
    const text = '{"a":"TOKEN=\\u0022abc\\\\def\\"; \\u00e9","b":"\\u00e9"}';
    assert.deepEqual(erasedFrom(text, [secret]).texts, ['{"a":"[removed]","b":"\\u00e9"}']);
  });

  it('leaves short lines elsewhere alone', () => {
    const text = '{"a":"return;"}';
    assert.deepEqual(erasedFrom(text, ['return;', '', '}']), { texts: [text], count: 0, left: 0 });
  });
});
