const output = (from: number) =>
  Array.from({ length: 40 }, (_, at) => `row ${from + at} of the log`).join('\n');
const said = (role: 'user' | 'assistant', content: unknown) => ({
  type: role,
  message: { role, content },
});
const called = (id: string) =>
  said('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: `run ${id}` } }]);
const answered = (id: string, content: string) =>
  said('user', [{ type: 'tool_result', tool_use_id: id, content }]);

/**
 * A session of Claude Code about the folder: a question, the long output of a call and a short answer, then a
 * summary of them, and a further question with an output of its own.
 */
export function summarizedSession(folder: string): string {
  const common = { isSidechain: false, cwd: folder, sessionId: 's-1', version: '2.1.0' };
  const entries: Record<string, unknown>[] = [
    said('user', 'Why does step 0 fail?'),
    called('t1'),
    answered('t1', output(0)),
    said('assistant', [{ type: 'text', text: 'Short.' }]),
    { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
    { ...said('user', 'In short: step 0 fails.'), isCompactSummary: true },
    said('user', 'Then fix it.'),
    called('t2'),
    answered('t2', output(50)),
    said('assistant', [{ type: 'text', text: 'It is fixed.' }]),
    said('user', 'And now the docs.'),
  ];
  return entries
    .map((entry, at) => {
      const before = at === 0 ? null : `u${at - 1}`;
      const link =
        entry['subtype'] === 'compact_boundary'
          ? { parentUuid: null, logicalParentUuid: before }
          : { parentUuid: before };
      return `${JSON.stringify({ ...link, ...common, ...entry, uuid: `u${at}` })}\n`;
    })
    .join('');
}
