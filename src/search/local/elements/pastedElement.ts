/** Something that the code for an element of a page has: a class, an identifier, or the value of another attribute. */
export interface ElementMark {
  readonly text: string;
  /** The attribute whose value it is; absent for a class and for the beginning of a tag. */
  readonly attribute?: string | undefined;
  /** How much it says of the element, next to the others. */
  readonly weight: number;
}

/** An element of a page in a query, as a browser copies it. */
export interface PastedElement {
  readonly marks: readonly ElementMark[];
  /** What is left to search for: its texts, each on a line of its own, and its names. */
  readonly words: string;
}

/** More is a whole page. */
const maxChars = 20_000;
/** The element itself and the first in it; others are often from other files. */
const maxElements = 6;
const maxMarks = 24;
const maxTexts = 2;
/** Characters of a question about an element, and of its texts. */
const maxOutsideChars = 160;
const maxTextChars = 80;
const maxNameChars = 160;

const weightOfValue = 3;
/** What many elements have, such as `type="button"`, and the tag itself. */
const weightOfCommon = 0.5;
const weightOfClasses = 3;
const weightOfClass = 1.5;
/** Frameworks of styles have names such as `flex` and `mt-3`, which many elements have. */
const weightOfShortClass = 0.5;
const minOwnChars = 8;
/** A longer element is searched for by its names. */
const maxWholeChars = 240;
/** Next to 1 for the element that was copied. */
const weightInside = 0.3;

const tags = /<([a-z][\w-]{0,60})([\s/][^<>]*)?>/gi;
const attributes = /(?<![\w:-])([\w:-]{1,60})="([^"]{0,2000})"/g;
/** A tag of a template or of JSX; a browser has none of these. */
const isCode = /\{\{|=\{|<%|=>/;
const isSelector = /^[\w#.:[\]="'()>+~*; -]+$/;
const isPathOfElement = / > |:nth-|^document\.querySelector\(/;
const isCall = /^document\.querySelector\(/;
const namesOfSelector = /([#.])([A-Za-z_][\w-]*)/g;
const xpath = /^\/\/\*\[@id="([^"]+)"\]/;

/** Attributes whose values a program computes. */
const leftOut =
  /^(?:style|d|points|src|srcset|value|data-v-.*|_ng.*|ng-.*|on.*|aria-(?:hidden|expanded|selected|checked|controls|describedby|labelledby)|data-state|data-react.*|data-radix.*)$/i;
/** Attributes that many elements have with the same value. */
const isCommon =
  /^(?:viewbox|xmlns|fill|stroke|width|height|href|tabindex|type|rel|target|method|lang|dir|role|rows|cols|accept|min|max|step|autocomplete|alt|is)$/i;
/** Made when a page is built or shown: `css-1x2y3z`, `sc-bdVaJa`, `svelte-1a2b3c`, `:r3:`, `radix-12`, `ember412`. */
const isGenerated =
  /^(?:css|sc|jss|emotion|svelte|makestyles|jsx)-|:r\w*:|^(?:radix|mui|headlessui|ember|ng|yui|ext)[\w-]*\d|\d{4}|^\d+$/i;
/** `Card_title__x3F9a` of Next.js, and `_title_1a2b3_12` of Vite, for the class `title` of a module. */
const moduleClass =
  /^(?:[A-Za-z]\w{0,60}_([A-Za-z][\w-]{0,60})__(?=[a-z]{0,4}[A-Z\d])[\w+-]{5}|_([A-Za-z][\w-]{0,60})_[\da-z]{5}_\d{1,5})$/;

/** The element in a query: HTML, a selector or an XPath, as the tools of a browser copy them. */
export function elementIn(query: string): PastedElement | undefined {
  if (query.length > maxChars) return undefined;
  const trimmed = query.trim();
  const id = xpath.exec(trimmed)?.[1];
  if (id !== undefined)
    return isGenerated.test(id) ? undefined : elementOf([ofAttribute('id', id)], id);
  const isPath = isPathOfElement.test(trimmed) && isSelector.test(trimmed);
  return isPath ? fromSelector(trimmed) : fromMarkup(trimmed);
}

function fromSelector(query: string): PastedElement | undefined {
  const names = [...query.replace(isCall, '').matchAll(namesOfSelector)].flatMap(
    ([, sign, name = '']): ElementMark[] => {
      if (isGenerated.test(name)) return [];
      return [sign === '#' ? ofAttribute('id', name) : ofClass(name)];
    },
  );
  // The last ones are nearest to the element.
  const marks = names
    .slice(-maxElements)
    .reverse()
    .map((mark, at) => (at < 2 ? mark : inside(mark)));
  return elementOf(marks, namesOf(marks));
}

const ofAttribute = (attribute: string, text: string): ElementMark => ({
  text,
  attribute: attribute.toLowerCase(),
  weight: isCommon.test(attribute) ? weightOfCommon : weightOfValue,
});

const ofClass = (text: string): ElementMark => ({
  text,
  weight: text.length >= minOwnChars ? weightOfClass : weightOfShortClass,
});

const inside = (mark: ElementMark): ElementMark => ({
  ...mark,
  weight: mark.weight * weightInside,
});

function fromMarkup(query: string): PastedElement | undefined {
  const start = query.indexOf('<');
  if (start < 0 || start > maxOutsideChars || isCode.test(query)) return undefined;
  const outside = query.replaceAll(tags, '\n').replaceAll(/<\/[a-z][\w-]*>/gi, '\n');
  // The text of an issue with some markup in it is about more than that.
  if (outside.length > Math.max(maxOutsideChars, query.length / 2)) return undefined;
  const marks: ElementMark[] = [];
  const ownTags: string[] = [];
  let count = 0;
  for (const [, tag = '', inner = ''] of query.matchAll(tags)) {
    if (tag.includes('-')) ownTags.push(tag);
    const own = marksOf(inner);
    if (own.length === 0) continue;
    if (++count > maxElements) break;
    if (count === 1) marks.push({ text: `<${tag}`, weight: weightOfCommon }, ...own);
    else marks.push(...own.map(inside));
  }
  const texts = outside
    .split('\n')
    .map(text => text.trim())
    .filter(text => /\p{L}{2}/u.test(text) && text.length <= maxTextChars);
  const whole = query.length <= maxWholeChars ? query : `${ownTags.join(' ')} ${namesOf(marks)}`;
  return elementOf(marks, [...texts.slice(0, maxTexts), whole].join('\n'));
}

/** At least one of what is returned says more than what many elements have; otherwise it is empty. */
function marksOf(inner: string): ElementMark[] {
  const marks = [...inner.matchAll(attributes)].flatMap(([, name = '', value = '']) => {
    const text = value.trim();
    if (leftOut.test(name) || text === '' || /^\W+$/.test(text)) return [];
    if (name.toLowerCase() === 'class') return marksOfClasses(text);
    return isGenerated.test(text) && !isCommon.test(name) ? [] : [ofAttribute(name, text)];
  });
  return marks.every(({ attribute = '' }) => isCommon.test(attribute)) ? [] : marks;
}

function marksOfClasses(value: string): ElementMark[] {
  const classes = value.split(/\s+/).filter(name => !isGenerated.test(name));
  const marks = classes.map(name => {
    const [, ofNext, ofVite] = moduleClass.exec(name) ?? [];
    return ofClass(ofNext ?? ofVite ?? name);
  });
  const whole = { text: classes.join(' '), weight: weightOfClasses };
  return classes.length > 1 ? [whole, ...marks] : marks;
}

function elementOf(given: readonly ElementMark[], words: string): PastedElement | undefined {
  const marks = new Map<string, ElementMark>();
  for (const mark of given) {
    const key = `${mark.attribute ?? ''} ${mark.text}`;
    if (!marks.has(key) && marks.size < maxMarks) marks.set(key, mark);
  }
  return marks.size === 0 ? undefined : { marks: [...marks.values()], words };
}

/** The names in marks, as many as there is room for. */
function namesOf(marks: readonly ElementMark[]): string {
  const names = new Set(marks.flatMap(({ text }) => text.split(/[\s<]+/)));
  let all = '';
  for (const name of names) {
    if (all.length + name.length >= maxNameChars) break;
    all += `${name} `;
  }
  return all.trim();
}
