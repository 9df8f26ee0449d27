import { estimateTokens } from '../service/tokens';
import type { Conversation, ImagePart, OfferedTool, Part, Turn } from './conversation';
import { Notes, usableTools } from './toolSchema';

/** Role and separators of a turn; name and wrapping of a tool call or result. */
const turnTokens = 3;
const callTokens = 4;
/** A side of the square that makes one token, in pixels, as open models with eyes have it. */
const patch = 28;
const leastImage = 64;
/** Services make larger images smaller. */
const mostImage = 4096;
/** For an image whose size cannot be read. */
const flatImage = 1024;

/**
 * About how many tokens a text or a turn of a conversation takes. Synchronous and cheap: VS Code asks
 * many times per turn.
 * @param calibration of the model that is to read it
 */
export function countTokens(input: string | Turn, calibration?: Calibration): number {
  const tokens = typeof input === 'string' ? textTokens(input) : turn(input);
  return calibration ? calibration.apply(tokens) : tokens;
}

/** Only those that would be sent. */
export function countTools(tools: readonly OfferedTool[], calibration?: Calibration): number {
  const tokens = usableTools(tools, new Notes()).reduce(
    (sum, tool) => sum + textTokens(JSON.stringify(tool)),
    0,
  );
  return calibration ? calibration.apply(tokens) : tokens;
}

/** All of a request: what {@link Calibration} compares with the usage that comes back. */
export function countConversation(
  { turns, tools }: Conversation,
  calibration?: Calibration,
): number {
  const tokens = turns.reduce((sum, one) => sum + turn(one), countTools(tools));
  return calibration ? calibration.apply(tokens) : tokens;
}

function turn({ parts }: Turn): number {
  return parts.reduce((sum, part) => sum + partTokens(part), turnTokens);
}

function partTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return textTokens(part.text);
    case 'image':
      return imageTokens(part);
    case 'toolCall':
      return callTokens + textTokens(part.name) + textTokens(jsonOf(part.input));
    case 'toolResult':
      return part.parts.reduce((sum, inner) => sum + partTokens(inner), callTokens);
    default:
      return 0;
  }
}

function jsonOf(value: unknown): string {
  try {
    // `undefined` for a function and the like.
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? text : '';
  } catch {
    // A circle or a getter that throws; the conversion sends an empty input.
    return '{}';
  }
}

/** Shorter texts are counted faster than found. */
const leastKept = 200;
const mostKept = 1000;
const mostKeptLetters = 4_000_000;

/** Counts of long texts, of which VS Code asks for the same ones again and again. */
export class Memo {
  readonly #count: (text: string) => number;
  /** Oldest first. */
  readonly #counts = new Map<string, number>();
  #letters = 0;

  constructor(count = estimateTokens) {
    this.#count = count;
  }

  get(text: string): number {
    if (text.length < leastKept) return this.#count(text);
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const tokens = this.#count(text);
    if (text.length > mostKeptLetters) return tokens;
    this.#counts.set(text, tokens);
    this.#letters += text.length;
    for (const [oldest] of this.#counts) {
      if (this.#letters <= mostKeptLetters && this.#counts.size <= mostKept) break;
      this.#counts.delete(oldest);
      this.#letters -= oldest.length;
    }
    return tokens;
  }
}

const memo = new Memo();

function textTokens(text: string): number {
  return memo.get(text);
}

/** Images without a known size count alike; a small one still takes a few dozen tokens. */
export function imageTokens({ data }: ImagePart): number {
  const size = imageSize(data);
  if (!size) return flatImage;
  const patches = Math.ceil(size.width / patch) * Math.ceil(size.height / patch);
  return Math.min(Math.max(patches, leastImage), mostImage);
}

export interface ImageSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** From the header of a PNG, GIF, WebP or JPEG; `undefined` for others and for half a header. */
export function imageSize(data: Uint8Array): ImageSize | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const text = (at: number, length: number): string =>
    String.fromCharCode(...data.subarray(at, at + length));
  try {
    const size =
      text(1, 3) === 'PNG' && text(12, 4) === 'IHDR'
        ? { width: view.getUint32(16), height: view.getUint32(20) }
        : text(0, 4) === 'GIF8'
          ? { width: view.getUint16(6, true), height: view.getUint16(8, true) }
          : text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP'
            ? webpSize(view, text(12, 4))
            : view.getUint16(0) === 0xffd8
              ? jpegSize(view)
              : undefined;
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // The header ends too early.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The three forms of WebP: lossy, lossless, extended. */
function webpSize(view: DataView, form: string): ImageSize | undefined {
  if (form === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (form === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (form !== 'VP8X') return undefined;
  const uint24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return { width: uint24(24) + 1, height: uint24(27) + 1 };
}

/** Goes from marker to marker up to a start of frame (0xC0 to 0xCF but three others). */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Fill bytes, and markers without a length.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Smaller requests say more about what surrounds the words than about the words. */
const leastLearnt = 30;
const remembered = 15;
const [leastFactor, mostFactor] = [0.5, 2];

/**
 * How much more or less than the estimate a model counts, from the usage of its answers. The middle one
 * of the last ratios, so that one odd usage moves nothing; until there are several, "as estimated"
 * counts as one of them.
 */
export class Calibration {
  readonly #ratios: number[] = [];

  /**
   * @param estimated of the whole request, not calibrated
   * @param actual prompt tokens of the usage, cached ones included
   */
  learn(estimated: number, actual: number): void {
    const ratio = actual / estimated;
    if (!(estimated >= leastLearnt) || !Number.isFinite(ratio) || ratio <= 0) return;
    this.#ratios.push(Math.min(Math.max(ratio, leastFactor), mostFactor));
    if (this.#ratios.length > remembered) this.#ratios.shift();
  }

  /** 1 until something was learnt; from 0.5 to 2. */
  get factor(): number {
    const { length } = this.#ratios;
    if (length === 0) return 1;
    const sorted = [...this.#ratios, ...(length < 3 ? [1] : [])].sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    const [low = 1, high = 1] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
    return (low + high) / 2;
  }

  apply(tokens: number): number {
    return Math.ceil(tokens * this.factor);
  }
}
