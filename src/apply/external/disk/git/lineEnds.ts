/** What `git check-attr` says of a path: `set`, `unset`, `unspecified` or a value. */
export interface PathAttributes {
  readonly text: string;
  readonly crlf: string;
  readonly eol: string;
  readonly filter: string;
  readonly ident: string;
  readonly encoding: string;
}

/** The settings of git that decide about line ends. */
export interface LineEndConfig {
  readonly autocrlf: 'true' | 'input' | 'false';
  readonly eol: 'lf' | 'crlf' | 'native';
}

/** How git converts line ends between a blob and the file in the work tree. */
export interface LineEndRule {
  /** CRLF in the file and LF in the blob are the same to git. */
  readonly isNormalized: boolean;
  /** What git writes when it checks the file out. */
  readonly written: 'asStored' | 'crlf';
  /** Only where git takes the content for text without any CR. */
  readonly isAutomatic: boolean;
}

type TextAttribute = 'text' | 'binary' | 'input' | 'auto' | undefined;

const asStored: LineEndRule = { isNormalized: false, written: 'asStored', isAutomatic: false };

/** The rules of `convert.c` in git. */
export function lineEndRule(
  { text, crlf, eol }: PathAttributes,
  config: LineEndConfig,
  isWindows = process.platform === 'win32',
): LineEndRule {
  const kind = textAttribute(text) ?? textAttribute(crlf);
  if (kind === 'binary') return asStored;
  const isNative = config.eol === 'crlf' || (config.eol === 'native' && isWindows);
  const usual = config.autocrlf === 'true' || (config.autocrlf === 'false' && isNative);
  const isAutomatic = kind === 'auto' || (kind === undefined && eol !== 'lf' && eol !== 'crlf');
  if (kind === undefined && isAutomatic && config.autocrlf === 'false') return asStored;
  const isCrlf =
    eol === 'crlf' ||
    (eol !== 'lf' && kind !== 'input' && (kind === undefined ? config.autocrlf === 'true' : usual));
  return { isNormalized: true, written: isCrlf ? 'crlf' : 'asStored', isAutomatic };
}

function textAttribute(value: string): TextAttribute {
  switch (value) {
    case 'set':
      return 'text';
    case 'unset':
      return 'binary';
    case 'input':
    case 'auto':
      return value;
    default:
      return undefined;
  }
}

/** The bytes with CRLF in place of each LF that has no CR; undefined where git does not convert them. */
export function withCrlf(bytes: Uint8Array, { isAutomatic }: LineEndRule): Buffer | undefined {
  const ends = lineEndsOf(bytes);
  if (ends.lf === 0) return undefined;
  if (isAutomatic && (ends.crlf > 0 || ends.cr > 0 || isBinary(bytes))) return undefined;
  const converted = Buffer.allocUnsafe(bytes.byteLength + ends.lf);
  let at = 0;
  for (let index = 0; index < bytes.byteLength; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === lf && bytes[index - 1] !== cr) converted[at++] = cr;
    converted[at++] = byte;
  }
  return converted;
}

/** How often each line end appears: LF without CR, CRLF, and CR without LF. */
export function lineEndsOf(bytes: Uint8Array): { lf: number; crlf: number; cr: number } {
  const counts = { lf: 0, crlf: 0, cr: 0 };
  for (let at = bytes.indexOf(lf); at >= 0; at = bytes.indexOf(lf, at + 1)) {
    if (bytes[at - 1] === cr) counts.crlf++;
    else counts.lf++;
  }
  for (let at = bytes.indexOf(cr); at >= 0; at = bytes.indexOf(cr, at + 1)) counts.cr++;
  counts.cr -= counts.crlf;
  return counts;
}

const lf = 0x0a;
const cr = 0x0d;

/** As `convert_is_binary` of git: a NUL, or more than one control character in 128 printable ones. */
function isBinary(bytes: Uint8Array): boolean {
  let printable = 0;
  let others = 0;
  // A file of CP/M and DOS may end with a SUB.
  const end = bytes.at(-1) === 0x1a ? bytes.byteLength - 1 : bytes.byteLength;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return true;
    if (byte === lf || byte === cr) continue;
    const isControl = byte === 0x7f || (byte < 0x20 && !harmlessControls.has(byte));
    if (isControl) others++;
    else printable++;
  }
  return printable >> 7 < others;
}

/** BS, HT, ESC and FF. */
const harmlessControls = new Set([0x08, 0x09, 0x1b, 0x0c]);
