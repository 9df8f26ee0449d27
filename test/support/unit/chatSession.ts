/** A chat with an agent, as Claude Code keeps one: five questions, and the long outputs of tools between them. */
export function chatSession(folder: string, sessionId: string): string {
  const common = { isSidechain: false, cwd: folder, sessionId, version: '2.1.0' };
  const entries: object[] = [];
  const add = (type: 'user' | 'assistant', message: object): void => {
    const at = entries.length;
    entries.push({
      parentUuid: at === 0 ? null : `u${at}`,
      ...common,
      type,
      message,
      uuid: `u${at + 1}`,
      timestamp: new Date(Date.UTC(2026, 2, 2, 9, at)).toISOString(),
    });
  };
  const ask = (content: string) => add('user', { role: 'user', content });
  let calls = 0;
  const work = (text: string, command: string, output: string): void => {
    const id = `t${++calls}`;
    const content = [
      { type: 'text', text },
      { type: 'tool_use', id, name: 'Bash', input: { command } },
    ];
    add('assistant', { role: 'assistant', id: `m${calls}`, content });
    add('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: output }],
    });
  };
  const answer = (text: string): void =>
    add('assistant', {
      role: 'assistant',
      id: `a${entries.length}`,
      content: [{ type: 'text', text }],
    });

  ask(
    'Uploads of more than 100 MB fail at random.\nFind out why, but do not touch the public API.',
  );
  work('I start with the tests.', 'npm test -- upload', testLog(60, 'upload'));
  work('One test fails. I look at the retry.', 'cat src/net/retry.ts', retrySource);
  answer(
    'The wait doubles without a limit: after six attempts `backoff` waits longer than the\nserver keeps the upload open (`uploadTtlMs` in src/net/session.ts is 60000).',
  );
  ask('Good find. Cap the wait at 20 seconds, and keep the jitter.');
  work('I change `backoff` and run everything.', 'npm test', testLog(140, 'net'));
  answer('All tests pass with `maxWaitMs = 20_000`. The jitter is unchanged.');
  ask('Does the CLI use the same code?');
  work('I search for it.', 'grep -rn "backoff(" src', grepOutput);
  answer('Yes: src/cli/push.ts:88 calls the same `backoff`, so it is fixed as well.');
  ask('Now write the changelog entry.');
  return entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
}

function testLog(count: number, suite: string): string {
  const cases = ['opens a session', 'sends a part', 'counts bytes', 'closes', 'resumes', 'aborts'];
  const lines = [`> uploader@3.2.1 test`, `> vitest run ${suite}`, ''];
  for (let at = 0; at < count; at++)
    lines.push(` ✓ ${suite} > ${cases[at % 6]} (${3 + (at % 6)} ms)`);
  if (suite === 'upload')
    lines.push(
      ' ✗ upload/large.test.ts > survives six failures (60012 ms)',
      '   SessionExpired: upload 7f3a9c is gone',
      '     at Session.part (src/net/session.ts:141:13)',
      '     at retry (src/net/retry.ts:23:7)',
    );
  return [...lines, '', ` Tests  ${count} passed`].join('\n');
}

const retrySource = `import { sleep } from '../runner/time.mjs';

export async function retry<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= 6 || !isTransient(error)) throw error;
      await sleep(backoff(attempt));
    }
  }
}

export function backoff(attempt: number): number {
  return 1000 * 2 ** attempt * (0.5 + Math.random() / 2);
}`;

const grepOutput = Array.from(
  { length: 30 },
  (_, at) => `src/net/legacy.ts:${10 + at}:  // backoff(attempt) was here before 3.0`,
)
  .concat('src/cli/push.ts:88:    await sleep(backoff(tries));')
  .join('\n');
