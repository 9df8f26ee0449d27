// An animated PNG of pictures that Playwright took. Browsers, the Marketplace and VS Code play it; other programs
// show its first picture. https://www.w3.org/TR/png-3/#apng-frame-based-animation
import { crc32, deflateSync } from 'node:zlib';
import { decodePng } from './picture.mjs';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bytesPerPixel = 3;

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const numbers = (...values) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};

/** Without the transparency, which a picture of a window does not have. */
function withoutAlpha({ width, height, channels, pixels }) {
  if (channels === bytesPerPixel) return { width, height, pixels };
  const opaque = new Uint8Array(width * height * bytesPerPixel);
  for (let at = 0; at < width * height; at++)
    opaque.set(pixels.subarray(at * channels, at * channels + bytesPerPixel), at * bytesPerPixel);
  return { width, height, pixels: opaque };
}

/** The smallest rectangle that holds all that differs; one pixel if nothing does. */
function changed(before, { width, height, pixels }) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * bytesPerPixel;
      if (
        before.pixels[at] === pixels[at] &&
        before.pixels[at + 1] === pixels[at + 1] &&
        before.pixels[at + 2] === pixels[at + 2]
      )
        continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Each row as its difference from the row above: most rows of a window equal it. */
function compress({ width, pixels }, box) {
  const rowBytes = box.width * bytesPerPixel;
  const rows = Buffer.alloc((rowBytes + 1) * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.y + y) * width + box.x) * bytesPerPixel;
    const to = y * (rowBytes + 1);
    rows[to] = 2; // the filter "up"
    for (let at = 0; at < rowBytes; at++)
      rows[to + 1 + at] =
        pixels[from + at] - (y > 0 ? pixels[from + at - width * bytesPerPixel] : 0);
  }
  return deflateSync(rows, { level: 9 });
}

/** @param frames `[{ png, showMs }]`, pictures of one size @param plays how often, 0 for ever */
export function encodeAnimation(frames, plays) {
  const pictures = frames.map(({ png }) => withoutAlpha(decodePng(png)));
  const [{ width, height }] = pictures;
  let sequence = 0;
  const parts = pictures.flatMap((picture, index) => {
    if (picture.width !== width || picture.height !== height)
      throw new Error('the pictures have different sizes');
    const box = index === 0 ? { x: 0, y: 0, width, height } : changed(pictures[index - 1], picture);
    const delay = Buffer.alloc(6); // as a fraction of a second, then what is disposed of: nothing
    delay.writeUInt16BE(frames[index].showMs, 0);
    delay.writeUInt16BE(1000, 2);
    const control = numbers(sequence++, box.width, box.height, box.x, box.y);
    const data = compress(picture, box);
    return [
      chunk('fcTL', Buffer.concat([control, delay])),
      index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])),
    ];
  });
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.concat([numbers(width, height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('acTL', numbers(pictures.length, plays)),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
