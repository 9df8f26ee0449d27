/** What the promise gives, or undefined when it takes longer. */
export async function within(ms, promise) {
  let timer;
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Prints what is being done, and how long it took. */
export async function step(what, work) {
  process.stdout.write(`${what} ... `);
  const start = performance.now();
  try {
    const result = await work();
    console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log('failed');
    throw error;
  }
}
