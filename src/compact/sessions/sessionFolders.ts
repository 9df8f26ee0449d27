import { createHash } from 'node:crypto';
import { trimEndOf } from '../../base/text/scan';
import { isRecord, parseJson, textOf } from '../../base/typeGuards';
import { grokFiles } from './formats/clis/grok';
import { kimiLog } from './formats/kimi/kimi';
import { taskFiles } from './formats/taskFolders';
import { editorLocations, windowLocations } from './locations/editorLocations';
import {
  anyWorkspaceLocation,
  applicationSupport,
  type HistoryLocation,
  isAbsoluteOn,
  localData,
  type Machine,
  ownData,
  pathJoiner,
  roamingData,
  sharedData,
  userFolder,
  workspaceLocation,
} from './locations/machine';

/** Where Gemini CLI notes which name it gave to the folder of a project. */
export function geminiProjectsFile(machine: Machine): string {
  return pathJoiner(machine)(geminiHome(machine), 'projects.json');
}

function geminiHome(machine: Machine): string {
  return pathJoiner(machine)(machine.env['GEMINI_CLI_HOME'] || machine.home, '.gemini');
}

/**
 * Where a tool looks for sessions about the open folder; undefined for one that takes them from any file.
 * @param geminiProjects the text of {@link geminiProjectsFile}.
 */
export function sessionFolderFor(
  tool: string,
  machine: Machine,
  geminiProjects: string,
): string | undefined {
  const { home, env, workspaceFolder = '' } = machine;
  const join = pathJoiner(machine);
  switch (tool) {
    case 'claudeCode': {
      const projects = join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'projects');
      return join(projects, claudeFolderName(workspaceFolder));
    }
    case 'codex':
      return join(env['CODEX_HOME'] || join(home, '.codex'), 'sessions');
    case 'gemini': {
      const name = geminiProjectName(geminiProjects, machine) ?? geminiFolderName(workspaceFolder);
      return join(geminiHome(machine), 'tmp', name, 'chats');
    }
    default:
      return undefined;
  }
}

/** The name is of a file, and must not lead out of its folder. On Windows, the paths are noted in lower case. */
function geminiProjectName(
  projects: string,
  { workspaceFolder = '', platform }: Machine,
): string | undefined {
  const about = parseJson(projects);
  const names = isRecord(about) && isRecord(about['projects']) ? about['projects'] : {};
  const own = Object.keys(names).find(folder => isSamePath(folder, workspaceFolder, platform));
  const name = own === undefined ? undefined : textOf(names[own]);
  return name !== undefined && /^[\w-][\w.-]{0,99}$/.test(name) ? name : undefined;
}

/** Where known tools keep their sessions on this machine. Does not access the disk. */
export function historyLocations(machine: Machine): HistoryLocation[] {
  const { home, env, workspaceFolder } = machine;
  const join = pathJoiner(machine);
  const claude = join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'projects');
  const codex = env['CODEX_HOME'] || join(home, '.codex');
  const gemini = join(geminiHome(machine), 'tmp');
  const ofFolder: HistoryLocation[] =
    workspaceFolder === undefined
      ? []
      : [
          workspaceLocation(
            'claudeCode',
            join(claude, claudeFolderName(workspaceFolder)),
            '*.jsonl',
          ),
          ...geminiFolderNames(machine).map(name =>
            workspaceLocation('gemini', join(gemini, name, 'chats'), 'session-*.{json,jsonl}'),
          ),
          workspaceLocation('aider', workspaceFolder, '.aider.chat.history.md'),
          workspaceLocation('markdown', join(workspaceFolder, '.specstory', 'history'), '*.md'),
          ...crushLocation(machine, workspaceFolder),
          ...windowLocations(machine),
        ];
  return [
    ...ofFolder,
    ...editorLocations(machine),
    anyWorkspaceLocation('cline', join(home, '.cline', 'data', 'tasks'), `*/${taskFiles.sent}`),
    anyWorkspaceLocation('claudeCode', claude, '*/*.jsonl'),
    anyWorkspaceLocation('codex', join(codex, 'sessions'), '*/*/*/rollout-*.{jsonl,jsonl.zst}'),
    anyWorkspaceLocation('codex', join(codex, 'archived_sessions'), 'rollout-*.{jsonl,jsonl.zst}'),
    anyWorkspaceLocation('gemini', gemini, '*/chats/session-*.{json,jsonl}'),
    anyWorkspaceLocation(
      'continue',
      join(env['CONTINUE_GLOBAL_DIR'] || join(home, '.continue'), 'sessions'),
      '!(sessions).json',
    ),
    anyWorkspaceLocation('copilotCli', join(home, '.copilot', 'session-state'), '*/events.jsonl'),
    anyWorkspaceLocation(
      'pi',
      join(env['PI_CODING_AGENT_DIR'] || join(home, '.pi', 'agent'), 'sessions'),
      '*/*.jsonl',
    ),
    ...ohMyPiAgents(machine).map(agent =>
      anyWorkspaceLocation('ohMyPi', join(agent, 'sessions'), '*/*.jsonl'),
    ),
    anyWorkspaceLocation(
      'kimi',
      join(env['KIMI_CODE_HOME'] || join(home, '.kimi-code'), 'sessions'),
      `*/*/agents/main/${kimiLog}`,
    ),
    anyWorkspaceLocation(
      'droid',
      join(env['FACTORY_HOME_OVERRIDE'] || home, '.factory', 'sessions'),
      '*/*.jsonl',
    ),
    anyWorkspaceLocation(
      'grok',
      join(env['GROK_HOME'] || join(home, '.grok'), 'sessions'),
      `*/*/${grokFiles.sent}`,
    ),
    anyWorkspaceLocation(
      'nanocoder',
      join(env['NANOCODER_DATA_DIR'] || join(ownData(machine), 'nanocoder'), 'sessions'),
      '!(sessions).json',
    ),
    anyWorkspaceLocation('qwen', join(home, '.qwen', 'projects'), '*/chats/*.jsonl'),
    anyWorkspaceLocation(
      'clineSession',
      join(env['CLINE_DATA_DIR'] || join(home, '.cline', 'data'), 'sessions'),
      '*/*.messages.json',
    ),
    anyWorkspaceLocation('goose', gooseSessions(machine), '*.jsonl'),
    anyWorkspaceLocation('amp', join(sharedData(machine), 'amp', 'threads'), 'T-*.json'),
    ...databases(machine),
  ];
}

/** The folders that oh-my-pi may have its sessions in; it has another one for each profile. */
function ohMyPiAgents(machine: Machine): string[] {
  const { home, env, platform } = machine;
  const join = pathJoiner(machine);
  const own = env['PI_CODING_AGENT_DIR'];
  if (own) return [own];
  const profile = env['OMP_PROFILE'] || env['PI_PROFILE'];
  const root = join(home, env['PI_CONFIG_DIR'] || '.omp');
  const inProfile = profile ? [join(root, 'profiles', profile, 'agent')] : [];
  const data = env['XDG_DATA_HOME'];
  const shared = data && platform !== 'win32' ? [join(data, 'omp')] : [];
  return [...inProfile, join(root, 'agent'), ...shared];
}

/** A database that may be anybody's is not opened. */
function crushLocation(machine: Machine, workspaceFolder: string): HistoryLocation[] {
  if (machine.isUntrusted === true) return [];
  const folder = pathJoiner(machine)(workspaceFolder, '.crush');
  return [{ ...workspaceLocation('crush', folder, 'crush.db'), isDatabase: true }];
}

/** Where Crush notes the folders that it was used in. */
export function crushProjectsFile(machine: Machine): string {
  const { env, platform } = machine;
  const join = pathJoiner(machine);
  const local = platform === 'win32' && !env['XDG_DATA_HOME'] ? localData(machine) : undefined;
  const folder = env['CRUSH_GLOBAL_DATA'] || join(local ?? sharedData(machine), 'crush');
  return join(folder, 'projects.json');
}

/** Databases of Crush in other folders that are opened for one list; each is copied. */
const maxCrushProjects = 10;

/**
 * The databases of Crush in the folders that were used last.
 * @param projects the text of {@link crushProjectsFile}.
 */
export function crushLocations(projects: string, machine: Machine): HistoryLocation[] {
  const { platform, workspaceFolder, isUntrusted = false } = machine;
  const about = parseJson(projects);
  const list = isRecord(about) && Array.isArray(about['projects']) ? about['projects'] : [];
  return list.slice(0, maxCrushProjects).flatMap((project: unknown) => {
    const folder = isRecord(project) ? textOf(project['path']) : undefined;
    const data = isRecord(project) ? textOf(project['data_dir']) : undefined;
    if (folder === undefined || data === undefined || !isAbsoluteOn(data, platform)) return [];
    const isOfWorkspace =
      workspaceFolder !== undefined && isSamePath(folder, workspaceFolder, platform);
    return isOfWorkspace && isUntrusted
      ? []
      : [{ ...database('crush', data, 'crush.db'), isOfWorkspace }];
  });
}

function database(format: string, folder: string, pattern: string): HistoryLocation {
  return { ...anyWorkspaceLocation(format, folder, pattern), isDatabase: true };
}

/** Stores that are not a file per session. */
function databases(machine: Machine): HistoryLocation[] {
  const join = pathJoiner(machine);
  const data = sharedData(machine);
  return [
    database('opencode', join(data, 'opencode'), 'opencode.db'),
    database('kilo', join(data, 'kilo'), '{kilo,opencode}.db'),
    database('cursor', join(userFolder(machine, 'Cursor'), 'globalStorage'), 'state.vscdb'),
    database('goose', gooseSessions(machine), 'sessions.db'),
    database('zed', join(zedData(machine, data), 'threads'), 'threads.db'),
  ];
}

function gooseSessions(machine: Machine): string {
  const { platform, env } = machine;
  const join = pathJoiner(machine);
  const root = env['GOOSE_PATH_ROOT'] ?? '';
  if (isAbsoluteOn(root, platform)) return join(root, 'data', 'sessions');
  return platform === 'win32'
    ? join(roamingData(machine), 'Block', 'goose', 'data', 'sessions')
    : join(sharedData(machine), 'goose', 'sessions');
}

function zedData(machine: Machine, data: string): string {
  const { platform } = machine;
  const join = pathJoiner(machine);
  if (platform === 'win32') return join(localData(machine), 'Zed');
  if (platform === 'darwin') return join(applicationSupport(machine), 'Zed');
  return join(data, 'zed');
}

/** Claude Code names the folder of a project by its path, with a dash for each character that is not an ASCII letter or digit. */
export function claudeFolderName(workspaceFolder: string): string {
  return workspaceFolder.replaceAll(/[^A-Za-z0-9]/g, '-');
}

/** Gemini CLI names the folder by a hash of its path. Newer builds use other names, which only their own list maps. */
export function geminiFolderName(workspaceFolder: string): string {
  return createHash('sha256').update(workspaceFolder).digest('hex');
}

/** The names that the open folder may have: the hash depends on how the letter of a drive was written. */
function geminiFolderNames({ workspaceFolder, platform }: Machine): string[] {
  if (workspaceFolder === undefined) return [];
  if (platform !== 'win32') return [geminiFolderName(workspaceFolder)];
  const upper = withDriveLetter(workspaceFolder, platform);
  const lower = upper.replace(drive, letter => letter.toLowerCase());
  return [...new Set([upper, lower])].map(geminiFolderName);
}

const drive = /^[a-z](?=:)/i;

/** The path as terminals and thus the tools have it: VS Code itself writes the letter of a drive in lower case. */
export function withDriveLetter(folder: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? folder.replace(drive, letter => letter.toUpperCase()) : folder;
}

/** The workspace folder of a `workspaceStorage` entry, as the URI in its `workspace.json`. */
export function folderOfStorage(workspaceJson: string): string | undefined {
  const about = parseJson(workspaceJson);
  const folder =
    typeof about === 'object' && about !== null && 'folder' in about ? about.folder : undefined;
  return typeof folder === 'string' ? folder : undefined;
}

/**
 * Whether a session is about the open folder.
 * @param about its folder, a path or a URI, or where its tool notes only that, a hash of it.
 */
export function isOfOpenFolder(
  { folder, hash }: { readonly folder?: string | undefined; readonly hash?: string | undefined },
  machine: Machine,
): boolean {
  const { workspaceFolder, platform } = machine;
  if (workspaceFolder === undefined) return false;
  if (hash !== undefined && geminiFolderNames(machine).includes(hash)) return true;
  return folder !== undefined && isSamePath(folder, workspaceFolder, platform);
}

/** Whether two paths or URIs are of the same file or folder, as far as can be told without a look at the disk. */
export function isSamePath(one: string, other: string, platform: NodeJS.Platform): boolean {
  return normalizePath(one, platform) === normalizePath(other, platform);
}

function normalizePath(fileOrFolder: string, platform: NodeJS.Platform): string {
  let path = fileOrFolder;
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
  // File systems other than those of Linux usually ignore case.
  return platform === 'linux' ? path : path.toLowerCase();
}
