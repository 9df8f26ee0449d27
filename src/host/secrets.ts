import type * as vscode from 'vscode';

const secretName = 'splice.apiKey';

/** The API key in SecretStorage, bound to the origin that it was stored for. */
export class ApiKeyStore {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /**
   * The key for `origin`; undefined when there is none or when it was stored for another origin.
   * Read afresh at each use: another window may have changed it.
   */
  async get(origin: string): Promise<string | undefined> {
    const stored = await this.#read();
    return stored?.origin === origin ? stored.key : undefined;
  }

  /** The origin that a key is stored for. */
  async origin(): Promise<string | undefined> {
    return (await this.#read())?.origin;
  }

  async set(origin: string, key: string): Promise<void> {
    await this.#secrets.store(secretName, JSON.stringify({ origin, key }));
  }

  async remove(): Promise<void> {
    await this.#secrets.delete(secretName);
  }

  async #read(): Promise<{ origin: string; key: string } | undefined> {
    const text = await this.#secrets.get(secretName);
    if (!text) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Not written by us: as good as no key.
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    const { origin, key } = value as { origin?: unknown; key?: unknown };
    return typeof origin === 'string' && typeof key === 'string' ? { origin, key } : undefined;
  }
}
