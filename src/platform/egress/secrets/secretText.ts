import { keyTokens } from './keyTokens';

/**
 * Patterns of certain or probable secrets, in addition to {@link keyTokens}. Broad, because a false match
 * costs only a refusal, and linear: no crafted text makes a pattern slow.
 */
export const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/,
  /\bBearer\s{1,4}[\w.~+/-]{16,}/i,
  /\bAuthorization["']?\s{0,4}[:=]\s{0,4}["']?Basic\s{1,4}[A-Za-z0-9+/=]{8,}/i,
  // A password in a URL, in the login of a registry, in .netrc, as a hash.
  /:\/\/[^\s/:@]{1,256}:[^\s/@]{3,256}@/,
  /"auth"\s{0,4}:\s{0,4}"[A-Za-z0-9+/=]{20,}"/,
  /\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}\S{3,128}/,
  /\$(?:apr1|2[aby]|[56y]|argon2i?d?)\$[\w./$=,+-]{20,}/,
  // URLs that grant access to anyone who knows them.
  /\b(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com\/webhookb2)\/[\w/@.%-]{8,}/,
  /[?&]sig=[A-Za-z0-9%]{40,}/,
  // Keys without a fixed prefix.
  /\b\d{8,10}:AA[\w-]{32,}|\b[0-9a-f]{32}-us\d{1,2}\b|\b[12]\/\d{16}(?:\/\d{16})?:[0-9a-f]{32,}/,
  /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{60,}|\bAAAA[\w-]{7}:[\w-]{100,}/,
  /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/,
  /^PuTTY-User-Key-File-\d|^\$ANSIBLE_VAULT;/m,
];

/** The second part of a JSON web token; the third one must follow. */
const tokenPayload = /\.eyJ[\w-]{10,}(?=\.[\w-]{5})/g;
/** The first part: its fixed beginning and at least ten characters. */
const tokenHeader = /(?:^|-)eyJ[\w-]{10}/;

/**
 * JSON web tokens, as start and end. Searches backwards from each second part, so that the time is linear.
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

/** `name = value` where the name suggests a secret. */
const assignment =
  /(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|access[-_]?key|(?:private|account|encryption|signing|master|auth)[-_]?key|credentials?|\bpwd)[\w-]{0,20}["'`]?\s{0,4}[:=]{1,2}\s{0,4}["'`]?([^\s"'`,;]{8,512})/gi;

/** Values whose names suggest a secret, as start and end. */
export function* assignedSecrets(text: string): Generator<readonly [start: number, end: number]> {
  for (const { index, 0: match, 1: value = '' } of text.matchAll(assignment)) {
    const end = index + match.length;
    const start = end - value.length;
    if (isSecretValue(value) && !(text.startsWith(' = ', start - 3) && isMember(value))) {
      yield [start, end];
    }
  }
}

/** True when a text holds something that looks like a key, a token or a password. */
export function hasSecret(text: string): boolean {
  return (
    isAny(keyTokens(text)) ||
    secrets.some(pattern => pattern.test(text)) ||
    isAny(webTokens(text)) ||
    isAny(assignedSecrets(text))
  );
}

function isAny(found: Iterable<unknown>): boolean {
  for (const _one of found) return true;
  return false;
}

/** A single word is prose ("the secret: patience"); a secret contains digits and is no code. */
function isSecretValue(value: string): boolean {
  return (
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^(?:https?:|<|\$\{|process\.|[A-Za-z_$][\w$.]*\(|\[\.|\/[\\^]|(?:Big)?(?:Ui|I)nt\d|Float\d)/i.test(
      value,
    ) &&
    !/^(?:\/[a-z\d_{}:.-]*){2,}$/.test(value)
  );
}

/** `module_1.name`, after an equals sign with spaces around it. */
function isMember(value: string): boolean {
  return /^[A-Za-z_$][\w$]*\.[A-Za-z_$]/.test(value);
}
