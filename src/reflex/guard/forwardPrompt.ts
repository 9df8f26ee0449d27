import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeMarkdown } from '../../base/format/text';
import { isRecord } from '../../base/typeGuards';
import { commandItem } from '../../platform/commands/registerCommands';
import type { OpenGate } from '../../platform/egress';
import { agreedFile, clearFile, refusalText } from '../../platform/egress/paths/workspaceRules';
import type { ClearedFile } from '../../platform/egress/sending';
import { sendsChatsUnchanged } from '../../platform/egress/withheldMessage';
import { chatName } from '../../platform/ids';
import {
  type AttachedText,
  answerText,
  attachmentsOf,
  omittedAttachmentsText,
} from '../../platform/tools/chatTurns';
import { signalOf } from '../../platform/tools/toolCall';
import type { Consent } from '../consent';
import type { IndicatorController } from '../indicator/indicatorController';
import { percent, shortName } from '../reflexes';
import { findingText } from './guardDialog';
import type { GuardCheck, GuardFinding } from './promptGuard';

const { t } = vscode.l10n;

interface ForwardDependencies {
  readonly consent: Pick<Consent, 'level'>;
  readonly watching: Pick<IndicatorController, 'classifyPrompt' | 'state'>;
  readonly check: GuardCheck;
  /** {@link attachmentDigest} of attachments that the user sends despite the guard. */
  readonly allowed: ReadonlySet<string>;
  readonly gate: OpenGate;
}

/** One prompt for the selected model. */
export interface ForwardedTurn {
  readonly request: Pick<vscode.ChatRequest, 'prompt' | 'references'> & {
    readonly model: Pick<vscode.LanguageModelChat, 'sendRequest'> &
      Partial<Pick<vscode.LanguageModelChat, 'name'>>;
  };
  readonly context: vscode.ChatContext;
  readonly response: { markdown(text: string): void; button(button: vscode.Command): void };
  readonly token: vscode.CancellationToken;
}

/**
 * Sends a prompt and its attachments to the selected model without asking first. The prompt is classified
 * only if the user has turned that on. An attachment that must not leave the machine, or that the guard
 * flags, is left out, with a button that sends it.
 * @returns the text of the answer.
 */
export async function forwardPrompt(
  { consent, watching, check, allowed, gate }: ForwardDependencies,
  { request, context, response, token }: ForwardedTurn,
): Promise<string> {
  const { prompt, model } = request;
  const findings =
    consent.level === 'selection'
      ? undefined
      : new PromptFindings(watching, watching.classifyPrompt(prompt));
  const call = signalOf(token);
  try {
    const attached: string[] = [];
    const files: ClearedFile[] = [];
    const { texts: attachments, leftOut } = await attachmentsOf(request.references);
    if (leftOut.length > 0) response.markdown(omittedAttachmentsText(leftOut));
    const buttons: vscode.Command[] = [];
    for (const text of attachments) {
      const file = allowed.has(attachmentDigest(text.text))
        ? agreedFile(text.uri, text.text)
        : await clearOrReason(text, async () => check(text, call.signal));
      if (typeof file !== 'string') {
        attached.push(attachmentText(text));
        files.push(file);
        continue;
      }
      response.markdown(`> ${escapeMarkdown(`${file} ${t('It is not sent.')}`)}\n\n`);
      buttons.push(sendButton(text, prompt, attachments));
    }
    const turns = [
      ...context.history.flatMap(turnOf),
      { isUser: true, text: [...attached, prompt].join('\n\n') },
    ];
    const answer = await (await gate()).send(
      'chat',
      { turns },
      {
        purpose: 'prompt',
        files,
        secrets: sendsChatsUnchanged() ? 'agreed' : 'withhold',
        to: model.name ?? t('the chosen model'),
      },
      async passed => model.sendRequest(passed.turns.map(messageOf), {}, token),
    );
    let text = '';
    for await (const part of answer.text) {
      if (text === '') response.markdown(findings?.textIfReady() ?? '');
      text += part;
      response.markdown(part);
    }
    const late = (await findings?.lateText()) ?? '';
    if (late !== '') response.markdown(`\n\n${late}`);
    for (const button of buttons) response.button(button);
    return text;
  } finally {
    call.dispose();
  }
}

/** The prompt's classification, shown above the answer if it is available by then, otherwise below. */
class PromptFindings {
  readonly #watching: ForwardDependencies['watching'];
  readonly #done: Promise<void>;
  #isReady = false;
  #isShown = false;

  constructor(watching: ForwardDependencies['watching'], classified: Promise<void>) {
    this.#watching = watching;
    this.#done = classified.then(() => void (this.#isReady = true));
    // The answer may fail before this promise is awaited.
    this.#done.catch(() => undefined);
  }

  textIfReady(): string {
    return this.#isReady ? this.#text() : '';
  }

  async lateText(): Promise<string> {
    if (this.#isShown) return '';
    await this.#done;
    return this.#text();
  }

  /** '' if nothing is notable. */
  #text(): string {
    this.#isShown = true;
    const { result } = this.#watching.state;
    if (result?.where !== 'prompt') return '';
    const found = result.readings
      .filter(({ isNotable }) => isNotable)
      .map(reading => {
        const score = percent(reading.selected[0]?.score ?? 0);
        return `${escapeMarkdown(shortName(reading))} ${score}`;
      });
    return found.length === 0 ? '' : `> ${found.join(' · ')}\n\n`;
  }
}

/** Identifies an attachment that the user has allowed, by its text. */
export function attachmentDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The cleared attachment, or why it is held back. The guard sees only what the path rules allow. */
async function clearOrReason(
  attachment: AttachedText,
  check: () => Promise<GuardFinding | undefined>,
): Promise<ClearedFile | string> {
  const file = await clearFile(attachment.uri, attachment.text);
  if ('refusal' in file) return `${attachment.name}: ${refusalText(file.refusal)}`;
  const finding = await check();
  return finding === undefined ? file : findingText(finding, attachment);
}

/** Argument of the button for an attachment that was left out; VS Code stores it as JSON. */
export interface HeldAttachment {
  readonly digest: string;
  readonly prompt: string;
  /** All attachments of the prompt. */
  readonly files: readonly HeldFile[];
}

interface HeldFile {
  readonly uri: string;
  /** Range of a selection, with lines and columns from 1. */
  readonly range?: LineRange | undefined;
}

/** Shape of ranges in VS Code commands. */
interface LineRange {
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

function sendButton(
  { name, text }: AttachedText,
  prompt: string,
  attachments: readonly AttachedText[],
): vscode.Command {
  const held: HeldAttachment = {
    digest: attachmentDigest(text),
    prompt,
    files: attachments.map(({ uri, range }) => ({
      uri: uri.toString(),
      ...(range && { range: lineRange(range) }),
    })),
  };
  return commandItem(t('Send {0} Anyway…', name), 'splice.reflex.sendAttachment', held);
}

function lineRange({ start, end }: vscode.Range): LineRange {
  return {
    startLineNumber: start.line + 1,
    startColumn: start.character + 1,
    endLineNumber: end.line + 1,
    endColumn: end.character + 1,
  };
}

/** @returns undefined if the value is not a held attachment. */
export function parseHeldAttachment(value: unknown): HeldAttachment | undefined {
  if (!isRecord(value)) return undefined;
  const { digest, prompt, files } = value;
  return typeof digest === 'string' && typeof prompt === 'string' && Array.isArray(files)
    ? { digest, prompt, files: files.filter(isHeldFile) }
    : undefined;
}

const isHeldFile = (value: unknown): value is HeldFile =>
  isRecord(value) && typeof value['uri'] === 'string';

/** Puts the prompt and its files back into the chat input, where the user may send it. */
export async function restorePrompt({ prompt, files }: HeldAttachment): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@${chatName} ${prompt}`,
    isPartialQuery: true,
    attachFiles: files.map(file => {
      const uri = vscode.Uri.parse(file.uri, true);
      return file.range ? { uri, range: file.range } : uri;
    }),
  });
}

function attachmentText({ name, text }: AttachedText): string {
  return `<attachment name=${JSON.stringify(name)}>\n${text}\n</attachment>`;
}

interface SpokenTurn {
  readonly isUser: boolean;
  readonly text: string;
}

function turnOf(turn: vscode.ChatRequestTurn | vscode.ChatResponseTurn): SpokenTurn[] {
  if (turn instanceof vscode.ChatRequestTurn) return [{ isUser: true, text: turn.prompt }];
  const text = answerText(turn);
  return text === '' ? [] : [{ isUser: false, text }];
}

function messageOf({ isUser, text }: SpokenTurn): vscode.LanguageModelChatMessage {
  const message = vscode.LanguageModelChatMessage;
  return isUser ? message.User(text) : message.Assistant(text);
}
