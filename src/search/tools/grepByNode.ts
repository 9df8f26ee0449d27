import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { append } from '../../base/arrays';
import { AbortError } from '../../base/async/clock';
import { withholdSecrets } from '../../platform/egress/secrets/withhold';
import { globMatcher, listFiles } from '../workspace/files';
import { type ResolvedPath, ToolError, toPosixPath } from '../workspace/sandbox';
import type { GrepArguments, GrepLine, ToolContext } from './grep';
import { linesOfText, readWholeFile } from './readFile';
import { readAheadFactor, toolDeadlineMs, toolLimits, truncateLine } from './toolText';

export interface NodeGrep {
  readonly lines: GrepLine[];
  readonly isCut: boolean;
  readonly isTimedOut: boolean;
}

/** Lines after which the search ends; the best of them are shown. */
const maxLines = toolLimits.grepLines * readAheadFactor;
/** Files that are read at most without ripgrep. */
const maxFiles = 20_000;

/**
 * Searches without ripgrep. A pattern can take exponential time in this engine, so it runs in a worker
 * that is terminated at the deadline.
 */
export async function grepByNode(
  context: ToolContext,
  request: GrepArguments,
  place: ResolvedPath,
): Promise<NodeGrep> {
  checkPattern(request.pattern);
  const fits =
    request.glob === undefined || !place.isDirectory ? () => true : globMatcher(request.glob);
  const files: string[] = [];
  let isLate = false;
  if (place.isDirectory) {
    isLate = await listFiles(context.workspace, place, context.signal, file => {
      if (fits(file)) files.push(file);
      return files.length < maxFiles;
    });
  } else {
    files.push(toPosixPath(path.relative(place.root, place.path)));
  }
  const matcher = new PatternWorker(request, context.signal);
  const lines: GrepLine[] = [];
  try {
    for (const file of files) {
      const real = path.join(place.root, file);
      if (real !== place.path && !(await context.sandbox.isAllowed(place.root, file, false))) {
        continue;
      }
      const whole =
        context.workspace.unsaved.get(real) ??
        (await readWholeFile(
          context.sandbox,
          { path: real, root: place.root, isDirectory: false },
          toolLimits.grepFileBytes,
        ).catch(() => undefined));
      if (whole === undefined) continue;
      // As with ripgrep, secrets are not searched: a match would reveal them.
      const { text } = withholdSecrets(whole);
      const found = await matcher.search(text);
      if (found === undefined) return { lines, isCut: false, isTimedOut: true };
      append(lines, withContext(file, text, found));
      if (lines.length >= maxLines) return { lines, isCut: true, isTimedOut: false };
    }
    return { lines, isCut: files.length >= maxFiles, isTimedOut: isLate };
  } finally {
    matcher.close();
  }
}

function checkPattern(pattern: string): void {
  // The same restrictions as ripgrep, so that the model sees the same rules on every machine.
  if (/\(\?<?[=!]/.test(pattern)) {
    throw new ToolError('[REGEX ERROR] Look-around is not supported; search for the word alone.');
  }
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
  const all = linesOfText(text);
  const isMatch = new Set(matches);
  let last = 0;
  for (const match of matches) {
    for (const line of [match - 1, match, match + 1]) {
      if (line <= last || line < 1 || line > all.length) continue;
      last = line;
      yield {
        file,
        line,
        isMatch: isMatch.has(line),
        text: truncateLine((all[line - 1] ?? '').replace(/^[ \t\v\f\r]+/, '')),
      };
    }
  }
}

const workerCode = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.pattern, workerData.flags);
parentPort.on('message', text => {
  const found = [];
  const lines = text.split(/\\r?\\n/);
  for (let at = 0; at < lines.length && found.length < workerData.most; at++)
    if (pattern.test(lines[at])) found.push(at + 1);
  parentPort.postMessage(found);
});`;

class PatternWorker {
  readonly #worker: Worker;
  readonly #endsAt = performance.now() + toolDeadlineMs;
  readonly #signal: AbortSignal;

  constructor({ pattern, isCaseSensitive }: GrepArguments, signal: AbortSignal) {
    this.#signal = signal;
    this.#worker = new Worker(workerCode, {
      eval: true,
      workerData: { pattern, flags: isCaseSensitive ? 'u' : 'iu', most: toolLimits.grepLines },
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
