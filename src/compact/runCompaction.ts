import * as vscode from 'vscode';
import { isRecord } from '../base/typeGuards';
import { UserError } from '../base/userError';
import type { GatedClient } from '../platform/egress/gatedClient';
import { settings } from '../platform/settings';
import { UnsupportedHistory } from './sessions';
import type { ChatSource } from './source';
import { type Compaction, type CompactPlan, compactByService, ProofFailed } from './worker/engine';
import { WorkerClient } from './worker/workerClient';
import type { OpenedChat } from './worker/workerTasks';

const { t } = vscode.l10n;

/** A chat with the options for it. */
export interface PlannedCompaction {
  readonly source: ChatSource;
  readonly opened: OpenedChat;
  readonly plan: CompactPlan;
}

export type CompactClient = Pick<GatedClient, 'compact' | 'isReady'>;

/** The folders of the extension: of its files, and of what it stores. */
export interface FolderHost {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
}

export function createWorkerClient({ context }: FolderHost): WorkerClient {
  return new WorkerClient(
    vscode.Uri.joinPath(context.extensionUri, 'dist/compact/worker/worker.mjs').fsPath,
  );
}

export function serviceHost(): string {
  return settings.serviceHost || t('the service');
}

/** The options before the user changes any. */
export function defaultPlan(): CompactPlan {
  return {
    engine: settings.compactEngine === 'service' ? 'service' : 'local',
    route: settings.compactRoute,
    ratio: 0.3,
    query: '',
    keepRecent: 2,
    pins: [],
  };
}

/** The engine of the settings, or this machine when no API key is set. */
export async function usualEngine(client: CompactClient): Promise<CompactPlan['engine']> {
  const { engine } = defaultPlan();
  return engine === 'service' && !(await client.isReady()) ? 'local' : engine;
}

/** Reads options from storage or command arguments, which may hold anything. */
export function readOptions(value: unknown): Partial<CompactPlan> {
  if (!isRecord(value)) return {};
  const { ratio, query, keepRecent, pins } = value;
  return {
    ...(typeof ratio === 'number' && ratio > 0 && ratio <= 1 ? { ratio } : {}),
    ...(typeof query === 'string' ? { query } : {}),
    ...(Number.isInteger(keepRecent) && Number(keepRecent) >= 0
      ? { keepRecent: Number(keepRecent) }
      : {}),
    ...(Array.isArray(pins)
      ? { pins: pins.filter((pin): pin is string => typeof pin === 'string') }
      : {}),
  };
}

/** The engine that command arguments ask for. */
export function askedEngine({ engine }: Record<string, unknown>): Partial<CompactPlan> {
  return engine === 'local' || engine === 'service' ? { engine } : {};
}

/** Compacts with the engine of the plan; never falls back to the other one. */
export async function runCompaction(
  client: CompactClient,
  worker: WorkerClient,
  opened: OpenedChat,
  plan: CompactPlan,
  signal: AbortSignal,
): Promise<Compaction> {
  if (plan.engine === 'local') return worker.compact(opened, plan, signal);
  if (settings.compactEngine === 'local') {
    throw new UserError(
      t(
        'Only local compaction is allowed here, because of the settings or because the workspace is not trusted.',
      ),
    );
  }
  const { chat, lineIndex } = opened;
  return compactByService(chat, lineIndex, plan, client, { signal, now: () => performance.now() });
}

/** {@link runCompaction} for callers that cannot show the line that failed the proof. */
export async function compactWithUserErrors(
  ...args: Parameters<typeof runCompaction>
): Promise<Compaction> {
  try {
    return await runCompaction(...args);
  } catch (error) {
    if (!(error instanceof ProofFailed)) throw error;
    throw new UserError(
      t('The service did not keep the lines as they are; its answer was not used.'),
    );
  }
}

/** Turns {@link UnsupportedHistory}, whose message is written for users, into a {@link UserError}. */
export async function withUserErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UnsupportedHistory) throw new UserError(error.message);
    throw error;
  }
}
