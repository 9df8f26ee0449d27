// The files in a zip archive, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const endBytes = 22; // of the record, which a comment may follow
const entryBytes = 46; // of an entry of the directory, before its name
const localBytes = 30; // of the header before the data, before its name
const deflated = 8;

/** Path to contents, in the order of the archive; folders are left out. */
export function readZip(bytes) {
  let end = bytes.length - endBytes;
  while (end >= 0 && bytes.readUInt32LE(end) !== endOfDirectory) end--;
  if (end < 0) throw new Error('not a zip archive');
  const files = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const method = bytes.readUInt16LE(at + 10);
    const size = bytes.readUInt32LE(at + 20);
    const nameBytes = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + entryBytes, at + entryBytes + nameBytes);
    const local = bytes.readUInt32LE(at + 42);
    const from =
      local + localBytes + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(from, from + size);
    if (!name.endsWith('/')) files.set(name, method === deflated ? inflateRawSync(data) : data);
    at += entryBytes + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}
