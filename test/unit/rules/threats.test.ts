import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The threats of SECURITY.md, and for each the tests that fail without its protection: the file below
 * `test`, and a part of the title.
 */
const threats: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  'A workspace redirects the key': [
    ['host/canary-settings.test.ts', 'is not asked in place of the service of the user'],
    ['unit/rules/manifest.test.ts', 'keeps every setting that could redirect traffic out of reach'],
    ['host/account.test.ts', 'sends no key and no file to another origin'],
    ['host/account.test.ts', 'takes no address from the settings of a folder'],
  ],
  'An untrusted workspace': [
    ['unit/rules/threats.test.ts', 'in a workspace that nobody trusts, what sends is off'],
    ['unit/rules/threats.test.ts', 'a workspace that nobody trusts sets no engine'],
    ['unit/platform/egress/gate.test.ts', 'sends nothing of an untrusted workspace'],
    ['host/palette.test.ts', 'do so in a workspace that is not trusted'],
  ],
  'The key at rest': [
    ['unit/rules/threats.test.ts', 'the key is stored by VS Code alone'],
    ['host/account.test.ts', 'writes the key into no log and no file'],
  ],
  'The key or code in logs and errors': [
    ['unit/service/client.canary.test.ts', 'are in no error, log line, explanation or ledger'],
    ['unit/base/redact.test.ts', 'takes the secret out of'],
    ['unit/service/http/requestExecutor.test.ts', 'is logged by its template'],
  ],
  'A redirect to another origin': [
    ['unit/service/client.faults.test.ts', 'names the host of a redirect and sends nothing there'],
  ],
  'Addresses supplied by the service': [
    ['unit/service/endpointPolicy.test.ts', 'stays away from'],
    [
      'host/endpoints.test.ts',
      'opens the dashboard for what has no call, and only an https address',
    ],
  ],
  'Text that drives tools (prompt injection)': [
    ['unit/platform/egress/paths/commandFiles.test.ts', 'asks before'],
    ['host/egress.test.ts', 'asks for each such file by name in Accept All Files'],
    ['unit/search/workspace/sandbox.leaks.test.ts', 'gets nothing of it in 100 repositories'],
  ],
  'Paths and links that lead out of the workspace': [
    ['unit/apply/external/disk/diskFiles.test.ts', 'reads no link, no pipe, and nothing through'],
    ['unit/apply/external/disk/diskFiles.test.ts', 'reads nothing by names that are none'],
    ['unit/apply/external/disk/diskFiles.test.ts', 'writes nothing when a link takes the place'],
    ['unit/apply/external/disk/diskFiles.test.ts', 'moves nothing through a folder that leads out'],
    ['unit/search/tools/index.test.ts', 'does not read'],
    ['unit/search/tools/index.test.ts', 'notices a folder that becomes a link'],
    [
      'unit/search/workspace/sandbox.leaks.test.ts',
      'decides by the real path, not by the spelled one',
    ],
    [
      'unit/search/workspace/sandbox.leaks.test.ts',
      'withholds the key in a hard link to a file that is left out',
    ],
  ],
  'Texts that take forever to process': [
    ['unit/rules/linear/linear.test.ts', 'take time that grows with the text and not faster'],
  ],
  'Commands in Markdown': [
    ['unit/rules/threats.test.ts', 'no Markdown may run any command'],
    ['unit/base/format/escapeMarkdown.test.ts', 'is not read as'],
  ],
  'Scripts in pages of the extension': [
    [
      'unit/rules/threats.test.ts',
      'a page of the extension loads nothing and runs only its own script',
    ],
  ],
  'Images and links that carry data out': [
    ['unit/base/format/escapeMarkdown.test.ts', 'is not read as'],
    ['unit/rules/threats.test.ts', 'questions about tools and answers of the chat escape'],
    ['unit/rules/threats.test.ts', 'a page of the extension loads nothing'],
  ],
  'Links from outside': [
    ['unit/rules/threats.test.ts', 'no link from outside can reach the extension'],
  ],
  'A connection that others can read': [
    ['unit/service/transport/undiciTransport.test.ts', 'trusts no certificate that nobody signed'],
    ['unit/rules/threats.test.ts', 'no setting turns the check of certificates off'],
    ['host/account.test.ts', 'refuses http to other computers'],
  ],
  'What the extension is made of (supply chain)': [
    [
      'unit/rules/threats.test.ts',
      'no link from outside can reach the extension, and it pulls no other one in',
    ],
    ['unit/rules/threats.test.ts', 'installing it runs no script'],
    ['unit/support/lockFiles.test.ts', 'agrees with package.json'],
  ],
  'Hostile answers': [
    ['unit/service/errors.test.ts', 'leaves no invisible character, no key and no half of a pair'],
    [
      'unit/service/client.faults.test.ts',
      'shows hostile text of the service as one short plain line',
    ],
    ['unit/rules/linear/named.test.ts', 'deeper than an answer is refused before it is parsed'],
    ['host/endpoints.test.ts', 'takes 500 endpoints with 2,000 events each, and hostile names'],
  ],
  'Spending by accident': [
    ['unit/service/http/requestExecutor.test.ts', 'spends nothing twice'],
    [
      'unit/rules/dialogs.test.ts',
      'whose default button sends, spends, writes and deletes nothing',
    ],
    ['unit/rules/manifest.test.ts', 'keeps every setting of the classifiers, which cost money'],
  ],
  'The clipboard': [
    [
      'host/endpoints.test.ts',
      'offers the connection of a ready endpoint, with a variable for the key',
    ],
  ],
  'Other extensions that call our commands': [
    [
      'unit/rules/threats.test.ts',
      'one place reads the key, and nothing is handed to other extensions',
    ],
    ['host/alone-foreignCommands.test.ts', 'give nobody the key, change no file and send none'],
  ],
  'Settings that travel': [
    ['unit/rules/threats.test.ts', 'neither a key nor an address travels with the settings'],
  ],
  'Consent that lets out more than was agreed to': [
    ['unit/platform/egress/gate.test.ts', 'lets no other key out beside it'],
  ],
  'Keys in what is sent': [
    ['unit/platform/egress/gate.planted.test.ts', 'leave by none of the ways out'],
    [
      'unit/search/workspace/sandbox.leaks.test.ts',
      'shows nothing of a hundred files of all kinds',
    ],
    ['host/reflex.test.ts', 'which the gate refuses, says why, and asks no reflex about it'],
  ],
  'A repository that runs programs': [
    ['unit/apply/external/disk/git.test.ts', 'does not start git in a folder that is not trusted'],
    ['unit/apply/external/disk/git.test.ts', 'runs no file monitor, hook, diff, text conversion'],
    ['unit/apply/external/disk/git.test.ts', 'runs no filter, not even for files'],
    ['unit/apply/external/disk/git.test.ts', 'starts nothing to fetch'],
  ],
  'Hooks in the settings of agents': [
    ['host/externalAgents.test.ts', 'gets them after its settings were shown as they will be'],
    ['host/externalAgents.test.ts', 'loses its hooks at once, and has the settings that it had'],
    [
      'unit/apply/external/agents/agentHooks.test.ts',
      'leave settings alone that have changed since they were shown',
    ],
    [
      'unit/apply/external/agents/hookScripts.test.ts',
      'notes ids, names and paths of the events of each agent, and no text of theirs',
    ],
    [
      'unit/apply/external/agents/hookScripts.test.ts',
      'gives up by itself when the input never ends',
    ],
    [
      'unit/apply/external/agents/hookScripts.message.test.ts',
      'is none for a session whose id is no plain name',
    ],
    ['unit/apply/external/agents/hookScripts.message.test.ts', 'waits while anything else happens'],
  ],
  'Sessions of other tools': [
    ['unit/compact/sessions/edit.test.ts', 'puts no id that a file made up on a command line'],
    ['unit/compact/sessions/sessionFolders.test.ts', 'say where a tool looks for a session'],
    ['unit/compact/writeBack.test.ts', 'leaves one alone that is a link or something else'],
    [
      'unit/compact/sessions/stores/opencodeDatabase.test.ts',
      'is refused by name when it is damaged',
    ],
    [
      'unit/compact/sessions/sessionFolders.test.ts',
      'have no database in the open folder while that is not trusted',
    ],
    ['unit/compact/sessions/stores/crush.test.ts', 'lose no other message to one that is damaged'],
  ],
};

describe('the threats', () => {
  it('are those of SECURITY.md, in the same order', () => {
    const rows = readFileSync('SECURITY.md', 'utf8').matchAll(/^\| (T\d+) *\| ([^|]+?) *\|/gm);
    assert.deepEqual(
      [...rows].map(([, number, threat]) => `${number} ${threat}`),
      Object.keys(threats).map((threat, index) => `T${index + 1} ${threat}`),
    );
  });

  for (const [threat, tests] of Object.entries(threats))
    it(`have tests of their own: ${threat}`, () => {
      for (const [file, title] of tests) {
        const text = readFileSync(path.join('test', file), 'utf8');
        assert.match(
          text,
          new RegExp(`\\b(?:it|describe)\\([^\\n]*${title.replaceAll('.', '\\.')}`),
          title,
        );
      }
    });
});

/** Protections that are one line of the source or of the manifest, and so are easily lost. */
describe('the threats that the source itself keeps out', () => {
  const files = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? files(file) : file.endsWith('.ts') ? [file] : [];
    });
  const sources = files('src').map(name => ({
    name: name.split(path.sep).join('/'),
    text: readFileSync(name, 'utf8'),
  }));
  const source = (name: string): string => sources.find(one => one.name === name)?.text ?? '';
  const manifest: Record<string, unknown> = JSON.parse(readFileSync('package.json', 'utf8'));
  const linesOf = (pattern: RegExp): string[] =>
    sources.flatMap(({ name, text }) =>
      text
        .split('\n')
        .filter(line => pattern.test(line))
        .map(line => `${name}: ${line.trim()}`),
    );

  it('no Markdown may run any command: only the ones that are named', () => {
    assert.deepEqual(
      linesOf(/isTrusted\s*[:=]\s*true\b|supportHtml|supportThemeIcons\s*=\s*true/),
      [],
    );
    const trusted = linesOf(/\.isTrusted\s*=[^=]/);
    assert.ok(trusted.length > 0);
    for (const line of trusted) assert.match(line, /\.isTrusted = \{ enabledCommands: /);
  });

  it('questions about tools and answers of the chat escape what others wrote', () => {
    assert.match(source('src/platform/tools/toolCall.ts'), /lines\.map\(escapeMarkdown\)/);
    const chat = ['applyCommand', 'searchCommand', 'compactCommand', 'routeCommand']
      .map(name => source(`src/chat/${name}.ts`))
      .join('\n');
    for (const foreign of [
      'edit.name',
      'edit.detail',
      'finding',
      'found.note',
      'found.summary',
      'saved',
      'provider',
      'facts',
    ])
      assert.ok(chat.includes(`escapeMarkdown(${foreign})`), foreign);
  });

  it('a page of the extension loads nothing and runs only its own script', () => {
    const pages = sources.filter(({ text }) =>
      /createWebviewPanel|registerWebviewViewProvider/.test(text),
    );
    const policies = sources.filter(({ text }) => text.includes('Content-Security-Policy'));
    assert.ok(pages.length > 0);
    // One function makes all pages.
    assert.deepEqual(
      policies.map(({ name }) => name),
      sources.filter(({ text }) => /<!doctype|<html/i.test(text)).map(({ name }) => name),
    );
    assert.equal(policies.length, 1);
    for (const { text } of policies) {
      const policy = /default-src 'none';[^`"]*/.exec(text)?.[0] ?? assert.fail('no policy');
      assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/);
      assert.match(policy, /script-src 'nonce-/);
    }
    assert.deepEqual(linesOf(/enableCommandUris: true|retainContextWhenHidden: true/), []);
  });

  it('no link from outside can reach the extension, and it pulls no other one in', () => {
    assert.deepEqual(linesOf(/registerUriHandler/), []);
    assert.equal(manifest['extensionPack'], undefined);
    assert.equal(manifest['extensionDependencies'], undefined);
    assert.deepEqual(manifest['dependencies'] ?? {}, {});
    assert.ok(!JSON.stringify(manifest['activationEvents'] ?? []).includes('onUri'));
  });

  it('no program is run through a shell, and none by a bare name', () => {
    assert.deepEqual(
      linesOf(/\bexec(?:Sync)?\(|shell:\s*true|execFile\(/).filter(line => !/\.exec\(/.test(line)),
      [],
    );
    assert.deepEqual(linesOf(/\bspawn\(/), ['src/base/process.ts: child = spawn(program, args, {']);
  });

  it('in a workspace that nobody trusts, what sends is off', () => {
    const { capabilities } = manifest as {
      capabilities?: { untrustedWorkspaces?: { supported?: unknown } };
    };
    assert.equal(capabilities?.untrustedWorkspaces?.supported, 'limited');
  });

  it('the key is stored by VS Code alone', () => {
    assert.deepEqual(
      linesOf(/secrets\.store\(|secrets\.get\(/).map(line => line.split(':')[0]),
      linesOf(/secrets\.store\(|secrets\.get\(/).map(() => 'src/platform/client/apiKeys.ts'),
    );
  });

  it('a workspace that nobody trusts sets no engine: every setting that it could set is restricted', () => {
    const own = properties().filter(
      ([, { scope }]) => !['application', 'machine'].includes(scope ?? ''),
    );
    const { capabilities } = manifest as {
      capabilities?: { untrustedWorkspaces?: { restrictedConfigurations?: string[] } };
    };
    const restricted = capabilities?.untrustedWorkspaces?.restrictedConfigurations ?? [];
    const harmless = ['splice.search.maxResults'];
    assert.deepEqual(
      own
        .map(([id]) => id)
        .filter(id => !harmless.includes(id))
        .sort(),
      restricted.filter(id => own.some(([name]) => name === id)).sort(),
    );
    assert.ok(restricted.includes('splice.apply.engine'));
  });

  it('no setting turns the check of certificates off, and neither does the code', () => {
    assert.deepEqual(
      properties().filter(([id]) => /insecure|certificate|verify|tls|ssl/i.test(id)),
      [],
    );
    assert.deepEqual(
      linesOf(/rejectUnauthorized\W+false|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/),
      // It looks at a certificate that was refused, says what is wrong with it, and sends nothing.
      ['src/connection/checks/probe.ts: rejectUnauthorized: false,'],
    );
  });

  it('installing it runs no script', () => {
    const { scripts } = manifest as { scripts?: Record<string, string> };
    assert.deepEqual(
      Object.keys(scripts ?? {}).filter(name => /install|prepare|^pre|^post|uninstall/.test(name)),
      [],
    );
  });

  it('one place reads the key, and nothing is handed to other extensions', () => {
    assert.deepEqual(linesOf(/apiKeys\.get\(/), [
      'src/platform/client/client.ts: apiKey: origin => host.apiKeys.get(origin),',
    ]);
    assert.match(
      source('src/extension.ts'),
      /export (?:async )?function activate\([^]*?\): (?:void|Promise<void>) \{/,
    );
  });

  it('neither a key nor an address travels with the settings', () => {
    const addresses = properties().filter(([id]) => /url/i.test(id));
    assert.ok(addresses.length > 0);
    for (const [id, { ignoreSync }] of addresses) assert.equal(ignoreSync, true, id);
    assert.deepEqual(linesOf(/setKeysForSync/), []);
  });

  interface Setting {
    readonly scope?: string;
    readonly ignoreSync?: boolean;
  }

  /** The settings of the manifest. */
  function properties(): [string, Setting][] {
    const { contributes } = manifest as {
      contributes?: { configuration?: { properties: Record<string, Setting> }[] };
    };
    return [contributes?.configuration ?? []]
      .flat()
      .flatMap(group => Object.entries(group.properties));
  }
});
