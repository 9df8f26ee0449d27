import * as vscode from 'vscode';
import { isAbort } from '../base/async/abort';
import { formatUsd } from '../base/format/money';
import { isRecord } from '../base/typeGuards';
import { UserError } from '../base/userError';
import { commandItem } from '../platform/commands/registerCommands';
import type { Host } from '../platform/host';
import { adviceSteps } from '../platform/steps';
import { referenceName } from '../platform/tools/chatTurns';
import { signalOf } from '../platform/tools/toolCall';
import { adviceFor, eventPrices } from '../service';
import { applyCommand } from './applyCommand';
import type { ChatCall, ChatFeatures } from './chatFeatures';
import type { ChatMetadata } from './chatMetadata';
import { compactCommand } from './compactCommand';
import { hasEdits } from './editSource';
import { routeCommand } from './routeCommand';
import { searchCommand } from './searchCommand';
import { userAttachments } from './turns';

const { t } = vscode.l10n;

/** Answers one prompt. Errors are reported in the answer, with a button for the step that helps. */
export async function answerPrompt(
  { log }: { readonly log: Pick<Host['log'], 'error'> },
  features: ChatFeatures,
  call: ChatCall,
): Promise<vscode.ChatResult & { readonly metadata: ChatMetadata }> {
  const { request, response, token } = call;
  const cancel = signalOf(token);
  try {
    return { metadata: { suggests: await answerCommand(features, call, cancel.signal) } };
  } catch (error) {
    const metadata = { suggests: 'nothing' } as const;
    if (isAbort(error) || token.isCancellationRequested) return { metadata };
    if (error instanceof UserError) {
      if (error.step) response.button(error.step);
      return { metadata, errorDetails: { message: error.message } };
    }
    log.error(`chat ${request.command ?? ''}`, error);
    // VS Code writes these messages for the user: no model, no consent, no quota.
    if (error instanceof vscode.LanguageModelError) {
      return { metadata, errorDetails: { message: error.message } };
    }
    const advice = adviceFor(error, t);
    for (const { icon: _icon, ...step } of adviceSteps(advice.actions, t)) response.button(step);
    return { metadata, errorDetails: { message: advice.message } };
  } finally {
    cancel.dispose();
  }
}

async function answerCommand(
  features: ChatFeatures,
  call: ChatCall,
  signal: AbortSignal,
): Promise<ChatMetadata['suggests']> {
  switch (call.request.command) {
    case 'apply':
      return applyCommand(features, call);
    case 'search':
      return searchCommand(features, call, signal);
    case 'compact':
      return compactCommand(features, call, signal);
    case 'route':
      return routeCommand(features, call, signal);
    default: {
      if (call.request.prompt.trim() === '') return emptyPrompt(call);
      const text = await features.reflex.forwardPrompt(call);
      return hasEdits(text) ? 'apply' : 'nothing';
    }
  }
}

export function followupsOf(metadata: unknown): vscode.ChatFollowup[] {
  switch (isRecord(metadata) ? metadata['suggests'] : undefined) {
    case 'apply':
      return [{ prompt: '', command: 'apply', label: t('Open the code as reviews') }];
    case 'explain':
      return [{ prompt: t('Explain how these places work together.'), command: '' }];
    case 'start':
      return [{ prompt: t('where does the program start'), command: 'search' }];
    default:
      return [];
  }
}

function emptyPrompt(call: ChatCall): ChatMetadata['suggests'] {
  const names = userAttachments(call.request).map(referenceName);
  if (names.length === 0) return help(call);
  throw new UserError(t('Say what to do with {0}.', names.join(', ')));
}

function help({ response }: ChatCall): ChatMetadata['suggests'] {
  const rows = [
    [
      '/apply',
      t(
        'opens the code blocks of the newest answer, of your prompt or of an attached text as reviews; nothing is written until you accept',
      ),
    ],
    ['/search', t('finds the places in your code that answer a question')],
    [
      '/compact',
      t(
        'shrinks this conversation to the lines that matter, each as it was; try "/compact 20% the failing test"',
      ),
    ],
    [
      '/route',
      t(
        'asks the router how hard a prompt is and which model to use; {0} for each of two requests, with an API key',
        formatUsd(eventPrices.router),
      ),
    ],
  ] as const;
  response.markdown(
    [
      t('Ask anything: the prompt goes to the model that is chosen below. Or use a command:'),
      rows.map(([name, what]) => `- \`${name}\` ${what}`).join('\n'),
      t('`/apply`, `/search` and `/compact` also work without an API key, on this machine.'),
      t(
        'A prompt is not classified unless you turn that on for the workspace: the reflex indicator, {0} per reflex and prompt.',
        formatUsd(eventPrices.reflex.first),
      ),
    ].join('\n\n'),
  );
  response.button(commandItem(t('Set Up Reflex Indicator…'), 'splice.reflex.indicator'));
  return 'start';
}
