import type { Translate } from '../base/format/text';
import { adviceFor, parseBaseUrl } from '../service';

/** A remark about typed or pasted text: an error, or a note on what is removed from it. */
export interface InputRemark {
  readonly isError: boolean;
  readonly message: string;
}

const error = (message: string): InputRemark => ({ isError: true, message });

const quotes = `"'\`“”‘’«»`;
const quoted = new RegExp(`^[${quotes}]([^${quotes}]*)[${quotes}][,;]?$`, 'u');

/** The key without what is often copied with it. */
export function keyIn(text: string): string {
  let key = text.trim();
  key = quoted.exec(key)?.[1]?.trim() ?? key;
  key = key.replace(/^(Authorization:\s?)?Bearer\s/i, '').trim();
  return quoted.exec(key)?.[1]?.trim() ?? key;
}

/** @param text as typed in the input box; never part of a message. */
export function keyRemark(text: string, t: Translate): InputRemark | undefined {
  const key = keyIn(text);
  if (text.trim() === '') return undefined;
  if (key === '') return error(t('There is no API key in this.'));
  if (/^[a-z]+:\/\//i.test(key)) {
    return error(
      t('This is an address, not an API key. "Splice: Set Service URL…" is the place for it.'),
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

/** @param text as typed in the input box. */
export function addressRemark(text: string, t: Translate): InputRemark | undefined {
  const address = text.trim();
  if (address === '') return undefined;
  if (quoted.test(address)) return error(t('Leave out the quotes.'));
  if (/^Bearer\s/i.test(address) || /^(sk|pk|key)[-_]\w/i.test(address)) {
    return error(
      t('This looks like an API key, not an address. "Splice: Set API Key…" is the place for it.'),
    );
  }
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/\S*)?$/.test(address)) {
    return error(t('The service address must begin with https://, like https://{0}.', address));
  }
  try {
    const { pathname } = parseBaseUrl(address);
    if (/\/v1\//.test(`${pathname}/`)) {
      return error(t('This is the address of one operation. Leave out "/v1" and what follows it.'));
    }
    return undefined;
  } catch (reason) {
    return error(adviceFor(reason, t).message);
  }
}
