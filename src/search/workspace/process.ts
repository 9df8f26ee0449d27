import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { AbortError } from '../../base/async/clock';

export interface LinesRequest {
  /** Absolute; see {@link findProgram}. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the program is stopped; the output until then is used. */
  readonly deadlineMs: number;
  readonly stdin?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Takes one line without its end; `false` ends the run. */
  readonly onLine: (line: string) => boolean | void;
}

export interface LinesEnd {
  /** `stopped`: by {@link LinesRequest.onLine}; `failed`: the program could not be started. */
  readonly reason: 'done' | 'stopped' | 'deadline' | 'failed';
  readonly exitCode: number | undefined;
  /** Standard error, at most 4,000 characters. */
  readonly errorText: string;
}

/** Characters that are kept of an unfinished line, so that it cannot fill the memory. */
const maxTailChars = 64 << 10;
const maxErrorChars = 4000;

/**
 * Runs a program without a shell, passes its output on line by line, and kills it as soon as no more is
 * wanted.
 * @throws {AbortError} at once when `signal` is aborted; the child gets SIGKILL.
 */
export function runLines(request: LinesRequest): Promise<LinesEnd> {
  const { program, args, cwd, signal, deadlineMs, stdin, env, onLine } = request;
  if (signal?.aborted) return Promise.reject(new AbortError());
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...(env ? { env } : {}),
    });
    const decoder = new StringDecoder('utf8');
    let tail = '';
    let errorText = '';
    let reason: LinesEnd['reason'] = 'done';
    const stop = (why: LinesEnd['reason']): void => {
      if (reason !== 'done') return;
      reason = why;
      child.kill('SIGKILL');
      // A grandchild may hold the other end of the pipe open.
      child.stdout?.destroy();
    };
    const timer = setTimeout(() => stop('deadline'), deadlineMs);
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = (): void => {
      stop('stopped');
      end();
      reject(new AbortError());
    };
    signal?.addEventListener('abort', onAbort, { once: true });

    const take = (text: string): void => {
      const lines = (tail + text).split('\n');
      tail = lines.pop() ?? '';
      if (tail.length > maxTailChars) tail = tail.slice(0, maxTailChars);
      for (const line of lines) {
        if (reason !== 'done') return;
        if (onLine(line.endsWith('\r') ? line.slice(0, -1) : line) === false) stop('stopped');
      }
    };
    child.stdout?.on('data', (bytes: Buffer) => take(decoder.write(bytes)));
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => {
      if (errorText.length < maxErrorChars) errorText += text.slice(0, maxErrorChars);
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
    child.on('error', error => {
      end();
      resolve({ reason: 'failed', exitCode: undefined, errorText: error.message });
    });
    child.on('close', code => {
      end();
      if (reason === 'done' && tail !== '') take(`${decoder.end()}\n`);
      resolve({ reason, exitCode: code ?? undefined, errorText });
    });
  });
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
