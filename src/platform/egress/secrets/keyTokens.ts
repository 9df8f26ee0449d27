/**
 * Keys with a known prefix followed by mostly random characters. The formats are those documented by the
 * issuers and used by secret scanners. Hand-written matching with one lookup at each start of a word, so that
 * the time is linear however many formats there are.
 */

/** Character classes of the parts of a key. */
const signs = {
  digits: set('09'),
  hex: set('09afAF'),
  upper: set('09AZ'),
  alnum: set('09AZaz'),
  word: set('09AZaz__--'),
  uuid: set('09afAF--'),
  base: set('09AZaz++//=='),
} as const;
type Kind = keyof typeof signs;

/**
 * One or more prefixes, then parts: `alnum36` means at least 36 such characters; a part without a number is
 * literal. A leading `!` requires a digit or both cases: otherwise it is likely a word, such as a CSS class
 * or the name of a table.
 */
const shapes: readonly string[] = [
  // Code hosts and registries.
  'ghp_|gho_|ghu_|ghs_|ghr_ alnum20',
  'github_pat_ word20',
  '!glpat-|gldt-|glrt-|glrtr-|glcbt-|glptt-|glft-|glimt-|glagent-|gloas-|glsoat-|glffct-|GR1348941 word16',
  '!ATBB alnum28',
  '!npm_ alnum30',
  '!pypi- word20',
  'rubygems_ hex40',
  '!dckr_pat_|dckr_oat_ word20',
  'oy2 alnum43',
  '!cio alnum32',
  'sgp_ hex40',
  'squ_|sqp_|sqa_ hex40',
  '!cmVmdGtu alnum50',
  '!AKCp alnum60',
  // Clouds.
  'AKIA|ASIA|ABIA|ACCA upper16',
  'ABSK base100',
  'amzn.mws. uuid36',
  '!AIza word30',
  'ya29. word20',
  '!GOCSPX- word20',
  '1//0 word30',
  '!LTAI alnum16',
  '!AKID alnum32',
  '!AQVN word35',
  'SCW upper17',
  'dop_v1_|doo_v1_|dor_v1_ hex40',
  'dapi hex32',
  'EAAA word56',
  'EAACEdEose0cBA alnum20',
  'HRKU- word30',
  'rnd_ alnum28',
  '!nfp_ alnum30',
  '!vcp_|vck_|vci_|vca_|vcr_ alnum24',
  '!pscale_tkn_|pscale_pw_|pscale_oauth_ word30',
  '!sbp_|sb_secret_ word20',
  '!napi_ alnum40',
  '!xau_ alnum30',
  'mdb_sa_sk_ word30',
  'fo1_|fm1r_|fm2_ word40',
  'bkua_ alnum36',
  'CCIPAT_|CCIPRJ_ word30',
  'tskey-auth-|tskey-api-|tskey-client-|tskey-webhook-|tskey-scim- word16',
  'tk-us- word40',
  'v1.0- hex24 - hex100',
  'sha256~ word43',
  // Models.
  '!sk-|sk_|rk-|rk_|pk-|pk_ word16',
  '!hf_|api_org_ alnum20',
  '!gsk_ alnum20',
  '!xai- word20',
  'pplx- alnum40',
  '!r8_ alnum30',
  'fw_ alnum24',
  'nvapi- word40',
  '!tvly- word20',
  'lsv2_pt_|lsv2_sk_ hex32',
  'pcsk_ word40',
  'csk- alnum40',
  '!jina_ alnum40',
  'fc- hex32',
  'e2b_ hex32',
  'wandb_v1_ word30',
  // Messages and mail.
  'xoxa-|xoxb-|xoxc-|xoxd-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xapp-|xoxe. word10',
  'SG. word16 . word16',
  'key- hex32',
  'SK hex32',
  'xkeysib-|xsmtpsib- hex40',
  '!re_ alnum8 _ alnum20',
  // Payment and shops.
  'shpat_|shpca_|shppa_|shpss_|shptka_ hex20',
  'whsec_ base20',
  'sq0atp-|sq0csp- word22',
  'rzp_live_|rzp_test_ alnum14',
  'FLWSECK- hex32',
  'FLWSECK_TEST- alnum12',
  'access_token$production$ alnum16 $ hex32',
  'access-production-|access-sandbox-|access-development- uuid36',
  'EZAK|EZTK alnum54',
  'shippo_live_|shippo_test_ hex40',
  'duffel_live_|duffel_test_ word43',
  'pdl_live_|pdl_sdbx_ word30',
  // Tools of teams.
  '!figd_|figd- word20',
  '!lin_api_|lin_oauth_ alnum20',
  '!ntn_ alnum40',
  '!secret_ alnum43',
  'PMAK- hex24 - hex30',
  'ATATT3|ATCTT3 word20',
  'hvs.|hvb.|hvr. word20',
  'dp.pt.|dp.ct.|dp.sa.|dp.scim.|dp.audit.|dp.st. alnum40',
  'dp.st. word2 . alnum40',
  'pul- hex40',
  'NRAK- upper27',
  'NRII-|NRIQ- word32',
  '!glc_ base32',
  'glsa_ alnum32 _ hex8',
  'eyJrIjoi base60',
  'CFPAT- word43',
  'sntrys_ base40',
  'sntryu_ hex64',
  'phx_ alnum40',
  'ops_eyJ base100',
  'A3- upper6 - upper6',
  'tfp_ alnum30',
  'pat-na1-|pat-eu1- uuid36',
  'sdk-|api- uuid36',
  'dt0c01. upper24 . upper60',
  'rdme_ alnum60',
  'pnu_|pnb_ alnum36',
  'fio-u- word60',
  'zpka_ hex32',
  'sl.B|sl.u. word100',
  'AGE-SECRET-KEY-1 upper20',
  'sk.eyJ word60 . word20',
  'AAAAAAAAAAAAAAAAAAAAA alnum10 % alnum10',
];

interface Shape {
  readonly prefix: string;
  readonly parts: readonly Part[];
  readonly isStrict: boolean;
}

type Part = string | { readonly signs: Uint8Array; readonly min: number };

/** Characters of a key that are checked to distinguish it from words. */
const mixedSigns = 40;

/** Maximum length of a part that is followed by another one; a longer run is not this key. */
const maxPartLength = (min: number): number => 2 * min + 32;

/** By the first two characters. */
const byStart = new Map<number, Shape[]>();
const keyOf = (first: number, second: number): number => first * 128 + second;
for (const line of shapes) {
  for (const shape of parse(line)) {
    const key = keyOf(shape.prefix.charCodeAt(0), shape.prefix.charCodeAt(1));
    byStart.set(key, [...(byStart.get(key) ?? []), shape]);
  }
}

function parse(line: string): Shape[] {
  const isStrict = line.startsWith('!');
  const [prefixes = '', ...rest] = line.slice(isStrict ? 1 : 0).split(' ');
  const parts = rest.map((word): Part => {
    const [, kind = '', min = ''] = /^([a-z]+)(\d{1,3})$/.exec(word) ?? [];
    return isKind(kind) ? { signs: signs[kind], min: Number(min) } : word;
  });
  return prefixes.split('|').map(prefix => ({ prefix, parts, isStrict }));
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(signs, name);
}

/** @param ranges pairs of characters, each with all that lie between them */
function set(ranges: string): Uint8Array {
  const found = new Uint8Array(128);
  for (let at = 0; at < ranges.length; at += 2) {
    found.fill(1, ranges.charCodeAt(at), ranges.charCodeAt(at + 1) + 1);
  }
  return found;
}

const letters = set('09AZaz__');

/** Keys of known makers, as start and end. */
export function* keyTokens(text: string): Generator<readonly [start: number, end: number]> {
  yield* startingTokens(text);
  yield* markedTokens(text);
}

function* startingTokens(text: string): Generator<readonly [start: number, end: number]> {
  const runs = new CharRuns(text);
  let wasWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isWord = isOf(letters, code);
    const isStart = isWord && !wasWord;
    wasWord = isWord;
    if (!isStart) continue;
    const candidates = byStart.get(keyOf(code, text.charCodeAt(at + 1)));
    if (candidates === undefined) continue;
    const third = text.charCodeAt(at + 2);
    for (const shape of candidates) {
      if (shape.prefix.length > 2 && shape.prefix.charCodeAt(2) !== third) continue;
      const end = endOf(text, at, shape, runs);
      if (end < 0) continue;
      yield [at, end];
      at = end - 1;
      wasWord = true;
      break;
    }
  }
}

/** The end of the key that starts at `start`; -1 where none does. */
function endOf(
  text: string,
  start: number,
  { prefix, parts, isStrict }: Shape,
  runs: CharRuns,
): number {
  if (!text.startsWith(prefix, start)) return -1;
  const from = start + prefix.length;
  let at = from;
  for (let nth = 0; nth < parts.length; nth++) {
    const part = parts[nth] ?? '';
    if (typeof part === 'string') {
      if (!text.startsWith(part, at)) return -1;
      at += part.length;
      continue;
    }
    const { min } = part;
    const end = runs.endOfRun(part.signs, at, nth === parts.length - 1 ? min : maxPartLength(min));
    if (end - at < min) return -1;
    at = end;
  }
  if (isStrict && !runs.isMixed(from)) return -1;
  while (at < text.length && isOf(signs.word, text.charCodeAt(at))) at++;
  return at;
}

interface CharRun {
  readonly start: number;
  end: number;
}

/**
 * Runs of characters of one class. A run is scanned once, however many keys seem to begin in it; otherwise
 * the time for `sk-sk-sk-…` would be quadratic.
 */
class CharRuns {
  readonly #text: string;
  readonly #known = new Map<Uint8Array, CharRun>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the run of a class from `start`, of at most `max` characters. */
  endOfRun(kind: Uint8Array, start: number, max: number): number {
    const known = this.#known.get(kind);
    const limit = start + max;
    if (known !== undefined && known.start <= start && start <= known.end) {
      if (known.end < limit) known.end = this.#endFrom(kind, known.end, limit);
      return Math.min(known.end, limit);
    }
    const end = this.#endFrom(kind, start, limit);
    this.#known.set(kind, { start, end });
    return end;
  }

  #endFrom(kind: Uint8Array, start: number, limit: number): number {
    let end = start;
    while (end < limit && isOf(kind, this.#text.charCodeAt(end))) end++;
    return end;
  }

  /** Random characters include a digit or letters of both cases; names usually do not. */
  isMixed(start: number): boolean {
    const end = start + mixedSigns;
    return this.endOfRun(small, start, mixedSigns) < end && isMixed(this.#text, start, end);
  }
}

function isMixed(text: string, start: number, end: number): boolean {
  let hasSmall = false;
  let hasLarge = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isOf(signs.word, code)) return false;
    if (isOf(signs.digits, code)) return true;
    hasSmall ||= code >= 97;
    hasLarge ||= code >= 65 && code <= 90;
    if (hasSmall && hasLarge) return true;
  }
  return false;
}

const small = set('az__--');

/** Keys with a fixed mark in the middle, and the minimum number of characters before and after it. */
const marks = [
  { mark: '8Q~', before: signs.word, min: 3, behind: set('09AZaz__--..~~'), minBehind: 30 },
  { mark: 'AZDO', before: signs.alnum, min: 76, behind: signs.alnum, minBehind: 4 },
  { mark: '.atlasv1.', before: signs.alnum, min: 14, behind: signs.word, minBehind: 60 },
] as const;

function* markedTokens(text: string): Generator<readonly [start: number, end: number]> {
  for (const { mark, before, min, behind, minBehind } of marks) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
      let start = at;
      while (at - start < min && isOf(before, text.charCodeAt(start - 1))) start--;
      if (at - start < min) continue;
      let end = at + mark.length;
      while (end - at < mark.length + minBehind && isOf(behind, text.charCodeAt(end))) end++;
      if (end - at < mark.length + minBehind) continue;
      while (isOf(signs.word, text.charCodeAt(end))) end++;
      yield [start, end];
    }
  }
}

function isOf(found: Uint8Array, code: number): boolean {
  return found[code] === 1;
}
