import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A coding agent's real command line, run without a terminal and with the scripted model. */
export interface AgentCli {
  readonly name: string;
  /** With its version. */
  readonly package: string;
  /** Packages that are installed beside it, such as what it runs in. */
  readonly needs?: readonly string[];
  readonly bin: string;
  /** What its file of settings must have besides hooks. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Writes other settings that the program needs, below its home. */
  setUp?(place: Place): void;
  env(place: Place): Readonly<Record<string, string>>;
  args(prompt: string, place: Place): readonly string[];
  /** The arguments that go on with a session. */
  resume?(prompt: string, session: string, place: Place): readonly string[];
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

export function start(cli: AgentCli, prompt: string, place: Place, session?: string): Running {
  return startWith(cli, argumentsOf(cli, prompt, place, session), place);
}

/** @param args of the command line, whatever it is to do. */
export function startWith(
  cli: AgentCli,
  args: readonly string[],
  place: Place,
  { keepsInput = false } = {},
): Running {
  mkdirSync(place.home, { recursive: true });
  cli.setUp?.(place);
  const child = spawn(path.join(installFolder(cli), 'node_modules/.bin', cli.bin), args, {
    cwd: place.project,
    env: { ...baseEnvironment(place), ...cli.env(place) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (!keepsInput) child.stdin.end();
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

function argumentsOf(
  cli: AgentCli,
  prompt: string,
  place: Place,
  session: string | undefined,
): readonly string[] {
  if (session === undefined) return cli.args(prompt, place);
  if (!cli.resume) throw new Error(`no arguments to go on with a session of ${cli.name}`);
  return cli.resume(prompt, session, place);
}

/** Runs one prompt to its end; throws when the program fails. */
export async function run(cli: AgentCli, prompt: string, place: Place): Promise<Run> {
  return succeeded(cli, await start(cli, prompt, place).ended);
}

/** Runs a command line to its end; throws when the program fails. */
export async function runWith(cli: AgentCli, args: readonly string[], place: Place): Promise<Run> {
  return succeeded(cli, await startWith(cli, args, place).ended);
}

function succeeded({ name }: AgentCli, done: Run): Run {
  if (done.code !== 0)
    throw new Error(`${name} exited ${done.code}\n${done.out}${done.err}`.slice(0, 4000));
  return done;
}

interface Terminal {
  /** All that was shown so far. */
  readonly shown: () => string;
  type(keys: string): void;
  stop(): void;
  readonly ended: Promise<void>;
}

/** Needs `script` of util-linux. The program is stopped after a while. */
function startInTerminal(cli: AgentCli, args: readonly string[], place: Place): Terminal {
  cli.setUp?.(place);
  const bin = path.join(installFolder(cli), 'node_modules/.bin', cli.bin);
  const command = [bin, ...args].map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn('script', ['-qec', `stty rows 150 cols 160; ${command}`, '/dev/null'], {
    cwd: place.project,
    env: { ...baseEnvironment(place), ...cli.env(place), TERM: 'xterm-256color', CI: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(stop, maxScreenMs);
  let shown = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    shown += chunk;
  });
  // A program that ends before it has read everything.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  }).finally(() => clearTimeout(timer));
  return { shown: () => plainText(shown), type: keys => child.stdin.write(keys), stop, ended };
}

/** Waits for something that a program does. @returns false when it ends before. */
async function until({ ended }: Terminal, isSo: () => boolean): Promise<boolean> {
  const end = ended.then(() => 'ended' as const);
  while (!isSo()) {
    if ((await Promise.race([end, delay(pollMs)])) === 'ended') return false;
  }
  return true;
}

/** What a program shows in a terminal: it is stopped once that has what is looked for, or after a while. */
export async function screenOf(
  cli: AgentCli,
  args: readonly string[],
  place: Place,
  wanted: string,
): Promise<string> {
  const terminal = startInTerminal(cli, args, place);
  await until(terminal, () => terminal.shown().includes(wanted));
  terminal.stop();
  await terminal.ended;
  return terminal.shown();
}

/** Pastes a prompt into a program that runs in a terminal, once that shows it is ready, and waits for the end of the turn. */
export async function say(
  cli: AgentCli,
  args: readonly string[],
  place: Place,
  prompt: string,
  { ready, isDone }: { readonly ready: string; readonly isDone: () => boolean },
): Promise<void> {
  const terminal = startInTerminal(cli, args, place);
  const hasTyped = await until(terminal, () => terminal.shown().includes(ready));
  await delay(settleMs);
  terminal.type(`\u001b[200~${prompt}\u001b[201~`);
  await delay(settleMs);
  terminal.type('\r');
  const isSaid = hasTyped && (await until(terminal, isDone));
  await delay(settleMs);
  terminal.stop();
  await terminal.ended;
  if (!isSaid) throw new Error(`${cli.name} did not answer: ${terminal.shown()}`.slice(0, 4000));
}

const pollMs = 100;
/** A program shows its input before it takes any, and its answer before it has written that down. */
const settleMs = 3000;
const maxScreenMs = 60_000;

/** Without colours and movements of the cursor. */
function plainText(shown: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what a terminal is told
  const codes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007|[()][A-Z0-9]|[=>])/g;
  return shown.replaceAll(codes, ' ').replaceAll(/\s+/g, ' ');
}

/** Ends what programs have left running in this home, such as daemons. Needs Linux. */
export async function endProcessesOf({ home }: Place): Promise<void> {
  if (!existsSync('/proc')) return;
  const found = (): number[] =>
    readdirSync('/proc').flatMap(name => {
      try {
        const environment = readFileSync(path.join('/proc', name, 'environ'), 'utf8');
        return environment.split('\0').includes(`HOME=${home}`) ? [Number(name)] : [];
      } catch {
        return []; // no process, or it has ended
      }
    });
  // A program that is ending may still start one.
  for (let all = found(); all.length > 0; all = found()) {
    for (const pid of all) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    await delay(pollMs);
  }
}

export function writeFileIn(folder: string, name: string, content: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
