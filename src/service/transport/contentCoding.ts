import { Duplex, pipeline, type Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { ServiceError } from '../errors';

/**
 * Compression is not requested: answers are short or streamed, and a proxy that compresses a stream
 * delays its events. A compressed answer is decoded all the same, by both transports.
 */
export const acceptEncoding = 'identity';

/** More than any legitimate chain of servers applies. Each coding multiplies what a few bytes expand to. */
const maxCodings = 3;

/** The codings of an answer in the order in which they were applied. */
function codingsOf(header: string | null): string[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && name !== 'identity');
}

/**
 * @throws {ServiceError} `protocol` for an unknown coding, whose bytes would look like a damaged answer.
 */
export function checkCodings(header: string | null): void {
  const codings = codingsOf(header);
  const unknown = codings.find(name => !decoders.has(name));
  if (unknown !== undefined) throw new ServiceError('protocol', 'unknown content coding');
  if (codings.length > maxCodings) {
    throw new ServiceError('protocol', `more than ${maxCodings} content codings`);
  }
}

/**
 * Decodes the body. Only the windows of the decoders are buffered, so that a body that expands without
 * end reaches the size limits of its reader.
 */
export function decodedBody(body: Readable, header: string | null): AsyncIterable<Uint8Array> {
  let last: Readable = body;
  for (const name of codingsOf(header).reverse()) {
    const decoder = decoders.get(name)?.();
    // `checkCodings` refuses the answer before its body is read.
    if (!decoder) return body;
    // Errors propagate to the last stream, where the reader sees them.
    last = pipeline(last, decoder, () => undefined);
  }
  return last;
}

/** Data before a missing end is passed on, as `fetch` does; the reader decides whether it is complete. */
const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const brotliFlush = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};
/** A window of 8 MB, the maximum of RFC 9659 for this coding. */
const zstd = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

const decoders = new Map<string, () => Duplex>([
  ['gzip', () => zlib.createGunzip(flush)],
  ['x-gzip', () => zlib.createGunzip(flush)],
  ['deflate', inflate],
  ['br', () => zlib.createBrotliDecompress(brotliFlush)],
  ['zstd', () => zlib.createZstdDecompress(zstd)],
]);

/** `deflate` is the zlib format by specification, but some servers send the raw format. */
function inflate(): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Uint8Array>) {
    const chunks = source[Symbol.asyncIterator]();
    let first = await chunks.next();
    while (!first.done && first.value.byteLength === 0) first = await chunks.next();
    if (first.done) return;
    const { value } = first;
    // The low four bits of the first byte are the compression method; zlib knows only 8.
    const isZlib = ((value[0] ?? 0) & 0x0f) === 8;
    const decoder = isZlib ? zlib.createInflate(flush) : zlib.createInflateRaw(flush);
    const all = async function* (): AsyncGenerator<Uint8Array> {
      yield value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    };
    pipeline(all, decoder, () => undefined);
    yield* decoder;
  });
}
