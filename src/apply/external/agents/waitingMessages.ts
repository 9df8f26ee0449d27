import * as vscode from 'vscode';
import { clockText } from '../../../base/format/times';
import { isRecord } from '../../../base/typeGuards';
import { UserError } from '../../../base/userError';
import { ContextKey } from '../../../platform/commands/contextKey';
import type { CommandId } from '../../../platform/commands/contribute';
import { DisposableStore } from '../../../platform/disposables';
import { contextKeys } from '../ids';
import type { AgentTurns } from './agentTurns';
import { type AgentSession, maxMessage, maxWaitingMs, reachedSessions } from './core/handover';
import { agentName } from './core/hookEvents';
import type { MessageStore } from './messageStore';

const { t } = vscode.l10n;

const waitingKey = 'splice.external.waitingMessages';

interface Waiting extends AgentSession {
  /** When it was handed over to the hook, in milliseconds since the epoch. */
  readonly at: number;
}

export interface WaitingMessagesParts {
  readonly store: MessageStore;
  readonly turns: AgentTurns;
  /** The memory of the workspace. */
  readonly memory: vscode.Memento;
  readonly onError: (error: unknown) => void;
}

/** Messages that agents get with the user's next prompt: shows that they wait, and says what became of them. */
export class WaitingMessages implements vscode.Disposable {
  readonly #parts: WaitingMessagesParts;
  readonly #resources = new DisposableStore();
  readonly #isWaiting = new ContextKey<boolean>(contextKeys.hasWaitingMessage);
  #all: readonly Waiting[];
  #item: vscode.StatusBarItem | undefined;
  #watcher: vscode.Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: WaitingMessagesParts) {
    this.#parts = parts;
    this.#all = readWaiting(parts.memory.get(waitingKey));
    this.#resources.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.#all.length > 0) this.#lookSoon();
      }),
    );
  }

  /** What became of the messages while this window was closed. */
  async resume(): Promise<void> {
    if (this.#all.length === 0) return;
    await this.#parts.store.prepare();
    this.#show();
    this.#lookSoon();
    await this.#looking;
  }

  isWaiting(session: string): boolean {
    return this.#all.some(each => each.session === session);
  }

  /** @throws {UserError} when the message is longer than agents take. */
  async handOver({ agent, session }: AgentSession, text: string): Promise<void> {
    const { store } = this.#parts;
    const at = Date.now();
    await store.removeOld(at);
    if ((await store.put({ agent, session }, text)) === 'tooLong') {
      throw new UserError(
        t(
          'The message is longer than the {0} characters that agents take with a prompt, together with what waits already. Shorten it, or copy it.',
          maxMessage,
        ),
      );
    }
    this.#set([...this.#without(session), { agent, session, at }]);
  }

  /** Takes a message back that was not sent yet; undefined when the user chose none. */
  async takeBack(): Promise<{ readonly session: AgentSession; readonly text: string } | undefined> {
    const picked = await pickSession(this.#all, t('Which message is taken back?'));
    if (!picked) {
      if (this.#all.length === 0)
        throw new UserError(t('No message waits for the next prompt of an agent.'));
      return undefined;
    }
    const text = await this.#parts.store.take(picked);
    if (text === undefined) {
      await this.#look();
      throw new UserError(t('The message cannot be taken back any more.'));
    }
    this.#set(this.#without(picked.session));
    return { session: picked, text };
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watcher?.dispose();
    this.#item?.dispose();
    this.#resources.dispose();
  }

  #without(session: string): readonly Waiting[] {
    return this.#all.filter(each => each.session !== session);
  }

  #set(all: readonly Waiting[]): void {
    this.#all = all;
    void this.#parts.memory.update(waitingKey, all);
    this.#show();
  }

  #lookSoon(): void {
    this.#looking = this.#looking.then(async () => this.#look()).catch(this.#parts.onError);
  }

  /** Looks whether they still wait, and says once what became of those that do not. */
  async #look(): Promise<void> {
    const { store, turns } = this.#parts;
    const now = Date.now();
    await store.removeOld(now);
    for (const waiting of this.#all) {
      if (await store.isWaiting(waiting)) continue;
      // The hook notes a prompt before it takes the message.
      await turns.refresh();
      // It may have been taken back while this was read.
      if (!this.#all.includes(waiting)) continue;
      this.#set(this.#all.filter(each => each !== waiting));
      const name = agentName(waiting.agent);
      if (turns.hasPrompt(waiting.session, waiting.at))
        void vscode.window.showInformationMessage(
          t('Your message was handed over to {0} with your prompt.', name),
        );
      else if (now - waiting.at >= maxWaitingMs)
        void vscode.window.showInformationMessage(
          t(
            'Your message to {0} was not sent and is deleted: its session had no prompt for a day.',
            name,
          ),
        );
      // Else another window has taken it back.
    }
  }

  #show(): void {
    this.#isWaiting.set(this.#all.length > 0);
    clearTimeout(this.#timer);
    if (this.#all.length === 0) {
      this.#item?.dispose();
      this.#watcher?.dispose();
      this.#item = this.#watcher = undefined;
      return;
    }
    this.#watcher ??= this.#watch();
    const first = Math.min(...this.#all.map(({ at }) => at));
    this.#timer = setTimeout(() => this.#lookSoon(), first + maxWaitingMs - Date.now() + 1000);
    this.#item ??= newItem();
    const names = [...new Set(this.#all.map(({ agent }) => agentName(agent)))].join(', ');
    const label = t('A message waits for your next prompt to {0}. Click to take it back.', names);
    this.#item.tooltip = label;
    this.#item.accessibilityInformation = { label };
    this.#item.show();
  }

  #watch(): vscode.Disposable {
    const folder = vscode.Uri.file(this.#parts.store.folder);
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, '*'),
      true,
    );
    const look = (): void => this.#lookSoon();
    const listeners = [watcher.onDidDelete(look), watcher.onDidChange(look)];
    return vscode.Disposable.from(watcher, ...listeners);
  }
}

/** The only session, or the one that the user picks. */
export async function pickSession<T extends AgentSession & { readonly at?: number }>(
  sessions: readonly T[],
  title: string,
): Promise<T | undefined> {
  if (sessions.length < 2) return sessions[0];
  const items = sessions.map(session => ({
    label: agentName(session.agent),
    ...(session.at !== undefined && {
      description: clockText(session.at, vscode.env.language),
    }),
    session,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.session;
}

function newItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(
    'splice.external.message',
    vscode.StatusBarAlignment.Left,
    48,
  );
  item.name = t('Splice message to an agent');
  item.text = `$(mail) ${t('Message waits')}`;
  item.command = 'splice.external.takeBackMessage' satisfies CommandId;
  return item;
}

/** The memory may be that of another version. */
function readWaiting(value: unknown): readonly Waiting[] {
  return (Array.isArray(value) ? value : []).filter(isRecord).flatMap(entry => {
    const { agent, session, at } = entry;
    if (typeof agent !== 'string' || typeof session !== 'string' || typeof at !== 'number')
      return [];
    return reachedSessions([{ from: at, to: at, agent, session }]).map(found => ({ ...found, at }));
  });
}
