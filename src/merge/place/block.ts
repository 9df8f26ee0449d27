import type { Section } from '../snippet/sections';
import type { FileIndex } from './fileIndex';

/** A section of the snippet, with line ids like the file's; blank lines are left out. */
export interface Block {
  readonly section: Section;
  readonly ids: readonly number[];
  readonly indents: readonly number[];
}

export function blockOf(section: Section, file: FileIndex): Block {
  const solid = section.lines.filter(line => line.indent >= 0);
  return {
    section,
    ids: solid.map(({ trimmed }) => file.numberOf(trimmed)),
    indents: solid.map(({ indent }) => indent),
  };
}
