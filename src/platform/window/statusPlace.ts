interface StatusItem {
  show(): void;
  hide(): void;
}

/** What comes into the status bar by itself; the first one that has something to say is shown. */
const order = ['receipt', 'reviews', 'external'] as const;

export type StatusPlaceUser = (typeof order)[number];

/** The place in the status bar that all items share that neither a setting nor a command of the user asks for. */
export class StatusPlace {
  readonly #items = new Map<StatusPlaceUser, StatusItem>();

  show(user: StatusPlaceUser, item: StatusItem): void {
    this.#items.set(user, item);
    this.#update();
  }

  /** Also call before the item is disposed of. */
  hide(user: StatusPlaceUser): void {
    this.#items.get(user)?.hide();
    this.#items.delete(user);
    this.#update();
  }

  #update(): void {
    const first = order.find(user => this.#items.has(user));
    for (const [user, item] of this.#items) {
      if (user === first) item.show();
      else item.hide();
    }
  }
}

/** That of this window. */
export const statusPlace = new StatusPlace();
