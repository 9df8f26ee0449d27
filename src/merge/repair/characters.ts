import { marginOf, splitLines } from '../../base/text/textLines';
import { mayHaveTypography } from '../fileTypes';
import {
  brokenCode,
  type CharacterDamage,
  type DamageKind,
  damageIn,
  damageKinds,
  foldedText,
} from './damageKinds';

export interface RepairedText {
  readonly text: string;
  /** What was repaired; empty when the text is unchanged. */
  readonly repairs: readonly CharacterDamage[];
}

/**
 * Undoes damage to the characters of an update. A line that is a line of the original once the damage is undone is that
 * line. Other lines are repaired only if such a line proves the kind of damage, and no shown line of the original has
 * such characters itself.
 *
 * @param path without it, nothing but lines of the original proves damage.
 */
export function repairCharacters(update: string, original: string, path?: string): RepairedText {
  if (damageIn(update).length === 0) return { text: update, repairs: [] };
  const isCode = path !== undefined && !mayHaveTypography(path);
  return new CharacterRepair(update, original, isCode).run();
}

/** True when two texts differ, but only in characters that a copy damages: then these may be what an edit changes. */
export function differInCharacters(before: string, after: string): boolean {
  if (before === after) return false;
  if (damageIn(after).length === 0 && damageIn(before).length === 0) return false;
  const old = splitLines(before);
  const lines = splitLines(after);
  return (
    old.length === lines.length &&
    lines.every(
      (line, at) =>
        line === old[at] ||
        foldedText(line, damageKinds) === foldedText(old[at] ?? '', damageKinds),
    )
  );
}

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
    readonly update: string,
    original: string,
    readonly isCode: boolean,
  ) {
    this.#lines = splitLines(update);
    const lines = splitLines(original);
    this.#known = new Set(lines.map(line => line.trim()));
    this.#inOriginal = new Set(damageIn(original).map(({ name }) => name));
    if (!this.#inOriginal.has('blanks') && !this.#inOriginal.has('invisible')) return;
    for (const line of lines) {
      if (/[^ \t]/.test(marginOf(line))) this.#oddMargins.add(line.trim());
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
      for (const { name, found } of damageKinds) {
        if (line.search(found) >= 0 && (repaired[at] ?? '').search(found) < 0) repairs.add(name);
      }
    });
    return { text: repairs.size === 0 ? this.update : repaired.join('\n'), repairs: [...repairs] };
  }

  /** The line of the original that this one was, with the indentation shown here. */
  #twinOf(line: string, damage: readonly DamageKind[]): string | undefined {
    const trimmed = line.trim();
    const margin = marginOf(line);
    const indent = damage.reduce((text, kind) => kind.undo(text), margin);
    if (trimmed === '') {
      return indent;
    }
    if (this.#known.has(trimmed)) {
      for (const { name, found } of damage) if (trimmed.search(found) >= 0) this.#literal.add(name);
      if (indent === margin || this.#oddMargins.has(trimmed)) {
        for (const { name } of damage) this.#literal.add(name);
        return line;
      }
      this.#prove(damage.filter(({ found }) => margin.search(found) >= 0));
      return indent + line.trimStart();
    }
    for (const mark of ['', trimmed.charAt(0)]) {
      if (mark !== '' && !'+-> |'.includes(mark)) continue;
      const text = trimmed.slice(mark.length);
      // Behind the mark of a diff, too, the line of the file is as it is shown.
      if (mark !== '' && indent === margin && this.#known.has(text.trim())) {
        for (const { name, found } of damage) if (text.search(found) >= 0) this.#literal.add(name);
        return line;
      }
      const twin = this.#lineLike(foldedText(text.trim(), damage));
      if (twin === undefined) continue;
      this.#prove(damage);
      this.#learnDashes(text.trim(), twin);
      const gap = marginOf(text);
      return indent + mark + damage.reduce((all, kind) => kind.undo(all), gap) + twin;
    }
    return undefined;
  }

  #prove(damage: readonly DamageKind[]): void {
    for (const { name } of damage) this.#proven.set(name, (this.#proven.get(name) ?? 0) + 1);
  }

  #proveByCode(line: string): void {
    const broken = brokenCode(line);
    this.#prove(
      damageKinds.filter(({ name }) => broken.includes(name) && !this.#inOriginal.has(name)),
    );
  }

  #contradict(line: string): void {
    for (const { name, whole } of damageKinds) {
      if (whole?.test(line)) this.#whole.set(name, (this.#whole.get(name) ?? 0) + 1);
    }
  }

  #isProven({ name }: DamageKind): boolean {
    if (this.#literal.has(name)) return false;
    const proven = this.#proven.get(name) ?? 0;
    // What changes quotes changes the others, too.
    const isTypography = name === 'dashes' || name === 'ellipses';
    const isImplied =
      isTypography && (this.#proven.get('quotes') ?? 0) > 0 && !this.#inOriginal.has(name);
    return isImplied || proven > (this.#whole.get(name) ?? 0);
  }

  #undone(text: string, kind: DamageKind): string {
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
        const key = foldedText(line, damageKinds);
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
