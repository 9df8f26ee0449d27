/** What a text is sent for; shown in the record. */
export type Purpose =
  | 'apply'
  | 'edit'
  | 'search'
  | 'rerank'
  | 'compact'
  | 'chat'
  | 'prompt'
  | 'pickModel'
  | 'classify'
  | 'classifyPrompt'
  | 'watch'
  | 'batch'
  | 'guard'
  | 'test';

/**
 * A file that may leave the machine: its path was looked at, or the user agreed to this file by name.
 * Only `fileGate.ts` makes one.
 */
export class ClearedFile {
  readonly name: string;
  readonly chars: number;
  /** The user was told what speaks against it, and agreed. */
  readonly isAgreed: boolean;
  // A type of its own: nothing that only looks like one will do.
  readonly #cleared = true;

  constructor(name: string, chars: number, isAgreed: boolean) {
    this.name = name;
    this.chars = chars;
    this.isAgreed = isAgreed;
  }

  static is(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #cleared in value && value.#cleared;
  }
}

/** What may be sent of one file, and how. */
export interface Clearance {
  /** Whose text is part of it. */
  readonly files?: readonly ClearedFile[];
  /**
   * What becomes of keys and passwords in it: the call is refused (as it is without this), they are
   * left out, or the user was told of them and agreed.
   */
  readonly secrets?: 'refuse' | 'withhold' | 'agreed';
  /** Places that the feature itself has left out already. */
  readonly withheld?: number;
  /** Where it goes, where that is not the service. */
  readonly to?: string;
}

/** What each call that sends text says about it. The gate refuses one that does not. */
export type Sending = Clearance &
  (
    | { readonly purpose: Exclude<Purpose, 'apply' | 'edit' | 'watch'> }
    | { readonly purpose: 'apply' | 'edit'; readonly files: readonly ClearedFile[] }
    /** Nobody asked for it at this moment, so that the user must have agreed before. */
    | { readonly purpose: 'watch'; readonly hasConsent: boolean }
  );
