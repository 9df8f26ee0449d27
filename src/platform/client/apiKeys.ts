import type * as vscode from 'vscode';

const secretName = 'splice.apiKey';

export interface StoredKey {
  /** The only one that the key is sent to. */
  readonly origin: string;
  readonly key: string;
  /** The address that it was stored with. */
  readonly url: string;
}

/**
 * The API keys in SecretStorage, one for each origin that one was stored for. Every method throws a
 * `ServiceError` of the kind `keyring` when the keyring of the system fails.
 */
export class ApiKeyStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #onKnown: (keys: readonly StoredKey[]) => void;

  /** @param onKnown hears which keys are stored, whenever they were read or changed. */
  constructor(secrets: vscode.SecretStorage, onKnown: (keys: readonly StoredKey[]) => void) {
    this.#secrets = secrets;
    this.#onKnown = onKnown;
  }

  /**
   * The key for `origin`; undefined when none was stored for it.
   * Read again at each use, because another window may have changed it.
   */
  async get(origin: string): Promise<string | undefined> {
    return (await this.all()).find(stored => stored.origin === origin)?.key;
  }

  /** The one that was stored last comes first. */
  async all(): Promise<readonly StoredKey[]> {
    return this.#read('read');
  }

  /** @param purpose for the message where the keyring fails. */
  async #read(purpose: 'read' | 'write'): Promise<readonly StoredKey[]> {
    const text = await named(purpose, async () => this.#secrets.get(secretName));
    const keys = text ? (await import('./storedKeys')).keysIn(text) : [];
    this.#onKnown(keys);
    return keys;
  }

  /** Takes the place of the key of the same origin. */
  async set(added: StoredKey): Promise<void> {
    await this.#write([added, ...(await this.#without(added.origin))]);
  }

  async remove(origin: string): Promise<void> {
    await this.#write(await this.#without(origin));
  }

  async #without(origin: string): Promise<StoredKey[]> {
    return (await this.#read('write')).filter(stored => stored.origin !== origin);
  }

  async #write(keys: readonly StoredKey[]): Promise<void> {
    await named('write', async () =>
      keys.length === 0
        ? this.#secrets.delete(secretName)
        : this.#secrets.store(secretName, JSON.stringify(keys)),
    );
    this.#onKnown(keys);
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
