/** A failure whose message is written for the person who asked; shown as it is. */
export class UserError extends Error {
  override readonly name = 'UserError';

  /** @param step what helps, as a button. */
  constructor(
    message: string,
    readonly step?: {
      readonly title: string;
      readonly command: string;
      readonly arguments?: unknown[];
    },
  ) {
    super(message);
  }
}
