// What a search model adds to the local search: searchModel [--url ADDRESS --model ID] [--root FOLDER --cases FILE]
// The key of the service is in SPLICE_API_KEY. Without an address, scripted models play: they show no quality, but that
// no local place is lost whatever a model does. Without a folder, the questions are those of the quality test.
// FILE has a line for each question: {"query": "...", "files": ["path/in/the/folder", ...]}
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { AgentAnswer, AgentOptions } from '../../src/search/agent/searchAgent';
import { searchFiles } from '../../src/search/searchFiles';
import type { SearchWorkspace } from '../../src/search/workspace/workspace';
import { ServiceClient } from '../../src/service/client';
import { fetchTransport } from '../../src/service/transport/transport';
import { ripgrepPath } from '../support/unit/ripgrepPath';
import { readSearchProject, searchQuestions } from '../support/unit/searchProject';
import { commitAll } from '../unit/search/repository';
import { TestWorkspace } from '../unit/search/workspace';

const { values: given } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string' },
    root: { type: 'string' },
    cases: { type: 'string' },
    limit: { type: 'string', default: '20' },
  },
});

interface Question {
  readonly query: string;
  readonly files: readonly string[];
}

type Ask = NonNullable<AgentOptions['ask']>;

const limit = Number(given.limit);
const maxTurnTokens = 2048;
const key = process.env['SPLICE_API_KEY'];

let calls = 0;
const answer = (toolCalls: readonly (readonly [string, object])[], text = ''): AgentAnswer => ({
  requestId: `scripted-${++calls}`,
  attempts: 1,
  ms: 0,
  text,
  toolCalls: toolCalls.map(([name, args], at) => ({
    id: `call-${calls}-${at}`,
    name,
    arguments: JSON.stringify(args),
  })),
});

/** Whatever a model may do wrong, and one that does it right. */
const scripted: Readonly<Record<string, (question: Question) => Ask>> = {
  right:
    ({ files }) =>
    async () =>
      answer([['finish', { files: files.join('\n') }]]),
  'names a file that is not there': () => async () =>
    answer([['finish', { files: 'src/nowhere.ts:1-9' }]]),
  'names files that it did not see': () => async () =>
    answer([['finish', { files: 'package.json\nREADME.md\nsrc/settings.ts' }]]),
  'says nothing': () => async () => answer([]),
  'answers in prose': () => async () => answer([], 'The code is probably in the main module.'),
  'searches for ever':
    ({ query }) =>
    async () =>
      answer([['grep_search', { pattern: query.split(' ')[0] ?? query }]]),
  fails: () => async () => {
    throw new Error('no answer');
  },
};

function asked(url: string, model: string): (question: Question) => Ask {
  const client = new ServiceClient({
    baseUrl: () => url,
    siteUrl: () => undefined,
    apiKey: async () => key,
    transport: async () => fetchTransport((input, init) => globalThis.fetch(input, init)),
  });
  return () => (messages, signal) =>
    client.chat({ model, messages, temperature: 0, maxTokens: maxTurnTokens }, { signal });
}

class Figures {
  questions = 0;
  turns = 0;
  tokens = 0;
  /** Local places that are not in the list with a model. */
  lost = 0;
  readonly recall = { 1: 0, 5: 0, 10: 0 };

  add(paths: readonly string[], files: readonly string[]): void {
    this.questions++;
    for (const at of [1, 5, 10] as const) {
      const found = files.filter(file => paths.slice(0, at).includes(file)).length;
      this.recall[at] += found / Math.min(at, files.length);
    }
  }

  row(name: string): string {
    const share = (at: 1 | 5 | 10): string => ((100 * this.recall[at]) / this.questions).toFixed(1);
    const each = (sum: number): string => (sum / this.questions).toFixed(1);
    return `${name.padEnd(34)} ${share(1).padStart(6)} ${share(5).padStart(6)} ${share(10).padStart(6)} ${each(this.turns).padStart(6)} ${each(this.tokens).padStart(8)} ${String(this.lost).padStart(5)}`;
  }
}

async function search(workspace: SearchWorkspace, query: string, ask?: Ask): Promise<string[]> {
  const { files } = await searchFiles(workspace, query, {
    signal: new AbortController().signal,
    onChange: () => undefined,
    limit,
    ask,
  });
  return files.map(({ path }) => path);
}

/** Counts the turns and tokens of a model. */
const counted =
  (ask: Ask, figures: Figures): Ask =>
  async (messages, signal) => {
    figures.turns++;
    const result = await ask(messages, signal);
    figures.tokens += (result.usage?.promptTokens ?? 0) + (result.usage?.completionTokens ?? 0);
    return result;
  };

function questionsOf(file: string): Question[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter(line => line.trim() !== '').map((line): Question => JSON.parse(line));
}

async function measure(root: string, questions: readonly Question[]): Promise<boolean> {
  const workspace: SearchWorkspace = {
    roots: [root],
    rgPath: ripgrepPath(),
    excludes: [],
    useIgnoreFiles: true,
    usesGit: true,
    unsaved: new Map(),
  };
  const { url, model } = given;
  const models =
    url === undefined || model === undefined ? scripted : { [model]: asked(url, model) };
  const local = new Figures();
  const withModel = new Map(Object.keys(models).map(name => [name, new Figures()]));
  for (const question of questions) {
    const alone = await search(workspace, question.query);
    local.add(alone, question.files);
    for (const [name, make] of Object.entries(models)) {
      const figures = withModel.get(name) ?? new Figures();
      const both = await search(workspace, question.query, counted(make(question), figures));
      figures.add(both, question.files);
      figures.lost += alone.filter(path => !both.includes(path)).length;
    }
  }
  console.log(`${questions.length} questions; right files in the first 1, 5 and 10, in per cent\n`);
  console.log(`${''.padEnd(34)}      1      5     10  turns   tokens  lost`);
  console.log(local.row('the local search alone'));
  for (const [name, figures] of withModel) console.log(figures.row(name));
  return [...withModel.values()].every(({ lost }) => lost === 0);
}

const { root, cases, url, model } = given;
if ((url === undefined) !== (model === undefined) || (root === undefined) !== (cases === undefined))
  throw new Error('give --url with --model, and --root with --cases');
if (url !== undefined && key === undefined)
  throw new Error('set SPLICE_API_KEY to the key of the service');

let made: TestWorkspace | undefined;
try {
  let isKept: boolean;
  if (root !== undefined && cases !== undefined) isKept = await measure(root, questionsOf(cases));
  else {
    const { files, commits } = readSearchProject();
    made = new TestWorkspace(files);
    commitAll(made.root, commits);
    isKept = await measure(
      made.root,
      searchQuestions.map(([query, right]) => ({ query, files: right })),
    );
  }
  if (!isKept) {
    console.log('\nMISSED a list with a model lacks places of the local search');
    process.exitCode = 1;
  }
} finally {
  made?.remove();
}
