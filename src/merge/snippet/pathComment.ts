import type { KnownLines } from './knownLines';

/** `// src/a.ts`, `# File: app/b.py`, `<!-- pages/c.html -->`: a path with a folder, and nothing else. */
const pathComment =
  /^\s*(?:\/\/+|#+|--+|;+|%+|\/\*+|<!--)\s*(?:file(?:name|path)?:\s*|path:\s*)?(?:\.{0,2}\/)?(?:[\w@.()[\]~-]+[\\/])+[\w.[\]-]+\.\w{1,8}\s*(?:\*\/|-->)?$/i;

export const isPathComment = (line: string): boolean => line.length < 200 && pathComment.test(line);

/** Removes the comment with the file name that chats write above code. */
export function withoutPathComment(lines: string[], known: KnownLines): string[] {
  const first = lines.findIndex(line => line.trim() !== '');
  const line = lines[first] ?? '';
  const isHint = isPathComment(line) && !known.has(line.trim());
  return isHint ? lines.slice(first + 1) : lines;
}
