/**
 * A tool tells where it saved an output that was too large for the chat: Claude Code ("Full output saved to: /…"),
 * Copilot CLI ("Output too large … Saved to: /…"), Gemini CLI ("The full output has been saved to: /…"),
 * pi ("Full output: /…").
 */
const savedTo = /\b(?:saved|written|stored) (?:to|at|in):? ?["'`(]?(?:[/~]|[a-z]:\\)/i;
const fullOutput =
  /\b(?:full|complete|entire) (?:output|results?|logs?)(?: is)?(?: at| in|:) ?["'`(]?(?:[/~]|[a-z]:\\)/i;
const output = /\b(?:output|results?|logs?)\b/i;

/** A longer line is not only a pointer. */
const maxPointerChars = 400;

/** Whether a line tells where the whole of an output is. */
export function isOutputPointer(line: string): boolean {
  if (line.length > maxPointerChars) return false;
  return (savedTo.test(line) && output.test(line)) || fullOutput.test(line);
}
