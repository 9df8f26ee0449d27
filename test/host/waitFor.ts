import assert from 'node:assert/strict';

/** Long, because a busy machine must not fail a test; what is there ends a wait at once. */
const patienceMs = 60_000;

/** What the condition returns, once that is neither false nor undefined. */
export async function waitFor<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => string),
  ms = patienceMs,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const from = performance.now();
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    const now = performance.now();
    if (now - start > ms) {
      const missing = typeof what === 'string' ? what : what();
      throw new assert.AssertionError({ message: `not in ${ms} ms: ${missing}` });
    }
    // What is asked of the window keeps it from its work.
    await sleep(Math.max(10, now - from));
  }
}

export const sleep = async (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, ms));
