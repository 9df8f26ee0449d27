import { append } from '../../base/arrays';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { withholdSecrets } from '../../host/egress/withhold';
import { AbortError } from '../../service/time';
import { globMatcher, listFiles } from '../files';
import { type Place, ToolError, slashes } from '../sandbox';
import type { GrepArguments, GrepLine, Scope } from './grep';
import { readWhole, splitLines } from './readFile';
import { caps, cutLine, toolDeadlineMs } from './toolText';

export interface NodeGrep {
  readonly lines: GrepLine[];
  readonly isCut: boolean;
  readonly isLate: boolean;
}

/** Without ripgrep this many files are read, and no more. */
const mostFiles = 20_000;

/**
 * The search without ripgrep. A pattern of a model can take for ever in this engine, so that it runs in
 * a thread of its own which is ended at the deadline.
 */
export async function grepByNode(
  scope: Scope,
  request: GrepArguments,
  place: Place,
): Promise<NodeGrep> {
  checkPattern(request.pattern);
  const fits =
    request.glob === undefined || !place.isDirectory ? () => true : globMatcher(request.glob);
  const files: string[] = [];
  if (place.isDirectory)
    await listFiles(scope.workspace, place, scope.signal, file => {
      if (fits(file)) files.push(file);
      return files.length < mostFiles;
    });
  else files.push(slashes(path.relative(place.root, place.path)));
  const matcher = new PatternThread(request, scope.signal);
  const lines: GrepLine[] = [];
  try {
    for (const file of files) {
      const real = path.join(place.root, file);
      if (real !== place.path && !(await scope.sandbox.isAllowed(place.root, file, false)))
        continue;
      const whole =
        scope.workspace.unsaved.get(real) ??
        (await readWhole(scope.sandbox, { path: real, root: place.root, isDirectory: false }).catch(
          () => undefined,
        ));
      if (whole === undefined) continue;
      // As with ripgrep, a secret is not searched in either: a match would tell what it is.
      const { text } = withholdSecrets(whole);
      const found = await matcher.search(text);
      if (found === undefined) return { lines, isCut: false, isLate: true };
      append(lines, withContext(file, text, found));
      if (lines.length >= caps.grepLines) return { lines, isCut: true, isLate: false };
    }
    return { lines, isCut: files.length >= mostFiles, isLate: false };
  } finally {
    matcher.close();
  }
}

function checkPattern(pattern: string): void {
  // As ripgrep, so that the model meets the same rules on every machine.
  if (/\(\?<?[=!]/.test(pattern))
    throw new ToolError('[REGEX ERROR] Look-around is not supported; search for the word alone.');
  try {
    RegExp(pattern, 'iu');
  } catch {
    throw new ToolError(
      '[REGEX ERROR] The regular expression cannot be read: an unclosed group, a wrong escape or a form that is not known here.',
    );
  }
}

function* withContext(file: string, text: string, matches: readonly number[]): Generator<GrepLine> {
  if (matches.length === 0) return;
  const all = splitLines(text);
  const isMatch = new Set(matches);
  let last = 0;
  for (const match of matches)
    for (const line of [match - 1, match, match + 1]) {
      if (line <= last || line < 1 || line > all.length) continue;
      last = line;
      yield { file, line, isMatch: isMatch.has(line), text: cutLine((all[line - 1] ?? '').trim()) };
    }
}

const threadCode = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.pattern, workerData.flags);
parentPort.on('message', text => {
  const found = [];
  const lines = text.split(/\\r?\\n/);
  for (let at = 0; at < lines.length && found.length < workerData.most; at++)
    if (pattern.test(lines[at])) found.push(at + 1);
  parentPort.postMessage(found);
});`;

class PatternThread {
  readonly #worker: Worker;
  readonly #endsAt = performance.now() + toolDeadlineMs;
  readonly #signal: AbortSignal;

  constructor({ pattern, isCaseSensitive }: GrepArguments, signal: AbortSignal) {
    this.#signal = signal;
    this.#worker = new Worker(threadCode, {
      eval: true,
      workerData: { pattern, flags: isCaseSensitive ? 'u' : 'iu', most: caps.grepLines },
    });
  }

  /** 1-based lines that match; `undefined` at the deadline. */
  search(text: string): Promise<number[] | undefined> {
    if (this.#signal.aborted) return Promise.reject(new AbortError());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => end(() => resolve(undefined)),
        this.#endsAt - performance.now(),
      );
      const onAbort = (): void => end(() => reject(new AbortError()));
      const onFound = (found: number[]): void => end(() => resolve(found));
      const onError = (): void =>
        end(() => reject(new ToolError('[REGEX ERROR] The regular expression could not be run.')));
      const end = (then: () => void): void => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', onAbort);
        this.#worker.off('message', onFound).off('error', onError);
        then();
      };
      this.#signal.addEventListener('abort', onAbort, { once: true });
      this.#worker.on('message', onFound).on('error', onError);
      this.#worker.postMessage(text);
    });
  }

  close(): void {
    void this.#worker.terminate();
  }
}
