import { estimateTokens } from '../service';
import type {
  Conversation,
  ConversationTurn,
  ImagePart,
  OfferedTool,
  Part,
} from './format/conversation';
import { ConversionNotes, usableTools } from './format/toolSchema';

/** Overhead of a turn (role, separators) and of a tool call or result (name, wrapping), in tokens. */
const tokensPerTurn = 3;
const tokensPerCall = 4;
/** Side of the square that counts as one token, in pixels, as usual for open vision models. */
const patchPixels = 28;
const minImageTokens = 64;
/** Services downscale larger images. */
const maxImageTokens = 4096;
/** Tokens of an image whose size cannot be read. */
const unknownImageTokens = 1024;

/**
 * Estimates the tokens of a text or a turn. Synchronous and cheap because VS Code asks many times per
 * turn.
 * @param calibration of the model that is to read it
 */
export function countTokens(input: string | ConversationTurn, calibration?: Calibration): number {
  const tokens = typeof input === 'string' ? textTokens(input) : turnTokenCount(input);
  return calibration ? calibration.apply(tokens) : tokens;
}

/** Tokens of the tools that would be sent. */
export function countTools(tools: readonly OfferedTool[], calibration?: Calibration): number {
  const tokens = usableTools(tools, new ConversionNotes()).reduce(
    (sum, tool) => sum + textTokens(JSON.stringify(tool)),
    0,
  );
  return calibration ? calibration.apply(tokens) : tokens;
}

/** Tokens of a whole request, which {@link Calibration} compares with the reported usage. */
export function countConversation(
  { turns, tools }: Conversation,
  calibration?: Calibration,
): number {
  const tokens = turns.reduce((sum, one) => sum + turnTokenCount(one), countTools(tools));
  return calibration ? calibration.apply(tokens) : tokens;
}

function turnTokenCount({ parts }: ConversationTurn): number {
  return parts.reduce((sum, part) => sum + partTokens(part), tokensPerTurn);
}

function partTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return textTokens(part.text);
    case 'image':
      return imageTokens(part);
    case 'toolCall':
      return tokensPerCall + textTokens(part.name) + textTokens(jsonOf(part.input));
    case 'toolResult':
      return part.parts.reduce((sum, inner) => sum + partTokens(inner), tokensPerCall);
    default:
      return 0;
  }
}

function jsonOf(value: unknown): string {
  try {
    // `undefined` for functions and symbols.
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? text : '';
  } catch {
    // Circular, or a getter throws; the conversion sends an empty input.
    return '{}';
  }
}

/** Shorter texts are counted faster than they are looked up. */
const minCachedChars = 200;
const maxCachedTexts = 1000;
const maxTotalCachedChars = 4_000_000;

/** Caches the token counts of long texts, because VS Code asks for the same ones repeatedly. */
export class TokenCountCache {
  readonly #count: (text: string) => number;
  /** Oldest first. */
  readonly #counts = new Map<string, number>();
  #chars = 0;

  constructor(count = estimateTokens) {
    this.#count = count;
  }

  get(text: string): number {
    if (text.length < minCachedChars) return this.#count(text);
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const tokens = this.#count(text);
    if (text.length > maxTotalCachedChars) return tokens;
    this.#counts.set(text, tokens);
    this.#chars += text.length;
    for (const [oldest] of this.#counts) {
      if (this.#chars <= maxTotalCachedChars && this.#counts.size <= maxCachedTexts) break;
      this.#counts.delete(oldest);
      this.#chars -= oldest.length;
    }
    return tokens;
  }
}

const tokenCounts = new TokenCountCache();

function textTokens(text: string): number {
  return tokenCounts.get(text);
}

/** Tokens of an image by its size; a small image still takes a few dozen. */
export function imageTokens({ data }: ImagePart): number {
  const size = imageSize(data);
  if (!size) return unknownImageTokens;
  const patches = Math.ceil(size.width / patchPixels) * Math.ceil(size.height / patchPixels);
  return Math.min(Math.max(patches, minImageTokens), maxImageTokens);
}

export interface ImageSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Size from the header of a PNG, GIF, WebP or JPEG; `undefined` for other formats and incomplete headers. */
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
    // The header is incomplete.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The three forms of WebP: lossy, lossless, extended. */
function webpSize(view: DataView, form: string): ImageSize | undefined {
  if (form === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (form === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (form !== 'VP8X') return undefined;
  const uint24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return { width: uint24(24) + 1, height: uint24(27) + 1 };
}

/** Skips markers up to a start of frame (0xC0 to 0xCF except 0xC4, 0xC8, 0xCC). */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Fill bytes and markers without a length field.
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

/** Smaller requests are ignored because their overhead dominates, in tokens. */
const minEstimate = 30;
const maxRatios = 15;
const [minFactor, maxFactor] = [0.5, 2];

/**
 * Ratio between a model's real token count and the estimate, learned from the usage of its answers. It is
 * the median of the last ratios, so that one outlier has no effect; below three, a ratio of 1 is added.
 */
export class Calibration {
  readonly #ratios: number[] = [];

  /**
   * @param estimated tokens of the whole request, not calibrated
   * @param actual prompt tokens of the usage, cached ones included
   */
  learn(estimated: number, actual: number): void {
    const ratio = actual / estimated;
    if (!(estimated >= minEstimate) || !Number.isFinite(ratio) || ratio <= 0) return;
    this.#ratios.push(Math.min(Math.max(ratio, minFactor), maxFactor));
    if (this.#ratios.length > maxRatios) this.#ratios.shift();
  }

  /** 1 until something was learned; from 0.5 to 2. */
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
