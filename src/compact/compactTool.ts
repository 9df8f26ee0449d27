import * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../base/userError';
import {
  type FileRefusal,
  fileRefusal,
  refusalText,
} from '../platform/egress/paths/workspaceRules';
import { withholdSecrets } from '../platform/egress/secrets/withhold';
import type { Host } from '../platform/host';
import {
  findNamed,
  type NamedPath,
  questionOf,
  readToolInput,
  runTool,
} from '../platform/tools/toolCall';
import { cutAtLine } from '../platform/tools/toolInput';
import { abbreviateHome } from './picker';
import { recallableLines } from './recall/recallableLines';
import {
  chatNotes,
  earlierLeftOutText,
  linesKept,
  partLabels,
  tokensSaved,
} from './receipt/messages';
import { Receipt } from './receipt/receipt';
import {
  type CompactClient,
  compactWithUserErrors,
  createWorkerClient,
  defaultPlan,
  type FolderHost,
  serviceHost,
  usualEngine,
  withUserErrors,
} from './runCompaction';
import { keptText } from './session/keptText';
import { sourceOfFile, sourceOfText, withEarlier } from './source';
import { LocalQuestions } from './tool/localQuestions';
import { withholdLines } from './tool/withholdLines';
import type { CompactPlan } from './worker/engine';

const { t } = vscode.l10n;

/** Characters of one result. The agent pays for every token of it. */
const maxResultChars = 60_000;
const maxQueryChars = 4000;

const shareText = t('"ratio" must be a number greater than 0 and at most 1.');
const nonEmpty = (value: string | null | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const inputSchema = z
  .object({
    path: z.string(t('"path" must be a string.')).nullish(),
    text: z.string(t('"text" must be a string.')).nullish(),
    ratio: z.number(shareText).gt(0, shareText).max(1, shareText).nullish(),
    query: z.string(t('"query" must be a string.')).nullish(),
    earlier: z.boolean(t('"earlier" must be true or false.')).nullish(),
  })
  .transform(({ path, text, ratio, query, earlier }) => ({
    path: nonEmpty(path)?.trim(),
    text: nonEmpty(text),
    ratio: ratio ?? undefined,
    includesEarlier: earlier ?? false,
    query: (query ?? '').slice(0, maxQueryChars),
  }))
  .refine(({ path, text }) => (path === undefined) !== (text === undefined), {
    error: t('Give either a "path" or a "text".'),
  });

const localQuestions = new LocalQuestions();

/** Builds the confirmation: what is read, and whether it leaves the machine. */
export async function prepareCompact(
  client: CompactClient,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const read = readToolInput(inputSchema, input);
  const { path: named } = read;
  const file = named === undefined ? undefined : await fileOf(named);
  const what = file ? abbreviateHome(file.real) : t('a text');
  const usesService = (await engineFor(client, file)) === 'service';
  // A run cannot be told from one that another open question was about, so that all of them have to say the same.
  const sends = usesService && !localQuestions.isOpen(read);
  if (!sends) localQuestions.add(read);
  return {
    invocationMessage: t('Compacting {0}', what),
    confirmationMessages: questionOf(t('Compact a text for the agent?'), [
      ...(named === undefined ? [] : [[what]]),
      [
        sends
          ? t('The agent gets the lines that matter. The whole text is sent to {0}.', serviceHost())
          : usesService
            ? t(
                'The agent gets the lines that matter. It is compacted on this machine, as an earlier question about the same text said.',
              )
            : t('The agent gets the lines that matter. It is compacted on this machine.'),
      ],
    ]),
  };
}

/** @throws {UserError} with a message for the agent. */
export async function invokeCompact(
  host: FolderHost & Pick<Host, 'log'>,
  client: CompactClient,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const asked = readToolInput(inputSchema, input);
  const { path: named, text, ratio, query, includesEarlier } = asked;
  // An API key may have been stored since the question.
  const staysHere = localQuestions.take(asked);
  const failed = t('The text could not be compacted.');
  return runTool({ log: host.log, token, failed }, async signal => {
    const file = named === undefined ? undefined : await fileOf(named);
    const read = await withUserErrors(async () =>
      file ? sourceOfFile(vscode.Uri.file(file.real)) : sourceOfText(text ?? '', t('Text')),
    );
    const plan: CompactPlan = {
      ...defaultPlan(),
      engine: staysHere ? 'local' : await engineFor(client, file),
      query,
      ...(ratio === undefined ? {} : { ratio }),
    };
    const worker = createWorkerClient(host);
    const source = withEarlier(read, includesEarlier);
    const opened = await withUserErrors(() => worker.open(source.file, signal));
    if (file && opened.chat.isTranscript && file.below === undefined) {
      throw new UserError(t('Outside the workspace, only chat histories of known tools are read.'));
    }
    const compaction = await compactWithUserErrors(client, worker, opened, plan, signal);
    const { chat, lineIndex } = opened;
    const receipt = new Receipt(chat, lineIndex, compaction, partLabels);
    const { totals } = receipt;
    // The result is sent to the model of the agent, whose provider is unknown here.
    const left = keptText(
      chat,
      withholdLines(lineIndex),
      await recallableLines(host, source, receipt),
      partLabels,
    );
    const head = `${tokensSaved(totals)}; ${linesKept(totals)} are left, each as it was. The others were left out.`;
    const cut = cutAtLine(
      // Lines that were apart may be a secret together.
      withholdSecrets(left).text,
      maxResultChars,
      chars => `${chars} more characters; ask for a smaller ratio`,
    );
    const remarks = [head, ...chatNotes(chat)];
    if (chat.earlier === 'left out') {
      remarks.push(`${earlierLeftOutText(chat.label)} Set "earlier" to true to get them.`);
    }
    return `${remarks.join('\n')}\n\n${cut}`;
  });
}

type ToolFile = NamedPath & { readonly refusal: FileRefusal | undefined };

/**
 * Resolves a path that the agent named; symbolic links are followed.
 * @throws {UserError} when there is no such file, or its name says that it holds keys.
 */
async function fileOf(named: string): Promise<ToolFile> {
  const found = await findNamed(named);
  if (!found) throw new UserError(t('There is no file {0}.', named));
  const refusal = await fileRefusal(found.uri, '');
  // Outside of the workspace, only chat histories are read.
  if (found.below !== undefined && refusal === 'private') {
    throw new UserError(t('{0} is not given to an agent. {1}', named, refusalText(refusal)));
  }
  return { ...found, refusal };
}

/** The service gets only what it may: not a file that the rules of the workspace leave out. */
async function engineFor(
  client: CompactClient,
  file: ToolFile | undefined,
): Promise<CompactPlan['engine']> {
  return file?.refusal === undefined ? usualEngine(client) : 'local';
}
