import assert from 'node:assert/strict';
import {
  isPrivate,
  privateFileFilter,
  privateGlobs,
} from '../../../../../src/platform/egress/paths/privateNames';
import { assertApproved } from '../../../../support/unit/approved';

describe('the names of files that hold keys', () => {
  for (const file of [
    'config/secrets.yml',
    'credentials.json',
    'credentials',
    'terraform.tfstate',
    'terraform.tfstate.backup',
    'infra/prod.tfvars',
    'prod.auto.tfvars.json',
    'service-account.json',
    'my-project-service-account-prod.json',
    'serviceaccount.json',
    'kubeconfig',
    'kubeconfig.yaml',
    'site/wp-config.php',
    'appsettings.Production.json',
    'token.txt',
    'token.json',
    'access_token.txt',
    'config/database.yml',
    '.netrc',
    '_netrc',
    '.pgpass',
    '.htpasswd',
    'htpasswd',
    'passwords.kdbx',
    'id_rsa',
    'id_ed25519_sk',
    'id_ecdsa.pub',
    'secrets.yaml',
    'secrets.prod.json',
    'app-secrets.toml',
    'credentials.xml',
    'credentials-prod.ini',
    'App.mobileprovision',
    'vault.yml',
    'group_vars/all/vault.yml',
    'vault-password.txt',
    'docker/config.json',
    '.docker/config.json',
    'auth.json',
    'client_secret_123.json',
    'firebase-adminsdk-abc.json',
    'google-services.json',
    'server.pem',
    'SERVER.PEM',
    'Config/SECRETS.YML',
    'a.env',
    'a.env.local',
    '.env.',
    'x/.env::$DATA',
    'server.pem.',
    'keys/server.key:stream',
    'server.key :x',
    'api-keys.txt',
    'config/master.key',
    'config/credentials.yml.enc',
    'passwords.txt',
    'local.settings.json',
    'session.har',
    'config/prod.secret.exs',
    'a\\secrets.yml',
  ])
    it(`are known: ${file}`, () => assert.ok(isPrivate(file)));

  for (const file of [
    'src/token.ts',
    'secrets.go',
    'credentials.test.ts',
    'src/secrets/index.ts',
    'lib/credentials.rb',
    'Passwords.tsx',
    'docs/secrets.md',
    'tokens.json',
    'design.tokens.json',
    'tokenizer.json',
    'tokens.css',
    'src/serviceAccount.ts',
    'service-account.schema.json',
    'package.json',
    'appsettings.json',
    'README.md',
    'src/keys/keyboard.json',
    'monkey.txt',
    'turnkey.yml',
    'environment.ts',
    'src/vault.ts',
    'config.json',
    'src/docker/config.ts',
    'auth.ts',
    'settings.yml',
    'notes.txt',
  ])
    it(`leave source code and plain data alone: ${file}`, () => assert.ok(!isPrivate(file)));
});

describe('the names of folders', () => {
  it('are not those of data, but those of tools that keep keys', () => {
    for (const folder of ['src/token', 'secrets', 'src/credentials', 'passwd']) {
      assert.ok(!isPrivate(folder, true), folder);
      assert.ok(isPrivate(folder), `${folder} as a file`);
    }
    for (const folder of ['.ssh', 'home/.aws']) assert.ok(isPrivate(folder, true), folder);
    assert.ok(isPrivate('src/token/.env') && isPrivate('secrets/token.txt'));
  });
});

describe('many files', () => {
  it('are private by the filter as they are one by one', () => {
    const names = [
      ...privateGlobs.map(glob => glob.replaceAll('*', 'x')),
      ...'index.ts README secrets.yml secrets.ts token.txt config.json CONFIG.json.'.split(' '),
      ...'.env.|id_rsa |secrets.yml::$DATA|b\\.env|b\\x.ts|...'.split('|'),
    ];
    const folders = ['', 'src/', 'docker/', 'x/docker/', '.git/', 'a/.aws/b/', 'token/', 'c.pem/'];
    const isPrivateFile = privateFileFilter();
    for (const file of folders.flatMap(folder => names.map(name => folder + name))) {
      assert.equal(isPrivateFile(file), isPrivate(file), file);
    }
  });
});

describe('the list of private names', () => {
  it('has lost none of its globs, each of which refuses a file and a folder', () => {
    assertApproved('privateGlobs', `${privateGlobs.join('\n')}\n`);
    for (const glob of privateGlobs) {
      const name = glob.replaceAll('*', 'x');
      assert.ok(isPrivate(name), name);
      assert.ok(isPrivate(`src/${name.toUpperCase()}`), name);
      assert.ok(isPrivate(`${name}/inner.ts`), name);
      assert.ok(isPrivate(`src\\${name}\\inner.ts`), name);
    }
  });

  it('holds for data by its words, in any place of the name, and not for source', () => {
    const words =
      'secret secrets credential credentials creds password passwords passwd passphrase passphrases service-account service_accounts serviceaccount private-key private_keys privatekey api-key apikeys access_key secret-key access-token auth_token api-token refresh-token bearer-token bot-token deploy-token cookies';
    const endings =
      'bak backup cfg conf config csv dat db env ini json json5 jsonc key list log old orig plist properties sqlite sqlite3 store toml tsv txt xml yaml yml';
    for (const word of words.split(' ')) {
      for (const name of [
        word,
        `my-${word}.json`,
        `${word}_old.txt`,
        `a.${word}.yml`,
        `A ${word.toUpperCase()}.CSV`,
      ])
        assert.ok(isPrivate(name), name);
      for (const name of [
        `${word}.ts`,
        `${word}.go`,
        ...(/[-_]/.test(word) ? [] : [`x${word}.json`, `${word}x.json`]),
        `${word}.schema.json`,
      ])
        assert.ok(!isPrivate(name), name);
    }
    for (const ending of endings.split(' ')) assert.ok(isPrivate(`my-secrets.${ending}`), ending);
    for (const name of [
      'token',
      'token.txt',
      'TOKEN.json',
      'tokens.txt',
      'pat.txt',
      'token-prod.json',
    ])
      assert.ok(isPrivate(name), name);
    for (const name of ['tokens.json', 'tokens.css', 'design.tokens.json', 'token.ts', 'pat.json'])
      assert.ok(!isPrivate(name), name);
  });
});
