/** Id of an endpoint among the chat models. */
export const chatModelOf = (endpointId: string): string => `endpoint:${endpointId}`;

/** Tells other rooms that the set of endpoints that serve has changed; nobody is asked for it. */
export class ReadyEndpoints {
  readonly #listeners = new Set<() => void>();
  #known: string | undefined;

  /** @param ids of the endpoints that serve now, as somebody has just read them. */
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
