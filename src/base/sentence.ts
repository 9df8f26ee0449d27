/** `vscode.l10n.t`, passed to code that must not import VS Code. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** A message for the user, which is translated where it is shown and not where it is created. */
export interface Sentence {
  /** English, with the placeholders `{0}`, `{1}`, …. */
  readonly text: string;
  readonly args: readonly (string | number | Sentence)[];
}

export function sentence(text: string, ...args: Sentence['args']): Sentence {
  return { text, args };
}

/** A text that is not translated: a number, a name, a message of another program. */
export const verbatim = (text: string): Sentence => sentence('{0}', text);

export function translated({ text, args }: Sentence, t: Translate): string {
  return t(text, ...args.map(arg => (typeof arg === 'object' ? translated(arg, t) : arg)));
}

/** For logs and for reports that are read elsewhere. */
export const english: Translate = (message, ...args) =>
  message.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(args[Number(at)] ?? ''));

/** A sentence in English. */
export const written = (words: Sentence): string => translated(words, english);
