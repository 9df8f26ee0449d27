/** Of the reference work on the machine that the limits in the tests were set for, in milliseconds. */
const usualMs = 14;

/** Strings, a map, a sort and an array: what the measured code does as well. */
function referenceWork(): number {
  const counts = new Map<string, number>();
  for (let n = 0; n < 40_000; n++) {
    const key = `line ${(n * 7919) % 9973}`;
    counts.set(key, (counts.get(key) ?? 0) + key.length);
  }
  return [...counts.keys()].sort().join('\n').split('\n').length;
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The CPU time that `work` takes this once, in milliseconds of this machine. */
export function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return cpuSince(before);
}

const slowness = (reference: number): number => Math.max(1, reference / usualMs);

/**
 * The least CPU time that `work` takes in some tries, in milliseconds of the usual machine. Neither
 * what else the machine does nor a slower machine changes it much.
 */
export function cpuMs(work: () => unknown, tries = 1): number {
  let least = Infinity;
  let reference = Infinity;
  for (let n = 0; n < tries; n++) {
    reference = Math.min(reference, cpuOf(referenceWork), cpuOf(referenceWork));
    least = Math.min(least, cpuOf(work));
  }
  return least / slowness(reference);
}

/** The same for work that waits: the CPU time of the whole process meanwhile. */
export async function cpuMsOfAsync(work: () => Promise<unknown>): Promise<number> {
  const reference = Math.min(cpuOf(referenceWork), cpuOf(referenceWork), cpuOf(referenceWork));
  const before = process.cpuUsage();
  await work();
  return cpuSince(before) / slowness(reference);
}
