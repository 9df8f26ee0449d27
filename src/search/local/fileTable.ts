import type { Slices } from '../../base/async/slices';
import {
  type FileKind,
  type FolderKinds,
  kindInFolder,
  kindsOfFolder,
  nameInFolder,
  splitPath,
  testedName,
} from './paths';

/** Characters that are searched between two looks at the clock. */
const maxBlockChars = 1 << 16;

/** Texts one after the other in one text, which is searched faster than each of them. */
interface TextBlock {
  readonly text: string;
  /** Number of the first of them. */
  readonly first: number;
  /** Where each begins in the text, and where the last one ends. */
  readonly starts: readonly number[];
}

/** Different texts, each with a number, so that each is looked at once. */
export class TextTable {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  #blocks: readonly TextBlock[] | undefined;

  /** The number of a text without line breaks. */
  add(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, number);
      this.#blocks = undefined;
    }
    return number;
  }

  /**
   * Calls `onText` with the number of each text that matches.
   * @param regex global, and without matches over a line break
   */
  async forEachMatch(
    regex: RegExp,
    slices: Slices,
    onText: (number: number) => void,
  ): Promise<void> {
    this.#blocks ??= blocksOf(this.texts);
    for (const { text, first, starts } of this.#blocks) {
      let at = 0;
      regex.lastIndex = 0;
      for (let match = regex.exec(text); match; match = regex.exec(text)) {
        while ((starts[at + 1] ?? 0) <= match.index) at++;
        onText(first + at++);
        regex.lastIndex = starts[at] ?? text.length;
      }
      if (slices.isDue) await slices.pause();
    }
  }
}

function blocksOf(texts: readonly string[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let first = 0, next = 0; next < texts.length; first = next) {
    const starts = [0];
    let length = 0;
    while (next < texts.length && length < maxBlockChars) {
      length += (texts[next++] ?? '').length + 1;
      starts.push(length);
    }
    blocks.push({ text: `${texts.slice(first, next).join('\n')}\n`, first, starts });
  }
  return blocks;
}

/** Names of the files of a root and of their folders; see `PathParts`. */
export class PathTexts {
  readonly folders = new TextTable();
  readonly names = new TextTable();
}

/** The folder of files, of which there are fewer than files. */
interface Folder {
  /** The path in lower case. */
  readonly path: string;
  /** The number of that text. */
  readonly number: number;
  kinds?: FolderKinds;
}

/** What a search has to know of files before it reads them. Each file goes by its number. */
export class FileTable {
  readonly paths: string[] = [];
  readonly texts: PathTexts;
  /** By file: numbers of texts. */
  readonly folderOf: number[] = [];
  readonly nameOf: number[] = [];
  readonly #folders = new Map<string, Folder>();
  /** By file; undefined until it is needed. */
  readonly #kindOf: (FileKind | undefined)[] = [];
  /** By file: two more than the number of the name of the tested file; 1 without one, 0 until it is needed. */
  readonly #testedOf: number[] = [];

  constructor(texts = new PathTexts()) {
    this.texts = texts;
  }

  /**
   * @param path relative to the root, with `/`, and not added before
   * @returns its number
   */
  add(path: string): number {
    const { folder: folderPath, name } = splitPath(path);
    const folder = this.#folder(folderPath);
    this.folderOf.push(folder.number);
    this.nameOf.push(this.texts.names.add(nameInFolder(folder.path, name)));
    this.#kindOf.push(undefined);
    this.#testedOf.push(0);
    return this.paths.push(path) - 1;
  }

  kind(file: number): FileKind {
    return (this.#kindOf[file] ??= this.#kindOfPath(this.paths[file] ?? ''));
  }

  #kindOfPath(path: string): FileKind {
    const { folder, name } = splitPath(path);
    const kinds = (this.#folder(folder).kinds ??= kindsOfFolder(folder));
    return kindInFolder(kinds, name);
  }

  #folder(path: string): Folder {
    let folder = this.#folders.get(path);
    if (!folder) {
      const lower = path.toLowerCase();
      folder = { path: lower, number: this.texts.folders.add(lower) };
      this.#folders.set(path, folder);
    }
    return folder;
  }

  /** The number of the name of the file that a test covers, if a file has it. */
  tested(file: number): number | undefined {
    let known = this.#testedOf[file] ?? 0;
    if (known === 0) {
      const name = testedName(this.paths[file] ?? '');
      known = name === undefined ? 1 : this.texts.names.add(name) + 2;
      this.#testedOf[file] = known;
    }
    return known > 1 ? known - 2 : undefined;
  }
}
