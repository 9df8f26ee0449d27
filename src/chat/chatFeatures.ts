import type * as vscode from 'vscode';
import type {
  CompactedChat,
  FoundPlaces,
  OpenedEdit,
  RoutedPrompt,
} from '../contracts/chatResults';
import type { TranscriptMessage } from './transcript';

/** What the participant needs from other features; injected in `extension.ts`. */
export interface ChatFeatures {
  readonly apply: {
    /** @param target the file for edits without a path. @returns one entry per edit. */
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
      chat: { readonly messages: readonly TranscriptMessage[]; readonly title: string },
      options: { readonly ratio?: number; readonly query?: string },
      signal: AbortSignal,
    ): Promise<CompactedChat>;
  };
  readonly reflex: {
    /** Sends the prompt to the selected model. @returns the text of the answer. */
    forwardPrompt(turn: ChatCall): Promise<string>;
    route(prompt: string, signal: AbortSignal): Promise<RoutedPrompt>;
  };
}

/** One prompt, and the stream that its answer goes to. */
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
