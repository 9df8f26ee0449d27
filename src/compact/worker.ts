import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { UnsupportedHistory } from './histories/history';
import { doWork } from './work';

// A class does not survive the way out of a thread.
try {
  const done = doWork(workerData, { newId: randomUUID, now: () => performance.now() });
  parentPort?.postMessage({ done });
} catch (error) {
  const refused =
    error instanceof UnsupportedHistory
      ? { tool: error.tool, what: error.what, advice: error.advice }
      : undefined;
  parentPort?.postMessage({ refused, message: error instanceof Error ? error.message : '' });
}
