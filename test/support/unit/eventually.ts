import assert from 'node:assert/strict';

const lookAgainMs = 5;

/** Waits until `holds`. Its limit only ends a wait in vain, so that it is long. */
export async function eventually(holds: () => boolean, limitMs = 60_000): Promise<void> {
  for (const end = performance.now() + limitMs; !holds() && performance.now() < end; )
    await new Promise(resolve => setTimeout(resolve, lookAgainMs));
  assert.ok(holds(), 'it did not come true in time');
}
