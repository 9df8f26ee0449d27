import { splitPath, withoutExtension } from '../paths';
import { isCompound } from '../query/querySymbols';
import type { RankedFile } from '../rank/rank';
import { lineNumberAt, type NamedPlace } from '../text/namedPlaces';
import { isCatalog, isOfTexts, isTranslation } from './catalogs';
import type { UiText } from './entries';
import { asIdentifier } from './textKeys';

/** Log odds for a file that has all of the key of a text, or a part of it that says which text is meant. */
const worthOf = { whole: 14, inScope: 13.5, quoted: 13, part: 11, lastQuoted: 10, name: 5 };
/** More than that of a phrase. The path of the entry says the rest. */
const worthOfEntry = 6;
type Fit = keyof typeof worthOf;

const maxPlaces = 2000;
const joins = /[.:/_]/;
const inName = /[\p{L}\p{N}_-]/u;
/** `: "…"`, `=> …`: the line gives the key its text. */
const givesText = /^["'`]?\s{0,60}(?:=>|:|=(?!=))/;
const maxBehind = 70;

/** A key as it may stand in code. */
interface Key {
  readonly names: readonly string[];
  readonly last: string;
  /** The file of the entry, which many libraries take as the first part of the key. */
  readonly namespace: string;
  /** What the last part is in, as it stands in code that names it once for a whole file. */
  readonly scopes: readonly string[];
}

/** Log odds between the best file and one that has an entry or all that says which text it shows. */
const belowBest = 1;

/** The files with those that certainly have to do with the text right behind the best one, in their order. */
export function withTextUses(
  files: readonly RankedFile[],
  namedIn: (file: RankedFile) => readonly NamedPlace[],
): RankedFile[] {
  const best = (files[0]?.score ?? 0) - belowBest;
  return files
    .map(file => {
      const isCertain = namedIn(file).some(
        ({ kind, worth }) =>
          kind === 'uiText' || (kind === 'textUse' && worth >= worthOf.lastQuoted),
      );
      return isCertain ? { ...file, score: Math.max(file.score, best) } : file;
    })
    .sort((a, b) => b.score - a.score);
}

/** Finds where code shows one of some texts. */
export class TextUseFinder {
  readonly #texts: readonly UiText[];
  readonly #keys: readonly Key[];

  constructor(texts: readonly UiText[]) {
    this.#texts = texts;
    this.#keys = texts.filter(({ names }) => names.length > 0).map(keyOf);
  }

  /**
   * The line of a file that is an entry for the text, or that most likely shows it.
   * @param file its path, relative to the root
   */
  placeIn(text: string, file: string): NamedPlace | undefined {
    const own = this.#texts.find(one => one.file === file);
    if (own) {
      return { kind: 'uiText', text: own.names.join('.'), line: own.line, worth: worthOfEntry };
    }
    if (isTranslation(file)) return undefined;
    let best: NamedPlace | undefined;
    for (const key of this.#keys) {
      const { at, worth } = bestUse(key, text, file) ?? {};
      if (at === undefined || worth === undefined || worth <= (best?.worth ?? 0)) continue;
      best = { kind: 'textUse', text: key.names.join('.'), line: lineNumberAt(text, at), worth };
    }
    return best;
  }
}

function keyOf({ names, file }: UiText): Key {
  const owners = names.slice(0, -1);
  const namespace = withoutExtension(splitPath(file).name);
  return {
    names,
    last: names.at(-1) ?? '',
    namespace,
    scopes: owners.length === 0 ? [] : [owners.join('.'), `${namespace}.${owners.join('.')}`],
  };
}

function bestUse(key: Key, text: string, file: string): { at: number; worth: number } | undefined {
  let best: { at: number; worth: number } | undefined;
  let seen = 0;
  const { last } = key;
  if (!text.includes(last)) return undefined;
  const hasScope = key.scopes.some(scope => hasQuoted(text, scope));
  for (let at = text.indexOf(last); at >= 0; at = text.indexOf(last, at + 1)) {
    if (++seen > maxPlaces) break;
    const fit = fitAt(key, text, at, file, hasScope);
    const worth = fit ? worthOf[fit] : 0;
    if (worth > (best?.worth ?? 0)) best = { at, worth };
    if (worth === worthOf.whole) break;
  }
  return best;
}

/**
 * How much of a key stands where its last name is, unless that is a part of another name or is given a text.
 * @param hasScope whether the text says what the last name is in
 */
function fitAt(
  { names, last, namespace }: Key,
  text: string,
  at: number,
  file: string,
  hasScope: boolean,
): Fit | undefined {
  const behind = text.slice(at + last.length, at + last.length + maxBehind);
  if (inName.test(behind[0] ?? '')) return undefined;
  let start = at;
  let matched = 1;
  for (const name of names.slice(0, -1).reverse()) {
    const from = start - name.length - 1;
    if (from < 0 || !joins.test(text[start - 1] ?? '') || !text.startsWith(name, from)) break;
    start = from;
    matched++;
  }
  if (inName.test(text[start - 1] ?? '')) return undefined;
  if (isCatalog(file) && givesText.test(behind)) return undefined;
  if (isOfTexts(file) && isNameOfTag(text, start)) return undefined;
  const isAll = matched === names.length;
  if (isAll && (names.length > 1 || isAfter(text, start, namespace))) return 'whole';
  if (isAll) return singleFit(last, text, start);
  if (matched > 1) return 'part';
  if (isInScope(names, text, start, file)) return 'inScope';
  if (hasScope) return isQuoted(text, at) ? 'part' : undefined;
  if (!isCompound(asIdentifier(last))) return undefined;
  return singleFit(last, text, start) === 'name' ? 'name' : 'lastQuoted';
}

const isNameOfTag = (text: string, start: number): boolean =>
  /\b(?:name|key|id)="$/.test(text.slice(Math.max(0, start - 8), start));

const isAfter = (text: string, start: number, name: string): boolean =>
  joins.test(text[start - 1] ?? '') && text.slice(0, start - 1).endsWith(name);

/** `R.string.title`, `@string/title`, `%title%`, `l10n.title`, `getMessage('title')`. */
const marks =
  /(?:\bR\.string\.|@string\/|%|\$\{|(?:strings?|resources?|l10n|i18n|locali[sz]ations?|messages?|\b[tmsl])[.?!]{1,2}|\bof\(\w{1,20}\)[!?]?\.|\b(?:t|tr|_|gettext|translate|localize|getMessage|getString|message)\(["'`]?)$/i;
const maxMarkChars = 24;

/** How likely a key of one part is meant. */
function singleFit(name: string, text: string, start: number): Fit | undefined {
  if (marks.test(text.slice(Math.max(0, start - maxMarkChars), start))) return 'whole';
  if (!isCompound(asIdentifier(name))) return undefined;
  return isQuoted(text, start) ? 'quoted' : 'name';
}

/** Also as a symbol of Ruby. */
const isQuoted = (text: string, at: number): boolean => /["'`:]/.test(text[at - 1] ?? '');

/** In Rails, `t('.title')` of `users/show.html.erb` is `users.show.title`. */
function isInScope(names: readonly string[], text: string, start: number, file: string): boolean {
  if (!/["']\.$/.test(text.slice(Math.max(0, start - 2), start))) return false;
  const { folder, name } = splitPath(file);
  const view = (name.split('.')[0] ?? '').replace(/^_/, '');
  const owners = names.slice(0, -1);
  const folders = owners.slice(0, -1).map(owner => `${owner}/`);
  return owners.at(-1) === view && `/${folder}`.endsWith(`/${folders.join('')}`);
}

const hasQuoted = (text: string, name: string): boolean =>
  ['"', "'", '`'].some(quote => text.includes(`${quote}${name}${quote}`));
