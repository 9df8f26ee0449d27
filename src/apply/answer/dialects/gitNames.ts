/** File names in the headers of diffs. */

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** The name at the start of a text: quoted as git does it, with octal bytes, or plain up to a tab. */
export function nameAt(text: string): { name: string; length: number } {
  if (!text.startsWith('"')) {
    const tab = text.indexOf('\t');
    const end = tab < 0 ? text.length : tab;
    return { name: text.slice(0, end).trimEnd(), length: end };
  }
  const bytes: number[] = [];
  let at = 1;
  for (; at < text.length && text[at] !== '"'; at++) {
    const character = text[at] ?? '';
    if (character !== '\\') {
      bytes.push(...new TextEncoder().encode(String.fromCodePoint(text.codePointAt(at) ?? 0)));
      if ((text.codePointAt(at) ?? 0) > 0xffff) at++;
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    if (octal === undefined) {
      bytes.push(escapes[text[at + 1] ?? ''] ?? text.charCodeAt(at + 1));
      at++;
    } else {
      bytes.push(Number.parseInt(octal, 8));
      at += octal.length;
    }
  }
  return { name: new TextDecoder().decode(Uint8Array.from(bytes)), length: at + 1 };
}

/** The two names of a line `diff --git a/x b/x`; undefined when a name with blanks leaves it open. */
export function gitLineNames(line: string): [string, string] | undefined {
  const rest = line.slice('diff --git '.length).trimEnd();
  if (rest.startsWith('"')) {
    const first = nameAt(rest);
    return [first.name, nameAt(rest.slice(first.length).trimStart()).name];
  }
  const quoted = rest.indexOf(' "');
  if (quoted > 0) return [rest.slice(0, quoted), nameAt(rest.slice(quoted + 1)).name];
  const words = rest.split(' ');
  if (words.length === 2) return [words[0] ?? '', words[1] ?? ''];
  // Both sides are of the same length where the name is the same.
  const half = (rest.length - 1) / 2;
  const [one, two] = [rest.slice(0, half), rest.slice(half + 1)];
  return withoutPrefix(one) === withoutPrefix(two) ? [one, two] : undefined;
}

const prefix = /^[abciow12]\//;
const withoutPrefix = (name: string): string => name.replace(prefix, '');

export const nothing = '/dev/null';

/** The names without `a/` and `b/`, where both have such a prefix or one is `/dev/null`. */
export function withoutPrefixes(
  old: string | undefined,
  fresh: string | undefined,
): [string | undefined, string | undefined] {
  const names = [old, fresh].filter(name => name !== undefined && name !== nothing);
  const arePrefixed = names.length > 0 && names.every(name => prefix.test(name ?? ''));
  const firsts = names.map(name => name?.charAt(0));
  // Two names below a folder `a` have no prefix.
  const isPrefix = arePrefixed && (names.length === 1 || firsts[0] !== firsts[1]);
  const strip = (name: string | undefined): string | undefined =>
    name === undefined || name === nothing || !isPrefix ? name : name.slice(2);
  return [strip(old), strip(fresh)];
}
