import type { ListArguments } from './list';

/** Levels where neither a depth nor a name is given. */
const defaultDepth = 3;
const maxDepth = 5;

const forms = {
  ls: 'ls takes one folder, -R and -I name.',
  tree: 'tree takes one folder, -L, -d, -P "*.ts" and -I "name|name".',
  find: 'find takes one folder, -maxdepth, -type f or -type d, -name and -iname, more of them after -o, one after ! or -not, and ! -path "*/folder/*".',
} as const;

type Program = keyof typeof forms;

const programs: Readonly<Record<string, Program>> = {
  ls: 'ls',
  dir: 'ls',
  tree: 'tree',
  find: 'find',
};

/** What is taken from the words of a command. */
interface Reading {
  readonly program: Program | undefined;
  /** From the last to the first, since taking the first of many words moves all others. */
  readonly words: string[];
  folder: string | undefined;
  depth: number | undefined;
  isRecursive: boolean;
  only: ListArguments['only'];
  readonly names: string[];
  readonly notNames: string[];
  readonly without: string[];
  ignoresCase: boolean;
  problem: string | undefined;
}

/** The arguments in the words of a command line, without quotes. */
export function listArguments(words: readonly string[]): ListArguments {
  const first = words[0] ?? '';
  const program = Object.hasOwn(programs, first) ? programs[first] : undefined;
  const reading: Reading = {
    program,
    words: words.slice(program === undefined ? 0 : 1).reverse(),
    folder: undefined,
    depth: undefined,
    isRecursive: program !== 'ls',
    only: undefined,
    names: [],
    notNames: [],
    without: [],
    ignoresCase: false,
    problem: undefined,
  };
  if (program === 'ls' || program === 'tree') readTree(reading, program);
  else new FindReader(reading).read();
  const { names, notNames, without } = reading;
  return {
    path: reading.folder,
    ...levelsOf(reading),
    only: reading.only,
    name: oneGlob(names),
    ...(notNames.length > 0 ? { notName: oneGlob(notNames) } : {}),
    ...(without.length > 0 ? { without } : {}),
    ...(reading.ignoresCase ? { ignoresCase: true } : {}),
    ...(reading.problem === undefined ? {} : { problem: reading.problem }),
  };
}

function levelsOf({
  depth,
  isRecursive,
  names,
  notNames,
}: Reading): Pick<ListArguments, 'depth' | 'isShortened'> {
  if (names.length + notNames.length > 0) return { depth: depth ?? Number.POSITIVE_INFINITY };
  if (depth === undefined) {
    return isRecursive ? { depth: defaultDepth, isShortened: true } : { depth: 1 };
  }
  return depth > maxDepth ? { depth: maxDepth, isShortened: true } : { depth };
}

const oneGlob = (globs: readonly string[]): string | undefined =>
  globs.length > 1 ? `{${globs.join(',')}}` : globs[0];

/** Names in the form of `tree -I`. */
const alternatives = (text: string | undefined): string[] => text?.split('|').filter(Boolean) ?? [];

function refuse(reading: Reading, word: string): void {
  const { program = 'find' } = reading;
  reading.words.length = 0;
  reading.problem ??= `[ARGUMENT ERROR] "${word.slice(0, 100)}" is not understood here. ${forms[program]} Call glob to find paths, and grep_search to find text.`;
}

function takeFolder(reading: Reading, word: string): void {
  if (reading.folder !== undefined && reading.program !== undefined) refuse(reading, word);
  else reading.folder ??= word;
}

function takeDepth(reading: Reading): void {
  const depth = Number(reading.words.pop());
  if (depth) reading.depth = Math.max(1, depth);
}

/** Options that are not known only change how the entries look. */
function readTree(reading: Reading, program: 'ls' | 'tree'): void {
  for (let word = reading.words.pop(); word !== undefined; word = reading.words.pop()) {
    const ignored = /^--(?:ignore|hide)=(.+)$/.exec(word)?.[1];
    if (ignored !== undefined) reading.without.push(ignored);
    else if (!word.startsWith('-')) takeFolder(reading, word);
    else if (!word.startsWith('--')) {
      for (const letter of word.slice(1)) readLetter(reading, program, letter);
    }
  }
}

function readLetter(reading: Reading, program: 'ls' | 'tree', letter: string): void {
  if (letter === 'I') reading.without.push(...alternatives(reading.words.pop()));
  else if (program === 'ls') reading.isRecursive ||= letter === 'R';
  else if (letter === 'L') takeDepth(reading);
  else if (letter === 'P') reading.names.push(...alternatives(reading.words.pop()));
  else if (letter === 'd') reading.only = 'folders';
}

/** Options of `find` that change nothing here. */
const idleOptions: ReadonlySet<string> = new Set(
  '-print -print0 -a -and -H -L -P -follow -mount -xdev -noleaf'.split(' '),
);

/** Reads conditions that all have to hold; only names may be alternatives. */
class FindReader {
  readonly #reading: Reading;
  #isNegated = false;
  /** Number of excluding conditions before `! (`; undefined outside. */
  #groupStart: number | undefined;
  #isAfterOr = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read(): void {
    const { words } = this.#reading;
    for (let word = words.pop(); word !== undefined; word = words.pop()) this.#word(word);
    if (this.#isAfterOr) refuse(this.#reading, '-o');
  }

  #word(word: string): void {
    if (idleOptions.has(word)) return;
    if (word === '-maxdepth' || (word === '-L' && this.#reading.program === undefined)) {
      takeDepth(this.#reading);
    } else if (word === '-type') this.#type();
    else if (word === '-name' || word === '-iname') this.#name(word);
    else if (word === '-path' || word === '-wholename') this.#path(word);
    else if (word === '-o' || word === '-or') this.#or(word);
    else if (word === '!' || word === '-not') this.#isNegated = true;
    else if (word === '(') this.#open();
    else if (word === ')') this.#groupStart = undefined;
    else if (word.startsWith('-')) refuse(this.#reading, word);
    else takeFolder(this.#reading, word);
  }

  get #excluding(): number {
    return this.#reading.notNames.length + this.#reading.without.length;
  }

  #open(): void {
    if (this.#isNegated) this.#groupStart = this.#excluding;
    this.#isNegated = false;
  }

  #or(word: string): void {
    const count =
      this.#groupStart === undefined
        ? this.#reading.names.length
        : this.#excluding - this.#groupStart;
    if (count === 0) refuse(this.#reading, word);
    else this.#isAfterOr = true;
  }

  #type(): void {
    const reading = this.#reading;
    const given = reading.words.pop() ?? '';
    const only = given === 'd' ? 'folders' : given === 'f' ? 'files' : undefined;
    const isOther = reading.only !== only && (reading.only !== undefined || this.#isAfterOr);
    if (only === undefined || isOther || this.#isNegated || this.#groupStart !== undefined) {
      refuse(reading, `-type ${given}`);
    } else reading.only = only;
  }

  #name(word: string): void {
    const reading = this.#reading;
    const glob = reading.words.pop();
    const isExcluded = this.#isExcluded();
    const isAlternative = isExcluded ? this.#isNextOfGroup() : reading.names.length > 0;
    if (glob === undefined || isAlternative !== this.#isAfterOr) {
      return refuse(reading, `${word} ${glob ?? ''}`);
    }
    (isExcluded ? reading.notNames : reading.names).push(glob);
    // With -name and -iname in one command both ignore the case, so that none is missed.
    reading.ignoresCase ||= word === '-iname';
    this.#isNegated = this.#isAfterOr = false;
  }

  #path(word: string): void {
    const given = this.#reading.words.pop() ?? '';
    const glob = folderGlob(given);
    if (glob === undefined || !this.#isExcluded() || this.#isNextOfGroup() !== this.#isAfterOr) {
      return refuse(this.#reading, `${word} ${given}`);
    }
    this.#reading.without.push(glob);
    this.#isNegated = this.#isAfterOr = false;
  }

  #isExcluded(): boolean {
    return this.#isNegated !== (this.#groupStart !== undefined);
  }

  #isNextOfGroup(): boolean {
    return this.#groupStart !== undefined && this.#excluding > this.#groupStart;
  }
}

/** What `-path` leaves out, as a glob of paths below the listed folder. */
function folderGlob(given: string): string | undefined {
  // As `*/name/*`, `./name/*` or `*name*`.
  const [, start, folder = ''] = /^(\*|\.)\/([^*]+?)(?:\/\**)?$/.exec(given) ?? [];
  if (start === '.') return `/${folder}`;
  if (start === '*') return folder.includes('/') ? `**/${folder}` : folder;
  return /^\*[^*/]+\*$/.test(given) ? given : undefined;
}
