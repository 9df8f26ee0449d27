import { posix, win32 } from 'node:path';
import { taskFiles } from '../formats/taskFolders';
import {
  anyWorkspaceLocation,
  type HistoryLocation,
  type Machine,
  pathJoiner,
  userFolder,
  workspaceLocation,
} from './machine';

const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor'];

/** Where chats of VS Code, of the editors that were made from it, and of their extensions are. */
export function editorLocations(machine: Machine): HistoryLocation[] {
  const join = pathJoiner(machine);
  return editorUserFolders(machine).flatMap(user => [
    anyWorkspaceLocation(
      'vscodeSession',
      join(user, 'workspaceStorage'),
      `*/chatSessions/${chatFiles}`,
    ),
    anyWorkspaceLocation(
      'vscodeSession',
      join(user, 'globalStorage', 'emptyWindowChatSessions'),
      chatFiles,
    ),
    anyWorkspaceLocation(
      'copilot',
      join(user, 'workspaceStorage'),
      `*/${copilotTranscripts.join('/')}/*.jsonl`,
    ),
    ...['rooveterinaryinc.roo-cline', 'kilocode.kilo-code'].map(id =>
      anyWorkspaceLocation('roo', join(user, 'globalStorage', id, 'tasks'), `*/${taskFiles.sent}`),
    ),
    anyWorkspaceLocation(
      'cline',
      join(user, 'globalStorage', 'saoudrizwan.claude-dev', 'tasks'),
      `*/${taskFiles.sent}`,
    ),
  ]);
}

/**
 * Where the running editor has the chats about what is open. On a server, and for a workspace of several folders,
 * no file in a storage tells which folder it is about.
 */
export function windowLocations(machine: Machine): HistoryLocation[] {
  const { workspaceStorage } = machine;
  if (workspaceStorage === undefined) return [];
  const join = pathJoiner(machine);
  return [
    workspaceLocation('vscodeSession', join(workspaceStorage, 'chatSessions'), chatFiles),
    workspaceLocation('copilot', join(workspaceStorage, ...copilotTranscripts), '*.jsonl'),
  ];
}

const chatFiles = '*.{json,jsonl}';
const copilotTranscripts = ['GitHub.copilot-chat', 'transcripts'];

/** Where the chat may be of which Copilot keeps a transcript. */
export function chatsOfTranscript(transcript: string, { platform }: Machine): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const storage = path.resolve(path.dirname(transcript), ...copilotTranscripts.map(() => '..'));
  const { name } = path.parse(transcript);
  return ['.jsonl', '.json'].map(end => path.join(storage, 'chatSessions', name + end));
}

/** The `User` folders of VS Code and its forks, starting with the running editor. */
function editorUserFolders(machine: Machine): string[] {
  const { home, editorUser } = machine;
  const join = pathJoiner(machine);
  const known = editors.map(editor => userFolder(machine, editor));
  const remote = join(home, '.vscode-server', 'data', 'User');
  return [...new Set([...(editorUser === undefined ? [] : [editorUser]), ...known, remote])];
}
