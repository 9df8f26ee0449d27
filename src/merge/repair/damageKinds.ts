import { isAscii } from '../textCodes';
import { entity, withoutEntities } from './entities';

/** What web pages, chats and word processors do to the characters of code that is copied from them. */
export type CharacterDamage =
  | 'quotes'
  | 'dashes'
  | 'ellipses'
  | 'entities'
  | 'invisible'
  | 'blanks';

export interface DamageKind {
  readonly name: CharacterDamage;
  /** Global, for `search` and `replace` only. */
  readonly found: RegExp;
  readonly undo: (text: string) => string;
  /** The text that is damaged wherever it occurs: a line that still has it was not damaged. */
  readonly whole?: RegExp;
}

const invisible = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
/** No-break spaces and the other spaces of Unicode. */
const oddBlank = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const longDash = /[–—]/g;

/** Entities come last: what they stand for is not read again. */
export const damageKinds: readonly DamageKind[] = [
  { name: 'invisible', found: invisible, undo: text => text.replace(invisible, '') },
  { name: 'blanks', found: oddBlank, undo: text => text.replace(oddBlank, ' ') },
  {
    name: 'quotes',
    found: /[‘’‚‛“”„‟]/g,
    undo: text => text.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"'),
    whole: /["']/,
  },
  {
    name: 'ellipses',
    found: /…/g,
    undo: text => text.replaceAll('…', '...'),
    whole: /["']|\.{3}/,
  },
  {
    name: 'dashes',
    found: longDash,
    undo: text => text.replace(longDash, '--'),
    whole: /["']|--/,
  },
  { name: 'entities', found: entity, undo: withoutEntities, whole: /[<>]|&(?![\w#]+;)/ },
];

/** Few texts have such characters, and only those need to be searched for each kind. */
const mayBeDamaged = (text: string): boolean =>
  !isAscii(text) || (text.includes('&') && /&#?\w+;/.test(text));

/** The kinds of which a text has characters. */
export const damageIn = (text: string): readonly DamageKind[] =>
  mayBeDamaged(text) ? damageKinds.filter(({ found }) => text.search(found) >= 0) : [];

/** The key by which a line is compared with another one that may be damaged in these ways. */
export function foldedText(text: string, damage: readonly DamageKind[]): string {
  const undone = damage.reduce(
    (all, kind) => (kind.name === 'dashes' ? all : kind.undo(all)),
    text,
  );
  return undone.replace(/[–—-]+/g, '-').trim();
}

/** The damage that, outside of strings and comments, is an error in every language. */
export function brokenCode(line: string): CharacterDamage[] {
  const bare = line.replace(quotedOrComment, "''");
  const found: CharacterDamage[] = [];
  if (delimitingQuotes.test(bare)) found.push('quotes');
  if (/&(?:lt|gt|amp|quot|#39);/.test(bare)) found.push('entities');
  if (bare.search(oddBlank) >= 0) found.push('blanks');
  return found;
}

const quotedOrComment = /"[^"]*"|'[^']*'|`[^`]*`|\/\/.*|#.*|\/\*.*/g;
/** `f(“a”)`, `x = ‘a’;` */
const delimitingQuotes =
  /(?:^|[([{,=:+!?|&<>]|\b(?:return|case|in|from|import|and|or|not|echo|print|puts|raise|throw|yield)) ?[“‘„][^“”‘’„]*[”’“](?=$|[\s)\]},;:.+])/;
