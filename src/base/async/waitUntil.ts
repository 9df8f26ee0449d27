const pollIntervalMs = 10;

/** For what has no event. @returns whether the condition was met in time. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  for (let waited = 0; waited < timeoutMs && !condition(); waited += pollIntervalMs) {
    await new Promise(resolve => setTimeout(resolve, pollIntervalMs));
  }
  return condition();
}
