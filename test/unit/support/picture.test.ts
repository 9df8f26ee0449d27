import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { contrastIn, decodePng } from '../../support/ui/picture.mjs';

type Pixel = readonly number[];

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

/** A PNG whose rows use these filters, one after another. */
function encode(rows: readonly (readonly Pixel[])[], filters: readonly number[]): Buffer {
  const channels = rows[0]?.[0]?.length ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(rows[0]?.length ?? 0, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, channels === 4 ? 6 : 2], 8);
  const flat = rows.map(row => row.flat());
  const at = (y: number, x: number) => (x < 0 ? 0 : (flat[y]?.[x] ?? 0));
  const lines = flat.map((row, y) => {
    const filter = filters[y % filters.length] ?? 0;
    return [
      filter,
      ...row.map((value, x) => {
        const [left, up, corner] = [at(y, x - channels), at(y - 1, x), at(y - 1, x - channels)];
        const estimate = left + up - corner;
        const nearest = [left, up, corner].toSorted(
          (a, b) => Math.abs(estimate - a) - Math.abs(estimate - b),
        )[0];
        const guess = [0, left, up, (left + up) >> 1, nearest ?? 0][filter] ?? 0;
        return (value - guess) & 255;
      }),
    ];
  });
  return Buffer.concat([
    Buffer.alloc(8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const white = [255, 255, 255];
const field = (colour: Pixel): Pixel[][] =>
  Array.from({ length: 6 }, (_, y) =>
    Array.from({ length: 6 }, (__, x) => (x === 2 && y > 1 ? colour : white)),
  );

describe('the picture of a window', () => {
  for (const filter of [0, 1, 2, 3, 4])
    it(`is read with filter ${filter}`, () => {
      const rows = Array.from({ length: 5 }, (_, y) =>
        Array.from({ length: 7 }, (__, x) => [x * 31, y * 50, (x * y * 9) & 255, 255]),
      );
      const { width, height, pixels } = decodePng(encode(rows, [filter]));
      assert.deepEqual([width, height], [7, 5]);
      assert.deepEqual([...pixels], rows.flat(2));
    });

  // As WCAG 2.2 counts: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
  for (const [colour, ratio] of [
    [[0, 0, 0], 21],
    [[118, 118, 118], 4.54],
    [[145, 145, 145], 3.16],
    [[255, 255, 255], 1],
  ] as const)
    it(`has a contrast of ${ratio}:1 where white has rgb(${colour.join()})`, () => {
      const picture = decodePng(encode(field(colour), [1, 4]));
      const box = { x: 0.4, y: -3, width: 90, height: 90 };
      assert.ok(Math.abs(contrastIn(picture, box) - ratio) < 0.02);
      assert.equal(contrastIn(picture, { x: 3, y: 0, width: 2, height: 2 }), 1);
    });
});
