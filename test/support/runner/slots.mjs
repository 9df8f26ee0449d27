// How much runs at a time: a window or a process with tests keeps less than one core busy, for it also waits.
import os from 'node:os';

export const slots = Number(process.env.TEST_SLOTS) || Math.min(4, os.availableParallelism() + 1);

let free = slots;
const waiting = [];

/** Runs `work` as soon as a slot is free; first come, first served. */
export async function inSlot(work) {
  if (free > 0) free--;
  else await new Promise(resolve => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}
