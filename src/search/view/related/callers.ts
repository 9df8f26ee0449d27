import * as vscode from 'vscode';
import { AbortError } from '../../../base/async/clock';

/**
 * Asks the language extension of a file who calls what stands at a position.
 * @returns the calls; undefined when no extension answers
 * @throws {AbortError} when `signal` is aborted.
 */
export async function findCalls(
  uri: vscode.Uri,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<vscode.Location[] | undefined> {
  const items = await asked<vscode.CallHierarchyItem[]>(
    signal,
    'vscode.prepareCallHierarchy',
    uri,
    position,
  );
  if (!items || items.length === 0) return undefined;
  const calls: vscode.Location[] = [];
  for (const item of items) {
    const incoming = await asked<vscode.CallHierarchyIncomingCall[]>(
      signal,
      'vscode.provideIncomingCalls',
      item,
    );
    for (const { from, fromRanges } of incoming ?? []) {
      calls.push(...fromRanges.map(range => new vscode.Location(from.uri, range)));
    }
  }
  return calls;
}

/** All references to what stands at a position, but the position itself. */
export async function findReferences(
  uri: vscode.Uri,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<vscode.Location[]> {
  const found = await asked<vscode.Location[]>(
    signal,
    'vscode.executeReferenceProvider',
    uri,
    position,
  );
  return (found ?? []).filter(
    location => location.uri.toString() !== uri.toString() || !location.range.contains(position),
  );
}

/** Commands of VS Code cannot be canceled, so that their answer is left alone after an abort. */
async function asked<T>(
  signal: AbortSignal,
  command: string,
  ...args: readonly unknown[]
): Promise<T | undefined> {
  signal.throwIfAborted();
  const answer = vscode.commands.executeCommand<T | undefined>(command, ...args);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new AbortError());
    const stopListening = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).then(stopListening, stopListening);
  });
}
