import { trimEndOf } from '../../../base/text/scan';
import { lineNumberAt, type NamedPlace } from '../text/namedPlaces';
import type { ElementMark, PastedElement } from './pastedElement';

/** Log odds for a file that has all marks of an element together. */
const worthOfAll = 9;
/** A share of the weights of all marks; a file with a few common classes is no place. */
const minShare = 0.4;
/** Characters in which the marks of one element are. */
const maxSpread = 800;
const maxPlaces = 100;
/** More than the longest name of an attribute. */
const maxNameChars = 40;
/** Languages whose markup has `.wide` for a class and `#save` for an identifier. */
const hasSigns = /\.(?:haml|slim|pug|jade|emblem)$/i;

/** Finds the markup of an element in the texts of files. */
export class ElementFinder {
  readonly #marks: readonly ElementMark[];
  readonly #total: number;

  constructor({ marks }: PastedElement) {
    this.#marks = marks;
    this.#total = marks.reduce((sum, { weight }) => sum + weight, 0);
  }

  placeIn(text: string, file: string): NamedPlace | undefined {
    const best = heaviestPart(this.#found(text, hasSigns.test(file)), this.#marks);
    const share = best.weight / this.#total;
    if (share < minShare) return undefined;
    return {
      kind: 'literal',
      // Files that have as much of it are as likely as each other.
      text: `element ${share.toFixed(2)}`,
      line: lineNumberAt(text, best.start),
      worth: worthOfAll * share * share,
    };
  }

  /** Where a text has marks, in its order. */
  #found(text: string, isWithSigns: boolean): FoundMark[] {
    return this.#marks
      .flatMap((own, mark) =>
        placesOf(own, text, isWithSigns).map((at): FoundMark => ({ at, mark })),
      )
      .sort((a, b) => a.at - b.at);
  }
}

interface FoundMark {
  readonly at: number;
  /** Its number. */
  readonly mark: number;
}

/** Where a text has a name as a whole, and not as a part of a selector. */
function placesOf(
  { text: name, attribute }: ElementMark,
  text: string,
  isWithSigns: boolean,
): number[] {
  const places: number[] = [];
  let at = text.indexOf(name);
  for (let tried = 0; at >= 0 && tried < maxPlaces; tried++) {
    const before = text[at - 1] ?? '';
    const isWhole = !/[\w-]/.test(before) && !/[\w-]/.test(text[at + name.length] ?? '');
    const isMarkup = isWithSigns || !/[.#]/.test(before);
    if (isWhole && isMarkup && (attribute === undefined || isValueOf(attribute, text, at))) {
      places.push(at);
    }
    at = text.indexOf(name, at + 1);
  }
  return places;
}

/** Whether the name of an attribute stands before a value: `for="`, `htmlFor={'`, `:for => "`, `data: { value: '`. */
function isValueOf(attribute: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - maxNameChars), at).toLowerCase();
  const name = trimEndOf(before, ` "'\`={(:>\\`);
  if (name.length === before.length) return false;
  const last = attribute.slice(attribute.lastIndexOf('-') + 1);
  return name.endsWith(last);
}

/** The part of a text whose different marks weigh most together. */
function heaviestPart(
  found: readonly FoundMark[],
  marks: readonly ElementMark[],
): { readonly weight: number; readonly start: number } {
  const counts = new Map<number, number>();
  let best = { weight: 0, start: 0 };
  let weight = 0;
  let first = 0;
  for (const { at, mark } of found) {
    const count = counts.get(mark) ?? 0;
    counts.set(mark, count + 1);
    if (count === 0) weight += marks[mark]?.weight ?? 0;
    for (let old = found[first]; old && at - old.at > maxSpread; old = found[++first]) {
      const left = (counts.get(old.mark) ?? 0) - 1;
      counts.set(old.mark, left);
      if (left === 0) weight -= marks[old.mark]?.weight ?? 0;
    }
    if (weight > best.weight) best = { weight, start: found[first]?.at ?? at };
  }
  return best;
}
