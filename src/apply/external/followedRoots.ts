import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Sequencer } from '../../base/async/sequencer';
import { ContextKey } from '../../platform/commands/contextKey';
import { DisposableStore } from '../../platform/disposables';
import type { Host } from '../../platform/host';
import { settings } from '../../platform/settings';
import type { AgentTurns } from './agents/agentTurns';
import type { ExternalChanges } from './externalChanges';
import { FollowedRoot } from './followedRoot';
import { contextKeys } from './ids';

const section = 'splice.externalChanges';

/** Folders of the workspace, and repositories in them. */
const maxRoots = 50;

/** The folders of the workspace that are followed, as the settings and the trust of the user have it. */
export class FollowedRoots implements vscode.Disposable {
  readonly #host: Host;
  readonly #changes: ExternalChanges;
  readonly #turns: AgentTurns;
  readonly #onError: (error: unknown) => void;
  readonly #roots = new Map<string, FollowedRoot>();
  /** The folders that were found at the last start, also those that cannot be followed. */
  #wanted: ReadonlySet<string> = new Set();
  readonly #sequence = new Sequencer();
  readonly #resources = new DisposableStore();
  readonly #isFollowing = new ContextKey<boolean>(contextKeys.followsExternalChanges);

  constructor(
    host: Host,
    changes: ExternalChanges,
    turns: AgentTurns,
    onError: (error: unknown) => void,
  ) {
    this.#turns = turns;
    this.#host = host;
    this.#changes = changes;
    this.#onError = onError;
    const { workspace } = vscode;
    const again = (): void => this.#startAgain();
    this.#resources.add(workspace.onDidChangeWorkspaceFolders(again));
    this.#resources.add(
      workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(section)) again();
      }),
    );
    this.#resources.add(
      workspace.onDidGrantWorkspaceTrust(() => {
        // Git may be asked from now on.
        void this.#sequence.run(async () => this.#stopAll()).catch(onError);
        again();
      }),
    );
  }

  /** Follows the folders that should be followed now, and no others. */
  async start(): Promise<void> {
    await this.#sequence.run(async () => {
      const folders = settings.followsExternalChanges
        ? (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => isOnDisk(uri))
        : [];
      const left = folders.map(({ uri }) => uri);
      const wanted = new Set<string>();
      for (let uri = left.shift(); uri; uri = left.shift()) {
        const key = uri.toString();
        if (wanted.has(key)) continue;
        wanted.add(key);
        if (this.#roots.size >= maxRoots && !this.#roots.has(key)) continue;
        const root = this.#roots.get(key) ?? (await this.#open(uri));
        if (root) left.push(...root.repositories);
      }
      for (const [key, root] of this.#roots) {
        if (wanted.has(key)) continue;
        this.#roots.delete(key);
        root.dispose();
      }
      this.#wanted = wanted;
      this.#isFollowing.set(this.#roots.size > 0);
    });
  }

  /** Deletes all that is stored of the folders, and begins anew: what is there now counts as reviewed. */
  async forget(): Promise<void> {
    await this.#sequence.run(async () => {
      const own = [...this.#roots.values()].filter(({ isReadOnly }) => !isReadOnly);
      this.#stopAll();
      for (const { folder } of own)
        await rm(this.#storageOf(folder), { recursive: true, force: true });
    });
    await this.start();
  }

  dispose(): void {
    this.#resources.dispose();
    this.#stopAll();
  }

  async #open(uri: vscode.Uri): Promise<FollowedRoot | undefined> {
    const key = uri.toString();
    try {
      const root = await FollowedRoot.open(this.#changes, {
        folder: uri,
        turns: this.#turns,
        storage: this.#storageOf(uri),
        ignored: settings.ignoredExternalFiles,
        onOtherRepository: () => this.#restart(key),
        onRepositories: folders => {
          if (folders.some(folder => !this.#wanted.has(folder.toString()))) this.#startAgain();
        },
        onError: this.#onError,
      });
      this.#roots.set(key, root);
      return root;
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  #startAgain(): void {
    this.start().catch(this.#onError);
  }

  #restart(key: string): void {
    const stop = async (): Promise<void> => {
      this.#roots.get(key)?.dispose();
      this.#roots.delete(key);
    };
    void this.#sequence
      .run(stop)
      .then(async () => this.start())
      .catch(this.#onError);
  }

  #stopAll(): void {
    for (const root of this.#roots.values()) root.dispose();
    this.#roots.clear();
  }

  /** The same for all windows that open the folder. */
  #storageOf({ fsPath }: vscode.Uri): string {
    const id = createHash('sha256').update(fsPath).digest('hex').slice(0, 24);
    return path.join(this.#host.context.globalStorageUri.fsPath, 'external', id);
  }
}

/** A remote window has its folders on the computer that the extension runs on. */
const isOnDisk = ({ scheme }: vscode.Uri): boolean =>
  scheme === 'file' || scheme === 'vscode-remote';
