// Lets tests with a browser find texts that have tails, and read them without: tests name the English texts.
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { maybeTail, withoutTails } from './texts.mjs';

/** The expression, which matches also where a tail follows any character. */
export function withTails(expression) {
  const pattern = new RegExpParser().parsePattern(expression.source);
  const places = [];
  const note = node => {
    if (node.parent.type.startsWith('CharacterClass')) return;
    places.push(node.parent.type === 'Quantifier' ? node.parent.end : node.end);
  };
  visitRegExpAST(pattern, {
    onCharacterEnter: note,
    onCharacterSetEnter: note,
    onCharacterClassEnter: note,
  });
  let source = expression.source;
  for (const place of places.sort((a, b) => b - a))
    source = source.slice(0, place) + maybeTail + source.slice(place);
  return new RegExp(source, expression.flags);
}

const escaped = text => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** As Playwright compares a text: blanks are alike, and so are capitals unless the text is exact. */
function expressionOf(text, isExact) {
  const source = text.trim().split(/\s+/).map(escaped).join(String.raw`\s+`);
  return isExact ? new RegExp(String.raw`^\s*${source}\s*$`) : new RegExp(source, 'i');
}

/** One text goes through several methods of Playwright. */
const made = new WeakSet();

function wanted(text, isExact = false) {
  if (text === undefined || made.has(text)) return text;
  const expression = withTails(typeof text === 'string' ? expressionOf(text, isExact) : text);
  made.add(expression);
  return expression;
}

const inOptions = (options = {}) => ({
  ...options,
  ...(options.hasText === undefined ? {} : { hasText: wanted(options.hasText) }),
  ...(options.hasNotText === undefined ? {} : { hasNotText: wanted(options.hasNotText) }),
  ...(options.name === undefined ? {} : { name: wanted(options.name, options.exact) }),
});
const inSecond = (first, options) => [first, inOptions(options)];
const inFirst = (text, options = {}) => [wanted(text, options.exact), options];

const finding = {
  locator: inSecond,
  getByRole: inSecond,
  filter: options => [inOptions(options)],
  getByText: inFirst,
  getByLabel: inFirst,
  getByPlaceholder: inFirst,
  getByTitle: inFirst,
};
const reading = [
  'allInnerTexts',
  'allTextContents',
  'evaluate',
  'evaluateAll',
  'getAttribute',
  'innerHTML',
  'innerText',
  'inputValue',
  'textContent',
];

const prepared = new WeakSet();

/** Every page, frame and locator of this process from now on. @param page any of them */
export function readWithoutTails(page) {
  for (const one of [page, page.mainFrame(), page.locator('a'), page.frameLocator('a')]) {
    const methods = Object.getPrototypeOf(one);
    if (prepared.has(methods)) continue;
    prepared.add(methods);
    for (const [name, changed] of Object.entries(finding)) {
      const original = methods[name];
      if (original)
        methods[name] = function find(...options) {
          return original.apply(this, changed(...options));
        };
    }
    for (const name of reading) {
      const original = methods[name];
      if (original)
        methods[name] = async function read(...options) {
          return withoutTails(await original.apply(this, options));
        };
    }
  }
}
