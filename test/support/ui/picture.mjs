// The pixels of a picture that Playwright took: a PNG with 8 bits a channel and without interlacing.
import { inflateSync } from 'node:zlib';

const channelsOf = { 2: 3, 6: 4 }; // by colour type: RGB, RGBA

export function decodePng(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const [depth, colourType] = bytes.subarray(24, 26);
  const interlace = bytes[28];
  const channels = channelsOf[colourType];
  if (depth !== 8 || !channels || interlace !== 0) throw new Error('not a picture of Playwright');
  const data = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12; // with the length, the type and the checksum
  }
  return {
    width,
    height,
    channels,
    pixels: unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels),
  };
}

/** Each row begins with the number of its filter, https://www.w3.org/TR/png-3/#9Filters */
function unfilter(raw, rowBytes, height, channels) {
  const pixels = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowBytes + 1)];
    const from = y * (rowBytes + 1) + 1;
    const to = y * rowBytes;
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= channels ? pixels[to + x - channels] : 0;
      const up = y > 0 ? pixels[to + x - rowBytes] : 0;
      const corner = x >= channels && y > 0 ? pixels[to + x - rowBytes - channels] : 0;
      pixels[to + x] = raw[from + x] + predicted(filter, left, up, corner);
    }
  }
  return pixels;
}

function predicted(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map(value => Math.abs(estimate - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Relative luminance of sRGB, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(red, green, blue) {
  const [r, g, b] = [red, green, blue].map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * The contrast in a box of a picture, 1 to 21: between its most frequent colour, the background, and the
 * colour that stands out most. The edges of letters are blurred, so that it is rather too low.
 */
export function contrastIn({ width, height, channels, pixels }, box) {
  const counts = new Map();
  const right = Math.min(width, Math.ceil(box.x + box.width));
  const bottom = Math.min(height, Math.ceil(box.y + box.height));
  for (let y = Math.max(0, Math.floor(box.y)); y < bottom; y++)
    for (let x = Math.max(0, Math.floor(box.x)); x < right; x++) {
      const at = (y * width + x) * channels;
      const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  const luminances = [...counts].map(([colour, count]) => ({
    count,
    light: luminance(colour >> 16, (colour >> 8) & 255, colour & 255),
  }));
  const background = luminances.reduce((most, one) => (one.count > most.count ? one : most), {
    count: 0,
  });
  const ratios = luminances.map(({ light }) => {
    const [dark, bright] = [light, background.light].toSorted((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  });
  return Math.max(1, ...ratios);
}
