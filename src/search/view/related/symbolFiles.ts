import { extname } from 'node:path';
import { type FileKind, kindOf, partsOfPath, testedName } from '../../local/paths';
import { importLines } from '../../local/text/heads';
import type { SearchWorkspace } from '../../workspace/workspace';
import type { RawFile } from '../results';
import { nameDeclaredIn } from '../symbols';
import { findMentions, type MentioningFile } from './mentions';
import { mentionAt, type NamedSymbol } from './symbolName';

/** Files that are listed at most. */
const maxFiles = 50;

export interface SymbolFiles {
  readonly files: readonly RawFile[];
  /** Whether further files may mention it. */
  readonly isCut: boolean;
}

type Identifiers = Pick<NamedSymbol, 'names'>;

/**
 * Finds the test files that mention a symbol, each of its identifiers as a whole word: the tests of its own file
 * first, then those that mention it most.
 * @param subject path of the file that has the symbol
 * @throws {AbortError} when `signal` is aborted.
 */
export async function findTests(
  workspace: SearchWorkspace,
  { names }: Identifiers,
  subject: string,
  signal: AbortSignal,
): Promise<SymbolFiles> {
  const { name: subjectName } = partsOfPath(subject);
  const found: RankedFile[] = [];
  const { isCut } = await findMentions(workspace, {
    name: names.at(-1) ?? '',
    subject,
    signal,
    fits: file => kindOf(file) === 'test',
    onFile: file => {
      if (!mentionsAll(file, names)) return;
      const isOwn = testedName(file.path) === subjectName;
      found.push({ file: linesOf(file, file.at), group: isOwn ? 0 : 1, mentions: file.at.length });
    },
  });
  return bestOf(found, isCut);
}

/**
 * Finds the lines that mention a symbol by its own name and do not declare it. Sources come before other files, and
 * for a method those that mention its class too.
 * @param subject path of the file that has the symbol
 * @throws {AbortError} when `signal` is aborted.
 */
export async function findUses(
  workspace: SearchWorkspace,
  { names }: Identifiers,
  subject: string,
  signal: AbortSignal,
): Promise<SymbolFiles> {
  const own = names.at(-1) ?? '';
  const found: RankedFile[] = [];
  const { isCut } = await findMentions(workspace, {
    name: own,
    subject,
    signal,
    fits: () => true,
    onFile: file => {
      const others = file.at.filter(at => nameDeclaredIn(file.lines[at] ?? '', file.path) !== own);
      const imports = importLines(file.lines);
      const uses = others.filter(at => !imports.has(at));
      const at = uses.length > 0 ? uses : others;
      if (at.length === 0) return;
      const kind = kindOf(file.path);
      // Code of a language that is not known as one.
      const isCode = kind === 'data' && extname(file.path) === extname(subject);
      const group =
        (mentionsAll(file, names) ? 0 : withoutClass) + kindOrder.indexOf(isCode ? 'source' : kind);
      found.push({ file: linesOf(file, at), group, mentions: at.length });
    },
  });
  return bestOf(found, isCut);
}

const kindOrder: readonly FileKind[] = [
  'source',
  'test',
  'aside',
  'data',
  'tooling',
  'docs',
  'generated',
];
/** More than the kinds, so that files that mention the class come first, whatever they are. */
const withoutClass = kindOrder.length;

interface RankedFile {
  readonly file: RawFile;
  /** Files of a lower one come first. */
  readonly group: number;
  readonly mentions: number;
}

const mentionsAll = ({ lines }: MentioningFile, names: readonly string[]): boolean =>
  names.every(name => lines.some(line => mentionAt(line, name) >= 0));

const linesOf = ({ root, path }: MentioningFile, at: readonly number[]): RawFile => ({
  root,
  path,
  ranges: at.map(line => [line + 1, line + 1]),
});

function bestOf(found: readonly RankedFile[], isCut: boolean): SymbolFiles {
  const sorted = found.toSorted(
    (a, b) => a.group - b.group || b.mentions - a.mentions || (a.file.path < b.file.path ? -1 : 1),
  );
  const files = sorted.slice(0, maxFiles).map(({ file }) => file);
  return { files, isCut: isCut || found.length > maxFiles };
}
