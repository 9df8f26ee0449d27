import assert from 'node:assert/strict';
import { historyFormats } from '../../../../src/compact/sessions';
import type { Machine } from '../../../../src/compact/sessions/locations/machine';
import {
  claudeFolderName,
  crushLocations,
  crushProjectsFile,
  folderOfStorage,
  geminiFolderName,
  historyLocations,
  isOfOpenFolder,
  isSamePath,
  sessionFolderFor,
  withDriveLetter,
} from '../../../../src/compact/sessions/sessionFolders';
import { assertApproved } from '../../../support/unit/approved';

const linux: Machine = {
  platform: 'linux',
  home: '/home/ada',
  env: {},
  workspaceFolder: '/home/ada/my kettle.v2',
};

const windows = (workspaceFolder: string): Machine => ({
  platform: 'win32',
  home: 'C:\\Users\\ada',
  env: {},
  workspaceFolder,
});

const foldersOf = (machine: Machine, format: string) =>
  historyLocations(machine)
    .filter(place => place.format === format)
    .map(({ folder, pattern }) => `${folder} ${pattern}`);

const on = (platform: NodeJS.Platform, home: string, env: Machine['env'] = {}) =>
  foldersOf({ platform, home, env }, 'vscodeSession')[0];

/** The folders of goose's sessions, below a root of its own. */
const gooseBelow = (root: string) =>
  foldersOf({ ...linux, env: { GOOSE_PATH_ROOT: root } }, 'goose').map(each =>
    each.replace(/ .*/, ''),
  );

const ohMyPiFolders = (env: Machine['env']) =>
  foldersOf({ ...linux, env }, 'ohMyPi').map(one => one.replace(/ .*/, ''));

describe('places of chat histories', () => {
  it('are those of formats that are known', () => {
    const known = new Set(historyFormats.map(({ id }) => id));
    for (const { format, isDatabase } of historyLocations(linux))
      assert.ok(known.has(format) || isDatabase, format);
    const unknown = historyLocations(linux).filter(({ format }) => !known.has(format));
    assert.deepEqual(
      unknown.map(({ format }) => format),
      ['kilo'],
    );
  });

  it('of oh-my-pi are where its variables say', () => {
    assert.deepEqual(ohMyPiFolders({ PI_CODING_AGENT_DIR: '/own' }), ['/own/sessions']);
    assert.deepEqual(ohMyPiFolders({ PI_CONFIG_DIR: '.pi2' }), ['/home/ada/.pi2/agent/sessions']);
    assert.deepEqual(ohMyPiFolders({ OMP_PROFILE: 'work', XDG_DATA_HOME: '/data' }), [
      '/home/ada/.omp/profiles/work/agent/sessions',
      '/home/ada/.omp/agent/sessions',
      '/data/omp/sessions',
    ]);
  });

  it('come first where they belong to the open folder', () => {
    const own = historyLocations(linux).filter(({ isOfWorkspace }) => isOfWorkspace);
    assert.deepEqual(
      own.map(({ format, folder }) => [format, folder]),
      [
        ['claudeCode', '/home/ada/.claude/projects/-home-ada-my-kettle-v2'],
        ['gemini', `/home/ada/.gemini/tmp/${geminiFolderName('/home/ada/my kettle.v2')}/chats`],
        ['aider', '/home/ada/my kettle.v2'],
        ['markdown', '/home/ada/my kettle.v2/.specstory/history'],
        ['crush', '/home/ada/my kettle.v2/.crush'],
      ],
    );
    const { workspaceFolder: _, ...none } = linux;
    assert.equal(
      historyLocations(none).some(({ isOfWorkspace }) => isOfWorkspace),
      false,
    );
  });

  it('have no database in the open folder while that is not trusted', () => {
    const formats = historyLocations({ ...linux, isUntrusted: true }).map(({ format }) => format);
    assert.equal(formats.includes('crush'), false);
    assert.ok(formats.includes('aider'));
  });

  it('of Crush are those of the folders that it was used in last', () => {
    const projects = Array.from({ length: 12 }, (_, at) => ({
      path: at === 0 ? '/home/ada/my kettle.v2' : `/home/ada/${at}`,
      data_dir: at === 0 ? '/home/ada/data' : `/home/ada/${at}/.crush`,
    }));
    const text = JSON.stringify({ projects: [{}, 7, { path: '/a', data_dir: 'b' }, ...projects] });
    const places = (machine: Machine) =>
      crushLocations(text, machine).map(
        ({ folder, isOfWorkspace }) => `${isOfWorkspace} ${folder}`,
      );
    const others = [1, 2, 3, 4, 5, 6].map(at => `false /home/ada/${at}/.crush`);
    assert.deepEqual(places(linux), ['true /home/ada/data', ...others]);
    assert.deepEqual(places({ ...linux, isUntrusted: true }), others);
    for (const damaged of ['', '{"projects":7}', '[]'])
      assert.deepEqual(crushLocations(damaged, linux), []);
    const at = (machine: Partial<Machine>) => crushProjectsFile({ ...linux, ...machine });
    assert.equal(at({}), '/home/ada/.local/share/crush/projects.json');
    assert.equal(at({ env: { CRUSH_GLOBAL_DATA: '/own' } }), '/own/projects.json');
    assert.equal(
      at({ platform: 'win32', home: 'C:\\Users\\ada' }),
      'C:\\Users\\ada\\AppData\\Local\\crush\\projects.json',
    );
  });

  it('of goose may be below another folder', () => {
    assert.deepEqual(gooseBelow('/goose'), Array(2).fill('/goose/data/sessions'));
    assert.deepEqual(gooseBelow('goose'), Array(2).fill('/home/ada/.local/share/goose/sessions'));
  });

  it('are these on each platform', () => {
    const machines: Machine[] = [
      linux,
      { platform: 'darwin', home: '/Users/ada', env: {} },
      { platform: 'win32', home: 'C:\\Users\\ada', env: {}, workspaceFolder: 'C:\\kettle' },
    ];
    const lines = machines.flatMap(machine => [
      machine.platform,
      ...historyLocations(machine).map(
        ({ format, folder, pattern, isOfWorkspace, isDatabase }) =>
          `  ${format} ${folder} ${pattern}${isOfWorkspace ? ' of the workspace' : ''}${isDatabase ? ' database' : ''}`,
      ),
    ]);
    assertApproved('sessionFolders', `${lines.join('\n')}\n`);
  });

  it('follow the platform', () => {
    assert.deepEqual(
      [
        on('linux', '/home/ada'),
        on('linux', '/home/ada', { XDG_CONFIG_HOME: '/c' }),
        on('darwin', '/Users/ada'),
        on('win32', 'C:\\Users\\ada'),
        on('win32', 'C:\\Users\\ada', { APPDATA: 'D:\\data' }),
      ],
      [
        '/home/ada/.config/Code/User/workspaceStorage */chatSessions/*.{json,jsonl}',
        '/c/Code/User/workspaceStorage */chatSessions/*.{json,jsonl}',
        '/Users/ada/Library/Application Support/Code/User/workspaceStorage */chatSessions/*.{json,jsonl}',
        'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\workspaceStorage */chatSessions/*.{json,jsonl}',
        'D:\\data\\Code\\User\\workspaceStorage */chatSessions/*.{json,jsonl}',
      ],
    );
  });

  it('follow the settings of the tools, and the editor that runs this', () => {
    const env = {
      CLAUDE_CONFIG_DIR: '/x/claude',
      CODEX_HOME: '/x/codex',
      GEMINI_CLI_HOME: '/x',
      CONTINUE_GLOBAL_DIR: '/x/continue',
      XDG_DATA_HOME: '/x/share',
    };
    const machine = { ...linux, env, editorUser: '/portable/User' };
    const first = ['codex', 'continue', 'opencode', 'vscodeSession'].map(
      format => foldersOf(machine, format)[0],
    );
    assert.deepEqual(first, [
      '/x/codex/sessions */*/*/rollout-*.{jsonl,jsonl.zst}',
      '/x/continue/sessions !(sessions).json',
      '/x/share/opencode opencode.db',
      '/portable/User/workspaceStorage */chatSessions/*.{json,jsonl}',
    ]);
    assert.ok(foldersOf(machine, 'claudeCode').includes('/x/claude/projects */*.jsonl'));
    const code = '/home/ada/.config/Code/User';
    const users = foldersOf({ ...linux, editorUser: code }, 'vscodeSession');
    assert.equal(users.filter(user => user.startsWith(`${code}/workspaceStorage`)).length, 1);
    const workspaceStorage = `${code}/workspaceStorage/5e55`;
    assert.equal(
      foldersOf({ ...linux, workspaceStorage }, 'vscodeSession')[0],
      `${workspaceStorage}/chatSessions *.{json,jsonl}`,
    );
  });

  it('say where a tool looks for a session that was made for it', () => {
    const projects = '{"projects":{"/home/ada/my kettle.v2":"my-kettle","/x":"../up"}}';
    const place = (tool: string, text = projects, workspaceFolder = linux.workspaceFolder ?? '') =>
      sessionFolderFor(tool, { ...linux, workspaceFolder }, text);
    assert.deepEqual(
      ['claudeCode', 'codex', 'gemini', 'opencode'].map(tool => place(tool)),
      [
        '/home/ada/.claude/projects/-home-ada-my-kettle-v2',
        '/home/ada/.codex/sessions',
        '/home/ada/.gemini/tmp/my-kettle/chats',
        undefined,
      ],
    );
    // A name from a file never leads out of its folder.
    const hashed = `/home/ada/.gemini/tmp/${geminiFolderName('/x')}/chats`;
    assert.equal(place('gemini', projects, '/x'), hashed);
    assert.equal(place('gemini', '[', '/x'), hashed);
  });

  it('name a project by its path', () => {
    assert.equal(claudeFolderName('C:\\Users\\ada\\kettle_2'), 'C--Users-ada-kettle-2');
    assert.equal(
      geminiFolderName('/home/ada/kettle'),
      '200cff94a2a96b5a0aa9e914db93f61a3e84dfbaebbca392f50aad1db55df421',
    );
  });

  it('do not depend on how Windows writes the letter of a drive', () => {
    for (const folder of ['c:\\Kettle', 'C:\\Kettle']) {
      const names = ['C:\\Kettle', 'c:\\Kettle'].map(geminiFolderName);
      for (const hash of names) assert.ok(isOfOpenFolder({ hash }, windows(folder)));
      assert.ok(!isOfOpenFolder({ hash: geminiFolderName('D:\\Kettle') }, windows(folder)));
      assert.ok(isOfOpenFolder({ folder: 'C:\\kettle' }, windows(folder)));
      const own = historyLocations(windows(folder)).filter(
        ({ format, isOfWorkspace }) => format === 'gemini' && isOfWorkspace,
      );
      assert.deepEqual(
        own.map(place => place.folder),
        names.map(name => `C:\\Users\\ada\\.gemini\\tmp\\${name}\\chats`),
      );
      assert.equal(
        sessionFolderFor('gemini', windows(folder), '{"projects":{"c:\\\\kettle":"kettle"}}'),
        'C:\\Users\\ada\\.gemini\\tmp\\kettle\\chats',
      );
      assert.equal(withDriveLetter(folder, 'win32'), 'C:\\Kettle');
    }
    assert.equal(withDriveLetter('c:/x', 'linux'), 'c:/x');
    assert.ok(!isOfOpenFolder({ folder: 'C:\\Kettle' }, { platform: 'win32', home: '', env: {} }));
    const other = { ...linux, workspaceFolder: 'c:\\Kettle' };
    assert.ok(!isOfOpenFolder({ hash: geminiFolderName('C:\\Kettle') }, other));
  });

  it('tell the folder of an entry of the workspace storage', () => {
    assert.equal(
      folderOfStorage('{"folder":"file:///home/ada/kettle"}'),
      'file:///home/ada/kettle',
    );
    for (const text of ['', '{', 'null', '[]', '{"folder":1}', '{"workspace":"file:///w"}'])
      assert.equal(folderOfStorage(text), undefined, text);
  });

  it('tell whether two paths are of the same folder or file', () => {
    const rows: [
      workspace: string,
      folder: string,
      platform: NodeJS.Platform,
      expected: boolean,
    ][] = [
      ['/home/ada/kettle', '/home/ada/kettle/', 'linux', true],
      ['/home/ada/Kettle', '/home/ada/kettle', 'linux', false],
      ['/Users/ada/Kettle', '/users/ada/kettle', 'darwin', true],
      ['file:///home/ada/my%20kettle', '/home/ada/my kettle', 'linux', true],
      ['file:///home/ada/100%', '/home/ada/100%', 'linux', true],
      ['file:///c%3A/Users/ada', 'C:\\Users\\ada', 'win32', true],
      ['c:/users/ADA', 'C:\\Users\\ada\\', 'win32', true],
      ['c:\\users\\ada\\1.jsonl', 'C:\\Users\\ada\\1.jsonl', 'win32', true],
      ['d:\\users\\ada\\1.jsonl', 'C:\\Users\\ada\\1.jsonl', 'win32', false],
      ['/home/ada', '/home/ada/kettle', 'linux', false],
      ['/', '/', 'linux', true],
    ];
    for (const [workspace, folder, platform, expected] of rows)
      assert.equal(isSamePath(workspace, folder, platform), expected, `${workspace} ${folder}`);
  });
});
