import { splitLines } from '../../base/text/textLines';

/** What web pages, chats and word processors do to the characters of code that is copied from them. */
export type CharacterDamage =
  | 'quotes'
  | 'dashes'
  | 'ellipses'
  | 'entities'
  | 'invisible'
  | 'blanks';

interface Kind {
  readonly name: CharacterDamage;
  readonly found: RegExp;
  readonly undo: (text: string) => string;
  /** The text that is damaged wherever it occurs: a line that still has it tells that nothing was. */
  readonly whole?: RegExp;
}

const entityTexts = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['#39', "'"],
  ['#x27', "'"],
  ['#34', '"'],
  ['#x22', '"'],
  ['#47', '/'],
  ['#x2f', '/'],
  ['#96', '`'],
  ['#x60', '`'],
  ['#61', '='],
  ['#x3d', '='],
  ['#60', '<'],
  ['#x3c', '<'],
  ['#62', '>'],
  ['#x3e', '>'],
  ['#38', '&'],
  ['#x26', '&'],
  ['#123', '{'],
  ['#125', '}'],
  ['#160', ' '],
]);
const entity = /&(lt|gt|amp|quot|apos|nbsp|#\d{2,4}|#[xX][\da-fA-F]{2,3});/g;

/** Entities come last: what they stand for is not read again. */
const kinds: readonly Kind[] = [
  {
    name: 'invisible',
    found: /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/,
    undo: text => text.replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, ''),
  },
  {
    name: 'blanks',
    found: /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/,
    undo: text => text.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '),
  },
  {
    name: 'quotes',
    found: /[‘’‚‛“”„‟]/,
    undo: text => text.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"'),
    whole: /["']/,
  },
  {
    name: 'ellipses',
    found: /…/,
    undo: text => text.replaceAll('…', '...'),
    whole: /["']|\.{3}/,
  },
  {
    name: 'dashes',
    found: /[–—]/,
    undo: text => text.replace(/[–—]/g, '--'),
    whole: /["']|--/,
  },
  {
    name: 'entities',
    found: /&(?:[a-z]{2,4}|#\d{2,4}|#[xX][\da-fA-F]{2,3});/,
    undo: text =>
      text.replace(entity, (whole, name: string) => entityTexts.get(name.toLowerCase()) ?? whole),
    whole: /[<>]|&(?![\w#]+;)/,
  },
];

/** The union of the kinds; most updates have none of these characters. */
const anyDamage =
  /[\u00a0\u00ad\u2000-\u200f\u2013\u2014\u2018-\u201f\u2026\u202f\u205f-\u2064\u3000\ufeff]|&(?:[a-z]{2,4}|#\d{2,4}|#[xX][\da-fA-F]{2,3});/;

export interface RepairedText {
  readonly text: string;
  /** What was repaired; empty when the text is unchanged. */
  readonly repairs: readonly CharacterDamage[];
}

/**
 * Undoes damage to the characters of an update. A line that is a line of the original once the damage is undone is that
 * line. Other lines are repaired only if such a line proves the kind of damage, and no shown line of the original has
 * such characters itself.
 */
export function repairCharacters(update: string, original: string, path = ''): RepairedText {
  return anyDamage.test(update)
    ? new CharacterRepair(update, original, !isProse(path)).run()
    : { text: update, repairs: [] };
}

/** True when two texts differ, but only in characters that a copy damages: then these may be what an edit changes. */
export function differInCharacters(before: string, after: string): boolean {
  if (before === after || (!anyDamage.test(after) && !anyDamage.test(before))) return false;
  const old = splitLines(before);
  const lines = splitLines(after);
  return (
    old.length === lines.length &&
    lines.every(
      (line, at) =>
        line === old[at] || foldedText(line, kinds) === foldedText(old[at] ?? '', kinds),
    )
  );
}

/** The damage that, outside of strings and comments, is an error in every language. */
export function brokenCode(line: string): CharacterDamage[] {
  const bare = line.replace(quotedOrComment, "''");
  const found: CharacterDamage[] = [];
  if (delimitingQuotes.test(bare)) found.push('quotes');
  if (/&(?:lt|gt|amp|quot|#39);/.test(bare)) found.push('entities');
  if (/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/.test(bare)) found.push('blanks');
  return found;
}

/** True for files in which any of these characters can be meant. */
export const isProse = (path: string): boolean => proseFile.test(path);

/** In files with text between their tags or marks, any of these characters can be meant. */
const proseFile =
  /\.(?:md|mdx|markdown|txt|rst|adoc|tex|html?|xml|svg|vue|svelte|[jt]sx|hbs|php|erb|po|properties|ya?ml)$/i;

class CharacterRepair {
  readonly #lines: string[];
  /** The number of lines that prove each kind. */
  readonly #proven = new Map<CharacterDamage, number>();
  readonly #literal = new Set<CharacterDamage>();
  /** The number of lines of the original that are shown without the damage that they would have. */
  readonly #whole = new Map<CharacterDamage, number>();
  /** The text of the original for each dash of a line that is proven. */
  readonly #dashes = new Map<string, Map<string, number>>();
  #folded: Map<string, string | undefined> | undefined;

  /** The trimmed lines of the original. */
  readonly #known: ReadonlySet<string>;

  /** The lines of the original whose indentation has such characters. */
  readonly #oddMargins = new Set<string>();
  /** The kinds of which the original has a character. */
  readonly #inOriginal: ReadonlySet<CharacterDamage>;

  constructor(
    update: string,
    original: string,
    readonly isCode: boolean,
  ) {
    this.#lines = splitLines(update);
    const lines = splitLines(original);
    this.#known = new Set(lines.map(line => line.trim()));
    this.#inOriginal = new Set(
      kinds.filter(({ found }) => found.test(original)).map(({ name }) => name),
    );
    if (!this.#inOriginal.has('blanks') && !this.#inOriginal.has('invisible')) return;
    for (const line of lines) {
      if (oddMargin.test(line)) this.#oddMargins.add(line.trim());
    }
  }

  run(): RepairedText {
    const twins = this.#lines.map(line => {
      const damage = damageIn(line);
      return damage.length === 0 ? undefined : this.#twinOf(line, damage);
    });
    this.#lines.forEach((line, at) => {
      if (damageIn(line).length > 0) {
        if (this.isCode && twins[at] === undefined) this.#proveByCode(line);
      } else if (this.#known.has(line.trim())) {
        this.#contradict(line);
      }
    });
    const repaired = this.#lines.map((line, at) => {
      const damage = damageIn(line);
      const undone = damage.filter(kind => this.#isProven(kind));
      if (undone.length === 0) return line;
      const twin = undone.length === damage.length ? twins[at] : undefined;
      return twin ?? undone.reduce((text, kind) => this.#undone(text, kind), line);
    });
    const repairs = new Set<CharacterDamage>();
    this.#lines.forEach((line, at) => {
      if (line === repaired[at]) return;
      for (const { name, found } of kinds) {
        if (found.test(line) && !found.test(repaired[at] ?? '')) repairs.add(name);
      }
    });
    return { text: repaired.join('\n'), repairs: [...repairs] };
  }

  /** The line of the original that this one was, with the indentation shown here. */
  #twinOf(line: string, damage: readonly Kind[]): string | undefined {
    const trimmed = line.trim();
    const margin = line.slice(0, line.length - line.trimStart().length);
    const indent = damage.reduce((text, kind) => kind.undo(text), margin);
    if (trimmed === '') {
      return indent;
    }
    if (this.#known.has(trimmed)) {
      for (const { name, found } of damage) if (found.test(trimmed)) this.#literal.add(name);
      if (indent === margin || this.#oddMargins.has(trimmed)) {
        for (const { name } of damage) this.#literal.add(name);
        return line;
      }
      this.#prove(damage.filter(({ found }) => found.test(margin)));
      return indent + line.trimStart();
    }
    for (const mark of ['', trimmed.charAt(0)]) {
      if (mark !== '' && !'+-> |'.includes(mark)) continue;
      const text = trimmed.slice(mark.length);
      // Behind the mark of a diff, too, the line of the file is as it is shown.
      if (mark !== '' && indent === margin && this.#known.has(text.trim())) {
        for (const { name, found } of damage) if (found.test(text)) this.#literal.add(name);
        return line;
      }
      const twin = this.#lineLike(foldedText(text.trim(), damage));
      if (twin === undefined) continue;
      this.#prove(damage);
      this.#learnDashes(text.trim(), twin);
      const gap = text.slice(0, text.length - text.trimStart().length);
      return indent + mark + damage.reduce((all, kind) => kind.undo(all), gap) + twin;
    }
    return undefined;
  }

  #prove(damage: readonly Kind[]): void {
    for (const { name } of damage) this.#proven.set(name, (this.#proven.get(name) ?? 0) + 1);
  }

  #proveByCode(line: string): void {
    const broken = brokenCode(line);
    this.#prove(kinds.filter(({ name }) => broken.includes(name) && !this.#inOriginal.has(name)));
  }

  #contradict(line: string): void {
    for (const { name, whole } of kinds) {
      if (whole?.test(line)) this.#whole.set(name, (this.#whole.get(name) ?? 0) + 1);
    }
  }

  #isProven({ name }: Kind): boolean {
    if (this.#literal.has(name)) return false;
    const proven = this.#proven.get(name) ?? 0;
    // What changes quotes changes the others, too.
    const isTypography = name === 'dashes' || name === 'ellipses';
    const isImplied =
      isTypography && (this.#proven.get('quotes') ?? 0) > 0 && !this.#inOriginal.has(name);
    return isImplied || proven > (this.#whole.get(name) ?? 0);
  }

  #undone(text: string, kind: Kind): string {
    if (kind.name !== 'dashes') return kind.undo(text);
    return text.replace(/[–—]/g, dash => {
      const [best] = [...(this.#dashes.get(dash) ?? [])].sort((a, b) => b[1] - a[1]);
      return best?.[0] ?? '--';
    });
  }

  #lineLike(folded: string): string | undefined {
    if (!this.#folded) {
      this.#folded = new Map();
      for (const line of this.#known) {
        const key = foldedText(line, kinds);
        this.#folded.set(key, this.#folded.has(key) ? undefined : line);
      }
    }
    return this.#folded.get(folded);
  }

  #learnDashes(shown: string, twin: string): void {
    const dashes = shown.match(/[–—-]+/g) ?? [];
    const originals = twin.match(/[–—-]+/g) ?? [];
    if (dashes.length !== originals.length) return;
    dashes.forEach((dash, at) => {
      if (!/^[–—]$/.test(dash)) return;
      const counts = this.#dashes.get(dash) ?? new Map<string, number>();
      const text = originals[at] ?? '';
      this.#dashes.set(dash, counts.set(text, (counts.get(text) ?? 0) + 1));
    });
  }
}

function damageIn(line: string): readonly Kind[] {
  return anyDamage.test(line) ? kinds.filter(({ found }) => found.test(line)) : [];
}

/** An indentation with other characters than blanks and tabs. */
const oddMargin = /^[ \t]*[\ufeff\u00a0\u2000-\u200a\u202f\u205f\u3000]/;
const quotedOrComment = /"[^"]*"|'[^']*'|`[^`]*`|\/\/.*|#.*|\/\*.*/g;
/** `f(“a”)`, `x = ‘a’;` */
const delimitingQuotes =
  /(?:^|[([{,=:+!?|&<>]|\b(?:return|case|in|from|import|and|or|not|echo|print|puts|raise|throw|yield)) ?[“‘„][^“”‘’„]*[”’“](?=$|[\s)\]},;:.+])/;

/** The key by which a line of the update is compared with the lines of the original. */
function foldedText(text: string, damage: readonly Kind[]): string {
  const undone = damage.reduce(
    (all, kind) => (kind.name === 'dashes' ? all : kind.undo(all)),
    text,
  );
  return undone.replace(/[–—-]+/g, '-').trim();
}
