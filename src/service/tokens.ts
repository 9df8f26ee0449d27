import { CodeReader } from '../base/text/codes';

/** What a character is, for {@link estimateTokens}. */
const characterKind = {
  upper: 0,
  lower: 1,
  digit: 2,
  space: 3,
  sign: 4,
  latin: 5,
  script: 6,
  ideograph: 7,
} as const;
const kindCount = 8;

const kinds = new Uint8Array(0x10000).fill(characterKind.ideograph);
kinds.fill(characterKind.sign, 0, 0xc0).fill(characterKind.latin, 0xc0, 0x250);
kinds.fill(characterKind.script, 0x250, 0x1100).fill(characterKind.lower, 97, 123);
kinds.fill(characterKind.upper, 65, 91).fill(characterKind.digit, 48, 58);
kinds[32] = characterKind.space;

/** Letters of a word beyond this many cost more. */
const shortWord = 6;

/** The first state of a kind of run. In a word and in a number, the state counts the characters. */
const state = { none: 0, upper: 1, lower: 8, number: 15, signs: 18 } as const;
const stateCount = 19;
const stateBits = 8;
const stateMask = (1 << stateBits) - 1;

/**
 * For each state and kind of character, the state after it, times the number of kinds, and the units that it
 * costs: a twentieth of a token each. A table takes half the time of comparisons, which are hard to predict.
 */
const steps = new Int32Array(stateCount * kindCount);
for (let from = 0; from < stateCount; from++) {
  const set = (kind: number, to: number, units: number): void => {
    steps[from * kindCount + kind] = (units << stateBits) | (to * kindCount);
  };
  const isUpper = from >= state.upper && from < state.lower;
  const isLower = from >= state.lower && from < state.number;
  const letters = isUpper ? from : isLower ? from - state.lower + 1 : 0;
  const more = letters < shortWord ? 0 : 5;
  const next = Math.min(letters, shortWord);
  if (isUpper) set(characterKind.upper, state.upper + next, more);
  else set(characterKind.upper, state.upper, 20);
  if (letters > 0) set(characterKind.lower, state.lower + next, more);
  else set(characterKind.lower, state.lower, 20);
  // One token for three digits.
  const isNumber = from === state.number || from === state.number + 1;
  set(characterKind.digit, isNumber ? from + 1 : state.number, isNumber ? 0 : 20);
  // A space belongs to the word after it.
  set(characterKind.space, state.none, 0);
  set(characterKind.sign, state.signs, from === state.signs ? 0 : 20);
  set(characterKind.latin, state.none, 10);
  set(characterKind.script, state.none, 8);
  set(characterKind.ideograph, state.none, 16);
}
const anotherSign = state.signs * kindCount;

/** Characters that are read at a time. */
const windowChars = 1 << 16;
const reader = new CodeReader();

/**
 * Estimates the number of tokens of a text without a tokenizer. Words count by length, each part of a
 * camelCase name separately, digits one per three, scripts without spaces about one per character. A
 * run of punctuation costs little more than one token, as in the `"},{"` of JSON. Accurate within about
 * 15% for prose, code, JSON and the large scripts; the weights were fitted to texts of those kinds counted
 * with two public vocabularies of 100,000 and 200,000 tokens.
 */
export function estimateTokens(text: string): number {
  return estimateTokensOf(text, [0, text.length])[0] ?? 0;
}

/** The same for each part of a text. Each starts where the one before it ends: at `starts`, and at the end. */
export function estimateTokensOf(text: string, starts: ArrayLike<number>): Int32Array {
  const tokens = new Int32Array(Math.max(0, starts.length - 1));
  // In locals, since the bundler makes variables of the constants of a module.
  const kindOf = kinds;
  const stepOf = steps;
  const samePart = anotherSign;
  let codes = reader.read(text, 0, 0);
  let base = 0;
  let windowEnd = 0;
  for (let part = 0; part < tokens.length; part++) {
    const end = starts[part + 1] ?? 0;
    let units = 0;
    let from = 0;
    let before = 0;
    for (let at = starts[part] ?? 0; at < end; ) {
      if (at >= windowEnd) {
        base = at;
        windowEnd = Math.min(text.length, at + windowChars);
        codes = reader.read(text, base, windowEnd);
      }
      const last = Math.min(end, windowEnd) - base;
      for (let index = at - base; index < last; index++) {
        const code = codes[index] ?? 0;
        const step = stepOf[from + (kindOf[code] ?? 0)] ?? 0;
        from = step & stateMask;
        // Runs of the same character (indentation, rulers) are one token. No branch: it is hard to predict.
        const isSame = isZero(code ^ before);
        units += (step >> stateBits) + ((isZero(step ^ samePart) & ~isSame) << 1);
        before = code;
      }
      at = last + base;
    }
    tokens[part] = Math.ceil(units / 20);
  }
  return tokens;
}

/** 1 for zero, and 0 for a number that is not negative. */
function isZero(number: number): number {
  return (number - 1) >>> 31;
}
