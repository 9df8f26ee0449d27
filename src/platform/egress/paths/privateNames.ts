/**
 * Names of files that contain keys, passwords or the state of a deployment. Such a file is never sent without
 * asking, whatever a model or an ignore file says. The name alone refuses only data files: `src/token.ts` and
 * `secrets.go` are source code, whose text is checked instead.
 *
 * The names are those used by secret scanners (the file signatures of gitrob, shhgit and
 * trufflehog), without the ones that are mostly harmless, such as `known_hosts`.
 */

import { trimEndOf } from '../../../base/text/scan';
import { isProjectName } from './hiddenNames';

/**
 * Globs for files and folders. Hidden names such as `.env`, `.npmrc`, `.aws` and `.kube` are private without one of
 * these; `otherHiddenGlobs` has theirs.
 */
export const privateGlobs = [
  '_netrc',
  // Keys, certificates and their stores.
  '*.pem',
  '*.key',
  '*.p12',
  '*.p8',
  '*.pfx',
  '*.pkcs12',
  '*.pkcs8',
  '*.ppk',
  '*.pvk',
  '*.snk',
  '*.jks',
  '*.jceks',
  '*.bks',
  '*.keystore',
  '*.keychain',
  '*.keychain-db',
  '*.gpg',
  '*.asc',
  '*.pgp',
  '*.crt',
  '*.cer',
  '*.der',
  '*.mobileprovision',
  '*.provisionprofile',
  '*.private_key',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  'id_xmss*',
  'ssh_host_*_key*',
  'secring.*',
  // Stores of passwords.
  '*.kdb',
  '*.kdbx',
  '*.kwallet',
  '*.agilekeychain',
  '*.opvault',
  '*.1pif',
  '*.1pux',
  '*.psafe3',
  '*.bek',
  'wallet.dat',
  'htpasswd',
  'key3.db',
  'key4.db',
  'logins.json',
  // Environments, and the state and the variables of deployments.
  '*.env',
  '*.env.*',
  '*.tfstate',
  '*.tfstate.*',
  '*.tfvars',
  '*.tfvars.json',
  '*.pulumi-state',
  'kubeconfig',
  'kubeconfig.*',
  '*.kubeconfig',
  '*.publishsettings',
  '*.cscfg',
  '*.ovpn',
  '*.tblk',
  '*.rdp',
  'vault.yml',
  'vault.yaml',
  '*.vault',
  '*-vault.yml',
  '*-vault.yaml',
  'vault_pass*',
  'vault-pass*',
  '*.enc',
  '*.secret',
  '*.secrets',
  '*.secret.exs',
  // Settings of programs that are made to hold passwords.
  'wp-config.php',
  'wp-config-*.php',
  'localsettings.php',
  'appsettings.*.json',
  'local.settings.json',
  'application-prod*.yml',
  'application-prod*.yaml',
  'application-prod*.properties',
  'database.yml',
  'database.yaml',
  'mongoid.yml',
  'parameters.yml',
  'key.properties',
  'keystore.properties',
  'signing.properties',
  'auth.json',
  'sftp.json',
  'sftp-config.json',
  'filezilla.xml',
  'recentservers.xml',
  'sitemanager.xml',
  'robomongo.json',
  'ventrilo_srv.ini',
  'google-services.json',
  'googleservice-info.plist',
  '*-adminsdk-*.json',
  'client_secret*.json',
  'pgpass.conf',
  'mylogin.cnf',
  'dockercfg',
  'dockerconfig*.json',
  'rootkey.csv',
  '*accesskeys.csv',
  // Recorded traffic, with its cookies and headers.
  '*.har',
  '*.pcap',
  '*.pcapng',
] as const;

const globPattern = regexOf(privateGlobs);

const isPrivateName = (name: string): boolean =>
  (name.startsWith('.') && !isProjectName(name)) || globPattern.test(name);

/** Those that begin with `*` are looked for from a fixed character on, which is many times faster. */
function regexOf(globs: readonly string[]): RegExp {
  const patterns = globs.map(glob => glob.replaceAll('.', '\\.').replaceAll('*', '.*'));
  const whole = patterns.filter(pattern => !pattern.startsWith('.*')).join('|');
  const endings = patterns.flatMap(pattern => (pattern.startsWith('.*') ? pattern.slice(2) : []));
  return new RegExp(`^(?:${whole})$|(?:${endings.join('|')})$`, 'i');
}

/** Extensions of data and settings. A name without an extension counts as data too. */
const dataExtensions = new Set(
  'bak backup cfg conf config csv dat db env ini json json5 jsonc key list log old orig plist properties sqlite sqlite3 store toml tsv txt xml yaml yml'.split(
    ' ',
  ),
);

/** Words in a name that indicate secrets. */
const privateWords =
  /(?:^|[-_. ])(?:secrets?|credentials?|creds|passwords?|passwd|passphrases?|service[-_]?accounts?|private[-_]?keys?|api[-_]?keys?|access[-_]?keys?|secret[-_]?keys?|(?:access|auth|api|refresh|bearer|bot|deploy)[-_]?tokens?|cookies)(?=$|[-_. ])/i;
/** Only as the first word: `token.txt` is a secret, `design.tokens.json` and `tokens.css` are not. */
const tokenName = /^(?:token|tokens\.txt|pat\.txt)(?=$|[._-])/i;
/** Schemas describe data and contain none. */
const description = /(?:^|[-_.])schema(?=$|[-_.])/i;
/** The logins of Docker, also where the folder is not hidden, and of CircleCI. */
const loginPath = /(?:^|\/)(?:docker\/config\.json|\.circleci\/cli\.yml)$/i;

/**
 * @param relativePath below a root, with `/` or `\`.
 * @param isFolder then only its files are data; source code may be in a folder such as `token`.
 */
export function isPrivate(relativePath: string, isFolder = false): boolean {
  const names = relativePath.split(/[\\/]/).map(plainName);
  return (
    names.some(isPrivateName) ||
    (!isFolder && isPrivateData(names.at(-1) ?? '')) ||
    loginPath.test(names.join('/'))
  );
}

/** {@link isPrivate} for many files, whose folders are looked at once. Their paths have `/`. */
export function privateFileFilter(): (file: string) => boolean {
  const folders = new Map<string, boolean>();
  return file => {
    const slash = file.lastIndexOf('/');
    const folder = file.slice(0, Math.max(slash, 0));
    let isInPrivate = folders.get(folder);
    if (isInPrivate === undefined) folders.set(folder, (isInPrivate = isPrivate(folder, true)));
    if (isInPrivate) return true;
    const name = file.slice(slash + 1);
    return isUsual(name)
      ? isPrivateName(name) || isPrivateData(name)
      : isPrivate(file.slice(file.lastIndexOf('/', slash - 1) + 1));
  };
}

/** Whether a name is what Windows reads, and is private or not in any folder. */
const isUsual = (name: string): boolean => !/[:\\]|[.\s]$|^(?:config\.json|cli\.yml)/i.test(name);

/** Windows treats `.env.`, `.env ` and `.env::$DATA` as `.env`. */
const plainName = (name: string): string => withoutDots(beforeColon(name).trimEnd());

function isPrivateData(name: string): boolean {
  const dot = name.lastIndexOf('.');
  if (dot >= 0 && !dataExtensions.has(name.slice(dot + 1).toLowerCase())) return false;
  if (description.test(name)) return false;
  return privateWords.test(name) || (tokenName.test(name) && !/^tokens\.(?!txt$)/i.test(name));
}

/** Removes trailing dots, unless the name consists of dots. */
function withoutDots(name: string): string {
  return trimEndOf(name, '.') || name;
}

function beforeColon(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(0, colon);
}
