import { codesOfLine } from './textCodes';

const markupExtension = /\.(?:html?|xml|vue|svelte|[jt]sx|jsx|hbs|php|md|svg)$/i;

export function usesTags(path: string): boolean {
  return markupExtension.test(path);
}

/** Kinds of pairs that {@link addBalance} counts: `()`, `[]`, `{}`, tags. */
export const pairKinds = 4;

/**
 * Adds to `sums`, from index `into` on, how many pairs of each kind the line opens more than it closes, and
 * returns it. Skips quoted text and `//` comments as far as a single line shows them.
 */
export function addBalance(text: string, tags: boolean, sums: Int32Array, into = 0): Int32Array {
  return addBalanceOfCodes(codesOfLine(text), 0, text.length, tags, sums, into);
}

/** {@link addBalance} for the codes `from` to `to` of a text. */
export function addBalanceOfCodes(
  codes: Uint8Array,
  from: number,
  to: number,
  tags: boolean,
  sums: Int32Array,
  into: number,
): Int32Array {
  const add = (kind: number, count: number): void => {
    sums[into + kind] = (sums[into + kind] ?? 0) + count;
  };
  for (let at = from; at < to; at++) {
    const code = codes[at] ?? 0;
    if (isPlain[code]) continue;
    switch (code) {
      case 40:
        add(0, 1);
        break;
      case 41:
        add(0, -1);
        break;
      case 91:
        add(1, 1);
        break;
      case 93:
        add(1, -1);
        break;
      case 123:
        add(2, 1);
        break;
      case 125:
        add(2, -1);
        break;
      case 34:
      case 39:
      case 96:
        at = closingQuote(codes, at, to);
        break;
      case 47:
        if (tags && at + 1 < to && codes[at + 1] === 62) add(3, -1);
        else if (isComment(codes, at, from, to)) return sums;
        break;
      case 60:
        if (tags && at + 1 < to) {
          const next = codes[at + 1] ?? 0;
          if (next === 47) {
            add(3, -1);
          } else if ((next | 32) >= 97 && (next | 32) <= 122) {
            add(3, 1);
          }
        }
        break;
      default:
    }
  }
  return sums;
}

/** By code: 1 for all that {@link addBalanceOfCodes} does not look at. */
const isPlain = new Uint8Array(256).fill(1);
for (const sign of '()[]{}"\'`/<') isPlain[sign.charCodeAt(0)] = 0;

/** True for `//` at the start of the line or behind a blank. */
function isComment(codes: Uint8Array, at: number, from: number, to: number): boolean {
  return at + 1 < to && codes[at + 1] === 47 && (at === from || (codes[at - 1] ?? 0) <= 32);
}

/** The end of the quoted text that starts at `open`; `open` itself when the line does not close it. */
function closingQuote(codes: Uint8Array, open: number, to: number): number {
  const quote = codes[open];
  for (let at = open + 1; at < to; at++) {
    const code = codes[at];
    if (code === 92) at++;
    else if (code === quote) return at;
  }
  return open;
}
