import * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { settings } from '../host/settings';
import { findNamed, type NamedPath, questionOf, readToolInput, runTool } from '../host/toolCall';
import { cutAtLine } from '../host/toolInput';
import type { CompactPlan } from './engine';
import { tidy } from './picker';
import { Receipt } from './receipt';
import {
  type CompactClient,
  compactProved,
  forUser,
  serviceHost,
  usualPlan,
  workThread,
} from './compacting';
import { linesKept, names, tokensSaved } from './sentences';
import { keptText } from './sheet';
import { sourceOfFile, sourceOfText } from './source';

const { t } = vscode.l10n;

/** Characters of one result; an agent pays for each. */
const resultChars = 60_000;
const longestQuery = 4000;

const shareText = t('"ratio" is a number above 0, and 1 at most.');
const filled = (value: string | null | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const inputSchema = z
  .object({
    path: z.string(t('"path" is text.')).nullish(),
    text: z.string(t('"text" is text.')).nullish(),
    ratio: z.number(shareText).gt(0, shareText).max(1, shareText).nullish(),
    query: z.string(t('"query" is text.')).nullish(),
  })
  .transform(({ path, text, ratio, query }) => ({
    path: filled(path)?.trim(),
    text: filled(text),
    ratio: ratio ?? undefined,
    query: (query ?? '').slice(0, longestQuery),
  }))
  .refine(({ path, text }) => (path === undefined) !== (text === undefined), {
    error: t('Give either a "path" or a "text".'),
  });

/** Says what is read and whether it leaves the machine, and asks. */
export async function prepareCompact(
  client: CompactClient,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { path: named } = readToolInput(inputSchema, input);
  const what = named === undefined ? t('a text') : tidy((await fileOf(named)).real);
  const sends = settings.compactEngine === 'service' && (await client.isReady());
  return {
    invocationMessage: t('Compacting {0}', what),
    confirmationMessages: questionOf(t('Compact a text for the agent?'), [
      ...(named === undefined ? [] : [[what]]),
      [
        sends
          ? t('The agent gets the lines that matter. The whole text is sent to {0}.', serviceHost())
          : t('The agent gets the lines that matter. It is compacted on this machine.'),
      ],
    ]),
  };
}

/** @throws {UserError} in a sentence for the agent. */
export async function invokeCompact(
  host: Host,
  client: CompactClient,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { path: named, text, ratio, query } = readToolInput(inputSchema, input);
  const failed = t('The text could not be compacted.');
  return runTool({ log: host.log, token, failed }, async signal => {
    const file = named === undefined ? undefined : await fileOf(named);
    const source = await forUser(async () =>
      file ? sourceOfFile(vscode.Uri.file(file.real)) : sourceOfText(text ?? '', t('Text')),
    );
    const plan: CompactPlan = { ...usualPlan(), query, ...(ratio === undefined ? {} : { ratio }) };
    const thread = workThread(host);
    const opened = await forUser(() => thread.open(source.file, signal));
    if (file && opened.chat.isTranscript && file.below === undefined)
      throw new UserError(t('Outside the workspace, only chat histories of known tools are read.'));
    const compaction = await compactProved(client, thread, opened, plan, signal);
    const { chat, sheet, kept, figures } = new Receipt(
      opened.chat,
      opened.sheet,
      compaction,
      names,
    );
    const left = keptText(chat, sheet, kept, names);
    const head = `${tokensSaved(figures)}; ${linesKept(figures)} are left, each as it was. The others were left out.`;
    const cut = cutAtLine(
      left,
      resultChars,
      chars => `${chars} more characters; ask for a smaller ratio`,
    );
    return `${head}\n\n${cut}`;
  });
}

/** Links followed. */
async function fileOf(named: string): Promise<NamedPath> {
  const found = await findNamed(named);
  if (!found) throw new UserError(t('There is no file {0}.', named));
  return found;
}
