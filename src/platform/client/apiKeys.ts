import type * as vscode from 'vscode';

const secretName = 'splice.apiKey';

export interface StoredKey {
  readonly origin: string;
  readonly key: string;
}

/**
 * The API key in SecretStorage, bound to the origin that it was stored for. Every method throws a
 * `ServiceError` of the kind `keyring` when the keyring of the system fails.
 */
export class ApiKeyStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #onKnown: (isStored: boolean) => void;

  /** @param onKnown hears whether a key is stored, whenever it was read or changed. */
  constructor(secrets: vscode.SecretStorage, onKnown: (isStored: boolean) => void) {
    this.#secrets = secrets;
    this.#onKnown = onKnown;
  }

  /**
   * The key for `origin`; undefined when there is none or when it was stored for another origin.
   * Read again at each use, because another window may have changed it.
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
    const text = JSON.stringify({ origin, key });
    await named('write', async () => this.#secrets.store(secretName, text));
    this.#onKnown(true);
  }

  /** The stored key and its origin, so that they can be restored. */
  async current(): Promise<StoredKey | undefined> {
    return this.#read();
  }

  async remove(): Promise<void> {
    await named('write', async () => this.#secrets.delete(secretName));
    this.#onKnown(false);
  }

  async #read(): Promise<StoredKey | undefined> {
    const text = await named('read', async () => this.#secrets.get(secretName));
    this.#onKnown(Boolean(text));
    if (!text) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Not written by this extension: treated as no key.
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    const { origin, key } = value as { origin?: unknown; key?: unknown };
    return typeof origin === 'string' && typeof key === 'string' ? { origin, key } : undefined;
  }
}

/** Converts errors of the key store, whose messages are those of libsecret, Keychain or DPAPI. */
async function named<T>(what: 'read' | 'write', run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { localKeyringError } = await import('./keyring');
    throw localKeyringError(what, error);
  }
}
