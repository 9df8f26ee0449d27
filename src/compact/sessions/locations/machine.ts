import { posix, win32 } from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the open folder. */
  readonly workspaceFolder?: string;
  /** The files of the open folder may be anybody's. */
  readonly isUntrusted?: boolean;
  /** The `User` folder of the running editor, if known. */
  readonly editorUser?: string;
  /** Where the running editor keeps what belongs to the open folder or workspace. */
  readonly workspaceStorage?: string;
}

export interface HistoryLocation {
  /** Id of the expected format. */
  readonly format: string;
  readonly folder: string;
  /** A glob below the folder, with `/`. */
  readonly pattern: string;
  /** True when everything found here belongs to the open folder; otherwise the session names its folder. */
  readonly isOfWorkspace: boolean;
  /** Not a file per session. */
  readonly isDatabase?: true;
}

export function pathJoiner({ platform }: Machine): (...names: string[]) => string {
  const path = platform === 'win32' ? win32 : posix;
  return (...names) => path.join(...names);
}

export function anyWorkspaceLocation(
  format: string,
  folder: string,
  pattern: string,
): HistoryLocation {
  return { format, folder, pattern, isOfWorkspace: false };
}

export function workspaceLocation(
  format: string,
  folder: string,
  pattern: string,
): HistoryLocation {
  return { format, folder, pattern, isOfWorkspace: true };
}

export function isAbsoluteOn(path: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? win32.isAbsolute(path) : posix.isAbsolute(path);
}

/** Where tools that keep to the conventions of Linux have their data, on each platform. */
export function sharedData(machine: Machine): string {
  const { home, env } = machine;
  return env['XDG_DATA_HOME'] || pathJoiner(machine)(home, '.local', 'share');
}

/** Where programs keep what they do not share with other machines, on Windows. */
export function localData(machine: Machine): string {
  const { home, env } = machine;
  return env['LOCALAPPDATA'] || pathJoiner(machine)(home, 'AppData', 'Local');
}

/** Where programs keep their settings, on Windows. */
export function roamingData(machine: Machine): string {
  const { home, env } = machine;
  return env['APPDATA'] || pathJoiner(machine)(home, 'AppData', 'Roaming');
}

/** Where programs keep their settings and data, on macOS. */
export function applicationSupport(machine: Machine): string {
  return pathJoiner(machine)(machine.home, 'Library', 'Application Support');
}

/** Where tools that keep to the conventions of each platform have their data. */
export function ownData(machine: Machine): string {
  const { platform, env } = machine;
  if (env['XDG_DATA_HOME']) return env['XDG_DATA_HOME'];
  if (platform === 'win32') return roamingData(machine);
  return platform === 'darwin' ? applicationSupport(machine) : sharedData(machine);
}

/** The `User` folder of VS Code or of an editor that was made from it. */
export function userFolder(machine: Machine, editor: string): string {
  const { platform, home, env } = machine;
  const join = pathJoiner(machine);
  if (platform === 'win32') {
    return join(roamingData(machine), editor, 'User');
  }
  if (platform === 'darwin') return join(applicationSupport(machine), editor, 'User');
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), editor, 'User');
}
