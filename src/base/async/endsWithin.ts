/**
 * Whether a promise, which does not reject, is fulfilled in time.
 * Rejects with the reason of the signal when that is aborted first.
 */
export async function endsWithin(
  ms: number,
  promise: Promise<void>,
  signal?: AbortSignal,
): Promise<boolean> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await Promise.race([
      promise.then(() => true),
      new Promise<false>((resolve, reject) => {
        timer = setTimeout(() => resolve(false), ms);
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
  }
}
