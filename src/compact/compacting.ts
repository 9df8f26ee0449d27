import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { settings } from '../host/settings';
import type { GatedClient } from '../host/egress/gatedClient';
import { compactByService, type Compaction, type CompactPlan, ProofFailed } from './engine';
import { UnsupportedHistory } from './histories';
import { WorkThread } from './thread';
import type { OpenedChat } from './work';

const { t } = vscode.l10n;

export type CompactClient = Pick<GatedClient, 'compact' | 'isReady'>;

export function workThread({ context }: Host): WorkThread {
  return new WorkThread(vscode.Uri.joinPath(context.extensionUri, 'dist/compact/worker.js').fsPath);
}

export function serviceHost(): string {
  return settings.serviceHost || t('the service');
}

/** Who compacts unless something else is chosen. */
export function usualPlan(): CompactPlan {
  return {
    engine: settings.compactEngine === 'service' ? 'service' : 'local',
    route: settings.compactRoute,
    ratio: 0.3,
    query: '',
    keepRecent: 2,
    pins: [],
  };
}

/** Compacts with the engine of the plan, and with no other. */
export async function compactWith(
  client: CompactClient,
  thread: WorkThread,
  opened: OpenedChat,
  plan: CompactPlan,
  signal: AbortSignal,
): Promise<Compaction> {
  if (plan.engine === 'local') return thread.compact(opened, plan, signal);
  if (settings.compactEngine === 'local')
    throw new UserError(t('Only this machine may compact here, as the settings or the trust say.'));
  const { chat, sheet } = opened;
  return compactByService(chat, sheet, plan, client, { signal, now: () => performance.now() });
}

/** {@link compactWith}, where nobody looks at the line that fails the proof. */
export async function compactProved(...args: Parameters<typeof compactWith>): Promise<Compaction> {
  try {
    return await compactWith(...args);
  } catch (error) {
    if (!(error instanceof ProofFailed)) throw error;
    throw new UserError(
      t('The service did not keep the lines as they are; its answer was not used.'),
    );
  }
}

/** The messages of formats are for people already. */
export async function forUser<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UnsupportedHistory) throw new UserError(error.message);
    throw error;
  }
}
