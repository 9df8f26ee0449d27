import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { openGit } from '../../../../../src/apply/external/disk/git';
import { TestRoot } from './testRoot';

/** Nothing of the user's git: neither settings nor a name. */
const settings = {
  GIT_CONFIG_GLOBAL: path.join(import.meta.dirname, 'no-such-file'),
  GIT_CONFIG_NOSYSTEM: '1',
};
const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_EDITOR: 'true',
};

/** A folder in a repository, with the git of the machine. */
export class GitRoot extends TestRoot {
  /** @param options of `git init` */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}, options: string[] = []) {
    super(files);
    this.git('init', '-q', '-b', 'main', ...options);
  }

  git(...args: string[]): string {
    return this.gitIn('', ...args);
  }

  /** @param folder relative to the root */
  gitIn(folder: string, ...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.at(folder),
      env: { ...process.env, ...settings, ...identity },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 << 20,
    }).trim();
  }

  /** The same for a command that is expected to fail. */
  failingGit(...args: string[]): void {
    try {
      this.git(...args);
    } catch {
      return;
    }
    throw new Error(`git ${args.join(' ')} did not fail`);
  }

  commit(message = 'change'): string {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A program that leaves a trace when it is run. */
  trap(name: string): { readonly program: string; readonly hasRun: () => boolean } {
    mkdirSync(this.at('../traps'), { recursive: true });
    const trace = this.at(`../traps/${name}.ran`);
    const program = this.write(`../traps/${name}`, `#!/bin/sh\ntouch '${trace}'\nexit 1\n`);
    execFileSync('chmod', ['755', program]);
    return { program, hasRun: () => existsSync(trace) };
  }
}

/** Keeps the user's settings out of the git that the code under test runs. */
export function withoutUserSettings(): void {
  const before = { ...process.env };
  beforeEach(() => void Object.assign(process.env, settings));
  afterEach(() => {
    for (const name of Object.keys(settings)) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

/** The git of a trusted folder. */
export async function gitOf(root: string) {
  const git = await openGit(root, { isTrusted: true });
  if (!git) throw new Error(`no git in ${root}`);
  return git;
}
