import * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import type { ChatFeatures } from './chatFeatures';
import { chatParticipant } from './ids';

const load = async () => import('./participant');

/** Registers the participant; its code loads with the first prompt. */
export function registerChat(host: Host, features: ChatFeatures): vscode.Disposable {
  const store = new DisposableStore();
  const participant = store.add(
    vscode.chat.createChatParticipant(chatParticipant, async (request, context, response, token) =>
      (await load()).answerPrompt(host, features, { request, context, response, token }),
    ),
  );
  participant.iconPath = new vscode.ThemeIcon('combine');
  participant.followupProvider = {
    provideFollowups: async ({ metadata }) => (await load()).followupsOf(metadata),
  };
  return store;
}
