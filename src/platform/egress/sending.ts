/** Why a text is sent; shown in the record. */
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
  | 'playground'
  | 'test';

/**
 * A file that may be sent: its path and text were checked, or the user agreed to this file by name. Only
 * `workspaceRules.ts` creates one.
 */
export class ClearedFile {
  readonly name: string;
  /** The user was told why it would be refused, and agreed. */
  readonly isAgreed: boolean;
  // Private, so that no other object fits this type and no record contains the text.
  readonly #text: string;

  /** @param text that was checked: an agreement covers this text only */
  constructor(name: string, text: string, isAgreed: boolean) {
    this.name = name;
    this.#text = text;
    this.isAgreed = isAgreed;
  }

  get chars(): number {
    return this.#text.length;
  }

  /** The text that the user agreed to send. */
  get agreedText(): string {
    return this.isAgreed ? this.#text : '';
  }

  static is(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #text in value;
  }
}

/** What may be sent, and how secrets are treated. */
export interface Clearance {
  /** Files whose text is part of the request. */
  readonly files?: readonly ClearedFile[];
  /** Other texts with keys or passwords that the user agreed to send. */
  readonly texts?: readonly string[];
  /** How other keys and passwords are treated: the call is refused (the default), or they are left out. */
  readonly secrets?: 'refuse' | 'withhold';
  /** Number of passages that the feature itself has left out. */
  readonly withheld?: number;
  /** The destination, where it is not the service. */
  readonly to?: string;
  /** An id that the calls of one chat share, for the costs. */
  readonly chat?: string | undefined;
}

/** Conversations, which the user may want to send unchanged. */
type Conversation = 'chat' | 'prompt' | 'pickModel';

/** Stated by each call that sends text; the gate refuses a call without it. */
export type Sending =
  | (Clearance & { readonly purpose: Exclude<Purpose, 'apply' | 'edit' | 'watch'> })
  | (Clearance & {
      readonly purpose: 'apply' | 'edit';
      readonly files: readonly ClearedFile[];
    })
  /** Sent without an action of the user, who must therefore have agreed before. */
  | (Clearance & { readonly purpose: 'watch'; readonly hasConsent: boolean })
  | (Omit<Clearance, 'secrets'> & {
      readonly purpose: Conversation;
      readonly secrets: 'refuse' | 'withhold' | 'agreed';
    });
