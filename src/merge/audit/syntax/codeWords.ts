/** One more than the length of the longest word that matters. */
const maxKeyword = 10;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words that a value follows. */
export const valueWords = words(
  'return case default yield await typeof void delete in of do else throw new',
);
/** Statements, which are no operand. */
export const neverOperand = words('const let var export return for while break continue case');
export const neverOperandInJava = words('public private protected');
/** Words whose brackets may hold a `;`. */
export const loopWords = words('for await try foreach');

/** The first letters and lengths of all words that matter: most words need no look at their letters. */
const keywordShapes = new Set(
  [...valueWords, ...neverOperand, ...neverOperandInJava, ...loopWords].map(
    word => word.charCodeAt(0) * maxKeyword + word.length,
  ),
);

export function mayBeKeyword(first: number, length: number): boolean {
  return length < maxKeyword && keywordShapes.has(first * maxKeyword + length);
}

/** 1 for letters, digits, `_` and `$`. */
const wordCodes = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

export function isWordCode(code: number): boolean {
  return code > 127 || wordCodes[code] === 1;
}

/** Letters of the name of an element: `Tabs.Item`, `my-element`, `svg:path`. */
export function isNameCode(code: number): boolean {
  return isWordCode(code) || code === 45 || code === 46 || code === 58;
}

/** True for an operator that cannot be the last: `=`, `.`, `&&`, `||`. */
export function needsOperand(text: string, at: number): boolean {
  if (at < 0) return false;
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (code === 61) return before !== 60 && before !== 62 && before !== 33;
  if (code === 46) return before !== 46;
  return (code === 38 || code === 124) && before === code;
}

const maxTypeName = 40;

/** `<T,>(x: T) => x` and `<T>(x: T) => x` are no elements. */
export function startsElement(text: string, at: number): boolean {
  const next = text.slice(at + 1, at + maxTypeName);
  return /^(?:[A-Za-z_$]|>)/.test(next) && !/^[A-Z]\w{0,20}(?:,|\s+extends\b|\s*=|>\()/.test(next);
}
