import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** A coding agent's real command line, run without a terminal and with the scripted model. */
export interface AgentCli {
  readonly name: string;
  /** With its version. */
  readonly package: string;
  readonly bin: string;
  /** What its file of settings must have besides hooks. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Writes other settings that the program needs, below its home. */
  setUp?(place: Place): void;
  env(place: Place): Readonly<Record<string, string>>;
  args(prompt: string, place: Place): readonly string[];
}

/** Where one run happens: nothing of the real home is read. */
export interface Place {
  readonly home: string;
  readonly project: string;
  readonly modelUrl: string;
}

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
}

/** A program that waits for something must not keep the whole run waiting. */
const maxRunMs = 180_000;

const cacheFolder = (): string => process.env['LIVE_CACHE'] ?? path.resolve('.vscode-test/live');

/** The folder of a package, which scripts/live.mjs installs into. */
export const installFolder = (cli: AgentCli): string =>
  path.join(cacheFolder(), cli.package.replaceAll('/', '+'));

/** Everything but loopback leads to a closed port. */
function baseEnvironment({ home }: Place): Record<string, string> {
  const temporary = path.join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_STATE_HOME: path.join(home, '.local/state'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}

export function start(cli: AgentCli, prompt: string, place: Place): Running {
  mkdirSync(place.home, { recursive: true });
  cli.setUp?.(place);
  const child = spawn(
    path.join(installFolder(cli), 'node_modules/.bin', cli.bin),
    cli.args(prompt, place),
    {
      cwd: place.project,
      env: { ...baseEnvironment(place), ...cli.env(place) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), maxRunMs);
  const ended = (async (): Promise<Run> => {
    const code = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    try {
      const [out, err] = await output;
      return { code: await code, out, err };
    } finally {
      clearTimeout(timer);
    }
  })();
  return { child, ended };
}

/** Runs one prompt to its end; throws when the program fails. */
export async function run(cli: AgentCli, prompt: string, place: Place): Promise<Run> {
  const done = await start(cli, prompt, place).ended;
  if (done.code !== 0)
    throw new Error(`${cli.name} exited ${done.code}\n${done.out}${done.err}`.slice(0, 4000));
  return done;
}

export function writeFileIn(folder: string, name: string, content: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
