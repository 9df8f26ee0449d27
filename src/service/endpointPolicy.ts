import { getDomain } from 'tldts';
import { cleanServerText } from '../base/format/serverText';
import { type Sentence, sentence } from '../base/sentence';
import { isLoopback, withoutVersion } from './baseUrl';
import { ServiceError } from './errors';
import type { EndpointStatus, EndpointTarget } from './wire/dedicated';

/**
 * Which addresses of dedicated endpoints may get the API key. They come in answers of the service and
 * remain after an endpoint has ended, so an address alone is not trusted.
 *
 * Loads the list of public suffixes (135 KB), so it is imported only where an endpoint is used.
 */

/**
 * @param service the service address, as `parseBaseUrl` gives it
 * @throws {ServiceError} `endpoint` when the endpoint is not ready, or must not get the key.
 * @see service document, Resources, "Connection object", and States, rules 1 and 2
 */
export function endpointTarget(status: EndpointStatus, service: URL): EndpointTarget {
  const { id, state, connection } = status;
  if (state !== 'ready') {
    throw refusal(
      sentence('The endpoint takes no requests: its state is "{0}".', cleanServerText(state, 40)),
    );
  }
  const { endpointUrl, servedModelName, maxConcurrency, contextTokens, pricePerM } =
    connection ?? {};
  if (endpointUrl === undefined) throw refusal(sentence('The endpoint has no address yet.'));
  if (servedModelName === undefined) {
    throw refusal(sentence('The endpoint names no model to ask for.'));
  }
  return {
    endpointId: id,
    url: checkEndpointUrl(endpointUrl, service),
    servedModelName,
    maxConcurrency,
    contextTokens,
    pricePerM,
  };
}

/**
 * Accepts an address only when it belongs to the owner of the service: https, no user info, the default
 * port or that of the service, and the host of the service or one with the same registrable domain. That
 * includes all subdomains of the service, unless its host is a public suffix, below which anyone can
 * register a name. http is accepted for this computer only.
 *
 * @returns the address without a trailing `/` or `/v1`
 * @throws {ServiceError} `endpoint`, with a reason and never the address
 */
export function checkEndpointUrl(text: string, service: URL): URL {
  // What `new URL` repairs or drops (spaces, line breaks, "\", an empty user name or query) another parser
  // may read as another host.
  const authority = /^https?:\/\/([^/?#\s\\]+)(?:\/[^?#\s\\]*)?$/i.exec(text)?.[1];
  if (authority === undefined || !URL.canParse(text)) {
    throw refused(sentence('is not a plain web address'));
  }
  const url = new URL(text);
  if (authority.includes('@')) throw refused(sentence('holds a user name'));
  if (url.protocol !== 'https:' && !(isLoopback(url.hostname) && isLoopback(service.hostname))) {
    throw refused(sentence('does not begin with https://'));
  }
  if (url.port !== '' && url.port !== service.port) {
    throw refused(sentence('uses a different port'));
  }
  if (!isSameOwner(url.hostname, service.hostname)) {
    throw refused(sentence('is outside the domain of the service'), url.host);
  }
  return withoutVersion(url);
}

/** Host names as `URL` gives them: lower case, other scripts as punycode, IP addresses in one form. */
function isSameOwner(host: string, service: string): boolean {
  if (host === service) return true;
  // The same computer, but another name for certificates and caches.
  if (host.endsWith('.')) return false;
  // `null` for IP addresses, single labels and public suffixes.
  const domain = getDomain(host, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(service, { allowPrivateDomains: true });
}

function refused(reason: Sentence, host?: string): ServiceError {
  return refusal(
    sentence('The address of the endpoint {0}, so it does not get the API key.', reason),
    host,
  );
}

function refusal(words: Sentence, host?: string): ServiceError {
  return new ServiceError('endpoint', words, { host });
}
