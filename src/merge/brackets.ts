const markupExtension = /\.(?:html?|xml|vue|svelte|[jt]sx|jsx|hbs|php|md|svg)$/i;

export function usesTags(path: string): boolean {
  return markupExtension.test(path);
}

/** Kinds of pairs that {@link addBalance} counts: `()`, `[]`, `{}`, tags. */
export const pairKinds = 4;

/**
 * Adds to `sums`, from index `from` on, how many pairs of each kind the line opens more than it closes, and
 * returns it. Skips quoted text and `//` comments as far as a single line shows them.
 */
export function addBalance(text: string, tags: boolean, sums: Int32Array, from = 0): Int32Array {
  const add = (kind: number, count: number): void => {
    sums[from + kind] = (sums[from + kind] ?? 0) + count;
  };
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
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
        at = closingQuote(text, at);
        break;
      case 47:
        if (tags && text.charCodeAt(at + 1) === 62) add(3, -1);
        else if (text.charCodeAt(at + 1) === 47 && (at === 0 || text.charCodeAt(at - 1) <= 32)) {
          return sums;
        }
        break;
      case 60:
        if (tags) {
          const next = text.charCodeAt(at + 1);
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

/** The end of the quoted text that starts at `open`; `open` itself when the line does not close it. */
function closingQuote(text: string, open: number): number {
  const quote = text.charCodeAt(open);
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === quote) return at;
  }
  return open;
}
