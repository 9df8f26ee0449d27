import type * as vscode from 'vscode';
import type { CompactedChat, FoundPlaces, OpenedEdit, RoutedPrompt } from '../host/chatResults';
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
