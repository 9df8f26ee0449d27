import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type Edits,
  type History,
  HistoryFile,
  type NewSession,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../src/compact/sessions';
import { omissionMarker } from '../../../../src/compact/sessions/edit';
import {
  asCopy,
  draw,
  type Fixture,
  fixtures,
  minting,
  readFixture,
  sameEdits,
  structured,
  textOf,
  textWritten,
  writable,
  write,
} from './fixtures';

const named = (name: string): Fixture => {
  const found = fixtures.find(one => one.name === name);
  assert.ok(found, name);
  return found;
};

/** Other ways to write the same values down; the last three only between lines or tokens. */
const variants: Record<string, (text: string, name: string) => string> = {
  'no line end at the end': text => text.replace(/\n+$/, ''),
  'blank lines': text => `\n${text.replaceAll('\n', '\n\n')}\n`,
  CRLF: text => text.replaceAll('\n', '\r\n'),
  'tabs and spaces between tokens': (text, name) =>
    name.endsWith('.json') || name.endsWith('.jsonl')
      ? text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, token =>
          token.length > 1 ? token : ` ${token}\t`,
        )
      : text,
  'escapes for all that is not ASCII, and slashes': (text, name) =>
    name.endsWith('.json') || name.endsWith('.jsonl')
      ? text
          .replaceAll(
            /[\u0080-\uffff]/g,
            char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
          )
          .replaceAll('/', '\\/')
          .replaceAll('\\\\/', '\\/')
          .replaceAll('\\n', '\\u000a')
      : text,
  'byte order mark': text => `\uFEFF${text}`,
};

const anyVariant = fc.subarray(Object.values(variants));
const varied = (one: Fixture, changes: ((text: string, name: string) => string)[]) =>
  changes.reduce((text, change) => change(text, one.name), textOf(one));

const pairsIn = ({ messages }: History) => {
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const { type, callId } of messages.flatMap(({ parts }) => parts))
    if (callId !== undefined) (type === 'tool_call' ? calls : results).add(callId);
  return { calls: [...calls].sort(), results: [...results].sort() };
};

/** What is there to read, without what only holds a place. */
const textsOf = ({ messages }: History) =>
  messages
    .flatMap(({ parts }) => parts)
    .filter(({ isEditable, text }) => isEditable && text !== '' && text !== omissionMarker)
    .map(({ text }) => text);

/** Keeps the lines that `keeps` says of every part whose lines may go. */
function keepLines({ messages }: History, keeps: () => boolean): (string | null)[][] {
  return messages.map(({ parts }) =>
    parts.map(({ text, isEditable }) =>
      isEditable
        ? text
            .split(/(?<=\n)/)
            .filter(keeps)
            .join('')
        : text,
    ),
  );
}

function rereadSession(one: Fixture, { files }: NewSession): ReadHistory {
  const [file, ...others] = files;
  assert.ok(file);
  const folder = one.path.slice(0, one.path.lastIndexOf('/') + 1);
  const companions = others.map(({ path, text }) => new HistoryFile(path, text));
  return readHistory(folder + file.path, file.text, companions);
}

describe('writing a chat history', () => {
  for (const one of writable) {
    it(`leaves every byte of ${one.name} when nothing is left out`, () => {
      fc.assert(
        fc.property(anyVariant, fc.boolean(), (changes, endsLines) => {
          const text = varied(one, changes);
          const read = readFixture(one, text);
          assert.equal(read.format.id, one.format);
          // The compactor ends the last line of each part.
          const edits = sameEdits(read.history).map((own, at) =>
            own.map((edit, index) =>
              endsLines && edit && read.history.messages[at]?.parts[index]?.isEditable
                ? `${edit}\n`
                : edit,
            ),
          );
          assert.equal(textWritten(read, edits), text);
        }),
        { numRuns: 40 },
      );
    });
  }

  for (const one of structured) {
    it(`keeps what was kept of ${one.name}, and nothing else`, () => {
      fc.assert(
        fc.property(
          anyVariant,
          fc.infiniteStream(fc.boolean()),
          fc.boolean(),
          (changes, bits, isNew) => {
            const read = readFixture(one, varied(one, changes));
            const edits = keepLines(read.history, () => bits.next().value);
            const session = write(read, edits, isNew ? minting() : asCopy);
            const { history } = rereadSession(one, session);
            const kept = read.history.messages.flatMap(({ parts }, at) =>
              parts.flatMap(({ isEditable }, index) => {
                const edit = edits[at]?.[index] ?? '';
                return !isEditable || edit === '' ? [] : [edit];
              }),
            );
            assert.deepEqual(textsOf(history), kept);
            assert.deepEqual(pairsIn(history), pairsIn(read.history));
          },
        ),
        { numRuns: 60 },
      );
    });

    it(`never parts a call of ${one.name} from its results`, () => {
      fc.assert(
        fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 3 })), dice => {
          const read = readFixture(one);
          const edits = read.history.messages.map(({ role, parts }) =>
            parts.map(({ text, type }) =>
              role !== 'system' && type !== 'summary' && dice.next().value === 0 ? null : text,
            ),
          );
          const session = writeOrRefuse(read, edits);
          if (!session) return;
          const again = rereadSession(one, session).history;
          const { calls, results } = pairsIn(again);
          const before = pairsIn(read.history);
          assert.deepEqual(
            results,
            calls.filter(id => before.results.includes(id)),
          );
          const gone = read.history.messages.flatMap(({ parts }, at) =>
            parts.flatMap(({ callId }, index) =>
              edits[at]?.[index] === null ? (callId ?? []) : [],
            ),
          );
          assert.deepEqual(
            calls.filter(id => gone.includes(id)),
            [],
          );
        }),
        { numRuns: 60 },
      );
    });
  }

  for (const one of writable.filter(other => !structured.includes(other))) {
    it(`takes lines of ${one.name} away and changes none`, () => {
      fc.assert(
        fc.property(anyVariant, fc.infiniteStream(fc.boolean()), (changes, bits) => {
          const read = readFixture(one, varied(one, changes));
          const edits = keepLines(read.history, () => bits.next().value);
          const bom = read.history.file.start === 1 ? '\uFEFF' : '';
          assert.equal(textWritten(read, edits), bom + edits.flat().join(''));
        }),
        { numRuns: 40 },
      );
    });
  }

  it('keeps escapes, numbers and unknown members of what stays', () => {
    const read = readFixture(named('claude.jsonl'));
    const edits = sameEdits(read.history);
    assert.ok(edits[0]);
    edits[0][0] = 'Look at src/boiler.ts first.\nCafé mode must stay as it is.';
    const [before, after] = [textOf(named('claude.jsonl')), textWritten(read, edits)];
    assert.equal(after, before.replace(String.raw`The kettle never switches off.\n`, ''));
  });

  it('marks what would be empty, once', () => {
    for (const one of structured) {
      const read = readFixture(one);
      const edits = read.history.messages.map(({ parts }) =>
        parts.map(({ isEditable, text }) => (isEditable ? '' : text)),
      );
      const { history } = rereadSession(one, write(read, edits, minting()));
      assert.deepEqual(textsOf(history), [], one.name);
      for (const { role, parts } of history.messages) {
        const marked = parts.filter(({ text }) => text === omissionMarker);
        const results = parts.filter(
          ({ type, isEditable }) => type === 'tool_result' && isEditable,
        );
        assert.ok(parts.length > 0, `${one.name}: ${role}`);
        assert.ok(marked.length <= Math.max(1, results.length), `${one.name}: ${role}`);
        for (const { text } of results) assert.equal(text, omissionMarker);
      }
    }
  });

  it('makes a session of its own', () => {
    const about = structured.flatMap(one => {
      const read = readFixture(one);
      const session = write(read, sameEdits(read.history), minting());
      const again = rereadSession(one, session);
      assert.deepEqual(textsOf(again.history), textsOf(read.history), one.name);
      const old = read.history.sessionId;
      const isLeft = old !== undefined && session.files.some(({ text }) => text.includes(old));
      const { shell, command } = session.continueBy;
      return [
        [one.name, session.files.map(({ path }) => path).join(' '), shell ?? command ?? '', isLeft],
      ];
    });
    const id = '99999999-9999-4999-8999-000000000001';
    assert.deepEqual(about, [
      ['claude.jsonl', `${id}.jsonl`, `claude --resume ${id}`, false],
      ['claude-agent.jsonl', `${id}.jsonl`, `claude --resume ${id}`, false],
      ['codex.jsonl', `rollout-2026-03-03T08-00-00-${id}.jsonl`, `codex resume ${id}`, false],
      [
        'codex-compacted.jsonl',
        `rollout-2026-03-03T08-00-00-${id}.jsonl`,
        `codex resume ${id}`,
        false,
      ],
      ['gemini.jsonl', 'session-2026-03-03T08-00-99999999.jsonl', `gemini --resume ${id}`, false],
      ['gemini.json', 'session-2026-03-03T08-00-99999999.json', `gemini --resume ${id}`, false],
      ['pi.jsonl', `2026-03-03T08-00-00-000Z_${id}.jsonl`, `pi --session ${id}`, false],
      ['omp.jsonl', `2026-03-03T08-00-00-000Z_${id}.jsonl`, `omp --resume ${id}`, false],
      [
        'kimi.jsonl',
        `../../../session_${id}/agents/main/wire.jsonl ../../../session_${id}/state.json`,
        `kimi --session session_${id}`,
        false,
      ],
      [
        'copilot-cli.jsonl',
        `../${id}/events.jsonl ../${id}/workspace.yaml`,
        `copilot --resume=${id}`,
        false,
      ],
      ['qwen.jsonl', `${id}.jsonl`, `qwen --resume ${id}`, false],
      ['droid.jsonl', `${id}.jsonl ${id}.settings.json`, `droid --resume ${id}`, false],
      [
        'grok.jsonl',
        ['chat_history.jsonl', 'summary.json', 'updates.jsonl']
          .map(name => `../${id}/${name}`)
          .join(' '),
        `grok --resume ${id}`,
        false,
      ],
      ['nanocoder.json', `${id}.json`, `nanocoder --resume ${id}`, false],
      ['continue.json', `${id}.json`, '', false],
      [
        'roo.json',
        `../${id}/api_conversation_history.json ../${id}/history_item.json ../${id}/ui_messages.json`,
        '',
        false,
      ],
      ['openai.json', 'openai-compacted.json', '', false],
      ['openai.jsonl', 'openai-compacted.jsonl', '', false],
      [
        'opencode.json',
        'session-99999999-9999-4999-8999-000000000001.json',
        'opencode import session-99999999-9999-4999-8999-000000000001.json',
        false,
      ],
      ['vscode-export.json', 'vscode-export-compacted.json', 'workbench.action.chat.import', false],
      [
        'vscode-session.jsonl',
        'vscode-session-compacted.json',
        'workbench.action.chat.import',
        false,
      ],
    ]);
  });

  it('makes one chain of a tree, and leaves out what the model no longer sees', () => {
    const read = readFixture(named('claude.jsonl'));
    const edits = sameEdits(read.history);
    // The two calls and their results go; what hung on them moves up.
    for (const [at, { parts }] of read.history.messages.entries())
      for (const [index, { callId }] of parts.entries())
        if (callId === 'toolu_1' || callId === 'toolu_2') (edits[at] ?? [])[index] = null;
    assert.deepEqual(linksIn(write(read, edits, minting())), [
      'user null #2',
      'assistant #2 #3',
      'assistant #3 #4',
      'user #4 #5',
      'assistant #5 #6',
      'user #6 #7',
      'custom-title undefined undefined',
    ]);
    assert.deepEqual(linksIn(write(read, edits, asCopy)), [
      'file-history-snapshot undefined undefined',
      'user null u1',
      'assistant u1 u2',
      'assistant u2 u3',
      'user u3 s1',
      'assistant u3 u8',
      'user u3 u9',
      'assistant u9 u10',
      'user u10 u11',
      'custom-title undefined undefined',
    ]);
  });

  it('shows and sends the same words in a chat of VS Code', () => {
    const read = readFixture(named('vscode-export.json'));
    const edits = sameEdits(read.history);
    const at = read.history.messages.findIndex(({ parts }) =>
      parts.some(({ text }) => text.startsWith('The fuse is blown.')),
    );
    assert.ok(edits[at]);
    edits[at][0] = 'The fuse is blown.';
    assert.ok(edits[0]);
    edits[0][0] = 'In short.';
    const { requests } = JSON.parse(textWritten(read, edits));
    assert.equal(requests[0].message.text, 'In short.');
    assert.equal(requests[0].message.parts[0].text, 'In short.');
    assert.equal(requests[1].response[3].value, 'The fuse is blown.');
    assert.equal(requests[1].result.metadata.toolCallRounds[1].response, 'The fuse is blown.');
  });

  it('keeps the two copies of a result in Continue equal', () => {
    const read = readFixture(named('continue.json'));
    const edits = keepLines(read.history, () => true);
    const [, answer] = read.history.messages;
    assert.ok(answer && edits[1]);
    edits[1][answer.parts.findIndex(({ type }) => type === 'tool_result')] = 'since: May\n';
    const { history } = JSON.parse(textWritten(read, edits));
    assert.equal(history[1].toolCallStates[0].output[0].content, 'since: May\n');
    assert.equal(history[2].message.content, 'since: May\n');
    const session = write(read, edits, minting());
    assert.equal(session.indexRow?.path, 'sessions.json');
    assert.equal(JSON.parse(session.indexRow?.json ?? '').title, 'Descale');
  });

  it('gives ids of opencode that sort as the old ones did', () => {
    const read = readFixture(named('opencode.json'));
    const session = write(read, sameEdits(read.history), minting());
    const ids = [...(session.files[0]?.text ?? '').matchAll(/"id": "((?:msg|prt)_\w+)"/g)].map(
      match => match[1] ?? '',
    );
    const before = [...textOf(named('opencode.json')).matchAll(/"id": "((?:msg|prt)_\w+)"/g)].map(
      match => match[1] ?? '',
    );
    assert.deepEqual(ranksOf(ids), ranksOf(before));
    assert.equal(
      ids.some(id => before.includes(id)),
      false,
    );
  });

  it('keeps calls without ids and their results', () => {
    const text = `[{"role":"user","content":"a\\nb"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"c\\nd"}]`;
    const read = readHistory('a.json', text);
    assert.equal(
      textWritten(read, [['a\nb'], [''], [null]]),
      text.replace('c\\nd', omissionMarker),
    );
    assert.throws(() => textWritten(read, [['a\nb'], [null], ['c\nd']]), UnsupportedHistory);
  });

  it('refuses to change a part that must stay whole', () => {
    for (const one of structured) {
      const read = readFixture(one);
      const edits = sameEdits(read.history);
      const at = read.history.messages.findIndex(({ parts }) =>
        parts.some(({ isEditable, text }) => !isEditable && text !== ''),
      );
      const index = read.history.messages[at]?.parts.findIndex(
        ({ isEditable, text }) => !isEditable && text !== '',
      );
      if (at < 0 || index === undefined) continue;
      (edits[at] ?? [])[index] = 'other words';
      assert.throws(() => textWritten(read, edits), UnsupportedHistory, one.name);
    }
  });

  it('refuses to leave a summary out: what it stands for would be sent again', () => {
    const read = readFixture(named('roo.json'));
    const edits = read.history.messages.map(({ parts }) =>
      parts.map(({ type, text }) => (type === 'summary' ? null : text)),
    );
    assert.throws(() => textWritten(read, edits), /Roo Code or Kilo Code: .*\(summary\)/);
  });

  it('puts no id that a file made up on a command line or in a path', () => {
    const bad = 'x; rm -rf ~';
    for (const one of [named('claude.jsonl'), named('codex.jsonl'), named('opencode.json')]) {
      const { sessionId = '' } = readFixture(one).history;
      const read = readFixture(one, textOf(one).replaceAll(sessionId, bad));
      for (const options of [asCopy, minting()]) {
        const { files, continueBy } = write(read, sameEdits(read.history), options);
        const said = `${continueBy.shell} ${continueBy.sentence} ${files.map(({ path }) => path).join()}`;
        assert.equal(said.includes('rm'), false, one.name);
      }
    }
  });

  it('reads the same however the file is spaced', () => {
    for (const one of structured)
      for (const [name, change] of Object.entries(variants)) {
        const read = readFixture(one, change(textOf(one), one.name));
        assert.deepEqual(
          draw(read.history),
          draw(readFixture(one).history),
          `${one.name}: ${name}`,
        );
      }
  });
});

/** Some parts cannot be left out where they stand; that has to be said, not done by halves. */
function writeOrRefuse(read: ReadHistory, edits: Edits): NewSession | undefined {
  try {
    return write(read, edits, minting());
  } catch (error) {
    assert.ok(error instanceof UnsupportedHistory);
    return undefined;
  }
}

/** Type, parent and id of each line, with the numbers of new ids. */
function linksIn({ files }: NewSession): string[] {
  return (files[0]?.text ?? '')
    .trimEnd()
    .split('\n')
    .map(line => {
      const { uuid, parentUuid, type } = JSON.parse(line);
      return [type, parentUuid, uuid].map(value => String(value).replace(/^9.*-0*/, '#')).join(' ');
    });
}

/** For each, where it would stand if they were sorted. */
function ranksOf(list: readonly string[]): number[] {
  const sorted = [...list].sort();
  return list.map(one => sorted.indexOf(one));
}
