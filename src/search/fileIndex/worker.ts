import { parentPort } from 'node:worker_threads';
import { answerIndex } from './answerIndex';

// Only `indexThread.ts` starts this.
if (parentPort) answerIndex(parentPort);
