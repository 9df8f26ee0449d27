import type * as z from 'zod';

/**
 * What is wrong with the input of a tool, as a message for an agent. The schemas of the tools have a
 * message for every requirement.
 */
export function inputProblem({ issues }: z.ZodError): string {
  const sentences = issues.map(({ path, message }) =>
    path.length > 1 ? `${path.map(String).join('.')}: ${message}` : message,
  );
  return [...new Set(sentences)].slice(0, 5).join(' ');
}

/**
 * Truncates a text at the end of a line and appends a note on what is missing.
 * @param note gets the number of omitted characters.
 */
export function cutAtLine(text: string, chars: number, note: (left: number) => string): string {
  if (text.length <= chars) return text;
  const kept = text.slice(0, text.lastIndexOf('\n', chars) + 1);
  return `${kept}\n(${note(text.length - kept.length)})\n`;
}
