import * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../base/userError';
import type { Host } from '../../platform/host';
import { questionOf, readToolInput, runTool } from '../../platform/tools/toolCall';
import { cutAtLine } from '../../platform/tools/toolInput';
import { abbreviateHome } from '../picker';
import { createWorkerClient, type FolderHost, withUserErrors } from '../runCompaction';
import { idOf } from '../session/gaps';
import { sourceOfFile, withEarlier } from '../source';
import { linesOfRange, type SessionLineIndex } from '../worker/sessionLineIndex';
import { recalledText } from './recalledText';
import type { Recallable } from './recallRecords';
import { RecallStore } from './recallStore';

const { t } = vscode.l10n;

/** Characters of one result. The agent pays for every token of it. */
const maxResultChars = 30_000;

const idText = t('"id" must be the word after "recall" in a note on lines that were left out.');
const inputSchema = z.object({
  id: z.string(idText).regex(/^[0-9a-z]{1,20}$/, idText),
  from: z.number(t('"from" must be a number.')).int().min(1).nullish(),
});

const stores = new Map<string, RecallStore>();

/** The records of this installation. One store, so that its writes wait for each other. */
export function recallStoreOf({ context }: FolderHost): RecallStore {
  const folder = context.globalStorageUri.fsPath;
  const store = stores.get(folder) ?? new RecallStore(folder);
  stores.set(folder, store);
  return store;
}

/** Builds the confirmation, which names the file that is read. */
export async function prepareRecall(
  host: FolderHost,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { id } = readToolInput(inputSchema, input);
  const { file } = await findRecalled(host, id);
  return {
    invocationMessage: t('Recalling lines of {0}', abbreviateHome(file)),
    confirmationMessages: questionOf(t('Give the agent lines that were left out?'), [
      [abbreviateHome(file)],
      [t('The agent gets the original lines of this chat.')],
    ]),
  };
}

/** @throws {UserError} with a message for the agent. */
export async function invokeRecall(
  host: Host,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { id, from } = readToolInput(inputSchema, input);
  const failed = t('The lines could not be recalled.');
  return runTool({ log: host.log, token, failed }, async signal => {
    const recalled = await findRecalled(host, id);
    const { file, range } = recalled;
    const source = await withUserErrors(() => sourceOfFile(vscode.Uri.file(file)));
    const worker = createWorkerClient(host);
    const [first, end, check] = range;
    // Line numbers are others where earlier messages are included; the id of the text says which they are.
    const read = async (includesEarlier: boolean): Promise<SessionLineIndex | undefined> => {
      const { file: chat } = withEarlier(source, includesEarlier);
      const { lineIndex } = await withUserErrors(() => worker.open(chat, signal));
      return idOf(linesOfRange(lineIndex, first, end)) === check ? lineIndex : undefined;
    };
    const lineIndex = (await read(false)) ?? (await read(true));
    if (!lineIndex) {
      throw new UserError(
        t('{0} has changed since, and the lines are gone.', abbreviateHome(file)),
      );
    }
    return cutAtLine(
      recalledText(lineIndex, recalled, from ?? 1),
      maxResultChars,
      chars => `${chars} more characters; give "from", the number of the line to go on with`,
    );
  });
}

async function findRecalled(host: FolderHost, id: string): Promise<Recallable> {
  const found = await recallStoreOf(host).find(id);
  if (found) return found;
  throw new UserError(t('No lines are known for "{0}".', id));
}
