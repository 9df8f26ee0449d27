import { type FileKind, kindOf, partsOfPath, testedName } from './paths';

/** Different texts, each with a number, so that each is looked at once. */
export class TextTable {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  #joined: { readonly text: string; readonly starts: Uint32Array } | undefined;

  /** The number of a text without line breaks. */
  add(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, number);
      this.#joined = undefined;
    }
    return number;
  }

  /**
   * Calls `onText` with the number of each text that matches.
   * @param regex global, and without matches over a line break
   */
  forEachMatch(regex: RegExp, onText: (number: number) => void): void {
    const { text, starts } = (this.#joined ??= this.#join());
    let number = 0;
    regex.lastIndex = 0;
    for (let match = regex.exec(text); match; match = regex.exec(text)) {
      while ((starts[number + 1] ?? 0) <= match.index) number++;
      onText(number++);
      regex.lastIndex = starts[number] ?? text.length;
    }
  }

  /** One after the other in one text, which is searched faster than each of them. */
  #join() {
    const starts = new Uint32Array(this.texts.length + 1);
    for (const [number, { length }] of this.texts.entries()) {
      starts[number + 1] = (starts[number] ?? 0) + length + 1;
    }
    return { text: `${this.texts.join('\n')}\n`, starts };
  }
}

/** Names of the files of a root and of their folders; see `PathParts`. */
export class PathTexts {
  readonly folders = new TextTable();
  readonly names = new TextTable();
}

const kinds: readonly FileKind[] = ['source', 'test', 'docs', 'aside', 'generated', 'data'];

/** What a search has to know of files before it reads them. Each file goes by its number. */
export class FileTable {
  readonly paths: readonly string[];
  readonly texts: PathTexts;
  /** By file: numbers of texts. */
  readonly folderOf: Uint32Array;
  readonly nameOf: Uint32Array;
  /** By file: one more than the position in {@link kinds}; 0 until it is needed. */
  readonly #kindOf: Uint8Array;
  /** By file: two more than the number of the name of the tested file; 1 without one, 0 until it is needed. */
  readonly #testedOf: Uint32Array;

  /** @param paths relative to the root, with `/` */
  constructor(paths: readonly string[], texts = new PathTexts()) {
    this.paths = paths;
    this.texts = texts;
    this.folderOf = new Uint32Array(paths.length);
    this.nameOf = new Uint32Array(paths.length);
    this.#kindOf = new Uint8Array(paths.length);
    this.#testedOf = new Uint32Array(paths.length);
    for (const [file, path] of paths.entries()) {
      const { folder, name } = partsOfPath(path);
      this.folderOf[file] = texts.folders.add(folder);
      this.nameOf[file] = texts.names.add(name);
    }
  }

  kind(file: number): FileKind {
    const known = this.#kindOf[file] ?? 0;
    if (known > 0) return kinds[known - 1] ?? 'data';
    const kind = kindOf(this.paths[file] ?? '');
    this.#kindOf[file] = kinds.indexOf(kind) + 1;
    return kind;
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
