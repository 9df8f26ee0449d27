import type { JournaledReview } from '../model/journaledReview';
import type { ReviewStore } from './reviewStore';

/** The part of a review that is needed here. */
export interface EndingReview {
  readonly id: string;
  readonly journaled: JournaledReview;
}

interface EndedReview<R> {
  readonly id: string;
  readonly uri: string;
  /** Id of the answer that it belonged to. */
  readonly setId: string | undefined;
  /** Hashes of the file texts that make changes pending again. */
  readonly texts: Set<string>;
  /** Whether a decision can be undone; never after another review has replaced this one. */
  readonly canUndo: boolean;
  /** Grows with each review that ends. */
  readonly place: number;
  /** A file was created, deleted or renamed, which can be undone while the file is closed. */
  readonly isOperation: boolean;
  /** The file on disk may lack accepted changes. */
  isUnsaved: boolean;
  /** The review itself, if it is not in the history. */
  kept: Promise<R | undefined>;
}

/**
 * Reviews in which everything is decided. Their models are in their journals: memory only holds what tells when one is
 * needed again. That is checked on undo, redo and save, never while the user types.
 */
export class EndedReviews<R extends EndingReview> {
  readonly #store: ReviewStore;
  readonly #make: (id: string, journaled: JournaledReview) => R;
  readonly #ended = new Map<string, EndedReview<R>>();

  #count = 0;
  /** The places of all that ever ended. */
  readonly #places = new Map<string, number>();

  /** @param make creates the review of a journal that was read again. */
  constructor(store: ReviewStore, make: (id: string, journaled: JournaledReview) => R) {
    this.#store = store;
    this.#make = make;
  }

  add(review: R): void {
    this.#places.set(review.id, this.#count++);
    this.putBack(review);
  }

  /** Adds a review on which nothing was decided since it was taken from here: it stays as old as it was. */
  putBack(review: R): void {
    const { id, journaled } = review;
    const { model } = journaled;
    const place = this.#places.get(id);
    if (place === undefined) return this.add(review);
    this.#ended.set(id, {
      id,
      uri: journaled.meta.uri,
      setId: journaled.meta.changeSet?.id,
      texts: new Set(model.pendingTexts),
      canUndo: model.canUndo && !journaled.isReplaced,
      place,
      isOperation: journaled.meta.operation !== undefined,
      isUnsaved: model.isAheadOfFile,
      kept: this.#release(review),
    });
  }

  async #release(review: R): Promise<R | undefined> {
    return (await this.#store.release(review.id)) ? undefined : review;
  }

  /** Whether the text makes changes pending in a review of this file. */
  knows(uri: string, hash: () => string): boolean {
    return [...this.#ended.values()].some(ended => ended.uri === uri && ended.texts.has(hash()));
  }

  /** The review that has pending changes in this text of its file; if there are several, the last to end. */
  async recall(uri: string, hash: string): Promise<R | undefined> {
    const last = this.#newestFirst().find(ended => ended.uri === uri && ended.texts.has(hash));
    return last && (await this.#revive(ended => ended === last))[0];
  }

  /** Call when a file was closed: its undo history is gone. */
  closed(uri: string): void {
    for (const ended of this.#ended.values()) {
      if (ended.uri === uri && !ended.isOperation) ended.texts.clear();
    }
  }

  /** Call before another review undoes this one: what it does to the file must not make this one pending again. */
  willUndo(id: string): void {
    this.#ended.get(id)?.texts.clear();
  }

  /** The reviews of the file with accepted changes that were never saved. */
  async unsaved(uri: string): Promise<R[]> {
    return this.#revive(ended => ended.uri === uri && ended.isUnsaved);
  }

  hasUnsaved(uri: string): boolean {
    return [...this.#ended.values()].some(ended => ended.uri === uri && ended.isUnsaved);
  }

  /** Call when the file was saved. */
  async saved(uri: string): Promise<void> {
    const unsaved = [...this.#ended.values()].filter(ended => ended.uri === uri && ended.isUnsaved);
    for (const ended of unsaved) {
      ended.isUnsaved = false;
      const kept = await ended.kept;
      if (kept) {
        await kept.journaled.fileSaved();
        ended.kept = this.#release(kept);
      } else await this.#store.releasedWasSaved(ended.id);
    }
  }

  renamed(from: string, to: string): void {
    for (const ended of this.#ended.values()) {
      if (ended.uri === from) this.#ended.set(ended.id, { ...ended, uri: to });
    }
  }

  /**
   * The last review of the file to end, else the last of all, also from earlier sessions.
   *
   * @param setId the answer that is in front: the last review of all is preferred if it belongs to it.
   */
  async last(uri: string | undefined, setId?: string): Promise<R | undefined> {
    const known = this.#newestFirst().filter(({ canUndo }) => canUndo);
    const [newest] = known;
    const ofFile = known.find(ended => ended.uri === uri);
    // The files of one answer are decided on in one go.
    const ofSet = setId ?? ofFile?.setId;
    const isOfSet = ofSet !== undefined && ofSet === newest?.setId;
    const best = isOfSet ? newest : (ofFile ?? newest);
    if (best) return (await this.#revive(ended => ended === best))[0];
    for (const id of (await this.#store.ended()).slice(0, 20)) {
      const stored = await this.#store.revive(id);
      if (!stored) continue;
      const review = this.#make(stored.id, stored.review);
      if (!stored.review.isReplaced && review.journaled.model.canUndo) return review;
      this.add(review);
    }
    return undefined;
  }

  #newestFirst(): EndedReview<R>[] {
    return [...this.#ended.values()].sort((a, b) => b.place - a.place);
  }

  async #revive(isWanted: (ended: EndedReview<R>) => boolean): Promise<R[]> {
    const revived: R[] = [];
    for (const ended of [...this.#ended.values()].filter(isWanted)) {
      if (!this.#ended.delete(ended.id)) continue;
      const kept = await ended.kept;
      const stored = kept ? undefined : await this.#store.revive(ended.id);
      if (kept) revived.push(kept);
      else if (stored) revived.push(this.#make(stored.id, stored.review));
    }
    return revived;
  }
}
