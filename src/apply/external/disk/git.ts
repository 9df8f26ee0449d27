import { devNull } from 'node:os';
import path from 'node:path';
import {
  findProgram,
  type ProgramEnd,
  type RunningProgram,
  startProgram,
} from '../../../base/process';
import type { IdAlgorithm } from '../core/content';

export interface GitOptions {
  /** Git is not started at all for a folder that the user does not trust. */
  readonly isTrusted: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Absolute; searched on PATH when left out. */
  readonly program?: string | undefined;
}

export interface GitRun {
  /** Given to the command as standard input. */
  readonly input?: string | Uint8Array;
  /** Options of git itself, before the command. */
  readonly options?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** More output ends the command. */
  readonly maxBytes?: number;
  readonly deadlineMs?: number;
}

interface GitOutput {
  readonly bytes: Buffer;
  /** Not all output came: there was more than allowed. */
  readonly isCut: boolean;
  readonly exitCode: number;
}

/** A command of git that failed. The message is for the log. */
export class GitError extends Error {
  override readonly name = 'GitError';
  constructor(command: string, { reason, exitCode, errorText }: ProgramEnd) {
    super(`git ${command}: ${reason}, exit code ${exitCode}: ${errorText.trim().slice(0, 500)}`);
  }
}

/** Lists of 100,000 files have about 10 MB. */
const maxOutputBytes = 64 * 1024 * 1024;
/** Lists of a large work tree on a slow disk. */
const usualDeadlineMs = 60_000;

/** What reads a repository, and writes nothing. */
type ReadingCommand =
  | 'cat-file'
  | 'check-attr'
  | 'check-ignore'
  | 'config'
  | 'diff-files'
  | 'diff-index'
  | 'diff-tree'
  | 'ls-files'
  | 'rev-parse';

/**
 * Commands of git in the folder of a root that lies in a work tree. None of them writes, and none runs a program
 * that the configuration of the repository names: no hook, file monitor, filter, diff or pager, and no remote.
 */
export class Git {
  readonly root: string;
  /** The path of the root in the work tree: '' or with a slash at its end. */
  readonly prefix: string;
  /** The data of this work tree, and those that all work trees of the repository share. */
  readonly folder: string;
  readonly commonFolder: string;
  readonly algorithm: IdAlgorithm;
  readonly #program: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param about what `rev-parse` says; see {@link openGit} */
  constructor(program: string, root: string, about: Omit<GitAbout, 'topLevel'>) {
    this.#program = program;
    this.#env = gitEnvironment();
    this.root = root;
    this.prefix = about.prefix;
    this.folder = about.folder;
    this.commonFolder = about.commonFolder;
    this.algorithm = about.algorithm;
  }

  /**
   * The output of a command.
   * @param okCodes exit codes that are an answer
   * @throws {GitError} when it ends in any other way; {AbortError} when the signal is aborted
   */
  async run(
    command: ReadingCommand,
    args: readonly string[],
    run: GitRun = {},
    okCodes: readonly number[] = [0],
  ): Promise<GitOutput> {
    const { maxBytes = maxOutputBytes } = run;
    const chunks: Buffer[] = [];
    let length = 0;
    const running = this.start(command, args, run, bytes => {
      length += bytes.byteLength;
      if (length > maxBytes) return false;
      chunks.push(bytes);
      return true;
    });
    if (run.input !== undefined) running.write(run.input);
    running.endInput();
    const end = await running.end;
    const isCut = end.reason === 'stopped';
    if (!isCut && !(end.reason === 'done' && okCodes.includes(end.exitCode ?? -1))) {
      throw new GitError(command, end);
    }
    return { bytes: Buffer.concat(chunks), isCut, exitCode: end.exitCode ?? 0 };
  }

  /** A command that answers while it is asked. */
  start(
    command: ReadingCommand,
    args: readonly string[],
    { options = [], signal, deadlineMs = usualDeadlineMs }: Omit<GitRun, 'input' | 'maxBytes'>,
    onBytes: (bytes: Buffer) => boolean | void,
  ): RunningProgram {
    return startProgram({
      program: this.#program,
      args: [...safeOptions, ...options, command, ...args],
      cwd: this.root,
      env: this.#env,
      signal,
      deadlineMs,
      onBytes,
    });
  }
}

interface GitAbout {
  readonly topLevel: string;
  readonly prefix: string;
  readonly folder: string;
  readonly commonFolder: string;
  readonly algorithm: IdAlgorithm;
}

/**
 * Git for a root; undefined where there is no work tree, no git, or no trust. A repository of another user counts
 * as none, as it does for git.
 * @param root absolute
 */
export async function openGit(root: string, options: GitOptions): Promise<Git | undefined> {
  if (!options.isTrusted) return undefined;
  const program = options.program ?? (await findProgram('git'));
  if (program === undefined) return undefined;
  const probe = new Git(program, root, {
    prefix: '',
    folder: '',
    commonFolder: '',
    algorithm: 'sha1',
  });
  const about = await aboutOf(probe, options.signal);
  return about && new Git(program, root, about);
}

async function aboutOf(git: Git, signal: AbortSignal | undefined): Promise<GitAbout | undefined> {
  const asked = ['--show-toplevel', '--show-prefix', '--absolute-git-dir', '--git-common-dir'];
  const { bytes, exitCode } = await git.run(
    'rev-parse',
    [...asked, '--show-object-format'],
    { signal },
    [0, 128],
  );
  const lines = bytes.toString('utf8').split('\n');
  // With a line break in a path the answers cannot be told apart.
  if (exitCode !== 0 || lines.length !== 6) return undefined;
  const [topLevel = '', prefix = '', folder = '', common = '', format = ''] = lines;
  return {
    topLevel,
    prefix,
    folder: path.resolve(folder),
    commonFolder: path.resolve(git.root, common),
    // An old git repeats the option that it does not know, and knows no other algorithm.
    algorithm: format === 'sha256' ? 'sha256' : 'sha1',
  };
}

const safeOptions = [
  '--no-pager',
  '--no-replace-objects',
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${devNull}`,
  '-c',
  'core.quotePath=false',
  // The index of a submodule would be read with the configuration of the submodule.
  '-c',
  'submodule.recurse=false',
] as const;

/** Variables of git that only say where it and the user's settings are. */
const harmlessVariables = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_EXEC_PATH',
]);

/** The editor may have been started by git itself, in another repository. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || harmlessVariables.has(name.toUpperCase()),
  );
  return {
    ...Object.fromEntries(inherited),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // No download of missing objects of a partial clone: by this in new versions, and in old ones
    // because no protocol is allowed, so that neither ssh nor a helper is started.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}
