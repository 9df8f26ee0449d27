/**
 * Runs `load` at the first call and shares its result with all others. A failed load is tried again at
 * the next call, so that a temporary failure of the disk or the network does not disable a feature until
 * the window is reloaded.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    if (loading) return loading;
    // The wrapper turns what `load` throws synchronously into a rejection.
    const started = (async () => load())();
    loading = started;
    started.catch(() => {
      if (loading === started) loading = undefined;
    });
    return started;
  };
}
