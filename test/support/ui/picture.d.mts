interface Picture {
  width: number;
  height: number;
  /** Bytes of a pixel. */
  channels: number;
  pixels: Uint8Array;
}
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** Of a PNG with 8 bits a channel and without interlacing. */
export function decodePng(bytes: Buffer): Picture;
/** 1 to 21: between the most frequent colour of the box and the one that stands out most. */
export function contrastIn(picture: Picture, box: Box): number;
