import * as vscode from 'vscode';
import type { Consent } from './consent';
import type { Guard, GuardedText } from './guard';
import { escapeMarkdown, percent, shortName } from './reflexes';
import type { Watching } from './watching';

const { t } = vscode.l10n;

/** Characters of one attachment; more of them would hardly fit a model. */
const longestAttachment = 100_000;

interface Parts {
  readonly consent: Pick<Consent, 'level' | 'isDeclined' | 'ask'>;
  readonly watching: Pick<Watching, 'prompt' | 'state'>;
  readonly guard: Guard;
}

interface Turn {
  readonly request: Pick<vscode.ChatRequest, 'prompt' | 'references'> & {
    readonly model: Pick<vscode.LanguageModelChat, 'sendRequest'>;
  };
  readonly context: vscode.ChatContext;
  readonly response: { markdown(text: string): void };
  readonly token: vscode.CancellationToken;
}

/**
 * Passes a prompt and its attachments on to the chosen model. The prompt is classified where the user
 * agreed to that; a file is read by the guard first where the user wants one.
 */
export async function passOn(
  { consent, watching, guard }: Parts,
  { request, context, response, token }: Turn,
): Promise<void> {
  const { prompt, model } = request;
  if (consent.level === 'selection' && !consent.isDeclined) await consent.ask('prompts');
  const checked = consent.level === 'selection' ? undefined : watching.prompt(prompt);
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    const attached: string[] = [];
    for (const text of await attachmentsOf(request))
      if (await guard(text, controller.signal)) attached.push(attachmentText(text));
      else response.markdown(`> ${t('{0} is not sent.', escapeMarkdown(text.name ?? ''))}\n\n`);
    const messages = [
      ...context.history.flatMap(messageOf),
      vscode.LanguageModelChatMessage.User([...attached, prompt].join('\n\n')),
    ];
    const answer = await model.sendRequest(messages, {}, token);
    // It is faster than any model, and ends by itself.
    await checked;
    const found = checked && foundText(watching);
    if (found) response.markdown(`> ${found}\n\n`);
    for await (const part of answer.text) response.markdown(part);
  } finally {
    listening.dispose();
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

/** Files and passages that the user attached, as they are in the editor. */
async function attachmentsOf({ references }: Turn['request']): Promise<GuardedText[]> {
  const texts: GuardedText[] = [];
  for (const { value } of references) {
    const uri = value instanceof vscode.Location ? value.uri : value;
    if (!(uri instanceof vscode.Uri)) continue;
    // Pictures and folders are no texts.
    const document = await vscode.workspace.openTextDocument(uri).then(
      opened => opened,
      () => undefined,
    );
    if (!document) continue;
    const range = value instanceof vscode.Location ? value.range : undefined;
    texts.push({
      text: document.getText(range).slice(0, longestAttachment),
      source: range ? 'selection' : 'file',
      name: vscode.workspace.asRelativePath(uri),
    });
  }
  return texts;
}

function attachmentText({ name, text }: GuardedText): string {
  return `<attachment name=${JSON.stringify(name)}>\n${text}\n</attachment>`;
}

function messageOf(
  turn: vscode.ChatRequestTurn | vscode.ChatResponseTurn,
): vscode.LanguageModelChatMessage[] {
  if (turn instanceof vscode.ChatRequestTurn)
    return [vscode.LanguageModelChatMessage.User(turn.prompt)];
  const text = turn.response
    .map(part => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
  return text === '' ? [] : [vscode.LanguageModelChatMessage.Assistant(text)];
}
