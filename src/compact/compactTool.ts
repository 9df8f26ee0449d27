import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { settings } from '../host/settings';
import { isRecord } from '../service/guards';
import { isAbortError } from '../service/time';
import { type CompactPlan, ProofFailed } from './engine';
import { tidy } from './picker';
import { Receipt } from './receipt';
import {
  type CompactClient,
  compactWith,
  forUser,
  serviceHost,
  usualPlan,
  workThread,
} from './room';
import { linesKept, names, tokensSaved } from './sentences';
import { keptText } from './sheet';
import { type ChatSource, sourceOfFile, sourceOfText } from './source';

const { t } = vscode.l10n;

/** Characters of one result; an agent pays for each. */
const resultChars = 60_000;

interface CompactInput {
  readonly path: string | undefined;
  readonly text: string | undefined;
  readonly ratio: number | undefined;
  readonly query: string;
}

/** Says what is read and whether it leaves the machine, and asks. */
export async function prepareCompact(
  client: CompactClient,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { path: named } = parseInput(input);
  const file = named === undefined ? undefined : await fileOf(named);
  const what = file === undefined ? t('a text') : tidy(file);
  const sends = settings.compactEngine === 'service' && (await client.isReady());
  return {
    invocationMessage: t('Compacting {0}', what),
    confirmationMessages: {
      title: t('Compact {0}?', what),
      message: sends
        ? t('The agent gets the lines that matter. The whole text is sent to {0}.', serviceHost())
        : t('The agent gets the lines that matter. It is compacted on this machine.'),
    },
  };
}

/** @throws {UserError} in a sentence for the agent. */
export async function invokeCompact(
  host: Host,
  client: CompactClient,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { path: named, text, ratio, query } = parseInput(input);
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    const source = named === undefined ? sourceOfText(text ?? '', t('Text')) : await read(named);
    const usual = usualPlan();
    const plan: CompactPlan = {
      ...usual,
      query,
      ...(ratio === undefined ? {} : { ratio }),
    };
    const { signal } = controller;
    const thread = workThread(host);
    const opened = await forUser(() => thread.open(source.file, signal));
    if (named !== undefined && opened.chat.isTranscript && !isInWorkspace(source.file.path))
      throw new UserError(t('Outside the workspace, only chat histories of known tools are read.'));
    const compaction = await compactWith(client, thread, opened, plan, signal);
    const { chat, sheet, kept, figures } = new Receipt(
      opened.chat,
      opened.sheet,
      compaction,
      names,
    );
    const left = keptText(chat, sheet, kept, names);
    const head = `${tokensSaved(figures)}; ${linesKept(figures)} are left, each as it was. The others were left out.`;
    const cut =
      left.length > resultChars
        ? `${left.slice(0, left.lastIndexOf('\n', resultChars) + 1)}\n(${left.length - resultChars} more characters; ask for a smaller ratio)\n`
        : left;
    return new vscode.LanguageModelToolResult([
      new vscode.LanguageModelTextPart(`${head}\n\n${cut}`),
    ]);
  } catch (error) {
    if (isAbortError(error) || controller.signal.aborted) throw new vscode.CancellationError();
    if (error instanceof UserError) throw error;
    host.log.error('compact tool', error);
    throw new UserError(
      error instanceof ProofFailed
        ? t('The service did not keep the lines as they are; its answer was not used.')
        : t('The text could not be compacted.'),
    );
  } finally {
    listening.dispose();
  }
}

async function read(named: string): Promise<ChatSource> {
  return forUser(async () => sourceOfFile(vscode.Uri.file(await fileOf(named))));
}

/** Where a path leads, links followed: relative to the first folder of the workspace that has it. */
async function fileOf(named: string): Promise<string> {
  const roots = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => uri.scheme === 'file',
  );
  const wanted = path.isAbsolute(named)
    ? [named]
    : roots.map(({ uri }) => path.join(uri.fsPath, named));
  for (const file of wanted) {
    const real = await realpath(file).catch(() => undefined);
    if (real !== undefined) return real;
  }
  throw new UserError(t('There is no file {0}.', named));
}

function isInWorkspace(file: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
}

/** VS Code does not check the input against the schema. */
function parseInput(input: unknown): CompactInput {
  const { path: file, text, ratio, query } = isRecord(input) ? input : {};
  const hasPath = typeof file === 'string' && file.trim() !== '';
  const hasText = typeof text === 'string' && text.trim() !== '';
  if (hasPath === hasText) throw new UserError(t('Give either a "path" or a "text".'));
  if (
    ratio !== undefined &&
    ratio !== null &&
    !(typeof ratio === 'number' && ratio > 0 && ratio <= 1)
  )
    throw new UserError(t('"ratio" is a number above 0, and 1 at most.'));
  return {
    path: hasPath ? file.trim() : undefined,
    text: hasText ? text : undefined,
    ratio: typeof ratio === 'number' ? ratio : undefined,
    query: typeof query === 'string' ? query.slice(0, 4000) : '',
  };
}
