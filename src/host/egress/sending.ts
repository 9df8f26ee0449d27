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
 * Only `workspaceRules.ts` makes one.
 */
export class ClearedFile {
  readonly name: string;
  /** The user was told what speaks against it, and agreed. */
  readonly isAgreed: boolean;
  // A type of its own: nothing that only looks like one will do. Private, so that no record holds it.
  readonly #text: string;

  /** @param text that was looked at: an agreement holds for what is in it, and for nothing else */
  constructor(name: string, text: string, isAgreed: boolean) {
    this.name = name;
    this.#text = text;
    this.isAgreed = isAgreed;
  }

  get chars(): number {
    return this.#text.length;
  }

  /** What the user agreed to. */
  get agreedText(): string {
    return this.isAgreed ? this.#text : '';
  }

  static is(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #text in value;
  }
}

/** What may be sent of one file, and how. */
export interface Clearance {
  /** Whose text is part of it. */
  readonly files?: readonly ClearedFile[];
  /** Other texts that hold keys or passwords, and that the user was asked about and agreed to. */
  readonly texts?: readonly string[];
  /** What becomes of other keys and passwords: the call is refused (as it is without this), or they are left out. */
  readonly secrets?: 'refuse' | 'withhold';
  /** Places that the feature itself has left out already. */
  readonly withheld?: number;
  /** Where it goes, where that is not the service. */
  readonly to?: string;
}

/** Of conversations, which the user may want to be sent as they are. */
type Conversation = 'chat' | 'prompt' | 'pickModel';

/** What each call that sends text says about it. The gate refuses one that does not. */
export type Sending =
  | (Clearance & { readonly purpose: Exclude<Purpose, 'apply' | 'edit' | 'watch'> })
  | (Clearance & {
      readonly purpose: 'apply' | 'edit';
      readonly files: readonly ClearedFile[];
    })
  /** Nobody asked for it at this moment, so that the user must have agreed before. */
  | (Clearance & { readonly purpose: 'watch'; readonly hasConsent: boolean })
  | (Omit<Clearance, 'secrets'> & {
      readonly purpose: Conversation;
      readonly secrets: 'refuse' | 'withhold' | 'agreed';
    });
