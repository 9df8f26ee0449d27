/** The headless VS Code, installed if it is missing. */
export function installHost(): Promise<unknown>;
