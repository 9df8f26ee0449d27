import type { KnownLines } from './knownLines';

/** `// src/a.ts`, `# File: app/b.py`, `<!-- pages/c.html -->`: a path with a folder, and nothing else. */
const PATH_COMMENT =
  /^\s*(?:\/\/+|#+|--+|;+|%+|\/\*+|<!--)\s*(?:file(?:name|path)?:\s*|path:\s*)?(?:\.{0,2}\/)?(?:[\w@.()[\]~-]+[\\/])+[\w.[\]-]+\.\w{1,8}\s*(?:\*\/|-->)?$/i;

/** Drops the name of the file that chats write above its code. */
export function withoutPathComment(lines: string[], known: KnownLines): string[] {
  const first = lines.findIndex(line => line.trim() !== '');
  const line = lines[first] ?? '';
  const isHint = line.length < 200 && PATH_COMMENT.test(line) && !known.has(line.trim());
  return isHint ? lines.slice(first + 1) : lines;
}
