// What features pass to the chat participant: data and texts for the user.
import type * as vscode from 'vscode';

/** The result of one edit, with texts for the user. */
export interface OpenedEdit {
  readonly uri?: vscode.Uri;
  /** The path, or how the edit begins where its file is not known. */
  readonly name: string;
  readonly kind: 'review' | 'unchanged' | 'refused';
  /** Id of the open review. */
  readonly reviewId?: string;
  /** `+5 −2 · merged locally in 3 ms`, or why there is no review. */
  readonly detail: string;
  /** What the audit found, the worst first. */
  readonly findings: readonly string[];
}

/** Results of a search for a chat. */
export interface FoundPlaces {
  /** For the command that shows the results in the view. */
  readonly id: number;
  /** How many, by which engine and how fast; or that nothing was found. */
  readonly summary: string;
  /** Why the results are not those of the model that was asked; '' where they are. */
  readonly note: string;
  /** Best first. */
  readonly places: readonly FoundPlace[];
}

export interface FoundPlace {
  readonly uri: vscode.Uri;
  /** Path relative to the workspace. */
  readonly path: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly title: string;
  readonly code: string;
}

/** Result of a compaction for a chat. */
export interface CompactedChat {
  /** For the commands that copy it and show its receipt. */
  readonly id: number;
  /** `84k → 27k tokens, −68%` */
  readonly saved: string;
  /** `120 of 300 lines` */
  readonly lines: string;
  /** By which engine and how fast. */
  readonly how: string;
  /** Markdown with a heading for each turn and the remaining lines unchanged. */
  readonly text: string;
}

/** The classification of a prompt by the router, with texts for the user. */
export interface RoutedPrompt {
  readonly classes: readonly RoutedClass[];
  /** Undefined where the prompt is too ambiguous to pick one. */
  readonly model: string | undefined;
  readonly provider: string | undefined;
  /** The router asks for more information before it would pick a model. */
  readonly needsInfo: boolean;
  /** Time and cost of both requests. */
  readonly facts: string;
}

interface RoutedClass {
  readonly name: string;
  readonly label: string;
  /** `93%`; '' where the router gave none. */
  readonly confidence: string;
  /** False when the label is not certain enough to be used. */
  readonly isSure: boolean;
}
