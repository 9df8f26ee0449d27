/** Something that others wait for. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let resolve: (() => void) | undefined;
  const opened = new Promise<void>(done => {
    resolve = done;
  });
  return { opened, open: () => resolve?.() };
}
