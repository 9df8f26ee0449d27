import { pathFromComment } from '../../markdown';

/** A snippet whose first line may be a comment with nothing but a path. */
export interface CommentedSnippet {
  readonly path: string | undefined;
  readonly text: string;
  /** The first line such as `// src/a.ts`, which is not in `text`. */
  readonly pathComment?: string;
}

/** @param known the path that a heading gives; a comment that names another file is part of the code. */
export function splitPathComment(text: string, known: string | undefined): CommentedSnippet {
  const start = text.lastIndexOf('\n', Math.max(0, text.search(/\S/))) + 1;
  const pathComment = firstLine(text.slice(start));
  const commented = pathFromComment(pathComment);
  const path = known ?? commented;
  const isHint = commented !== undefined && (known === undefined || isSameFile(known, commented));
  return isHint
    ? { path, text: text.slice(start + pathComment.length + 1), pathComment }
    : { path, text };
}

/** The text of a snippet with its path comment where the file has that line, too. */
export function withPathComment(
  { text, pathComment }: { readonly text: string; readonly pathComment?: string | undefined },
  lines: readonly string[],
): string {
  return pathComment !== undefined && lines.includes(pathComment)
    ? `${pathComment}\n${text}`
    : text;
}

export function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** Whether two paths with `/` may mean one file: one is the end of the other. */
export function isSameFile(a: string, b: string): boolean {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return long === short || long.endsWith(`/${short}`);
}
