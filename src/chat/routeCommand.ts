import * as vscode from 'vscode';
import { formatUsd } from '../base/format/money';
import { escapeMarkdown } from '../base/format/text';
import { UserError } from '../base/userError';
import { eventPrices } from '../service';
import type { ChatCall, ChatFeatures } from './chatFeatures';
import type { ChatMetadata } from './chatMetadata';
import { inlineCode } from './transcript';
import { chatTurns, showIgnoredAttachments } from './turns';

const { t } = vscode.l10n;

export async function routeCommand(
  features: ChatFeatures,
  { request, context, response }: ChatCall,
  signal: AbortSignal,
): Promise<ChatMetadata['suggests']> {
  const lastAsked = chatTurns(context).findLast(
    ({ role, command: asked }) => role === 'user' && asked === undefined,
  );
  const prompt = request.prompt.trim() || (lastAsked?.text ?? '');
  if (prompt === '') throw new UserError(t('Put the prompt after /route, or ask something first.'));
  showIgnoredAttachments(response, request);
  response.progress(t('Asking the router: 2 requests, {0} each', formatUsd(eventPrices.router)));
  const { classes, model, provider, needsInfo, facts } = await features.reflex.route(
    prompt,
    signal,
  );
  const rows = classes.map(({ name, label, confidence, isSure }) => {
    const note = isSure ? '' : t('below its threshold: too uncertain to be used');
    return `| ${cell(name)} | **${cell(label)}** | ${cell(confidence)} | ${cell(note)} |`;
  });
  const from = provider === undefined ? '' : ` ${t('of {0}', escapeMarkdown(provider))}`;
  const pick =
    model === undefined
      ? t('No model is picked: the prompt needs more information.')
      : t('Model to call next: {0}', `${inlineCode(model)}${from}`);
  response.markdown(
    [
      rows.length > 0
        ? [`| | | ${t('Confidence')} | |`, '| --- | --- | --- | --- |', ...rows].join('\n')
        : '',
      pick,
      needsInfo && model !== undefined
        ? t('The difficulty is uncertain: the prompt needs more information.')
        : '',
      `_${escapeMarkdown(facts)}_`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  );
  return 'nothing';
}

const cell = (text: string): string => escapeMarkdown(text);
