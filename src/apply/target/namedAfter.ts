import { declaredName } from '../../merge';
import { type ComparedFile, plainLetters, plainName } from './contentLookup';

/** What an edit declares beside functions and types: `package render`, `namespace Shop.Cart;`, `TEST(color_test, red) {` */
const others =
  /^(?:(?:package|namespace)\s+(?:[\w$]+[.:\\]{1,2})*([\w$]+)|TEST(?:_[FP])?\(\s*(\w+))/;
/** Names of files that say nothing of what is in them. */
const emptyNames = new Set(
  (
    'app base common config constants context core helper helpers index init main mod page setup test tests type ' +
    'types util utils'
  ).split(' '),
);
/** Shorter ones are a part of many words. */
const minNameLength = 4;
/** The end of the name of a file with tests. */
const ofTests = /(?:tests?|spec)$/;

/** The names of functions, types and modules that an edit declares, in small letters without signs between their words. */
export function declaredNames(shown: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const line of shown) {
    const text = line.trim();
    const [, unit, group] = others.exec(text) ?? [];
    const name = unit ?? group ?? declaredName(text);
    if (name !== undefined) names.add(plainLetters(name));
  }
  return names;
}

/** Whether a file is called after one of the names: `SummarySink` in summary.rs, `color_test` in color-test.cc. */
export function isNamedAfter({ path }: ComparedFile, names: ReadonlySet<string>): boolean {
  const whole = plainName(path);
  const own = whole.replace(ofTests, '') || whole;
  if (own.length < minNameLength || emptyNames.has(own)) return false;
  for (const name of names) {
    if (name.startsWith(own) || (name.length > minNameLength && own.startsWith(name))) return true;
  }
  return false;
}
