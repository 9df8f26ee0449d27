// Ordinary texts, and what texts are made of.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unifiedDiff } from '../../../src/merge/diff/unifiedDiff';
import { largeEdit } from '../largeFile';

export const words = (list: string): string[] => list.split(' ');
export const filled = (part: string) => (length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);
export const code = largeEdit(400).original;
export const marker = '// ... existing code ...';
export const prose =
  'The function reads the file and returns its lines.\nIt was changed because `read` could fail; see (below).\n\n';
export const markdownText = `${prose}\`\`\`ts src/a.ts\n${code.slice(0, 1500)}\n\`\`\`\n\n`;
export const diffText = unifiedDiff('src/a.ts', code, code.replaceAll('const', 'let')).text;
export const fixture = (name: string): string =>
  readFileSync(path.join('test/fixtures/histories', name), 'utf8');
