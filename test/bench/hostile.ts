// How much CPU each parser takes for 1 MB of text that was made to keep it busy, beyond what it takes for
// 1 MB of ordinary text. hostile.js [name of a parser]
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Parser, parsers } from './hostile/index';
import { cpuMs, nameOf, type Recipe, recipesOf, someOf, textOf } from './hostile/recipes';

const megabyte = 1_000_000;
/** CPU beyond that of an ordinary text, ms. */
const limitMs = 50;
const screened = 8000;
const looked = 64_000;
const deadlineMs = 240_000;

interface Figures {
  readonly ordinaryMs: number;
  readonly worstMs: number;
  readonly what: string;
  readonly recipes: number;
}
type Message = { readonly at: string } | { readonly figures: Figures };

interface Candidate {
  readonly name: string;
  readonly make: (length: number) => string;
}

const ofRecipe = (recipe: Recipe): Candidate => ({
  name: nameOf(recipe),
  make: length => textOf(recipe, length),
});

async function measure(parser: Parser, say: (message: Message) => void): Promise<Figures> {
  const cost = async ({ name, make }: Candidate, length: number, runs: number): Promise<number> => {
    const text = make(length);
    say({ at: `${name} of ${length}` });
    try {
      return await cpuMs(() => parser.run(text), runs);
    } catch (error) {
      say({ at: `${name} of ${length}: ${String(error).slice(0, 80)}` });
      throw error;
    }
  };
  const ordinary = {
    name: 'ordinary',
    make: (length: number) =>
      parser.ordinary.repeat(Math.ceil(length / parser.ordinary.length)).slice(0, length),
  };
  for (let at = 0; at < 3; at++) await cost(ordinary, looked, 1);
  const ordinaryMs = await cost(ordinary, megabyte, 3);
  const recipes = someOf(recipesOf(parser.tokens), parser.mostRecipes ?? 8000).map(ofRecipe);
  const slowest = async (
    list: readonly Candidate[],
    length: number,
    runs: number,
    most: number,
  ) => {
    const costs: { each: Candidate; ms: number }[] = [];
    for (const each of list) costs.push({ each, ms: await cost(each, length, runs) });
    return costs
      .sort((a, b) => b.ms - a.ms)
      .slice(0, most)
      .map(({ each }) => each);
  };
  // A second look, since the first has the compiler's work and other noise in it.
  const some = await slowest(recipes, screened, 1, 120);
  const few = await slowest(await slowest(some, screened, 3, 24), looked, 2, 6);
  const byHand = Object.entries(parser.byHand ?? {}).map(([name, make]) => ({ name, make }));
  let worst = { ms: 0, name: '' };
  for (const each of [...byHand, ...few]) {
    const ms = await cost(each, megabyte, 1);
    const least =
      ms > ordinaryMs + limitMs && ms < 5000 ? Math.min(ms, await cost(each, megabyte, 4)) : ms;
    if (least > worst.ms) worst = { ms: least, name: each.name };
  }
  return { ordinaryMs, worstMs: worst.ms, what: worst.name, recipes: recipes.length };
}

/** In a process of its own, which is ended when it takes too long. Each line that it writes is a message. */
function measureApart(name: string): Promise<string | Figures> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [process.argv[1] ?? '', name], {
      env: { ...process.env, HOSTILE_PARSER: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let at = '';
    let figures: Figures | undefined;
    const watch = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    createInterface({ input: child.stdout }).on('line', line => {
      const message: Message = JSON.parse(line);
      if ('at' in message) at = message.at;
      else figures = message.figures;
    });
    child.on('close', () => {
      clearTimeout(watch);
      resolve(figures ?? `ended early at ${at}`);
    });
  });
}

const row = (name: string, ...cells: string[]): string =>
  `${name.padEnd(26)}${cells.map(cell => cell.padStart(12)).join('')}`;

async function print(only: string | undefined): Promise<void> {
  console.log(row('CPU ms for 1 MB', 'ordinary', 'worst', 'beyond', 'texts'));
  let isOver = false;
  for (const { name } of parsers.filter(parser => only === undefined || parser.name === only)) {
    const found = await measureApart(name);
    if (typeof found === 'string') {
      isOver = true;
      console.log(`${name.padEnd(26)}  FAILED ${found}`);
      continue;
    }
    const beyond = found.worstMs - found.ordinaryMs;
    if (beyond >= limitMs) isOver = true;
    console.log(
      row(
        name,
        found.ordinaryMs.toFixed(1),
        found.worstMs.toFixed(1),
        beyond.toFixed(1),
        `${found.recipes}`,
      ),
      beyond >= limitMs ? ` OVER  ${found.what}` : '',
    );
  }
  process.exitCode = isOver ? 1 : 0;
}

const [, , given] = process.argv;
if (process.env['HOSTILE_PARSER'] === '1') {
  const parser = parsers.find(({ name }) => name === given);
  // At once, since the loop that measures leaves no time for anything else.
  const say = (message: Message): void =>
    void writeSync(1, `${JSON.stringify(message).replaceAll('\u2028', '\\u2028')}\n`);
  if (parser) say({ figures: await measure(parser, say) });
} else await print(given);
