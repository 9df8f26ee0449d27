import assert from 'node:assert/strict';
import { type Parser, parsers } from '../../bench/hostile/index';
import { type Recipe, cpuMs, nameOf, recipesOf, textOf } from '../../bench/hostile/recipes';

/** Characters of the text that picks the slowest recipes, and of the one that is measured. */
const screened = 2000;
const measured = 16_000;
const times = 4;
/** Four times the text costs four times as much, or 16 times where the cost is quadratic. */
const mostGrowth = 13;
/** CPU that says nothing: the compiler and the collector take as much. */
const noiseMs = 20;
const mostRecipes = 120;
const mostMeasured = 3;
const attempts = 8;

/** Evenly from all of them, so that every token has its turn. */
function someOf(recipes: readonly Recipe[]): Recipe[] {
  const step = Math.max(1, recipes.length / mostRecipes);
  return Array.from(
    { length: Math.min(mostRecipes, recipes.length) },
    (_, at) => recipes[Math.floor(at * step)],
  ).filter(recipe => recipe !== undefined);
}

/** How much more the longer text costs; the least of some attempts, since noise only adds. */
async function growthOf(parser: Parser, make: (length: number) => string): Promise<number> {
  const [short, long] = [make(measured), make(measured * times)];
  let [shortMs, longMs] = [0, Number.POSITIVE_INFINITY];
  for (let at = 0; at < attempts && longMs > Math.max(noiseMs, mostGrowth * shortMs); at++) {
    longMs = Math.min(longMs, await cpuMs(() => parser.run(long)));
    if (longMs <= noiseMs) return 0;
    const ms = await cpuMs(() => parser.run(short), 2);
    shortMs = at === 0 ? ms : Math.min(shortMs, ms);
  }
  return longMs <= noiseMs ? 0 : longMs / shortMs;
}

describe('hostile texts', function () {
  // On a busy machine; alone a parser takes a second.
  this.timeout(120_000);
  for (const parser of parsers)
    it(`cost ${parser.name} no more than their length`, async () => {
      const costs: { recipe: Recipe; ms: number }[] = [];
      for (const recipe of someOf(recipesOf(parser.tokens))) {
        const text = textOf(recipe, screened);
        costs.push({ recipe, ms: await cpuMs(() => parser.run(text)) });
      }
      const slowest = costs.sort((a, b) => b.ms - a.ms).slice(0, mostMeasured);
      const texts = [
        ...Object.entries(parser.byHand ?? {}),
        ...slowest.map(
          ({ recipe }) => [nameOf(recipe), (length: number) => textOf(recipe, length)] as const,
        ),
      ];
      for (const [name, make] of texts) {
        const growth = await growthOf(parser, make);
        assert.ok(growth <= mostGrowth, `${name}: ${growth.toFixed(1)} times for 4 times the text`);
      }
    });
});
