/** Net count of opened `(`, `[`, `{` and tags in a line: 4 numbers. */
export type Balance = readonly [number, number, number, number];

const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
const MARKUP = /\.(?:html?|xml|vue|svelte|[jt]sx|jsx|hbs|php|md|svg)$/i;

export function usesTags(path: string): boolean {
  return MARKUP.test(path);
}

/** Counts outside of one-line strings and `//` comments; approximate, equal text counts equally. */
export function balanceOf(text: string, tags: boolean): Balance {
  const code = text.replace(STRINGS, '').replace(/(?:^|\s)\/\/.*$/, '');
  let round = 0;
  let square = 0;
  let curly = 0;
  for (let at = 0; at < code.length; at++) {
    switch (code.charCodeAt(at)) {
      case 40:
        round++;
        break;
      case 41:
        round--;
        break;
      case 91:
        square++;
        break;
      case 93:
        square--;
        break;
      case 123:
        curly++;
        break;
      case 125:
        curly--;
        break;
      default:
    }
  }
  let open = 0;
  if (tags && text.includes('<')) {
    open += text.match(/<[a-zA-Z]/g)?.length ?? 0;
    open -= text.match(/<\/[a-zA-Z]|\/>/g)?.length ?? 0;
  }
  return [round, square, curly, open];
}
