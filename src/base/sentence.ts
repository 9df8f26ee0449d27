/** `vscode.l10n.t`, handed to code that must not know VS Code. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** Words for people, which are translated where they are shown and not where they are written. */
export interface Sentence {
  /** English, with `{0}`, `{1}`, … for what changes. */
  readonly text: string;
  readonly args: readonly (string | number | Sentence)[];
}

export function sentence(text: string, ...args: Sentence['args']): Sentence {
  return { text, args };
}

/** A text that is the same in every language: a number, a name, words of somebody else. */
export const verbatim = (text: string): Sentence => sentence('{0}', text);

export function translated({ text, args }: Sentence, t: Translate): string {
  return t(text, ...args.map(arg => (typeof arg === 'object' ? translated(arg, t) : arg)));
}

/** For logs, and for what is written to be read by others. */
export const english: Translate = (message, ...args) =>
  message.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(args[Number(at)] ?? ''));

/** A sentence in English. */
export const written = (words: Sentence): string => translated(words, english);
