import * as vscode from 'vscode';
import { translated } from '../../../base/sentence';
import { UserError } from '../../../base/userError';
import { DisposableStore } from '../../../platform/disposables';
import { createTextDocuments } from '../../../platform/documents/textDocuments';
import { openMultiDiff, tabsOfMultiDiff } from '../../review/page/multiDiff';
import { settingsScheme } from '../ids';
import type { AgentHooks, AgentSettings, HookChange } from './agentHooks';
import { agentNames } from './core/hookEvents';
import { hookedAgents } from './core/hookSettings';

const { t } = vscode.l10n;

const hooksKey = 'splice.external.hasHooks';

export interface HookCommandParts {
  readonly hooks: AgentHooks;
  /** Remembers whether there are hooks, so that nothing is read where there are none. */
  readonly memory: vscode.Memento;
  /** Begins to read what the hooks note. */
  readonly start: () => Promise<void>;
}

/** Adds and removes hooks in the settings of agents, after the user has seen the change. */
export class HookCommands implements vscode.Disposable {
  readonly #parts: HookCommandParts;
  readonly #resources = new DisposableStore();
  readonly #documents = this.#resources.add(createTextDocuments(settingsScheme, () => ''));

  constructor(parts: HookCommandParts) {
    this.#parts = parts;
  }

  /** Call at the start: an update of the extension brings new programs for the hooks. */
  async resume(): Promise<void> {
    const { memory, hooks, start } = this.#parts;
    if (memory.get(hooksKey) !== true) return;
    await hooks.install();
    await start();
  }

  /** Lets the user choose which agents have hooks. */
  async connect(): Promise<void> {
    const found = await this.#found();
    // The next step asks again, so that nothing needs to be picked here at first.
    const isNew = !found.some(({ hasHooks }) => hasHooks);
    const items = found.map(settings => ({
      label: agentNames[settings.agent],
      description: settings.file,
      picked: isNew || settings.hasHooks,
      settings,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: t('Label changes by agent and turn'),
      placeHolder: t('Which agents get a hook? The change is shown first.'),
    });
    if (!picked) return;
    const wanted = new Set(picked.map(({ settings }) => settings.agent));
    await this.#change(
      found.filter(({ agent, hasHooks }) => hasHooks || wanted.has(agent)),
      ({ agent }) => wanted.has(agent),
    );
  }

  /** Removes all hooks at once. */
  async disconnect(): Promise<void> {
    const found = (await this.#found()).filter(({ hasHooks }) => hasHooks);
    if (found.length === 0) throw new UserError(t('No agent has hooks of Splice in its settings.'));
    const changes = this.#planned(found, () => false);
    await this.#make(changes);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  async #found(): Promise<AgentSettings[]> {
    const found = await this.#parts.hooks.found();
    if (found.length > 0) return found;
    const names = hookedAgents.map(agent => agentNames[agent]).join(', ');
    throw new UserError(
      t(
        'No settings of {0} were found on this computer. Start the agent once, then try again.',
        names,
      ),
    );
  }

  async #change(
    settings: readonly AgentSettings[],
    isWanted: (settings: AgentSettings) => boolean,
  ): Promise<void> {
    const changes = this.#planned(settings, isWanted);
    if (changes.length === 0) {
      if (settings.length > 0)
        vscode.window.setStatusBarMessage(t('The hooks are as you want them.'), 6000);
      return;
    }
    const title = t('Hooks of Coding Agents');
    await openMultiDiff(
      title,
      `splice-hooks-${Date.now()}`,
      changes.map(change => this.#documentsOf(change)),
    );
    const notes = changes.flatMap(change => change.notes.map(note => ` ${translated(note, t)}`));
    const yes = t('Change the Settings');
    const picked = await vscode.window.showInformationMessage(
      t(
        'This page shows each change of your settings of {0}. The hooks note when a turn or a tool begins and ends, and the names of files, in a file on this computer. They give the agent nothing but a message that you hand over yourself.',
        changes.map(({ agent }) => agentNames[agent]).join(', '),
      ) + notes.join(''),
      yes,
      t('Leave as It Is'),
    );
    await vscode.window.tabGroups.close(tabsOfMultiDiff(title));
    if (picked === yes) await this.#make(changes);
  }

  /** Says why the settings of an agent cannot be changed. */
  #planned(
    settings: readonly AgentSettings[],
    isWanted: (settings: AgentSettings) => boolean,
  ): HookChange[] {
    return settings.flatMap(one => {
      const plan = this.#parts.hooks.plan(one, isWanted(one));
      if ('problem' in plan) {
        void vscode.window.showWarningMessage(`${translated(plan.problem, t)} ${one.file}`);
        return [];
      }
      return plan.before === plan.after ? [] : [plan];
    });
  }

  #documentsOf({ file, before, after }: HookChange): {
    before: vscode.Uri | undefined;
    after: vscode.Uri;
  } {
    const { path } = vscode.Uri.file(file);
    const left = vscode.Uri.from({ scheme: settingsScheme, path, query: 'before' });
    const right = left.with({ query: 'after' });
    this.#documents.serve(left, before ?? '');
    this.#documents.serve(right, after ?? '');
    return { before: before === undefined ? undefined : left, after: right };
  }

  async #make(changes: readonly HookChange[]): Promise<void> {
    const { hooks, memory, start } = this.#parts;
    await hooks.install();
    const done: string[] = [];
    for (const change of changes) {
      const name = agentNames[change.agent];
      const outcome = await hooks.make(change);
      if (outcome === 'done') done.push(name);
      else
        void vscode.window.showWarningMessage(
          outcome === 'changed'
            ? t(
                'The settings of {0} have changed meanwhile, so they were left alone. Try again.',
                name,
              )
            : t('The settings of {0} could not be written: {1}', name, change.file),
        );
    }
    const hasHooks = (await hooks.found()).some(settings => settings.hasHooks);
    await memory.update(hooksKey, hasHooks);
    if (hasHooks) await start();
    if (done.length === 0) return;
    const names = done.join(', ');
    vscode.window.setStatusBarMessage(
      hasHooks
        ? t(
            '$(check) The settings of {0} were changed. Sessions that run already may have to be started again.',
            names,
          )
        : t('$(check) The hooks were removed from the settings of {0}.', names),
      10_000,
    );
  }
}
