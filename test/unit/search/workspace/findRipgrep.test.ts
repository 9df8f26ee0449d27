import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { findRipgrep, ripgrepPlaces } from '../../../../src/search/workspace/findRipgrep';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { TestWorkspace } from '../workspace';

const linux = { platform: 'linux', arch: 'x64' };

describe('the ripgrep of an editor', () => {
  let files: TestWorkspace;
  const oldPath = process.env['PATH'];
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => {
    files = new TestWorkspace({});
    process.env['PATH'] = '';
  });
  afterEach(() => {
    process.env['PATH'] = oldPath;
    files?.remove();
  });

  function program(name: string, says = 'ripgrep 15.0.0'): string {
    const file = files.write(name, `#!${process.execPath}\nconsole.log(${JSON.stringify(says)});`);
    chmodSync(file, 0o755);
    return file;
  }

  const layouts: [what: string, appRoot: string, rg: string, host?: typeof linux][] = [
    ['VS Code until 1.62', 'app', 'app/node_modules.asar.unpacked/vscode-ripgrep/bin/rg'],
    ['VS Code', 'app', 'app/node_modules/@vscode/ripgrep/bin/rg'],
    ['VS Code with an archive', 'app', 'app/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg'],
    [
      'VS Code for several platforms',
      'app',
      'app/node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg',
    ],
    ['VS Code by platform', 'app', 'app/node_modules/@vscode/ripgrep-linux-x64/bin/rg'],
    [
      'VS Code by platform, in the package that needs it',
      'app',
      'app/node_modules/@vscode/ripgrep/node_modules/@vscode/ripgrep-linux-x64/bin/rg',
    ],
    [
      'VS Code on Windows',
      'app',
      'app/node_modules/@vscode/ripgrep-win32-arm64/bin/rg.exe',
      { platform: 'win32', arch: 'arm64' },
    ],
    [
      'VS Code on macOS',
      'app',
      'app/node_modules/@vscode/ripgrep/bin/rg',
      { platform: 'darwin', arch: 'arm64' },
    ],
    ['code-server', 'cs/lib/vscode', 'cs/lib/vscode/node_modules/@vscode/ripgrep-linux-x64/bin/rg'],
    ['code-server as its own root', 'cs', 'cs/lib/vscode/node_modules/@vscode/ripgrep/bin/rg'],
    ['code-server, its own modules', 'cs/lib/vscode', 'cs/node_modules/@vscode/ripgrep/bin/rg'],
    [
      'code-server by npm',
      'x/node_modules/code-server/lib/vscode',
      'x/node_modules/@vscode/ripgrep-linux-x64/bin/rg',
    ],
  ];
  for (const [what, appRoot, rg, host = linux] of layouts)
    it(`is found in ${what}`, async () => {
      const wanted = program(rg);
      assert.equal(await findRipgrep(path.join(files.root, appRoot), host), wanted);
    });

  it('is not one for another platform, nor in a folder above that is not of the editor', async () => {
    program('app/node_modules/@vscode/ripgrep-linux-arm64/bin/rg');
    program('node_modules/@vscode/ripgrep/bin/rg');
    assert.equal(await findRipgrep(path.join(files.root, 'app'), linux), undefined);
    for (const place of ripgrepPlaces('/opt/code/app', linux)) {
      assert.ok(place.startsWith('/opt/code/app/'), place);
    }
  });

  it('is the one on PATH where that of the editor does not run', async () => {
    const broken = files.write('app/node_modules/@vscode/ripgrep/bin/rg', 'no program');
    chmodSync(broken, 0o755);
    program('app/node_modules/@vscode/ripgrep-linux-x64/bin/rg', 'something else');
    const onPath = program('bin/rg');
    process.env['PATH'] = path.dirname(onPath);
    assert.equal(await findRipgrep(path.join(files.root, 'app'), linux), onPath);
  });

  it('is there for the tests of this project', () => {
    process.env['PATH'] = oldPath;
    assert.ok(ripgrepPath(), 'npm test installs an editor, whose ripgrep the tests run');
  });
});
