import type { Step } from './script';

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

/** A step that says when it is reached, and waits. */
export interface HeldStep {
  readonly step: Step;
  readonly reached: Promise<void>;
  readonly go: Gate;
}

export function heldStep(): HeldStep {
  const reached = gate();
  const go = gate();
  const before = async (): Promise<void> => {
    reached.open();
    await go.opened;
  };
  return { step: { before }, reached: reached.opened, go };
}
