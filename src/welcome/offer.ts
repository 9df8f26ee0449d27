/** What is known when a window starts that has never opened the walkthrough by itself. */
export interface StartFacts {
  /** VS Code's own setting for walkthroughs of new extensions. */
  readonly opensWalkthroughs: boolean;
  /** Something of an earlier version is stored, or a service is set. */
  readonly wasUsed: boolean;
}

/** Whether the walkthrough opens by itself; asked once after an installation. */
export function isWalkthroughDue({ opensWalkthroughs, wasUsed }: StartFacts): boolean {
  return opensWalkthroughs && !wasUsed;
}
