export function makeVsix(): Promise<string[]>;

/** What {@link installHost} returns. */
export function installOnce(paths: unknown): Promise<void>;
