import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

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
    assert.match(source('src/host/toolCall.ts'), /lines\.map\(escapeMarkdown\)/);
    const chat = source('src/chat/participant.ts');
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
    assert.ok(pages.length > 0 && policies.length >= pages.length);
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
    assert.deepEqual(linesOf(/\bspawn\(/), [
      'src/search/process.ts: const child = spawn(program, args, {',
    ]);
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
      linesOf(/secrets\.store\(|secrets\.get\(/).map(() => 'src/host/secrets.ts'),
    );
  });
});
