import path from 'node:path';
import * as vscode from 'vscode';
import type * as z from 'zod';
import { isAbort } from '../../base/async/abort';
import { escapeMarkdown } from '../../base/format/text';
import { UserError } from '../../base/userError';
import { adviceFor, ServiceError } from '../../service';
import { pathBelow, realPathOf } from '../egress/paths/realPaths';
import type { Log } from '../log';
import { inputProblem } from './toolInput';

/**
 * The input of a tool; VS Code does not check it against the schema of package.json.
 * @throws {UserError} with a message for the agent.
 */
export function readToolInput<S extends z.ZodType>(schema: S, input: unknown): z.infer<S> {
  const parsed = schema.safeParse(input ?? {});
  if (!parsed.success) throw new UserError(inputProblem(parsed.error));
  return parsed.data;
}

/**
 * The confirmation that VS Code shows before it runs a tool.
 * @param title without names of files: VS Code drops `_`, `*` and `#` there, escaped or not.
 * @param paragraphs each of lines; read as Markdown, so they are escaped here.
 */
export function questionOf(
  title: string,
  paragraphs: readonly (readonly string[])[],
): vscode.LanguageModelToolConfirmationMessages {
  const text = paragraphs.map(lines => lines.map(escapeMarkdown).join('  \n')).join('\n\n');
  return { title, message: new vscode.MarkdownString(text) };
}

/** An abort signal for a cancellation token; `dispose` it when the call has ended. */
export function signalOf(token: vscode.CancellationToken): {
  readonly signal: AbortSignal;
  dispose(): void;
} {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  return { signal: controller.signal, dispose: () => listening.dispose() };
}

/**
 * Runs a tool: its text becomes the result, cancellation aborts `signal`, and errors become messages for
 * the agent.
 * @param failed the message for a failure without one of its own.
 * @throws {UserError} or {CancellationError}
 */
export async function runTool(
  { log, token, failed }: { log: Log; token: vscode.CancellationToken; failed: string },
  run: (signal: AbortSignal) => Promise<string>,
): Promise<vscode.LanguageModelToolResult> {
  const call = signalOf(token);
  try {
    const text = await run(call.signal);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  } catch (error) {
    if (isAbort(error) || call.signal.aborted) throw new vscode.CancellationError();
    if (error instanceof UserError) throw error;
    log.error('tool', error);
    if (error instanceof ServiceError) {
      throw new UserError(`${failed} ${adviceFor(error, vscode.l10n.t).message}`);
    }
    throw new UserError(failed);
  } finally {
    call.dispose();
  }
}

/** A file or folder named by an agent. */
export interface NamedPath {
  /** As the workspace spells it, with symbolic links. */
  readonly uri: vscode.Uri;
  /** With symbolic links resolved. */
  readonly real: string;
  /** Relative to the resolved workspace root that contains it; undefined outside of the workspace. */
  readonly below: string | undefined;
}

/**
 * Finds a path given by an agent: absolute, relative to a workspace folder, or prefixed with the name of
 * a workspace folder. Undefined when nothing exists there.
 */
export async function findNamed(named: string): Promise<NamedPath | undefined> {
  const roots = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => uri.scheme === 'file',
  );
  const realRoots = await Promise.all(roots.map(({ uri }) => realPathOf(uri.fsPath)));
  for (const candidate of candidatesOf(named.trim(), roots)) {
    const real = await realPathOf(candidate);
    if (real === undefined) continue;
    const below = realRoots
      .filter(root => root !== undefined)
      .map(root => pathBelow(root, real))
      .find(relative => relative !== undefined);
    return { uri: vscode.Uri.file(candidate), real, below };
  }
  return undefined;
}

function* candidatesOf(named: string, roots: readonly vscode.WorkspaceFolder[]): Generator<string> {
  if (named === '' || named.includes('\0')) return;
  if (path.isAbsolute(named)) {
    yield path.normalize(named);
    return;
  }
  const plain = named.replaceAll('\\', '/');
  const [first = '', ...rest] = plain.split('/');
  for (const { uri } of roots) yield path.join(uri.fsPath, plain);
  for (const { uri, name } of roots) {
    if (first === name && rest.length > 0) yield path.join(uri.fsPath, ...rest);
  }
}
