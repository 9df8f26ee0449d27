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
