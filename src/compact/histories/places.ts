import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { trimEndOf } from '../../base/scan';
import { parseJson } from '../../service/guards';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that is open: an absolute path. */
  readonly workspaceFolder?: string;
  /** The `User` folder of the editor that runs this, where it is known. */
  readonly editorUser?: string;
}

export interface HistoryPlace {
  /** Id of the format that the files should have. */
  readonly format: string;
  readonly folder: string;
  /** A glob below the folder, with `/`. */
  readonly pattern: string;
  /** Whether what is found is of the open folder, or whether the session has to say so. */
  readonly isOfWorkspace: boolean;
  /** Rows of a database, not files of text. */
  readonly isDatabase?: true;
}

const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor'];

/** Where the tools keep their sessions on this machine; nothing is looked up. */
export function historyPlaces(machine: Machine): HistoryPlace[] {
  const { home, env, workspaceFolder } = machine;
  const join = joinOn(machine);
  const claude = join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'projects');
  const codex = env['CODEX_HOME'] || join(home, '.codex');
  const gemini = join(env['GEMINI_CLI_HOME'] || home, '.gemini', 'tmp');
  const ofFolder =
    workspaceFolder === undefined
      ? []
      : [
          own('claudeCode', join(claude, claudeFolderName(workspaceFolder)), '*.jsonl'),
          own(
            'gemini',
            join(gemini, geminiFolderName(workspaceFolder), 'chats'),
            'session-*.{json,jsonl}',
          ),
          own('aider', workspaceFolder, '.aider.chat.history.md'),
          own('markdown', join(workspaceFolder, '.specstory', 'history'), '*.md'),
        ];
  return [
    ...ofFolder,
    ...editorUserFolders(machine).flatMap(user => [
      all('vscodeSession', join(user, 'workspaceStorage'), '*/chatSessions/*.{json,jsonl}'),
      all(
        'vscodeSession',
        join(user, 'globalStorage', 'emptyWindowChatSessions'),
        '*.{json,jsonl}',
      ),
      all('copilot', join(user, 'workspaceStorage'), '*/GitHub.copilot-chat/transcripts/*.jsonl'),
      ...['rooveterinaryinc.roo-cline', 'kilocode.kilo-code'].map(id =>
        all('roo', join(user, 'globalStorage', id, 'tasks'), '*/api_conversation_history.json'),
      ),
      all(
        'cline',
        join(user, 'globalStorage', 'saoudrizwan.claude-dev', 'tasks'),
        '*/api_conversation_history.json',
      ),
    ]),
    all('cline', join(home, '.cline', 'data', 'tasks'), '*/api_conversation_history.json'),
    all('claudeCode', claude, '*/*.jsonl'),
    all('codex', join(codex, 'sessions'), '*/*/*/rollout-*.jsonl'),
    all('gemini', gemini, '*/chats/session-*.{json,jsonl}'),
    all(
      'continue',
      join(env['CONTINUE_GLOBAL_DIR'] || join(home, '.continue'), 'sessions'),
      '!(sessions).json',
    ),
    all('copilot', join(home, '.copilot', 'session-state'), '*/events.jsonl'),
    {
      ...all(
        'opencode',
        join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode'),
        'opencode.db',
      ),
      isDatabase: true,
    },
    {
      ...all('cursor', join(userFolder(machine, 'Cursor'), 'globalStorage'), 'state.vscdb'),
      isDatabase: true,
    },
  ];
}

function joinOn({ platform }: Machine): (...names: string[]) => string {
  const path = platform === 'win32' ? win32 : posix;
  return (...names) => path.join(...names);
}

function all(format: string, folder: string, pattern: string): HistoryPlace {
  return { format, folder, pattern, isOfWorkspace: false };
}

function own(format: string, folder: string, pattern: string): HistoryPlace {
  return { format, folder, pattern, isOfWorkspace: true };
}

/** The `User` folders of VS Code and its kin, that of the running editor first. */
function editorUserFolders(machine: Machine): string[] {
  const { home, editorUser } = machine;
  const join = joinOn(machine);
  const known = editors.map(editor => userFolder(machine, editor));
  const remote = join(home, '.vscode-server', 'data', 'User');
  return [...new Set([...(editorUser === undefined ? [] : [editorUser]), ...known, remote])];
}

function userFolder(machine: Machine, editor: string): string {
  const { platform, home, env } = machine;
  const join = joinOn(machine);
  if (platform === 'win32')
    return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), editor, 'User');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', editor, 'User');
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), editor, 'User');
}

/** Claude Code names a project's folder by its path, with a dash for all that is no ASCII letter or digit. */
export function claudeFolderName(workspaceFolder: string): string {
  return workspaceFolder.replaceAll(/[^A-Za-z0-9]/g, '-');
}

/** Gemini CLI names it by a hash; newer builds use names of their own, which only their list knows. */
export function geminiFolderName(workspaceFolder: string): string {
  return createHash('sha256').update(workspaceFolder).digest('hex');
}

/** The folder of a `workspaceStorage` entry: `workspace.json` beside `chatSessions` names it as a URI. */
export function folderOfStorage(workspaceJson: string): string | undefined {
  const about = parseJson(workspaceJson);
  const folder =
    typeof about === 'object' && about !== null && 'folder' in about ? about.folder : undefined;
  return typeof folder === 'string' ? folder : undefined;
}

/** Whether a session's folder, a path or a URI as the tool wrote it, is the open one. */
export function isOfFolder(
  workspace: string,
  workspaceFolder: string,
  platform: NodeJS.Platform,
): boolean {
  return normal(workspace, platform) === normal(workspaceFolder, platform);
}

function normal(folder: string, platform: NodeJS.Platform): string {
  let path = folder;
  if (/^file:\/\//i.test(path)) {
    path = path.replace(/^file:\/\/(?:localhost)?/i, '');
    try {
      path = decodeURIComponent(path);
    } catch {
      // A lone percent sign is part of the name.
    }
    path = path.replace(/^\/(?=[A-Za-z]:)/, '');
  }
  if (platform === 'win32') path = path.replaceAll('\\', '/');
  path = path.length > 1 ? trimEndOf(path, '/') : path;
  // Names differ by more than case only where the file system says so.
  return platform === 'linux' ? path : path.toLowerCase();
}
