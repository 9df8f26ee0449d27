/** A failure whose message is shown to the user unchanged. */
export class UserError extends Error {
  override readonly name = 'UserError';

  /** @param step a button that can help. */
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
