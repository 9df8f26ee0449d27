import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';

export type RunOptions = {
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  /** Characters after which the program is stopped and what came is used. */
  readonly maxOutput?: number;
  /** Milliseconds after which the same happens. */
  readonly maxMs?: number;
  readonly env?: NodeJS.ProcessEnv;
};

/** How a program ended: by itself, or stopped because it said or took too much. */
export type Ended = { readonly code: number | null; readonly isCut: boolean };

/**
 * Runs a program without a shell and hands over its output by whole lines, without line ends.
 * Rejects with the signal's reason when it aborts, and with the error when the program cannot start.
 */
export function runLines(
  program: string,
  args: readonly string[],
  onLines: (lines: string[]) => void,
  { cwd, signal, maxOutput = Number.POSITIVE_INFINITY, maxMs = 10_000, env }: RunOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      ...(env && { env }),
    });
    let isCut = false;
    let seen = 0;
    let tail = '';
    const stop = (): void => {
      child.kill('SIGKILL');
      child.stdout.destroy();
    };
    const cut = (): void => {
      isCut = true;
      stop();
    };
    const timer = setTimeout(cut, maxMs);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => {
      stop();
      finish(() => reject(signal?.reason));
    };
    signal?.addEventListener('abort', abort, { once: true });

    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      if (isCut || signal?.aborted) {
        return;
      }
      seen += text.length;
      const end = text.lastIndexOf('\n');
      if (end < 0) {
        tail += text;
      } else {
        const lines = (tail + text.slice(0, end)).split('\n');
        tail = text.slice(end + 1);
        onLines(lines);
      }
      if (seen > maxOutput) {
        cut();
      }
    });
    child.once('error', error => finish(() => reject(error)));
    child.once('close', code => {
      if (signal?.aborted) {
        return;
      }
      if (tail && !isCut) {
        onLines([tail]);
      }
      finish(() => resolve({ code, isCut }));
    });
  });
}

/**
 * The absolute path of a program, or undefined. A bare name is looked up on PATH here, because
 * Windows would look into the working folder first, which may be anybody's.
 */
export async function findProgram(name: string): Promise<string | undefined> {
  if (path.isAbsolute(name)) {
    return (await isExecutable(name)) ? name : undefined;
  }
  const file = process.platform === 'win32' && !path.extname(name) ? `${name}.exe` : name;
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const candidate = path.join(folder, file);
    if (path.isAbsolute(folder) && (await isExecutable(candidate))) {
      return candidate;
    }
  }
  return undefined;
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
