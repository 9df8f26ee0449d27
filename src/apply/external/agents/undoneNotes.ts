import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { ContextKey } from '../../../platform/commands/contextKey';
import { DisposableStore } from '../../../platform/disposables';
import type { WriteLabel } from '../core/rootState';
import type { ExternalChanges, ExternalSelection, ShownOutcome } from '../externalChanges';
import { contextKeys } from '../ids';
import { type AgentSession, reachedSessions } from './core/handover';
import { agentName } from './core/hookEvents';
import { type UndoneChange, undoneMessage } from './core/message';
import { pickSession, type WaitingMessages } from './waitingMessages';

const { t } = vscode.l10n;

/** A message about more changes would be too long to edit. */
const maxChanges = 200;

/** An undone change with the sessions that can be told of it: those that wrote its file. */
interface NotedChange extends UndoneChange {
  readonly sessions: readonly TimedSession[];
}

/** With when it wrote, in milliseconds since the epoch. */
type TimedSession = AgentSession & { readonly at: number };

/** Undone changes with the URI of their file, as they were before they were undone. */
export type UndoneBefore = ReadonlyMap<string, readonly NotedChange[]>;

export interface UndoneNotesParts {
  readonly changes: ExternalChanges;
  readonly waiting: WaitingMessages;
  /** The agents whose settings have hooks. */
  readonly hooked: () => Promise<readonly string[]>;
}

/**
 * What the user has undone, for a message to the agent: a draft that the user edits, copies, puts into a terminal, or
 * hands over at the next prompt. Once it went anywhere, the changes in it are not told again.
 */
export class UndoneNotes implements vscode.Disposable {
  readonly #parts: UndoneNotesParts;
  readonly #resources = new DisposableStore();
  readonly #hasUndone = new ContextKey<boolean>(contextKeys.hasUndoneChanges);
  #undone: readonly NotedChange[] = [];
  #draft: vscode.TextDocument | undefined;
  /** How many changes the draft tells of. */
  #told = 0;
  /** A message that was taken back, whose changes may not be known any more. */
  #takenBack: { readonly draft: vscode.TextDocument; readonly session: AgentSession } | undefined;
  /** What the messages that wait tell of, by session. */
  readonly #handedOver = new Map<string, readonly NotedChange[]>();

  constructor(parts: UndoneNotesParts) {
    this.#parts = parts;
    this.#resources.add(
      vscode.workspace.onDidCloseTextDocument(document => {
        if (document === this.#draft) this.#draft = undefined;
        if (document === this.#takenBack?.draft) this.#takenBack = undefined;
        this.#showContext();
      }),
    );
  }

  /** What would be undone. Call before it is. */
  async before(selected: readonly ExternalSelection[]): Promise<UndoneBefore> {
    const before = new Map<string, readonly NotedChange[]>();
    for (const { file, changes: ids } of selected) {
      const { pending, id, label } = file;
      const shown = await this.#parts.changes.changes(file);
      const sessions = timedSessions(pending.labels);
      before.set(
        id,
        shown
          ? shown.changes
              .filter(change => ids?.includes(change.id) ?? true)
              .map(({ start, lines, baseLines }) => ({
                sessions,
                path: label,
                line: start + 1,
                undone: lines,
                restored: baseLines,
              }))
          : [
              {
                sessions,
                path: label,
                whole: pending.status === 'changed' ? 'replaced' : pending.status,
                ...(pending.from !== undefined && { from: pending.from }),
              },
            ],
      );
    }
    return before;
  }

  /** Remembers what was undone. */
  note(before: UndoneBefore, decided: readonly ShownOutcome[]): void {
    for (const { uri, outcome } of decided) {
      if (outcome !== 'done') continue;
      this.#undone = [...this.#undone, ...(before.get(uri.toString()) ?? [])].slice(-maxChanges);
    }
    this.#showContext();
  }

  /** Opens the draft, and asks where it goes. */
  async open(): Promise<void> {
    if (this.#undone.length === 0 && !this.#takenBack)
      throw new UserError(t('There is nothing undone that an agent was not told of.'));
    if (!this.#draft || this.#told !== this.#undone.length) {
      this.#draft = await newDraft(undoneMessage(this.#undone));
      this.#told = this.#undone.length;
    }
    await this.#send(this.#draft);
  }

  /** Opens a message that was not sent yet as a draft again. */
  async takeBack(): Promise<void> {
    const taken = await this.#parts.waiting.takeBack();
    if (!taken) return;
    const { session, text } = taken;
    const changes = this.#handedOver.get(session.session) ?? [];
    this.#handedOver.delete(session.session);
    this.#undone = [...changes, ...this.#undone];
    const draft = await newDraft(text);
    this.#draft = draft;
    // What was undone since is in the next draft.
    this.#told = changes.length;
    this.#takenBack = { draft, session };
    this.#showContext();
    await this.#send(draft);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  async #send(draft: vscode.TextDocument): Promise<void> {
    await vscode.window.showTextDocument(draft, { preview: false });
    const sessions = await this.#sessionsFor(draft);
    const [copy, terminal, handOver] = [
      t('Copy'),
      t('Paste into Terminal'),
      t('Hand Over at the Next Prompt'),
    ];
    const picked = await vscode.window.showInformationMessage(
      t(
        'Add your reasons, then hand the message over. Nothing is sent before you press Enter where the agent runs.',
      ),
      copy,
      terminal,
      ...(sessions.length > 0 ? [handOver] : []),
    );
    if (picked === undefined || draft.isClosed) return;
    const text = draft.getText().trimEnd();
    if (picked === handOver) {
      if (!(await this.#handOver(sessions, text))) return;
    } else {
      await vscode.env.clipboard.writeText(text);
      if (picked === terminal) await paste();
      else vscode.window.setStatusBarMessage(t('$(check) The message is in the clipboard.'), 6000);
    }
    this.#undone = this.#undone.slice(this.#told);
    this.#told = 0;
    this.#draft = undefined;
    this.#takenBack = undefined;
    this.#showContext();
  }

  /** @returns whether a session was chosen. */
  async #handOver(sessions: readonly TimedSession[], text: string): Promise<boolean> {
    const session = await pickSession(sessions, t('Which session gets the message?'));
    if (!session) return false;
    const { waiting } = this.#parts;
    const { session: id } = session;
    const earlier = waiting.isWaiting(id) ? (this.#handedOver.get(id) ?? []) : [];
    await waiting.handOver(session, text);
    this.#handedOver.set(id, [...earlier, ...this.#undone.slice(0, this.#told)]);
    vscode.window.setStatusBarMessage(
      t('$(mail) {0} gets the message with your next prompt.', agentName(session.agent)),
      6000,
    );
    return true;
  }

  /** The sessions that a draft can be handed over to, the latest first. */
  async #sessionsFor(draft: vscode.TextDocument): Promise<readonly TimedSession[]> {
    const told = this.#undone.slice(0, this.#told).flatMap(({ sessions }) => sessions);
    const back = this.#takenBack?.draft === draft ? this.#takenBack.session : undefined;
    const latest = new Map<string, TimedSession>();
    const all = [...(back ? [{ ...back, at: Date.now() }] : []), ...told];
    for (const session of all) {
      const known = latest.get(session.session);
      if (!known || known.at < session.at) latest.set(session.session, session);
    }
    if (latest.size === 0) return [];
    const hooked = await this.#parts.hooked();
    return [...latest.values()]
      .filter(({ agent }) => hooked.includes(agent))
      .toSorted((a, b) => b.at - a.at);
  }

  #showContext(): void {
    this.#hasUndone.set(this.#undone.length > 0 || this.#takenBack !== undefined);
  }
}

const newDraft = async (text: string): Promise<vscode.TextDocument> =>
  vscode.workspace.openTextDocument({ language: 'markdown', content: `${text}\n` });

/** The sessions in the labels of a file, with when each wrote last. */
const timedSessions = (labels: readonly WriteLabel[]): TimedSession[] =>
  labels.flatMap(label => reachedSessions([label]).map(found => ({ ...found, at: label.to })));

/** The terminal's own paste: it tells the program that lines belong together, and asks where a shell would run each. */
async function paste(): Promise<void> {
  const terminal = vscode.window.activeTerminal;
  if (!terminal) {
    throw new UserError(
      t('No terminal is open. The message is in the clipboard: paste it where the agent runs.'),
    );
  }
  terminal.show();
  await vscode.commands.executeCommand('workbench.action.terminal.paste');
}
