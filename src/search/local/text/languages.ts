import { wordsOf } from '../query/vocabulary';
import { maxDeclarationChars } from './declarations';
import { type LanguageRules, rulesOf } from './languageRules';

/** A name that a line declares in the way of one language. */
export interface DeclaredName {
  /** After those that qualify it, as in `Queue.close`. */
  readonly names: readonly string[];
  /** Whether it can hold others, as a class does. */
  readonly isHolder: boolean;
  /** Whether it is a part of what holds it, as a field is, so that nothing is in it. */
  readonly isPart: boolean;
  /** Index after the name in its line. */
  readonly end: number;
}

/** Words before the one that says what is declared. */
const modifiers: ReadonlySet<string> = new Set(
  wordsOf(`
    abstract actual annotation async attached base case checked common companion const constexpr
    convenience covariant crossinline data declare default deferred distributed dynamic elemental enum
    erased expect explicit export exported extern external factory fileprivate final fixed friend global
    implementation implicit in indirect infix inline inner instance internal isolated late lazy lateinit
    local module mutable mutating native noinline nonisolated nonmutating nonoverridable notinheritable
    opaque open operator overridable override overrides package partial pub private protected public
    pure readonly recursive reified required sealed shadows shared static suspend synthesizable tailrec
    transparent unowned unsafe value virtual volatile weak
  `),
);
const holders: ReadonlySet<string> = new Set(
  wordsOf(`
    actor annotation class component contract entity enum extend extension given impl implicit input
    interface library message mixin module namespace object package protocol record resource service
    signature struct structure trait union unit
  `),
);
const variables: ReadonlySet<string> = new Set(wordsOf('val var let dim const field'));

const annotations = /^\s*(?:@[\w.:]+(?:\([^()]*\))?\s+)*/;
/** With what stands behind it, such as `private[http]` or `pub(crate)`. */
const word = /^[ \t]*([A-Za-z_]\w*)(?:\[[^\][]*\]|\([^()]*\))?/;
const anotherWord = /^[ \t]+[\p{L}_@`]/u;
const typeParameters = /^[ \t]*<[^<>]*(?:<[^<>]*>[^<>]*)*>/;
const qualifiedName = /^[ \t]*[\p{L}_`$][\p{L}\p{N}_$`]*(?:(?:\.|::)[\p{L}_`$][\p{L}\p{N}_$`]*)*/u;

const groupNames = ['name', 'holder', 'field', 'type'] as const;

/** How one language declares names. */
export class LanguageHeads {
  readonly #rules: LanguageRules;
  readonly #keywords: ReadonlySet<string>;

  constructor(rules: LanguageRules) {
    this.#rules = rules;
    this.#keywords = new Set(rules.keywords === undefined ? [] : wordsOf(rules.keywords));
  }

  /** The name that a line declares; undefined where it does not do so in a way of this language alone. */
  nameIn(line: string): DeclaredName | undefined {
    if (line.length >= maxDeclarationChars) return undefined;
    return this.#behindKeyword(line) ?? this.#inShape(line.trimEnd());
  }

  /** `fileprivate typealias Handler = …`, with any of the modifiers before the keyword. */
  #behindKeyword(line: string): DeclaredName | undefined {
    if (this.#keywords.size === 0) return undefined;
    let rest = line.replace(annotations, '');
    let keyword = '';
    let isModified = false;
    for (;;) {
      const [whole = '', found = ''] = word.exec(rest) ?? [];
      const own = this.#rules.isCaseless ? found.toLowerCase() : found;
      const isKeyword = this.#keywords.has(own);
      if (!isKeyword && !modifiers.has(own)) break;
      const after = rest.slice(whole.length);
      // A name may be a word such as `value`.
      if (keyword !== '' && !anotherWord.test(after)) break;
      if (isKeyword) keyword = own;
      else isModified = true;
      rest = after;
    }
    if (keyword === '') return undefined;
    rest = rest.replace(typeParameters, '');
    const found = qualifiedName.exec(rest)?.[0];
    if (found === undefined) return undefined;
    const after = rest.slice(found.length);
    const isLocal = /^\s/.test(line) && !isModified && !isTyped.test(after);
    const isPart = variables.has(keyword);
    if (isPart && isLocal) return undefined;
    const end = line.length - after.length;
    return { names: namesIn(found), isHolder: holders.has(keyword), isPart, end };
  }

  #inShape(line: string): DeclaredName | undefined {
    for (const shape of this.#rules.shapes ?? []) {
      const { groups = {}, indices } = shape.exec(line) ?? {};
      const kind = groupNames.find(one => groups[one] !== undefined);
      if (kind === undefined) continue;
      const own = kind === 'type' ? fieldIn(groups['type'] ?? '') : groups[kind];
      if (own === undefined) continue;
      const [, end = line.length] = indices?.groups?.[kind] ?? [];
      const isPart = kind === 'field' || kind === 'type';
      return { names: namesIn(own), isHolder: kind === 'holder', isPart, end };
    }
    return undefined;
  }
}

/** The last word of `List<Item> items`; undefined for `class Items`, which declares no field. */
function fieldIn(text: string): string | undefined {
  const all = text.trimEnd().split(/\s+/);
  return all.length > 1 && !all.some(one => holders.has(one)) ? all.at(-1) : undefined;
}

const namesIn = (text: string): readonly string[] =>
  text
    .replaceAll(/[\s`?!']/g, '')
    .split(/[.:]/)
    .filter(one => one !== '');

/** A type without a value, which few variables inside of a function have. */
const isTyped = /^\s*:[^=]*$/;

const byRules = new Map<LanguageRules, LanguageHeads>();

/** How the language of a file declares names, where that is not as in most languages. */
export function headsOf(path: string): LanguageHeads | undefined {
  const rules = rulesOf(path);
  if (!rules) return undefined;
  const known = byRules.get(rules) ?? new LanguageHeads(rules);
  byRules.set(rules, known);
  return known;
}
