import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { AbortError } from './async/clock';
import { errorCode } from './fileErrors';

export interface ProgramRequest {
  /** Absolute; see {@link findProgram}. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the program is stopped; the output until then is used. */
  readonly deadlineMs: number;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Takes a part of the output; `false` ends the run. */
  readonly onBytes: (bytes: Buffer) => boolean | void;
}

export interface LinesRequest extends Omit<ProgramRequest, 'onBytes'> {
  readonly stdin?: string | undefined;
  /** Takes one line without its end; `false` ends the run. */
  readonly onLine: (line: string) => boolean | void;
}

export interface ProgramEnd {
  /** `stopped`: by who reads the output; `failed`: the program could not be started. */
  readonly reason: 'done' | 'stopped' | 'deadline' | 'failed';
  readonly exitCode: number | undefined;
  /** Standard error, at most 4,000 characters. */
  readonly errorText: string;
}

/** A program that reads its standard input while it runs. */
export interface RunningProgram {
  /** @throws {AbortError} at once when the signal of the request is aborted; the program gets SIGKILL. */
  readonly end: Promise<ProgramEnd>;
  write(input: string | Uint8Array): void;
  endInput(): void;
  stop(): void;
}

/** Characters that are kept of an unfinished line, so that it cannot fill the memory. */
const maxTailChars = 64 << 10;
const maxErrorChars = 4000;

/** Starts a program without a shell, and kills it as soon as no more output is wanted. */
export function startProgram(request: ProgramRequest, hasInput = true): RunningProgram {
  const { program, args, cwd, signal, deadlineMs, env, onBytes } = request;
  if (signal?.aborted) return endedProgram(Promise.reject(new AbortError()));
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(env ? { env } : {}),
    });
  } catch (error) {
    // Some failures are thrown, such as arguments that are too long.
    const errorText = error instanceof Error ? error.message : String(error);
    return endedProgram(Promise.resolve({ reason: 'failed', exitCode: undefined, errorText }));
  }
  let errorText = '';
  let reason: ProgramEnd['reason'] = 'done';
  const stop = (why: ProgramEnd['reason'] = 'stopped'): void => {
    if (reason !== 'done') return;
    reason = why;
    child.kill('SIGKILL');
    // A grandchild may hold the other end of the pipe open.
    child.stdout?.destroy();
  };
  const end = new Promise<ProgramEnd>((resolve, reject) => {
    const timer = setTimeout(() => stop('deadline'), deadlineMs);
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = (): void => {
      stop();
      finish();
      reject(new AbortError());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (bytes: Buffer) => {
      if (reason === 'done' && onBytes(bytes) === false) stop();
    });
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => {
      if (errorText.length < maxErrorChars) errorText += text.slice(0, maxErrorChars);
    });
    // A program that ends before it has read its input; how it ended is in the result.
    child.stdin?.on('error', () => undefined);
    child.on('error', error => {
      finish();
      resolve({ reason: 'failed', exitCode: undefined, errorText: error.message });
    });
    child.on('close', code => {
      finish();
      resolve({ reason, exitCode: code ?? undefined, errorText });
    });
  });
  return {
    end,
    write: input => void child.stdin?.write(input),
    endInput: () => void child.stdin?.end(),
    stop,
  };
}

const endedProgram = (end: Promise<ProgramEnd>): RunningProgram => ({
  end,
  write: () => undefined,
  endInput: () => undefined,
  stop: () => undefined,
});

/**
 * Runs a program without a shell, passes its output on line by line, and kills it as soon as no more is
 * wanted.
 * @throws {AbortError} at once when `signal` is aborted; the child gets SIGKILL.
 */
export async function runLines({ stdin, onLine, ...request }: LinesRequest): Promise<ProgramEnd> {
  const decoder = new StringDecoder('utf8');
  let tail = '';
  let isStopped = false;
  const take = (text: string): boolean => {
    const lines = (tail + text).split('\n');
    tail = lines.pop() ?? '';
    if (tail.length > maxTailChars) tail = tail.slice(0, maxTailChars);
    for (const line of lines) {
      if (isStopped || request.signal?.aborted === true) return false;
      isStopped = onLine(line.endsWith('\r') ? line.slice(0, -1) : line) === false;
    }
    return !isStopped;
  };
  const onBytes = (bytes: Buffer): boolean => take(decoder.write(bytes));
  const running = startProgram({ ...request, onBytes }, stdin !== undefined);
  if (stdin !== undefined) running.write(stdin);
  running.endInput();
  const end = await running.end;
  if (end.reason !== 'done' || tail === '') return end;
  return take(`${decoder.end()}\n`) ? end : { ...end, reason: 'stopped' };
}

/**
 * The absolute path of a program, or undefined. A bare name is looked up on PATH here, because
 * Windows would search the working folder first, whose content is untrusted.
 */
export async function findProgram(name: string): Promise<string | undefined> {
  if (path.isAbsolute(name)) return (await isExecutable(name)) ? name : undefined;
  const file = process.platform === 'win32' && !path.extname(name) ? `${name}.exe` : name;
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const candidate = path.join(folder, file);
    if (path.isAbsolute(folder) && (await isExecutable(candidate))) return candidate;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether a process of this computer runs. */
export function isProcessAlive(pid: number): boolean {
  try {
    // Signal 0 only checks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any error but "no such process" means that it exists.
    return errorCode(error) !== 'ESRCH';
  }
}
