import { append } from '../../../base/arrays';
import { keyTokens } from './keyTokens';
import { assignedSecrets, hasSecret, secrets, webTokens } from './secretText';

/** Replaces a secret. Must not look like one, and must not end a JSON string. */
export const withheldMark = '[withheld: looks like a key or password]';

export interface WithheldText {
  readonly text: string;
  /** Number of replaced passages. */
  readonly count: number;
}

type Span = readonly [start: number, end: number];

const everySecret = secrets.map(
  ({ source, flags }) => new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
);
const keyBegin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnd = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Beginnings of keys without an end marker. */
const bareBegin = /\bPrivate-Lines: \d{1,4}|\$ANSIBLE_VAULT;[\w.;-]{1,60}/g;
/** A line of such a key. */
const bareLine = /^\s*[A-Za-z0-9+/=]{1,200}\s*$/;
/** Maximum length of a private key. */
const maxKeyLength = 64 << 10;
/** The body of a key without an end; also with `\n` as two characters, as in JSON. */
const keyBody = /[A-Za-z0-9+/=\\\s:,.-]*/y;

const nothing: ReadonlySet<string> = new Set();

/**
 * Replaces everything in a text that looks like a key, a token or a password. Line numbers are preserved, the
 * time is linear, and {@link hasSecret} of the result is false except for what is agreed.
 *
 * @param agreed {@link secretLines} of what the user agreed to
 */
export function withholdSecrets(text: string, agreed = nothing): WithheldText {
  const spans = secretSpans(text).filter(span => !isAgreed(text, span, agreed));
  if (spans.length === 0) return { text, count: 0 };
  let out = '';
  let at = 0;
  for (const [start, end] of spans) {
    out += text.slice(at, start) + marked(text.slice(start, end));
    at = end;
  }
  out += text.slice(at);
  // The remains of two adjacent secrets may look like a third.
  return { text: hasSecretBeside(out, agreed) ? marked(text) : out, count: spans.length };
}

/** Whether a text holds something that looks like a key or a password and is not among the agreed ones. */
export function hasSecretBeside(text: string, agreed: ReadonlySet<string>): boolean {
  if (agreed.size === 0) return hasSecret(text);
  return secretSpans(text).some(span => !isAgreed(text, span, agreed));
}

/** The lines of everything in a text that looks like a key or a password. */
export function secretLines(text: string): string[] {
  return secretSpans(text).flatMap(([start, end]) => linesOf(text.slice(start, end)));
}

/** Compares line by line: a part of a private key may be sent, and line endings may differ. */
function isAgreed(text: string, [start, end]: Span, agreed: ReadonlySet<string>): boolean {
  return (
    agreed.size > 0 &&
    linesOf(text.slice(start, end)).every(line => line === '' || agreed.has(line))
  );
}

const linesOf = (secret: string): string[] => secret.split('\n').map(line => line.trim());

/** Withholds secrets of a text that comes in parts: a private key may span several of them. */
export class LineWithholder {
  #held: string[] = [];
  #isInKey = false;
  /** The key has no end marker. */
  #isBare = false;

  /** @returns the lines that are final; the others follow with the next ones or at the {@link end}. */
  add(lines: readonly string[]): string[] {
    const settled = this.#settle([...this.#held, ...lines]);
    // A name may stand on one line, and its value on the next.
    this.#held = settled.splice(-1);
    return settled;
  }

  end(): string[] {
    return this.#held.splice(0);
  }

  #settle(lines: readonly string[]): string[] {
    const out: string[] = [];
    let rest = lines;
    if (this.#isInKey) {
      const body = this.#bodyOf(lines);
      for (let at = 0; at < body; at++) out.push(withheldMark);
      rest = lines.slice(body);
    }
    const text = rest.join('\n');
    if (rest.length > 0) append(out, withholdSecrets(text).text.split('\n'));
    const begin = text.lastIndexOf('-----BEGIN ');
    if (begin >= 0 && /PRIVATE KEY/.test(text.slice(begin, begin + 80))) {
      this.#isInKey = !text.slice(begin).includes('-----END ');
    } else if (endsInBareKey(rest)) {
      this.#isInKey = true;
      this.#isBare = true;
    }
    return out;
  }

  /** How many of the lines still belong to the key that began before. */
  #bodyOf(lines: readonly string[]): number {
    const isBare = this.#isBare;
    const last = lines.findIndex(line =>
      isBare ? !isOfBareKey(line) : line.includes('-----END '),
    );
    this.#isInKey = last < 0;
    this.#isBare &&= this.#isInKey;
    if (last < 0) return lines.length;
    return isBare ? last : last + 1;
  }
}

/** Also matches a line that has been replaced. */
const isOfBareKey = (line: string): boolean => line === withheldMark || bareLine.test(line);

function endsInBareKey(lines: readonly string[]): boolean {
  const last = lines.findLastIndex(line => !isOfBareKey(line));
  return last >= 0 && (lines[last] ?? '').search(bareBegin) >= 0;
}

/** Sorted, and without overlaps. */
function secretSpans(text: string): Span[] {
  const found: Span[] = [
    ...keySpans(text),
    ...keyTokens(text),
    ...webTokens(text),
    ...assignedSecrets(text),
  ];
  for (const pattern of everySecret) {
    for (const { index, 0: match } of text.matchAll(pattern)) {
      found.push([index, index + match.length]);
    }
  }
  found.sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [start, end] of found) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/** Private keys with their bodies, in linear time. */
function* keySpans(text: string): Generator<Span> {
  const ends = [...text.matchAll(keyEnd)].map(({ index, 0: match }) => index + match.length);
  let next = 0;
  let covered = 0;
  for (const { index, 0: match } of text.matchAll(keyBegin)) {
    if (index < covered) continue;
    while ((ends[next] ?? Infinity) <= index) next++;
    const end = ends[next];
    if (end !== undefined && end - index <= maxKeyLength) covered = end;
    else {
      keyBody.lastIndex = index + match.length;
      covered = keyBody.lastIndex + (keyBody.exec(text)?.[0].length ?? 0);
    }
    yield [index, covered];
  }
  covered = 0;
  for (const { index, 0: match } of text.matchAll(bareBegin)) {
    if (index < covered) continue;
    keyBody.lastIndex = index + match.length;
    covered = keyBody.lastIndex + (keyBody.exec(text)?.[0].length ?? 0);
    yield [index, covered];
  }
}

/** Replaces each line of a secret separately, so that line numbers are preserved. */
function marked(secret: string): string {
  return secret
    .split('\n')
    .map(line => (line.trim() === '' ? line : withheldMark + (line.endsWith('\r') ? '\r' : '')))
    .join('\n');
}
