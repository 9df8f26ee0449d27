import { indentOf } from './spans';

/** Lines above one in which the type that it belongs to is looked for. */
const maxLinesAbove = 200;

/** `RED,`, `RED = 1,`, `Red(u8),` and `case red`. */
const constant = /^\s+(?:case\s+)?(?<name>[\p{L}_]\w*)\s*(?:[,;{(=]|\/[/*]|$)/u;
/** `size: number;`, `size?: number` and `pub size: u8,`. */
const typed =
  /^\s+(?:(?:pub(?:\([^()]*\))?|readonly|private|protected|public|static)\s+)*(?<name>[\p{L}_$][\w$]*)[?!]?\s*:/u;
/** `size int` in Go, and `Close() error`. With a semicolon, the first word is a type. */
const before = /^\s+(?<name>[\p{L}_]\w*)(?:\s+[\w*[\].]|\()[^;]*$/u;
/** `unsigned int size;`, and with a value, in brackets or of some bits. */
const behind = /^\s(?<type>(?:[\w<>,.?*&\s]|::)+)(?:[=;{[]|:\s*\d)/u;

/** Names that a line declares if it is in a type, each once. */
export function memberNames(line: string): readonly string[] {
  const type = behind.exec(line)?.groups?.['type'];
  const all = [
    ...[constant, typed, before].map(shape => shape.exec(line)?.groups?.['name']),
    type === undefined ? undefined : /(?<=[\s*&>])\w+(?=\s*$)/u.exec(type)?.[0],
  ];
  return [...new Set(all)].filter(name => name !== undefined);
}

const typeHead =
  /^\s*(?:[\w$]+(?:\([^()]*\))?\s+)*(enum|struct|union|interface|class|record|trait|protocol|message)\b/u;
/** Another type with brackets is that of a function, and these are its parameters. */
const hasBrackets = /^(?:class|record|trait|protocol)$/;
const isNoHead = /^\s*(?:$|\/[/*]|\*|#|@|\[|(?:public|private|protected|default):|[)}\]])/u;

/**
 * Whether a line is directly in a type such as an enumeration or a class, by the line above it that is less indented.
 * @param above the lines above it, the nearest first
 */
export function isInType(line: string, above: Iterable<string>): boolean {
  const indent = indentOf(line);
  let left = maxLinesAbove;
  for (const row of above) {
    if (left-- === 0) return false;
    if (isNoHead.test(row) || indentOf(row) >= indent || row.trim() === '{') continue;
    const [head = '', kind] = typeHead.exec(row) ?? [];
    return kind !== undefined && (hasBrackets.test(kind) || !row.slice(head.length).includes('('));
  }
  return false;
}

/** The lines of a text above the one that begins at an index, the nearest first. */
export function* linesAbove(text: string, start: number): Generator<string> {
  for (let end = start - 1; end >= 0; ) {
    const from = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    yield text.slice(from, end);
    end = from - 1;
  }
}
