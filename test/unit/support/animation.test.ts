import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import { encodeAnimation } from '../../support/ui/animation.mjs';
import { decodePng } from '../../support/ui/picture.mjs';

interface Chunk {
  type: string;
  data: Buffer;
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 4, at + 8 + length);
    assert.equal(bytes.readUInt32BE(at + 8 + length), crc32(body), type);
    chunks.push({ type, data: body.subarray(4) });
    at += length + 12;
  }
  return chunks;
}

/** A PNG of rows of colours. */
function png(rows: readonly (readonly number[])[]): Buffer {
  const width = rows[0]?.length ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2], 8);
  return file(header, pixels(rows));
}

const pixels = (rows: readonly (readonly number[])[]): Buffer =>
  deflateSync(
    Buffer.concat(
      rows.map(row => Buffer.from([0, ...row.flatMap(c => [c >> 16, (c >> 8) & 255, c & 255])])),
    ),
  );

function part(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, Buffer.from(type), body, Buffer.alloc(4)]);
}

function file(header: Buffer, data: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(8), part('IHDR', header), part('IDAT', data)]);
}

describe('an animated PNG', () => {
  const first = [
    [0x112233, 0x112233, 0xff0000],
    [0x112233, 0x445566, 0x00ff00],
    [0x112233, 0x445566, 0x0000ff],
  ];
  const second = first.map((row, y) =>
    row.map((colour, x) => (x > 0 && y === 1 ? 0xabcdef : colour)),
  );
  const animation = encodeAnimation(
    [
      { png: png(first), showMs: 1500 },
      { png: png(second), showMs: 700 },
      { png: png(second), showMs: 1 },
    ],
    2,
  );
  const chunks = chunksOf(animation);
  const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);

  it('has the order that the specification asks for', () => {
    assert.deepEqual(
      chunks.map(({ type }) => type),
      ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND'],
    );
    const [, animationControl] = chunks;
    assert.deepEqual([...(animationControl?.data ?? [])], [0, 0, 0, 3, 0, 0, 0, 2]);
    const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT');
    assert.deepEqual(
      numbered.map(({ data }) => data.readUInt32BE(0)),
      [0, 1, 2, 3, 4],
    );
  });

  it('shows each picture for its time', () => {
    assert.deepEqual(
      controls.map(data => data.readUInt16BE(20) / data.readUInt16BE(22)),
      [1.5, 0.7, 0.001],
    );
  });

  it('holds of each picture only what changed', () => {
    const boxes = controls.map(data => [4, 8, 12, 16].map(at => data.readUInt32BE(at)));
    assert.deepEqual(boxes, [
      [3, 3, 0, 0],
      [2, 1, 1, 1],
      [1, 1, 0, 0],
    ]);
    assert.deepEqual([...decodePng(animation).pixels], [...decodePng(png(first)).pixels]);
    const header = Buffer.from(chunks[0]?.data ?? []);
    header.writeUInt32BE(2, 0);
    header.writeUInt32BE(1, 4);
    const frame = chunks.find(({ type }) => type === 'fdAT')?.data ?? assert.fail();
    assert.deepEqual(
      [...decodePng(file(header, frame.subarray(4))).pixels],
      [0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef],
    );
  });

  it('refuses pictures of different sizes', () => {
    const small = png([[1, 2]]);
    const frames = [first, second].map(rows => ({ png: png(rows), showMs: 1 }));
    assert.throws(() => encodeAnimation([...frames, { png: small, showMs: 1 }], 0), /sizes/);
  });
});
