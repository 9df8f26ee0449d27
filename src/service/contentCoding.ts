import { Duplex, type Readable, pipeline } from 'node:stream';
import * as zlib from 'node:zlib';
import { ServiceError } from './errors';

/**
 * Compression is never asked for: answers are short or streamed, and a proxy that compresses a stream
 * holds its events back. What is compressed all the same is read, by both transports alike.
 */
export const acceptEncoding = 'identity';

/** More than any honest chain of servers applies. Each one multiplies what a few bytes can become. */
const mostCodings = 3;

/** The codings of an answer in the order in which they were applied. */
function codingsOf(header: string | null): string[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && name !== 'identity');
}

/**
 * @throws {ServiceError} `protocol` for a coding that cannot be read: its bytes would pass for damage.
 */
export function checkCodings(header: string | null): void {
  const codings = codingsOf(header);
  const unknown = codings.find(name => !decoders.has(name));
  if (unknown !== undefined) throw new ServiceError('protocol', 'unknown content coding');
  if (codings.length > mostCodings)
    throw new ServiceError('protocol', `more than ${mostCodings} content codings`);
}

/**
 * The body without its codings. Nothing is held but the decoders' windows, so that a body which grows
 * without end meets the size limits of whoever reads it.
 */
export function decoded(body: Readable, header: string | null): AsyncIterable<Uint8Array> {
  let last: Readable = body;
  for (const name of codingsOf(header).reverse()) {
    const decoder = decoders.get(name)?.();
    // `checkCodings` refuses the answer before its body is read.
    if (!decoder) return body;
    // Ends and fails with what it reads from; whoever reads the last one sees the error there.
    last = pipeline(last, decoder, () => undefined);
  }
  return last;
}

/** What came before a missing end is handed on, as `fetch` does; whether it is whole, the reader decides. */
const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const brotliFlush = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};
/** A window of 8 MB, the largest that RFC 9659 allows for this coding. */
const zstd = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

const decoders = new Map<string, () => Duplex>([
  ['gzip', () => zlib.createGunzip(flush)],
  ['x-gzip', () => zlib.createGunzip(flush)],
  ['deflate', inflate],
  ['br', () => zlib.createBrotliDecompress(brotliFlush)],
  ['zstd', () => zlib.createZstdDecompress(zstd)],
]);

/** `deflate` is the zlib format by its specification, and the bare one from some servers. */
function inflate(): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Uint8Array>) {
    const chunks = source[Symbol.asyncIterator]();
    let first = await chunks.next();
    while (!first.done && first.value.byteLength === 0) first = await chunks.next();
    if (first.done) return;
    const { value } = first;
    // The lower half of the first byte names the method; 8 is the only one of zlib.
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
