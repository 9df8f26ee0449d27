/** An animated PNG. */
export function encodeAnimation(
  /** Pictures of one size that Playwright took, and how long each is shown. */
  frames: readonly { png: Buffer; showMs: number }[],
  /** How often, 0 for ever. */
  plays: number,
): Buffer;
