import { type Sentence, sentence, type Translate, translated } from '../base/sentence';
import { parseBaseUrl, sentenceFor } from '../service';

/** A remark about typed or pasted text: an error, or a note on what is changed in it. */
export interface InputRemark {
  readonly isError: boolean;
  readonly message: string;
}

/** What a text in the input of the address is. */
export type PastedAddress =
  /** `note`: what was corrected in it. */
  | { readonly kind: 'address'; readonly url: URL; readonly note?: Sentence }
  /** A key, which belongs into the next input. */
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'wrong'; readonly reason: Sentence };

const error = (message: string): InputRemark => ({ isError: true, message });

const quotes = `"'\`“”‘’«»`;
const quoted = new RegExp(`^[${quotes}]([^${quotes}]*)[${quotes}][,;]?$`, 'u');
const unquoted = (text: string): string => quoted.exec(text)?.[1]?.trim() ?? text;

/** The key without what is often copied with it. */
export function keyIn(text: string): string {
  const key = unquoted(text.trim()).replace(/^(Authorization:\s?)?Bearer\s/i, '');
  return unquoted(key.trim());
}

/** @param text as typed in the input box; never part of a message. */
export function keyRemark(text: string, t: Translate): InputRemark | undefined {
  const key = keyIn(text);
  if (text.trim() === '') return undefined;
  if (key === '') return error(t('There is no API key in this.'));
  if (/^[a-z]+:\/\//i.test(key)) {
    return error(
      t(
        'This is an address, not an API key. Press Escape to go back to the address, or paste the key.',
      ),
    );
  }
  if (/^(export\s)?[A-Z][A-Z0-9_]*=/.test(key)) {
    return error(t('Paste only what follows the equals sign.'));
  }
  if (/\s/.test(key)) {
    return error(t('An API key has no spaces or line breaks: this is more than a key.'));
  }
  if (/…|\.\.\.|\*\*\*|•/.test(key)) {
    return error(t('This key is shortened or hidden. Copy the whole key.'));
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return error(
      t('An API key has only plain letters, digits and signs; this one holds other characters.'),
    );
  }
  return key === text.trim()
    ? undefined
    : { isError: false, message: t('Quotes and "Bearer" around the key are left out.') };
}

/** A name or a number with dots, or this computer, with what follows it; without a scheme. */
const bareAddress =
  /^(?:(localhost|127\.\d+\.\d+\.\d+|\[::1\])|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:\/\S*)?$/i;
/** `https:/`, `http//`, `htps://` and the like. */
const misspeltScheme = /^h?t{1,2}ps?(?::\/?|\/\/|:\/\/)(?!\/)(?=[\w[])/i;

/** @param text as typed in the input box, not empty; a key in it is never part of a sentence. */
export function readAddress(text: string): PastedAddress {
  const address = unquoted(text.trim());
  if (/^(Authorization:\s?)?Bearer\s/i.test(address) || /^(sk|pk|key)[-_]\w/i.test(address)) {
    return { kind: 'key', key: keyIn(address) };
  }
  const corrected = withScheme(address);
  try {
    const url = parseBaseUrl(corrected);
    // The address of one operation, as it stands in an example of the service.
    const [base = '', operation] = url.pathname.split(/\/v1(?=\/)/, 2);
    url.pathname = base;
    const note =
      operation === undefined && corrected === text.trim()
        ? undefined
        : sentence('The address {0} is used.', addressText(url));
    return { kind: 'address', url, ...(note && { note }) };
  } catch (reason) {
    return { kind: 'wrong', reason: sentenceFor(reason) };
  }
}

/** The address as the setting stores it: without a slash at the end of a bare origin. */
export const addressText = ({ href, pathname }: URL): string =>
  pathname === '/' ? href.slice(0, -1) : href;

/** With `https://` where it lacks a scheme or names another computer by `http://`; the key must travel encrypted. */
function withScheme(address: string): string {
  const bare = bareAddress.exec(address);
  if (bare) return `${bare[1] === undefined ? 'https' : 'http'}://${address}`;
  if (/^https?:\/\/(?!\/)/i.test(address)) {
    const isRefused = /^http:/i.test(address) && !isTaken(address);
    return isRefused ? address.replace(/^http:/i, 'https:') : address;
  }
  const rest = address.replace(misspeltScheme, '');
  return rest === address ? address : withScheme(rest);
}

function isTaken(address: string): boolean {
  try {
    parseBaseUrl(address);
    return true;
  } catch {
    return false;
  }
}

/** @param text as typed in the input box. */
export function addressRemark(text: string, t: Translate): InputRemark | undefined {
  if (text.trim() === '') return undefined;
  const read = readAddress(text);
  switch (read.kind) {
    case 'wrong':
      return error(translated(read.reason, t));
    case 'key':
      return {
        isError: false,
        message: t('This looks like an API key. Enter keeps it, and asks for the address first.'),
      };
    default:
      return read.note && { isError: false, message: translated(read.note, t) };
  }
}
