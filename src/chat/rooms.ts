import type * as vscode from 'vscode';
import type { ChatMessage } from './transcript';

/** What the participant needs of the rooms; the composition root hands it in. */
export interface ChatRooms {
  readonly apply: {
    /** @param target the file of an edit that names none. @returns one entry for each edit. */
    openEdits(
      text: string,
      target: vscode.Uri | undefined,
      token: vscode.CancellationToken,
    ): Promise<readonly OpenedEdit[]>;
  };
  readonly search: {
    find(
      request: { readonly query: string; readonly folder?: vscode.Uri | undefined },
      signal: AbortSignal,
      onStep: (text: string) => void,
    ): Promise<FoundPlaces>;
  };
  readonly compact: {
    compactChat(
      chat: { readonly messages: readonly ChatMessage[]; readonly title: string },
      options: { readonly ratio?: number; readonly query?: string },
      signal: AbortSignal,
    ): Promise<CompactedChat>;
  };
  readonly reflex: {
    /** Asks the chosen model. @returns the text of the answer. */
    passOn(turn: ChatCall): Promise<string>;
    route(prompt: string, signal: AbortSignal): Promise<RoutedPrompt>;
  };
}

/** One prompt of the user and the way to answer it. */
export interface ChatCall {
  readonly request: Pick<vscode.ChatRequest, 'prompt' | 'command' | 'references'> & {
    readonly model: Pick<vscode.LanguageModelChat, 'sendRequest'>;
  };
  readonly context: Pick<vscode.ChatContext, 'history'>;
  readonly response: Pick<
    vscode.ChatResponseStream,
    'markdown' | 'anchor' | 'button' | 'progress' | 'reference'
  >;
  readonly token: vscode.CancellationToken;
}

export interface OpenedEdit {
  readonly kind: 'review' | 'unchanged' | 'refused';
  /** The path, or how the edit begins where its file is not known. */
  readonly name: string;
  readonly uri?: vscode.Uri;
  readonly reviewId?: string;
  /** How much it changes and who merged it, or why there is no review. */
  readonly detail: string;
  readonly findings: readonly string[];
}

export interface FoundPlaces {
  /** For the command that shows them in the view. */
  readonly id: number;
  readonly summary: string;
  /** '' when there is nothing to add. */
  readonly note: string;
  /** Best first. */
  readonly places: readonly FoundPlace[];
}

export interface FoundPlace {
  readonly uri: vscode.Uri;
  /** As people name the file. */
  readonly path: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly title: string;
  readonly code: string;
}

export interface CompactedChat {
  /** For the commands that copy it and show its receipt. */
  readonly id: number;
  readonly saved: string;
  readonly lines: string;
  readonly how: string;
  /** Markdown with a heading for each turn; the lines that stay, each as it was. */
  readonly text: string;
}

export interface RoutedPrompt {
  readonly classes: readonly {
    readonly name: string;
    readonly label: string;
    /** '' where the router gave none. */
    readonly confidence: string;
    readonly isSure: boolean;
  }[];
  /** Undefined where the prompt is too unclear to pick one. */
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly needsInfo: boolean;
  readonly facts: string;
}
