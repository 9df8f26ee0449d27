import * as vscode from 'vscode';
import type { FoundPlace, OpenedEdit } from '../host/chatResults';
import { isAbort } from '../host/abort';
import {
  type LeftOut,
  answerText,
  attachmentsOf,
  isAttachedByUser,
  leftOutText,
  nameOf,
} from '../host/chatTurns';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { stepsFor } from '../host/steps';
import { signalOf } from '../host/toolCall';
import { escapeMarkdown } from '../host/words';
import { ids } from '../manifest';
import { explain } from '../service/advice';
import { eventPrices, formatUsd } from '../service/billing/pricing';
import { isRecord } from '../service/guards';
import { type ChatTurn, editSource, hasEdits, targetOf } from './blocks';
import type { ChatCall, ChatRooms } from './rooms';
import { fenced, firstLines, inlineCode, languageOf, readWish, messagesOf } from './transcript';

const { t } = vscode.l10n;
const { command } = ids;

/** Places of a search with their code, and all that are named. */
const placesWithCode = 3;
const mostPlaces = 15;
const linesOfCode = 12;
const titleChars = 50;
const mostFindings = 3;
const mostButtons = 5;
/** Characters of a compacted chat that are also shown in the answer. */
const shownChars = 6000;

/** What followups depend on; kept by VS Code with the answer. */
interface Metadata {
  readonly suggests: 'apply' | 'explain' | 'start' | 'nothing';
}

/** Answers one prompt. What goes wrong is said in the answer, with the step that helps. */
export async function answer(
  { log }: { readonly log: Pick<Host['log'], 'error'> },
  rooms: ChatRooms,
  call: ChatCall,
): Promise<vscode.ChatResult & { readonly metadata: Metadata }> {
  const { request, response, token } = call;
  const cancel = signalOf(token);
  try {
    return { metadata: { suggests: await run(rooms, call, cancel.signal) } };
  } catch (error) {
    const metadata = { suggests: 'nothing' } as const;
    if (isAbort(error) || token.isCancellationRequested) return { metadata };
    if (error instanceof UserError) {
      if (error.step) response.button(error.step);
      return { metadata, errorDetails: { message: error.message } };
    }
    log.error(`chat ${request.command ?? ''}`, error);
    // Written by VS Code for the user: no model, no consent, no quota.
    if (error instanceof vscode.LanguageModelError)
      return { metadata, errorDetails: { message: error.message } };
    const advice = explain(error, t);
    for (const { icon: _icon, ...step } of stepsFor(advice.actions, t)) response.button(step);
    return { metadata, errorDetails: { message: advice.message } };
  } finally {
    cancel.dispose();
  }
}

async function run(
  rooms: ChatRooms,
  call: ChatCall,
  signal: AbortSignal,
): Promise<Metadata['suggests']> {
  switch (call.request.command) {
    case 'apply':
      return apply(rooms, call);
    case 'search':
      return search(rooms, call, signal);
    case 'compact':
      return compact(rooms, call, signal);
    case 'route':
      return route(rooms, call, signal);
    default: {
      if (call.request.prompt.trim() === '') return emptyPrompt(call);
      const text = await rooms.reflex.passOn(call);
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

function emptyPrompt(call: ChatCall): Metadata['suggests'] {
  const names = attachedBy(call.request).map(nameOf);
  if (names.length === 0) return help(call);
  throw new UserError(t('Say what to do with {0}.', names.join(', ')));
}

function help({ response }: ChatCall): Metadata['suggests'] {
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
  response.button({ command: command.setIndicator, title: t('Reflex Indicator…') });
  return 'start';
}

// --- /apply

async function apply(
  rooms: ChatRooms,
  { request, context, response, token }: ChatCall,
): Promise<Metadata['suggests']> {
  const { texts, leftOut } = await attachmentsOf(attachedBy(request));
  sayLeftOut(response, leftOut);
  const attached = texts.map(file => ({ ...file, isPassage: file.source === 'selection' }));
  const source = editSource(request.prompt, attached, turnsOf(context));
  if (!source) {
    response.markdown(
      t(
        'There is no code to apply yet. Ask for a change first, or put the code after `/apply`: a fenced block, a diff or search/replace blocks. Answers to others than `@splice` cannot be seen from here; copy such code and run **Splice: Apply Clipboard Edit**.',
      ),
    );
    return 'nothing';
  }
  response.progress(t('Merging the edits'));
  const opened = await rooms.apply.openEdits(source.text, targetOf(attached, source)?.uri, token);
  if (opened.length === 0)
    throw new UserError(
      t(
        'The code there is no edit of a file: commands for a terminal and their output are left out.',
      ),
    );
  const reviews = opened.filter(({ kind }) => kind === 'review').length;
  if (reviews > 0)
    response.markdown(
      `${reviews === 1 ? t('One review is open.') : t('{0} reviews are open.', reviews)} ${t('Nothing is written until you accept.')}\n\n`,
    );
  for (const edit of opened) showEdit(response, edit);
  for (const { reviewId, name } of opened.slice(0, mostButtons))
    if (reviewId !== undefined)
      response.button({
        command: command.showReview,
        title: t('Show Review of {0}', name.split('/').at(-1) ?? name),
        arguments: [reviewId],
      });
  return 'nothing';
}

function showEdit(response: ChatCall['response'], edit: OpenedEdit): void {
  response.markdown('- ');
  if (edit.uri) response.anchor(edit.uri, edit.name);
  else response.markdown(escapeMarkdown(edit.name));
  const detail = escapeMarkdown(edit.detail);
  response.markdown(`: ${edit.kind === 'refused' ? t('not opened. {0}', detail) : detail}\n`);
  for (const finding of edit.findings.slice(0, mostFindings))
    response.markdown(`  - ${escapeMarkdown(finding)}\n`);
  if (edit.findings.length > mostFindings)
    response.markdown(
      `  - ${t('{0} more findings, in the review', edit.findings.length - mostFindings)}\n`,
    );
}

// --- /search

async function search(
  rooms: ChatRooms,
  { request, response }: ChatCall,
  signal: AbortSignal,
): Promise<Metadata['suggests']> {
  const query = request.prompt.trim();
  if (query === '')
    throw new UserError(t('Say what to find, for example: /search where are uploads retried'));
  response.progress(t('Searching the code'));
  const folder = await folderOf(request);
  sayLeftOut(response, unsearched(request, folder));
  const found = await rooms.search.find({ query, folder }, signal, step => response.progress(step));
  const note = found.note === '' ? '' : ` ${escapeMarkdown(found.note)}`;
  response.markdown(`${escapeMarkdown(found.summary)}.${note}`.replace(/\.\.(?=$| )/, '.'));
  response.markdown('\n\n');
  if (found.places.length === 0) return 'nothing';
  const shown = found.places.slice(0, mostPlaces);
  for (const place of shown) response.reference(locationOf(place));
  for (const place of shown.slice(0, placesWithCode)) {
    showPlace(response, place, '');
    const code = firstLines(place.code, linesOfCode, left => t('… {0} more lines', left));
    response.markdown(`\n\n${fenced(code, languageOf(place.path))}\n`);
  }
  for (const place of shown.slice(placesWithCode)) {
    showPlace(response, place, '- ');
    response.markdown(` ${inlineCode(place.title, titleChars)}\n`);
  }
  const left = found.places.length - shown.length;
  if (left > 0) response.markdown(`\n${t('{0} more places are in the search view.', left)}\n`);
  response.button({
    command: command.showFound,
    title: t('Show in Search View'),
    arguments: [found.id],
  });
  return 'explain';
}

function showPlace(response: ChatCall['response'], place: FoundPlace, before: string): void {
  const { path, startLine, endLine } = place;
  if (before !== '') response.markdown(before);
  response.anchor(
    locationOf(place),
    `${path}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`,
  );
}

function locationOf({ uri, startLine, endLine }: FoundPlace): vscode.Location {
  return new vscode.Location(uri, new vscode.Range(startLine - 1, 0, endLine - 1, 0));
}

/** The folder that the user attached. */
async function folderOf(request: ChatCall['request']): Promise<vscode.Uri | undefined> {
  for (const { value } of attachedBy(request)) {
    if (!(value instanceof vscode.Uri)) continue;
    const isFolder = await vscode.workspace.fs.stat(value).then(
      ({ type }) => (type & vscode.FileType.Directory) !== 0,
      () => false,
    );
    if (isFolder) return value;
  }
  return undefined;
}

function unsearched(request: ChatCall['request'], folder: vscode.Uri | undefined): LeftOut[] {
  const why = folder ? t('one folder is searched') : t('only a folder says where to search');
  return attachedBy(request)
    .filter(({ value }) => value !== folder)
    .map(reference => ({ name: nameOf(reference), why }));
}

// --- /compact

async function compact(
  rooms: ChatRooms,
  { request, context, response }: ChatCall,
  signal: AbortSignal,
): Promise<Metadata['suggests']> {
  const messages = messagesOf(turnsOf(context));
  if (messages.length === 0)
    throw new UserError(
      t(
        'This conversation with @splice has no turns to compact yet. For another chat, run "Splice: Compact Chat History…".',
      ),
    );
  sayUnused(response, request);
  response.progress(t('Compacting this conversation'));
  const wish = readWish(request.prompt);
  const { id, saved, lines, how, text } = await rooms.compact.compactChat(
    { messages, title: t('This conversation') },
    wish,
    signal,
  );
  response.markdown(
    `**${escapeMarkdown(saved)}**: ${t('{0} are left, each as it was.', lines)} ${t('Compacted {0}.', how)}\n\n`,
  );
  if (text.length <= shownChars) response.markdown(fenced(text, 'markdown'));
  response.button({
    command: command.copyCompacted,
    title: t('Copy Compacted Chat'),
    arguments: [id],
  });
  response.button({ command: command.showReceipt, title: t('Open Receipt'), arguments: [id] });
  return 'nothing';
}

// --- /route

async function route(
  rooms: ChatRooms,
  { request, context, response }: ChatCall,
  signal: AbortSignal,
): Promise<Metadata['suggests']> {
  const lastAsked = turnsOf(context).findLast(
    ({ role, command: asked }) => role === 'user' && asked === undefined,
  );
  const prompt = request.prompt.trim() || (lastAsked?.text ?? '');
  if (prompt === '') throw new UserError(t('Put the prompt after /route, or ask something first.'));
  sayUnused(response, request);
  response.progress(t('Asking the router: 2 requests, {0} each', formatUsd(eventPrices.router)));
  const { classes, model, provider, needsInfo, facts } = await rooms.reflex.route(prompt, signal);
  const rows = classes.map(({ name, label, confidence, isSure }) => {
    const note = isSure ? '' : t('below its threshold: not sure enough to be used');
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
        ? t('The difficulty is not sure: the prompt needs more information.')
        : '',
      `_${escapeMarkdown(facts)}_`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  );
  return 'nothing';
}

const cell = (text: string): string => escapeMarkdown(text);

// --- the conversation

function attachedBy({ references }: ChatCall['request']): vscode.ChatPromptReference[] {
  return references.filter(isAttachedByUser);
}

function sayLeftOut(response: ChatCall['response'], leftOut: readonly LeftOut[]): void {
  if (leftOut.length > 0) response.markdown(leftOutText(leftOut));
}

/** For commands that look at nothing but the words of the prompt. */
function sayUnused(response: ChatCall['response'], request: ChatCall['request']): void {
  const why = t('this command takes no attachments');
  sayLeftOut(
    response,
    attachedBy(request).map(reference => ({ name: nameOf(reference), why })),
  );
}

function turnsOf({ history }: ChatCall['context']): ChatTurn[] {
  return history.map(turn =>
    turn instanceof vscode.ChatRequestTurn
      ? { role: 'user', text: turn.prompt, command: turn.command }
      : { role: 'assistant', text: answerText(turn), command: turn.command },
  );
}
