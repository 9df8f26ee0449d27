import assert from 'node:assert/strict';
import { detectFormat, readHistory, UnsupportedHistory } from '../../../../../src/compact/sessions';
import { asCopy, draw, minting, sameEdits, write } from '../fixtures';

const formatOf = (name: string, text: string): string | undefined => detectFormat(name, text)?.id;

const started = (text: string) => readHistory('.aider.chat.history.md', text).history.startedAt;

describe('a transcript', () => {
  it('has parts for calls with their results and for thoughts, as elements at the start of a line', () => {
    const text = [
      '## User',
      'Why?',
      '## Assistant',
      'First.',
      '<think>',
      'Hm. <tool-use> is a tag.',
      '</think>',
      '<tool-use data-tool-type="read">',
      '<think>',
      'found',
      '</tool-use> end',
      'Then <think> this.',
      '<thinking>',
      '<think>',
      'open',
      '',
    ].join('\n');
    const { history } = readHistory('a.md', text);
    assert.deepEqual(draw(history), [
      'user',
      '  other whole: ## User|',
      '  text: Why?|',
      'assistant',
      '  other whole: ## Assistant|',
      '  text: First.|',
      '  thinking: <think>|Hm. <tool-use> is a tag.|</think>|',
      '  tool_result: <tool-use data-tool-type="read">|<think>|found|</tool-use> end|',
      '  text: Then <think> this.|<thinking>|<think>|open|',
    ]);
    assert.equal(
      history.messages.flatMap(({ parts }) => parts.map(part => part.text)).join(''),
      text,
    );
  });

  it('has parts for what a tool adds to the words of the user', () => {
    const details = '<environment_details>\n# Open tabs\na.ts\n</environment_details>\n';
    const text = `**User:**\n\nWhy?\n${details}\n---\n\n**Assistant:**\n\nSo.\n`;
    assert.deepEqual(draw(readHistory('a.md', text).history).slice(0, 5), [
      'user',
      '  other whole: **User:**|',
      '  text: |Why?|',
      '  tool_result: <environment_details>|# Open tabs|a.ts|</environment_details>|',
      '  text: |---||',
    ]);
  });

  it('has the results that Cline exports as the words of the user', () => {
    const text = [
      '**User:**\n\n<task>\nFix it\n</task>\n\n---\n',
      '**Assistant:**\n\nI look.\n\n---\n',
      "**User:**\n\n[read_file for 'a.ts'] Result:\n1 | a\n\n[list_files for 'src'] Result:\nb.ts",
      '<environment_details>\nc.ts\n</environment_details>\n\n---\n',
      '**Assistant:**\n\n[Tool Use: read_file]\nPath: b.ts\n\n---\n',
      '**User:**\n\n[read_file]\n1 | b\n[Tool (Error)]\nThe user said no:\n<feedback>\nNot b.\n</feedback>\n\n---\n',
      '**Assistant:**\n\nSo.\n\n---\n',
      '**User:**\n\n[x] is done, why is [Tool]\nnot?\n',
    ].join('\n');
    assert.deepEqual(draw(readHistory('a.md', text).history).slice(6), [
      'tool',
      '  other whole: **User:**|',
      '  text: |',
      "  tool_result: [read_file for 'a.ts'] Result:|1 | a||",
      "  tool_result: [list_files for 'src'] Result:|b.ts|",
      '  tool_result: <environment_details>|c.ts|</environment_details>|',
      '  tool_result: |---||',
      'assistant',
      '  other whole: **Assistant:**|',
      '  text: |[Tool Use: read_file]|Path: b.ts||---||',
      'user',
      '  other whole: **User:**|',
      '  text: |',
      '  tool_result: [read_file]|1 | b|',
      '  tool_result: [Tool (Error)]|The user said no:|',
      '  text: <feedback>|Not b.|</feedback>|',
      '  tool_result: |---||',
      'assistant',
      '  other whole: **Assistant:**|',
      '  text: |So.||---||',
      'user',
      '  other whole: **User:**|',
      '  text: |[x] is done, why is [Tool]|not?|',
    ]);
    const other = readHistory('a.md', '## User\n[my_table]\na = 1\n## Assistant\nNo.\n').history;
    assert.deepEqual(draw(other).slice(0, 3), [
      'user',
      '  other whole: ## User|',
      '  text: [my_table]|a = 1|',
    ]);
  });

  it('may end with a header, or in an element', () => {
    assert.deepEqual(draw(readHistory('a.md', '## User\nWhy?\n## Assistant').history).slice(-2), [
      'assistant',
      '  other whole: ## Assistant',
    ]);
    assert.deepEqual(
      draw(readHistory('a.md', '## User\nWhy?\n## Assistant\n<think>x</think>').history).slice(-1),
      ['  thinking: <think>x</think>'],
    );
  });

  it('is told by its name and its first characters', () => {
    const aider = '# aider chat started at 2026-03-02 10:00:00\n\n#### Why?\n';
    assert.equal(formatOf('.aider.chat.history.md', 'words'), 'aider');
    assert.equal(formatOf('.aider.chat.history-compacted.md', 'words'), 'aider');
    assert.equal(formatOf('.aider.chat.history-old.md', 'words'), 'markdown');
    assert.equal(formatOf('a.md', aider), 'aider');
    assert.equal(formatOf('a.txt', `\n${aider}`), 'aider');
    assert.equal(formatOf('a.md', `words\n${aider}`), 'markdown');
    for (const name of ['a.md', 'A.MD', 'a.markdown', 'a.mdx'])
      assert.equal(formatOf(name, 'words'), 'markdown');
    assert.equal(formatOf('a.txt', 'words'), 'text');
    for (const [name, text] of [
      ['a.json', 'words'],
      ['a.jsonl', 'words'],
      ['a.txt', '{"a": 1}'],
      ['a.txt', ' [{"a": 1}]'],
      ['a.txt', 'a\0b'],
    ] as const)
      assert.equal(formatOf(name, text), undefined, `${name} ${text}`);
    assert.equal(formatOf('a.txt', '[x] done'), 'text');
  });

  it('is refused where it is empty or no text', () => {
    for (const text of ['', ' \n', '\uFEFF\n', 'a\0b', `a${'\0'.repeat(15)}b`])
      assert.throws(() => readHistory('a.md', text), UnsupportedHistory, JSON.stringify(text));
  });

  it('is read around what a power cut has left', () => {
    const log = `# aider chat started at 2026-03-02 10:00:00\n\n#### Why?\n\nSo.\n${'\0'.repeat(16)}`;
    const next = '\n#### And now?\n';
    const read = readHistory('.aider.chat.history.md', log + next);
    assert.deepEqual(draw(read.history).slice(-2), ['user', '  text: #### And now?|']);
    assert.equal(write(read, sameEdits(read.history), asCopy).files[0]?.text, log + next);
    const { file } = readHistory('.aider.chat.history.md', log).history;
    assert.equal(file.text, log.replaceAll('\0', ''));
  });

  it('tells when it was started', () => {
    assert.equal(
      started('# aider chat started at 2026-03-02 10:00:00\r\n\n#### a\n'),
      '2026-03-02 10:00:00',
    );
    assert.equal(started(`${' '.repeat(180)}\n# aider chat started at 2026-03-02\n`), undefined);
  });

  it('keeps its name as a copy, and is named beside it otherwise', () => {
    for (const [name, compacted] of [
      ['notes.md', 'notes-compacted.md'],
      ['.aider.chat.history.md', '.aider.chat.history-compacted.md'],
      ['.aider.chat.history-compacted.md', '.aider.chat.history-compacted-compacted.md'],
      ['notes', 'notes-compacted'],
    ] as const) {
      const read = readHistory(name, 'User: a\nAssistant: b\n');
      const edits = sameEdits(read.history);
      const paths = [asCopy, minting()].map(how => write(read, edits, how).files[0]?.path);
      assert.deepEqual(paths, [name, compacted]);
    }
  });
});
