import type * as z from 'zod';

/**
 * What is wrong with the input of a tool, in sentences for an agent. The schemas of the tools have a
 * message for everything that they ask for.
 */
export function inputProblem({ issues }: z.ZodError): string {
  const sentences = issues.map(({ path, message }) =>
    path.length > 1 ? `${path.map(String).join('.')}: ${message}` : message,
  );
  return [...new Set(sentences)].slice(0, 5).join(' ');
}

/**
 * A text that an agent can afford: cut at the end of a line, with a note on what is missing.
 * @param note gets the number of characters that are left out.
 */
export function cutAtLine(text: string, chars: number, note: (left: number) => string): string {
  if (text.length <= chars) return text;
  const kept = text.slice(0, text.lastIndexOf('\n', chars) + 1);
  return `${kept}\n(${note(text.length - kept.length)})\n`;
}
