import { type Git, GitError } from '../git';
import { Coprocess } from './coprocess';
import type { LineEndConfig, PathAttributes } from './lineEnds';

/** In the order in which they are asked for. */
const names = ['text', 'crlf', 'eol', 'filter', 'ident', 'working-tree-encoding'] as const;
/** Each answer is the path, the name of the attribute and its value, each with a NUL. */
const fieldsPerAnswer = 3 * names.length;
/** A day: the process ends when it is not asked any more. */
const deadlineMs = 86_400_000;

/** The attributes of paths, from the attribute files in the work tree and of the user. */
export class GitAttributes {
  readonly #process: Coprocess<PathAttributes>;

  constructor(git: Git) {
    this.#process = new Coprocess(
      onBytes => git.start('check-attr', ['-z', '--stdin', ...names], { deadlineMs }, onBytes),
      answerIn,
    );
  }

  /** @param below relative to the root, with `/`; it contains no NUL */
  async of(below: string): Promise<PathAttributes> {
    return this.#process.ask(`${below}\0`);
  }

  dispose(): void {
    this.#process.dispose();
  }
}

function answerIn(bytes: Buffer): { answer: PathAttributes; length: number } | undefined {
  const fields: string[] = [];
  let start = 0;
  while (fields.length < fieldsPerAnswer) {
    const end = bytes.indexOf(0, start);
    if (end < 0) return undefined;
    fields.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  const value = (index: number): string => fields[3 * index + 2] ?? 'unspecified';
  const [text, crlf, eol] = [value(0), value(1), value(2)];
  const [filter, ident, encoding] = [value(3), value(4), value(5)];
  return { answer: { text, crlf, eol, filter, ident, encoding }, length: start };
}

/** What the configuration says about conversions between blobs and files. */
export interface ConversionConfig extends LineEndConfig {
  /** Names of filters that run a program. */
  readonly filters: ReadonlySet<string>;
}

/** @throws {GitError} */
export async function readConversionConfig(
  git: Git,
  signal?: AbortSignal,
): Promise<ConversionConfig> {
  const pattern = '^(core\\.(autocrlf|eol)|filter\\..*\\.(clean|smudge|process))$';
  // 1: nothing matches.
  const { bytes } = await git.run(
    'config',
    ['--null', '--get-regexp', pattern],
    { signal },
    [0, 1],
  );
  let autocrlf: LineEndConfig['autocrlf'] = 'false';
  let eol: LineEndConfig['eol'] = 'native';
  const filters = new Set<string>();
  for (const entry of bytes.toString('utf8').split('\0')) {
    const at = entry.indexOf('\n');
    // A key without a value means true.
    const [key, value] = at < 0 ? [entry, 'true'] : [entry.slice(0, at), entry.slice(at + 1)];
    if (key === 'core.autocrlf') autocrlf = autocrlfOf(value);
    else if (key === 'core.eol') eol = eolOf(value);
    else if (key.startsWith('filter.')) filters.add(key.slice(7, key.lastIndexOf('.')));
  }
  return { autocrlf, eol, filters };
}

function autocrlfOf(value: string): LineEndConfig['autocrlf'] {
  const lower = value.toLowerCase();
  if (lower === 'input') return 'input';
  return ['true', 'yes', 'on'].includes(lower) || /^0*[1-9]/.test(lower) ? 'true' : 'false';
}

function eolOf(value: string): LineEndConfig['eol'] {
  const lower = value.toLowerCase();
  return lower === 'lf' || lower === 'crlf' ? lower : 'native';
}

/**
 * Options of git that turn the filters of the configuration off. Comparing the work tree with the index would run
 * them where the time of a file does not tell whether it has changed.
 * @throws {GitError} for a name that cannot be given as an option
 */
export async function withoutFilters(git: Git, signal?: AbortSignal): Promise<string[]> {
  const { filters } = await readConversionConfig(git, signal);
  return [...filters].flatMap(name => {
    if (/[=\n]/.test(name)) {
      const errorText = `a filter with the name ${JSON.stringify(name)} cannot be turned off`;
      throw new GitError('config', { reason: 'done', exitCode: 0, errorText });
    }
    const settings = ['clean=', 'smudge=', 'process=', 'required=false'];
    return settings.flatMap(setting => ['-c', `filter.${name}.${setting}`]);
  });
}
