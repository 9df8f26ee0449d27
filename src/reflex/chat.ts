import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { type AttachedText, answerText, attachmentsOf, leftOutText } from '../host/chatTurns';
import type { OpenGate } from '../host/egress';
import type { ClearedFile } from '../host/egress/sending';
import { sendsChatsAsTheyAre } from '../host/egress/withheldMessage';
import { agreedFile, clearFile, refusalText } from '../host/egress/workspaceRules';
import { signalOf } from '../host/toolCall';
import { escapeMarkdown } from '../host/words';
import { ids } from '../manifest';
import { isRecord } from '../service/guards';
import type { Consent } from './consent';
import type { GuardCheck, GuardFinding } from './guard';
import { findingText } from './guardDialog';
import { percent, shortName } from './reflexes';
import type { Watching } from './watching';

const { t } = vscode.l10n;

interface Parts {
  readonly consent: Pick<Consent, 'level'>;
  readonly watching: Pick<Watching, 'prompt' | 'state'>;
  readonly check: GuardCheck;
  /** {@link digestOf} of attachments that the user sends whatever the guard says. */
  readonly allowed: ReadonlySet<string>;
  readonly gate: OpenGate;
}

/** One prompt for the chosen model. */
export interface PassedTurn {
  readonly request: Pick<vscode.ChatRequest, 'prompt' | 'references'> & {
    readonly model: Pick<vscode.LanguageModelChat, 'sendRequest'> &
      Partial<Pick<vscode.LanguageModelChat, 'name'>>;
  };
  readonly context: vscode.ChatContext;
  readonly response: { markdown(text: string): void; button(button: vscode.Command): void };
  readonly token: vscode.CancellationToken;
}

/**
 * Passes a prompt and its attachments on to the chosen model. Nothing is asked before the answer: the
 * prompt is classified only where the user has turned that on, and an attachment that may not leave, or
 * that the guard warns of, is left out, with a button that sends it.
 * @returns the text of the answer.
 */
export async function passOn(
  { consent, watching, check, allowed, gate }: Parts,
  { request, context, response, token }: PassedTurn,
): Promise<string> {
  const { prompt, model } = request;
  const findings =
    consent.level === 'selection'
      ? undefined
      : new PromptFindings(watching, watching.prompt(prompt));
  const call = signalOf(token);
  try {
    const attached: string[] = [];
    const files: ClearedFile[] = [];
    const { texts: attachments, leftOut } = await attachmentsOf(request.references);
    if (leftOut.length > 0) response.markdown(leftOutText(leftOut));
    const buttons: vscode.Command[] = [];
    for (const text of attachments) {
      const file = allowed.has(digestOf(text.text))
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
        secrets: sendsChatsAsTheyAre() ? 'agreed' : 'withhold',
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

/** What the prompt was classified as: above the answer when it is known by then, below it otherwise. */
class PromptFindings {
  readonly #watching: Parts['watching'];
  readonly #done: Promise<void>;
  #isReady = false;
  #isShown = false;

  constructor(watching: Parts['watching'], classified: Promise<void>) {
    this.#watching = watching;
    this.#done = classified.then(() => void (this.#isReady = true));
    // The answer may fail before anybody waits for this.
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

  /** '' when nothing is notable. */
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

/** Tells whether a text is the one that the user has allowed. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An attachment that may leave, else why not. The guard reads only what the path rules let through. */
async function clearOrReason(
  attachment: AttachedText,
  check: () => Promise<GuardFinding | undefined>,
): Promise<ClearedFile | string> {
  const file = await clearFile(attachment.uri, attachment.text);
  if ('refusal' in file) return `${attachment.name}: ${refusalText(file.refusal)}`;
  const finding = await check();
  return finding === undefined ? file : findingText(finding, attachment);
}

/** What the button of an attachment that was left out brings back; VS Code keeps it as JSON. */
export interface HeldAttachment {
  readonly digest: string;
  readonly prompt: string;
  /** All that was attached. */
  readonly files: readonly HeldFile[];
}

interface HeldFile {
  readonly uri: string;
  /** Lines and columns from 1, of a selection. */
  readonly range?: LineRange | undefined;
}

/** The form of ranges in commands of VS Code. */
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
    digest: digestOf(text),
    prompt,
    files: attachments.map(({ uri, range }) => ({
      uri: uri.toString(),
      ...(range && { range: lineRange(range) }),
    })),
  };
  return {
    command: ids.command.sendAttachment,
    title: t('Send {0} Anyway…', name),
    arguments: [held],
  };
}

function lineRange({ start, end }: vscode.Range): LineRange {
  return {
    startLineNumber: start.line + 1,
    startColumn: start.character + 1,
    endLineNumber: end.line + 1,
    endColumn: end.character + 1,
  };
}

/** @returns undefined for anything else. */
export function heldAttachment(value: unknown): HeldAttachment | undefined {
  if (!isRecord(value)) return undefined;
  const { digest, prompt, files } = value;
  return typeof digest === 'string' && typeof prompt === 'string' && Array.isArray(files)
    ? { digest, prompt, files: files.filter(isHeldFile) }
    : undefined;
}

const isHeldFile = (value: unknown): value is HeldFile =>
  isRecord(value) && typeof value['uri'] === 'string';

/** Puts the prompt back into the input with its files; the user sends it, or does not. */
export async function writePromptAgain({ prompt, files }: HeldAttachment): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@${ids.chatName} ${prompt}`,
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
