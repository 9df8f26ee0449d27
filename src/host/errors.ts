/** A failure whose message is written for the person who asked; shown as it is. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
