import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { UnsupportedHistory } from '../sessions/history';
import { NoSqlite } from '../sessions/stores/databaseCopy';
import { runTask } from './workerTasks';

// Structured cloning drops the class of an error, so its fields are sent instead.
try {
  const done = await runTask(workerData, { newId: randomUUID, now: () => performance.now() });
  parentPort?.postMessage({ done });
} catch (error) {
  const refused =
    error instanceof UnsupportedHistory
      ? { tool: error.tool, what: error.what, advice: error.advice }
      : undefined;
  const message = error instanceof Error ? error.message : '';
  parentPort?.postMessage({ refused, hasNoSqlite: error instanceof NoSqlite, message });
}
