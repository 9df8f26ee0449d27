/** Type guards for hot paths, where zod would cost more than the parse. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A shorter text is parsed within a few milliseconds, whatever it contains. */
const smallJsonChars = 1 << 16;
export const maxJsonDepth = 500;
/** Lists and objects in one text. A page of the catalogue has thousands; parsing five million took a second. */
const maxContainers = 500_000;

/** Why a JSON text is not parsed: it would block the window, and no answer of the service is like this. */
export function nestingProblem(text: string): string | undefined {
  if (text.length <= smallJsonChars) return undefined;
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxJsonDepth) return `JSON nests deeper than ${maxJsonDepth} levels`;
      if (++containers > maxContainers) {
        return `JSON holds more than ${maxContainers} lists and objects`;
      }
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return undefined;
}

/** The closing quote of the string that starts at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return text.length;
}

/** `undefined` instead of a throw: the message of a `SyntaxError` quotes the text, which may be secret. */
export function parseJson(text: string): unknown {
  if (nestingProblem(text) !== undefined) return undefined;
  const { stackTraceLimit } = Error;
  try {
    // A damaged file fails once per line, and capturing the stack of each error would cost the most.
    Error.stackTraceLimit = 0;
    return JSON.parse(text);
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
