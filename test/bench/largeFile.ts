import { snippetOf } from '../support/unit/snippetOf';

export interface LargeEdit {
  original: string;
  update: string;
}

/** Functions of 10 lines: some lines stand once, some everywhere. */
function functionOf(at: number): string {
  return `export function handle${at}(request: Request, items: Item[]): Response {
  const limit = ${at} * scale;
  const found: Item[] = [];
  for (const item of items) {
    if (item.size > limit && item.kind === 'kind${at % 17}') {
      found.push(item);
    }
  }
  return respond(request, found, 'handle${at}');
}
`;
}

function fileOf(lines: number, write: (at: number) => string = functionOf): string {
  return Array.from({ length: Math.ceil(lines / 10) }, (_, at) => write(at)).join('');
}

/** A snippet that changes functions at even distances, a line more and a line less in each. */
export function largeEdit(lines: number, changes = 3): LargeEdit {
  const original = fileOf(lines);
  const distance = Math.floor(lines / 10 / (changes + 1));
  const edited = fileOf(lines, at =>
    at > 0 && at % distance === 0
      ? functionOf(at)
          .replace(
            '  const found: Item[] = [];\n',
            '  const found: Item[] = [];\n  count(request);\n',
          )
          .replace("item.kind === 'kind", "item.type === 'kind")
      : functionOf(at),
  );
  return { original, update: snippetOf(original, edited, 'large.ts', { context: 3 }) };
}

/** A whole new file without any marker. */
export function largeRewrite(lines: number): LargeEdit {
  const original = fileOf(lines);
  return { original, update: original.replaceAll('limit', 'most') };
}
