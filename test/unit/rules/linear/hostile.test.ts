import assert from 'node:assert/strict';
import { type Parser, parsers } from '../../../bench/hostile/index';
import {
  cpuMs,
  nameOf,
  type Recipe,
  recipesOf,
  someOf,
  textOf,
} from '../../../bench/hostile/recipes';

/** Characters of the text that picks the slowest recipes, and of the one that is measured. */
const screened = 2000;
const measured = 16_000;
const times = 4;
/** Four times the text costs four times as much, or 16 times where the cost is quadratic. */
const mostGrowth = 10;
/** CPU that says nothing: the compiler and the collector take as much. */
const noiseMs = 20;
/** A linear parser is far from it, however busy the machine is. */
const hopelessMs = 5000;
const mostRecipes = 120;
const mostMeasured = 3;
const attempts = 8;

/** How much more a text costs than one of a fourth; the least of some attempts, since noise only adds. */
async function growthTo(
  parser: Parser,
  make: (length: number) => string,
  length: number,
): Promise<number> {
  const [short, long] = [make(length / times), make(length)];
  let shortMs = Number.POSITIVE_INFINITY;
  let longMs = Number.POSITIVE_INFINITY;
  for (let at = 0; at < attempts; at++) {
    longMs = Math.min(longMs, await cpuMs(() => parser.run(long)));
    if (longMs <= noiseMs) return 0;
    shortMs = Math.min(shortMs, await cpuMs(() => parser.run(short), 2));
    if (longMs <= mostGrowth * shortMs || longMs > hopelessMs) break;
  }
  return longMs / shortMs;
}

/**
 * A cost that grows faster than the text does so at each length. One that only steps up, where tables
 * outgrow what the collector moves for little, is told by the next length.
 */
async function growthOf(parser: Parser, make: (length: number) => string): Promise<number> {
  const first = await growthTo(parser, make, measured * times);
  if (first <= mostGrowth) return first;
  return Math.min(first, await growthTo(parser, make, measured * times * times));
}

describe('hostile texts', function () {
  // On a busy machine; alone a parser takes a second.
  this.timeout(120_000);
  for (const parser of parsers)
    it(`cost ${parser.name} no more than their length`, async () => {
      const costs: { recipe: Recipe; ms: number }[] = [];
      for (const recipe of someOf(recipesOf(parser.tokens), mostRecipes)) {
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
