import type { ServerResponse } from 'node:http';
import { sse } from '../wire';

/** How many events the next write holds; 0 cuts one in the middle. Every stream begins anew. */
const rhythm = [1, 2, 0, 3, 1, 1, 4, 0, 2] as const;

/** An event with its name in two places, as the messages and the responses formats have it. */
export function namedEvent(type: string, fields: object = {}): string {
  return `event: ${type}\n${sse({ type, ...fields })}`;
}

/**
 * Writes events as a network delivers them: several in one piece, and a piece that ends inside of an
 * event, or even inside of a character. Ends early when the client has gone.
 */
export async function writeEvents(
  response: ServerResponse,
  events: Iterable<string>,
  pauseMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const all = events[Symbol.iterator]();
  let held: Buffer = Buffer.alloc(0);
  for (let turn = 0; ; turn++) {
    const count = rhythm[turn % rhythm.length] ?? 1;
    let text = '';
    let isLast = false;
    for (let n = 0; n < Math.max(1, count) && !isLast; n++) {
      const { done, value } = all.next();
      if (done === true) isLast = true;
      else text += value;
    }
    const bytes = Buffer.concat([held, Buffer.from(text)]);
    const end = isLast || count > 0 ? bytes.length : Math.ceil(bytes.length * 0.6);
    held = bytes.subarray(end);
    if (response.destroyed) return;
    if (end > 0 && !response.write(bytes.subarray(0, end))) await drained(response);
    if (isLast) break;
    await pause(pauseMs);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/** Without a time it still lets the bytes go out, so that two writes stay two pieces. */
function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    if (ms > 0) setTimeout(resolve, ms);
    else setImmediate(resolve);
  });
}
