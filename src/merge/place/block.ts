import type { FileIndex } from './fileIndex';
import type { Line } from '../lines';
import type { Section } from '../sections';

/** A section of the snippet, its lines numbered like the file's; blank lines are left out. */
export interface Block {
  readonly section: Section;
  readonly ids: Int32Array;
  readonly indents: Int32Array;
}

export function blockOf(section: Section, file: FileIndex): Block {
  const solid = section.lines.filter((line: Line) => line.indent >= 0);
  return {
    section,
    ids: Int32Array.from(solid, line => file.numberOf(line.trimmed)),
    indents: Int32Array.from(solid, line => line.indent),
  };
}
