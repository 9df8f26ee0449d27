import { type Sentence, sentence } from '../base/sentence';
import { trimEndOf } from '../base/text/scan';
import { ServiceError } from './errors';

/**
 * Checks a service address. `https`, or `http` for this computer only, because the key travels with
 * every request; no user name, query or fragment, because they would be lost or leak.
 * A trailing `/` or `/v1` is dropped.
 *
 * @throws {ServiceError} `badUrl`, with a message for the person who typed it.
 */
export function parseBaseUrl(text: string): URL {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw invalidAddress();
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badUrl(sentence('The service address must begin with https://.'));
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw badUrl(
      sentence(
        'The service address must begin with https://; http:// works only for this computer.',
      ),
    );
  }
  if (url.username || url.password) {
    throw badUrl(sentence('The service address must not contain a user name or password.'));
  }
  // `new URL` drops an empty "?" or "#", which are mistakes too.
  if (/[?#]/.test(trimmed)) throw badUrl(sentence('The service address must not contain ? or #.'));
  return withoutVersion(url);
}

/** Drops a trailing `/` or `/v1`: the paths of the service document begin with `/v1`. */
export function withoutVersion(url: URL): URL {
  const short = new URL(url);
  short.pathname = trimEndOf(url.pathname, '/').replace(/\/v1$/, '');
  return short;
}

/** True for this computer, which needs no proxy and is safe without https. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** @param path as in the service document, for example `/v1/chat/completions`. */
export function endpoint(
  base: URL,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): URL {
  const url = new URL(base);
  url.pathname = trimEndOf(url.pathname, '/') + path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/**
 * An id as one segment of a path. Ids come from answers and from users; none may lead a request, and the
 * key with it, to another path.
 *
 * @param what for the message: `sentence('batch id')`
 * @throws {ServiceError} `limit` when it is empty or could leave its segment.
 */
export function pathId(id: string, what: Sentence): string {
  // A dot segment is resolved even when it is percent-encoded; half a surrogate pair cannot be encoded.
  if (id.trim() === '' || id === '.' || /\.\.|[/\\]|\p{Surrogate}/u.test(id)) {
    throw new ServiceError('limit', sentence('The {0} cannot be used in an address.', what));
  }
  return encodeURIComponent(id);
}

/** The error for a text that is no URL. */
export function invalidAddress(): ServiceError {
  return badUrl(sentence('The service address is not a web address.'));
}

function badUrl(words: Sentence): ServiceError {
  return new ServiceError('badUrl', words);
}
