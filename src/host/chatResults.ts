// What the rooms hand to the chat participant: data, in words for the user.
import type * as vscode from 'vscode';

/** What became of one edit of a text, in words for the user. */
export interface OpenedEdit {
  readonly uri?: vscode.Uri;
  /** The path, or how the edit begins where its file is not known. */
  readonly name: string;
  readonly kind: 'review' | 'unchanged' | 'refused';
  /** Of the review that is open now. */
  readonly reviewId?: string;
  /** `+5 −2 · merged locally in 3 ms`, or why there is no review. */
  readonly detail: string;
  /** What the audit found, the worst first. */
  readonly findings: readonly string[];
}

/** What a chat gets of a search. */
export interface FoundPlaces {
  /** For the command that shows the results in the view. */
  readonly id: number;
  /** How many, by whom and how fast; or that nothing was found. */
  readonly summary: string;
  /** Why the answer is not the model's, though it was asked; '' where it is. */
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

/** What a chat gets of a compaction. */
export interface CompactedChat {
  /** For the commands that copy it and show its receipt. */
  readonly id: number;
  /** `84k → 27k tokens, −68%` */
  readonly saved: string;
  /** `120 of 300 lines` */
  readonly lines: string;
  /** By whom and how fast. */
  readonly how: string;
  /** Markdown with a heading for each turn; the lines that stay, each as it was. */
  readonly text: string;
}

/** What the router says of a prompt, in words for people. */
export interface RoutedPrompt {
  readonly classes: readonly RoutedClass[];
  /** Undefined where the prompt is too unclear to pick one. */
  readonly model: string | undefined;
  readonly provider: string | undefined;
  /** The router asks for more information before it would pick a model. */
  readonly needsInfo: boolean;
  /** Time and cost of both requests. */
  readonly facts: string;
}

export interface RoutedClass {
  readonly name: string;
  readonly label: string;
  /** `93%`; '' where the router gave none. */
  readonly confidence: string;
  /** False: the label is not sure enough to be used. */
  readonly isSure: boolean;
}
