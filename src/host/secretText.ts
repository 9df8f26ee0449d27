/**
 * What in a text is certainly or probably a secret. Broad where a match costs nothing but a refusal, and
 * linear: no pattern can run long on a text made for it.
 */
export const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/,
  // Keys that name themselves.
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\bgh[opsur]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}/,
  /\bxox[abeoprs]-[\w-]{10,}|\bhooks\.slack\.com\/services\/\w/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\bBearer\s{1,4}[\w.~+/-]{16,}/i,
  // A password in an address.
  /:\/\/[^\s/:@]{1,256}:[^\s/@]{3,256}@/,
  // Keys of other services that name themselves.
  /\b(?:hf|gsk|shp(?:at|ca|pa|ss)|dop_v1|rubygems|dckr_pat|lin_api|sbp|whsec|figd)_[A-Za-z0-9]{20,}/,
  /\b(?:xai|figd|PMAK|pypi|tskey-(?:auth|api))-[\w-]{20,}|\bATATT3[\w-]{20,}|\bhvs\.[\w-]{20,}/,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}|\b\d{8,10}:AA[\w-]{32,}|\bSK[0-9a-f]{32}\b/,
  /^PuTTY-User-Key-File-\d|^\$ANSIBLE_VAULT;/m,
];

/** The second part of a JSON web token; the third one must follow. */
const tokenPayload = /\.eyJ[\w-]{10,}(?=\.[\w-]{5})/g;
/** The first part: ten characters or more behind its mark. */
const tokenHeader = /(?:^|-)eyJ[\w-]{10}/;

/**
 * JSON web tokens, as start and end. Looks backwards from each second part, so that no part is read once
 * for each start in it.
 */
export function* webTokens(text: string): Generator<readonly [start: number, end: number]> {
  for (const { index, 0: payload } of text.matchAll(tokenPayload)) {
    let start = index;
    while (start > 0 && isTokenSign(text.charAt(start - 1))) start--;
    const header = tokenHeader.exec(text.slice(start, index));
    if (!header) continue;
    let end = index + payload.length + 1;
    while (end < text.length && isTokenSign(text.charAt(end))) end++;
    yield [start + header.index, end];
  }
}

const isTokenSign = (char: string): boolean => /[\w-]/.test(char);

function hasWebToken(text: string): boolean {
  for (const _token of webTokens(text)) return true;
  return false;
}

/** `name = value` where the name speaks of a secret. */
export const assignment =
  /(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|access[-_]?key|(?:private|account|encryption|signing|master|auth)[-_]?key|credentials?|\bpwd)[\w-]{0,20}["'`]?\s{0,4}[:=]{1,2}\s{0,4}["'`]?([^\s"'`,;]{8,512})/gi;

/** True when a text holds something that looks like a key, a token or a password. */
export function hasSecret(text: string): boolean {
  if (secrets.some(pattern => pattern.test(text)) || hasWebToken(text)) return true;
  for (const [, value = ''] of text.matchAll(assignment)) if (isSecretValue(value)) return true;
  return false;
}

/** A word alone is prose ("the secret: patience"); a value has digits or signs in it, and is no call. */
export function isSecretValue(value: string): boolean {
  return (
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^(?:https?:|<|\$\{|process\.|[A-Za-z_$][\w$.]*\()/i.test(value)
  );
}
