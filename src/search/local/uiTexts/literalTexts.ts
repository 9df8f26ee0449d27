import { lineNumberAt, type NamedPlace } from '../text/namedPlaces';
import type { ShownText } from './shownTexts';

/** Log odds for a file that has a text whole, by its number of words. Two words are often one thing of a program. */
const worthByWords = [0, 0, 6, 9, 12];
const maxPlaces = 200;
/** What a text begins or ends with in code and in templates, next to the ends of its line. */
const opens = /["'`>]/;
const closes = /["'`<]/;
const endSigns = /[.:…!?*,]/;

/** Finds where code itself has a text of the user interface, as a string or between tags. */
export class LiteralTextFinder {
  readonly #shown: readonly ShownText[];

  constructor(shown: readonly ShownText[]) {
    this.#shown = shown;
  }

  placeIn(text: string): NamedPlace | undefined {
    let best: NamedPlace | undefined;
    for (const { text: shown } of this.#shown) {
      const worth = worthByWords[Math.min(shown.split(' ').length, worthByWords.length - 1)] ?? 0;
      if (worth <= (best?.worth ?? 0)) continue;
      const at = placeOf(shown, text);
      if (at < 0) continue;
      best = { kind: 'literal', text: shown, line: lineNumberAt(text, at), worth };
    }
    return best;
  }
}

/** Where a text has another one that is not a part of a longer one; -1 if it has not. */
function placeOf(shown: string, text: string): number {
  let at = text.indexOf(shown);
  for (let place = 0; at >= 0 && place < maxPlaces; place++) {
    if (isBegun(text, at) && isEnded(text, at + shown.length)) return at;
    at = text.indexOf(shown, at + 1);
  }
  return -1;
}

function isBegun(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && isBlank(text[at])) at--;
  return at < 0 || text[at] === '\n' || opens.test(text[at] ?? '');
}

function isEnded(text: string, end: number): boolean {
  let at = end;
  while (endSigns.test(text[at] ?? '')) at++;
  while (isBlank(text[at])) at++;
  return at >= text.length || text[at] === '\n' || closes.test(text[at] ?? '');
}

const isBlank = (char: string | undefined): boolean =>
  char === ' ' || char === '\t' || char === '\r';
