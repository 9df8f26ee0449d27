import * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../base/userError';
import { withholdSecrets } from '../../platform/egress/secrets/withhold';
import type { Host } from '../../platform/host';
import { questionOf, readToolInput, runTool } from '../../platform/tools/toolCall';
import { cutAtLine } from '../../platform/tools/toolInput';
import { abbreviateHome } from '../picker';
import { createWorkerClient, withUserErrors } from '../runCompaction';
import { idOf } from '../session/gaps';
import { sourceOfFile, withEarlier } from '../source';
import { linesOfRange } from '../worker/sessionLineIndex';
import { type Recallable, withoutWithheld } from './recallRecords';
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
export function recallStoreOf({ context }: Pick<Host, 'context'>): RecallStore {
  const folder = context.globalStorageUri.fsPath;
  const store = stores.get(folder) ?? new RecallStore(folder);
  stores.set(folder, store);
  return store;
}

/** Builds the confirmation, which names the file that is read. */
export async function prepareRecall(
  host: Pick<Host, 'context'>,
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
    const read = async (includesEarlier: boolean): Promise<string> => {
      const { file: chat } = withEarlier(source, includesEarlier);
      const { lineIndex } = await withUserErrors(() => worker.open(chat, signal));
      return linesOfRange(lineIndex, first, end);
    };
    let text = await read(false);
    if (idOf(text) !== check) text = await read(true);
    if (idOf(text) !== check) {
      throw new UserError(
        t('{0} has changed since, and the lines are gone.', abbreviateHome(file)),
      );
    }
    // The lines are sent to the model of the agent, whose provider is unknown here. A key of several lines is told by
    // the first of them, so that none is taken away before.
    const lines = withholdSecrets(withoutWithheld(text.split('\n'), recalled).join('\n'));
    return cutAtLine(
      lines.text
        .split('\n')
        .slice((from ?? 1) - 1)
        .join('\n'),
      maxResultChars,
      chars => `${chars} more characters; give "from", the number of the line to go on with`,
    );
  });
}

async function findRecalled(host: Pick<Host, 'context'>, id: string): Promise<Recallable> {
  const found = await recallStoreOf(host).find(id);
  if (found) return found;
  throw new UserError(t('No lines are known for "{0}".', id));
}
