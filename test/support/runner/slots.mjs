// How much runs at a time. A process with tests keeps a core busy; a window waits for about half of its time, for timers,
// disks and other processes, so two of them share a core.
import os from 'node:os';

/** Processes that may be busy at a time. */
export const slots =
  Number(process.env.TEST_SLOTS) || Math.min(4, Math.max(2, os.availableParallelism()));

/** Windows that may be open at a time. */
export const windowSlots = slots === 1 ? 1 : 2 * slots;
/** What a process takes of `windowSlots`. */
const processWeight = slots === 1 ? 1 : 2;

let free = windowSlots;
/** Those that wait, as `{ weight, start }`. */
const waiting = [];

function startWaiting() {
  while (waiting.length > 0 && waiting[0].weight <= free) {
    const { weight, start } = waiting.shift();
    free -= weight;
    start();
  }
}

async function inTurn(weight, work) {
  await new Promise(start => {
    waiting.push({ weight, start });
    startWaiting();
  });
  try {
    return await work();
  } finally {
    free += weight;
    startWaiting();
  }
}

/** Runs `work`, which keeps a core busy, as soon as there is room; first come, first served. */
export const inSlot = work => inTurn(processWeight, work);

/** Runs `work`, which uses a window, as soon as there is room; first come, first served. */
export const inWindowSlot = work => inTurn(1, work);
