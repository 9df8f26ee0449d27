/** Id of an endpoint among the chat models. */
export const chatModelOf = (endpointId: string): string => `endpoint:${endpointId}`;

/** Notifies features when the set of ready endpoints changes. */
export class ReadyEndpoints {
  readonly #listeners = new Set<() => void>();
  #known: string | undefined;

  /** @param ids of the endpoints that are ready, as just read. */
  seen(ids: readonly string[]): void {
    const known = ids.toSorted().join(' ');
    if (known === this.#known) return;
    this.#known = known;
    for (const listener of this.#listeners) listener();
  }

  onChange(run: () => void): { dispose(): void } {
    this.#listeners.add(run);
    return { dispose: () => this.#listeners.delete(run) };
  }
}
