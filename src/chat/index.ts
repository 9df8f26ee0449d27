import * as vscode from 'vscode';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import { ids } from '../manifest';
import type { ChatRooms } from './rooms';

const load = async () => import('./participant');

/** Registers the participant; its code loads with the first prompt. */
export function register(host: Host, rooms: ChatRooms): vscode.Disposable {
  const store = new DisposableStore();
  const participant = store.add(
    vscode.chat.createChatParticipant(
      ids.chatParticipant,
      async (request, context, response, token) =>
        (await load()).answer(host, rooms, { request, context, response, token }),
    ),
  );
  participant.iconPath = new vscode.ThemeIcon('combine');
  participant.followupProvider = {
    provideFollowups: async ({ metadata }) => (await load()).followupsOf(metadata),
  };
  return store;
}
