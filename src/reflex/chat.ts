import * as vscode from 'vscode';
import { answerText, attachmentsOf } from '../host/chatTurns';
import type { OpenGate } from '../host/egress';
import type { ClearedFile } from '../host/egress/sending';
import { sendsChatsAsTheyAre } from '../host/egress/withheldMessage';
import { clearFile, refusalText } from '../host/egress/workspaceRules';
import { signalOf } from '../host/toolCall';
import { escapeMarkdown } from '../host/words';
import type { Consent } from './consent';
import type { Guard, GuardedText } from './guard';
import { percent, shortName } from './reflexes';
import type { Watching } from './watching';

const { t } = vscode.l10n;

interface Parts {
  readonly consent: Pick<Consent, 'level' | 'isDeclined' | 'ask'>;
  readonly watching: Pick<Watching, 'prompt' | 'state'>;
  readonly guard: Guard;
  readonly gate: OpenGate;
}

/** One prompt for the chosen model. */
export interface PassedTurn {
  readonly request: Pick<vscode.ChatRequest, 'prompt' | 'references'> & {
    readonly model: Pick<vscode.LanguageModelChat, 'sendRequest'> &
      Partial<Pick<vscode.LanguageModelChat, 'name'>>;
  };
  readonly context: vscode.ChatContext;
  readonly response: { markdown(text: string): void };
  readonly token: vscode.CancellationToken;
}

/**
 * Passes a prompt and its attachments on to the chosen model. The prompt is classified where the user
 * agreed to that; a file is read by the guard first where the user wants one.
 * @returns the text of the answer.
 */
export async function passOn(
  { consent, watching, guard, gate }: Parts,
  { request, context, response, token }: PassedTurn,
): Promise<string> {
  const { prompt, model } = request;
  if (consent.level === 'selection' && !consent.isDeclined) await consent.ask('prompts');
  const checked = consent.level === 'selection' ? undefined : watching.prompt(prompt);
  const call = signalOf(token);
  try {
    const attached: string[] = [];
    const files: ClearedFile[] = [];
    for (const text of await attachmentsOf(request.references)) {
      const file = await clearFile(text.uri, text.text);
      if ('refusal' in file) {
        const why = `${t('{0} is not sent.', text.name)} ${refusalText(file.refusal)}`;
        response.markdown(`> ${escapeMarkdown(why)}\n\n`);
      } else if (await guard(text, call.signal)) {
        attached.push(attachmentText(text));
        files.push(file);
      } else response.markdown(`> ${t('{0} is not sent.', escapeMarkdown(text.name ?? ''))}\n\n`);
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
    // It is faster than any model, and ends by itself.
    await checked;
    const found = checked && foundText(watching);
    if (found) response.markdown(`> ${found}\n\n`);
    let text = '';
    for await (const part of answer.text) {
      text += part;
      response.markdown(part);
    }
    return text;
  } finally {
    call.dispose();
  }
}

/** '' when nothing is notable. */
function foundText({ state: { result } }: Parts['watching']): string {
  if (result?.where !== 'prompt') return '';
  return result.readings
    .filter(({ isNotable }) => isNotable)
    .map(reading => {
      const score = percent(reading.selected[0]?.score ?? 0);
      return `${escapeMarkdown(shortName(reading))} ${score}`;
    })
    .join(' · ');
}

function attachmentText({ name, text }: GuardedText): string {
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
