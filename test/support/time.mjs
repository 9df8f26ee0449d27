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
