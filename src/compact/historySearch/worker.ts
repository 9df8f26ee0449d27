import { parentPort, workerData } from 'node:worker_threads';
import { answerHistory } from './answerHistory';

// Only `historyThreads.ts` starts this.
if (parentPort) await answerHistory(parentPort, workerData);
