/** What a search may look at, and how. Handed in by the host, so that everything below is plain Node. */
export interface SearchWorkspace {
  /** Absolute folders as the user opened them, at least one. */
  readonly roots: readonly string[];
  /** The ripgrep to run; without one, files are read by Node. */
  readonly rgPath: string | undefined;
  /** Globs of `files.exclude` and `search.exclude` that are on, relative to each root. */
  readonly excludes: readonly string[];
  /** `search.useIgnoreFiles`. */
  readonly useIgnoreFiles: boolean;
  /** Whether git may be asked what past changes were about; not in a workspace that nobody trusts. */
  readonly usesGit: boolean;
  /** Unsaved texts of open editors by real path: they win over the disk. */
  readonly unsaved: ReadonlyMap<string, string>;
}

/** Names that may hold secrets. They never leave the machine, whatever a model or an ignore file says. */
export const privateGlobs = [
  // Hidden files and folders, `.env` and `.npmrc` among them.
  '.*',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.p8',
  '*.ppk',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  '*.gpg',
  '*.asc',
  '*.crt',
  '*.cer',
  '*.der',
  '*.ovpn',
  '*.env',
  '*.env.*',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
] as const;

const privateName = new RegExp(
  `^(?:${privateGlobs.map(glob => glob.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`,
  'i',
);

/** @param relativePath below a root, with `/` or `\`. */
export function isPrivate(relativePath: string): boolean {
  return relativePath.split(/[\\/]/).some(name => privateName.test(name));
}
