import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { AbortError } from '../service/time';

export interface RipgrepRequest {
  readonly rgPath: string;
  /** After `--no-config`; the pattern behind `-e`, paths behind `--`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** Text to search instead of files. */
  readonly stdin?: string;
  /** Takes one line without its end; `false` ends the run. */
  readonly onLine: (line: string) => boolean;
}

export interface RipgrepEnd {
  /** `stopped`: by {@link RipgrepRequest.onLine}. */
  readonly reason: 'done' | 'stopped' | 'deadline' | 'failed';
  /** 0 with matches, 1 without, 2 after an error that may have left some out. */
  readonly exitCode: number | undefined;
  /** What it said about errors, at most 4,000 characters. */
  readonly errorText: string;
}

/** No line of output is read beyond this; a file without line ends must not fill the memory. */
const longestLine = 64 << 10;

/**
 * Runs ripgrep as a child of its own, never through a shell, and ends it as soon as nobody wants more.
 * @throws {AbortError} at once when `signal` is aborted; the child gets SIGKILL.
 */
export function runRipgrep(request: RipgrepRequest): Promise<RipgrepEnd> {
  const { rgPath, args, cwd, signal, deadlineMs, stdin, onLine } = request;
  if (signal.aborted) return Promise.reject(new AbortError());
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ['--no-config', ...args], {
      cwd,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const decoder = new StringDecoder('utf8');
    let tail = '';
    let errorText = '';
    let reason: RipgrepEnd['reason'] = 'done';
    const stop = (why: RipgrepEnd['reason']): void => {
      if (reason !== 'done') return;
      reason = why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop('deadline'), deadlineMs);
    const onAbort = (): void => {
      child.kill('SIGKILL');
      end();
      reject(new AbortError());
    };
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });

    const take = (text: string): void => {
      const lines = (tail + text).split('\n');
      tail = lines.pop() ?? '';
      if (tail.length > longestLine) tail = tail.slice(0, longestLine);
      for (const line of lines) {
        if (reason !== 'done') return;
        if (!onLine(line.endsWith('\r') ? line.slice(0, -1) : line)) stop('stopped');
      }
    };
    child.stdout?.on('data', (bytes: Buffer) => take(decoder.write(bytes)));
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => {
      if (errorText.length < 4000) errorText += text.slice(0, 4000);
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
