import { isAbortError } from '../../base/async/clock';
import type { CallInfo, SentToolCall, Usage } from '../../service';
import type { NamedFile } from '../fusion';
import {
  type FinishedFile,
  runSearchTool,
  type Scope,
  type ToolCallResult,
  toolName,
} from '../tools';
import { entriesOf } from '../tools/list';
import { parseRanges } from '../tools/toolText';
import { type AgentMessage, SearchConversation } from './conversation';
import { callsInText, objectOf, type WrittenCall } from './textCalls';

/** An answer of the search model. */
export interface AgentAnswer extends CallInfo {
  readonly text: string;
  readonly toolCalls: readonly SentToolCall[];
  readonly usage?: Usage | undefined;
}

type CallModel = (messages: readonly AgentMessage[], signal: AbortSignal) => Promise<AgentAnswer>;

/** Progress of the agent, for the trace. */
export type AgentEvent =
  | { readonly kind: 'start'; readonly prompt: string }
  | { readonly kind: 'turn'; readonly turn: number; readonly answer: AgentAnswer }
  | { readonly kind: 'call'; readonly turn: number; readonly call: TracedCall }
  | {
      readonly kind: 'result';
      readonly turn: number;
      readonly call: TracedCall;
      readonly ms: number;
      readonly result: ToolCallResult;
    };

export interface TracedCall {
  /** Unique in one search. */
  readonly key: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * How a search ended.
 * - `finished`: the model named the places.
 * - `turns`, `repeats`, `time`: it was stopped; the files that it had read are the answer.
 * - `silent`: it called nothing and named nothing.
 */
type AgentEnd = 'finished' | 'turns' | 'repeats' | 'time' | 'silent';

export interface AgentOutcome {
  readonly end: AgentEnd;
  readonly files: readonly NamedFile[];
  readonly turns: number;
}

export interface AgentOptions {
  readonly query: string;
  /** What the local search found, best first: lines such as `/root/a.ts:3-9 Queue.close`. */
  readonly known?: readonly string[];
  readonly context: Scope;
  readonly ask: CallModel;
  readonly onEvent?: (event: AgentEvent) => void;
  /** Timeout of the whole search, in milliseconds. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 90_000;
/** Calls of one turn that are run; others get an error result. */
const maxCallsPerTurn = 8;
/** Calls of one turn that get a result at all; further ones are dropped. */
const maxAnsweredCalls = 64;
/** Consecutive turns without a new call after which the search ends. */
const maxIdleTurns = 2;

/**
 * Lets the search model explore the workspace with tools, which run here, until it names the places or
 * has to stop.
 *
 * @throws {ServiceError} what {@link AgentOptions.ask} throws, unless places were read before: then the
 *   caller gets them from {@link SearchFailure}.
 * @throws {AbortError} when `scope.signal` is aborted.
 */
export async function runSearchAgent(options: AgentOptions): Promise<AgentOutcome> {
  return new AgentLoop(options).run();
}

/** A call of the model failed. The files that it had read so far are kept. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure';
  readonly files: readonly FinishedFile[];

  /** @param cause the error of the call. */
  constructor(cause: unknown, files: readonly FinishedFile[]) {
    super('the search model failed', { cause });
    this.files = files;
  }
}

class AgentLoop {
  readonly #options: AgentOptions;
  readonly #context: Scope;
  readonly #results = new Map<string, ToolCallResult>();
  /** Files by path, in the order in which they were last read. */
  readonly #read = new Map<string, FinishedFile>();
  /** Files of a `finish` that the model was asked to send again. */
  #proposed: readonly FinishedFile[] = [];
  /** Files of which the model saw code, as it knows them. */
  readonly #seen = new Set<string>();
  #idleTurns = 0;

  constructor(options: AgentOptions) {
    this.#options = options;
    const timeout = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
    this.#context = {
      ...options.context,
      signal: AbortSignal.any([options.context.signal, timeout]),
    };
  }

  async run(): Promise<AgentOutcome> {
    const structure = await this.#structure();
    if (structure === undefined) return this.#end('time', 0);
    const { query, known } = this.#options;
    const conversation = new SearchConversation(query, structure, known);
    const prompt = conversation.messages.map(({ content }) => content).join('\n');
    this.#options.onEvent?.({ kind: 'start', prompt });
    let isSilent = false;
    while (conversation.turnsLeft > 0) {
      const answer = await this.#ask(conversation);
      if (answer === undefined) return this.#end('time', conversation.turns);
      const calls = callsOf(answer, conversation.turns);
      this.#options.onEvent?.({ kind: 'turn', turn: conversation.turns + 1, answer });
      if (calls.length === 0) {
        // One turn without a call is tolerated, the second ends the search.
        if (isSilent) return this.#end('silent', conversation.turns + 1);
        isSilent = true;
        conversation.requestToolCall(answer.text);
        continue;
      }
      const results = await this.#runCalls(calls, conversation.turns + 1);
      if (results === undefined) return this.#end('time', conversation.turns + 1);
      const ending = results.find(({ finished }) => finished !== undefined);
      if (ending?.finished && !ending.isError) {
        const files = ending.finished.map(file =>
          this.#isSeen(file.path) ? { ...file, isSeen: true } : file,
        );
        return { end: 'finished', files, turns: conversation.turns + 1 };
      }
      this.#proposed = ending?.finished ?? this.#proposed;
      conversation.add(
        answer.text,
        calls,
        results.map(({ text }) => text),
      );
      if (this.#idleTurns >= maxIdleTurns) return this.#end('repeats', conversation.turns);
    }
    return this.#end('turns', conversation.turns);
  }

  #end(end: AgentEnd, turns: number): AgentOutcome {
    return { end, files: this.#filesSoFar(), turns };
  }

  /** What the model named and then what it read, latest first, since that is closest to an answer. */
  #filesSoFar(): readonly FinishedFile[] {
    return [...this.#proposed, ...[...this.#read.values()].reverse()];
  }

  /** The model may name a file by its absolute path and have seen it by a relative one. */
  #isSeen(named: string): boolean {
    return [...this.#seen].some(
      path => path === named || named.endsWith(`/${path}`) || path.endsWith(`/${named}`),
    );
  }

  /** `undefined` when the time is over. */
  async #structure(): Promise<string[] | undefined> {
    const paths: string[] = [];
    try {
      for (const place of await this.#context.sandbox.resolveScope(undefined)) {
        paths.push(place.path);
        paths.push(...(await entriesOf(this.#context, place, { depth: 2 })).entries);
      }
    } catch (error) {
      if (this.#isTimeUp()) return undefined;
      throw error;
    }
    return paths;
  }

  /** `undefined` when the time is over. */
  async #ask(conversation: SearchConversation): Promise<AgentAnswer | undefined> {
    try {
      return await this.#options.ask(conversation.messages, this.#context.signal);
    } catch (error) {
      if (this.#isTimeUp()) return undefined;
      if (isAbortError(error) || this.#options.context.signal.aborted) throw error;
      const files = this.#filesSoFar();
      throw files.length > 0 ? new SearchFailure(error, files) : error;
    }
  }

  #isTimeUp(): boolean {
    return this.#context.signal.aborted && !this.#options.context.signal.aborted;
  }

  /** In parallel; `undefined` when the time is over. */
  async #runCalls(
    calls: readonly ParsedCall[],
    turn: number,
  ): Promise<ToolCallResult[] | undefined> {
    const before = this.#results.size;
    const isEnding = calls.findIndex(({ name }) => toolName(name) === 'finish');
    try {
      const results = await Promise.all(
        calls.map(async (call, at) => {
          if (at === isEnding || at < maxCallsPerTurn) return this.#runCall(call, turn);
          const text = `[TOO MANY CALLS] Only ${maxCallsPerTurn} calls of one turn are run.`;
          return { text, isError: true, hits: 0 };
        }),
      );
      this.#idleTurns = this.#results.size > before ? 0 : this.#idleTurns + 1;
      return results;
    } catch (error) {
      if (this.#isTimeUp()) return undefined;
      throw error;
    }
  }

  async #runCall(call: ParsedCall, turn: number): Promise<ToolCallResult> {
    const { args, name } = call;
    if (args === undefined) {
      return {
        text: '[ARGUMENT ERROR] The arguments are no JSON object. Call the tool again with valid JSON.',
        isError: true,
        hits: 0,
      };
    }
    const traced = { key: `${turn}.${call.id}`, name: toolName(name), args };
    this.#options.onEvent?.({ kind: 'call', turn, call: traced });
    const startedAt = performance.now();
    const key = JSON.stringify([
      toolName(name),
      Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    const result = this.#results.get(key) ?? (await runSearchTool(this.#context, name, args));
    this.#results.set(key, result);
    if (toolName(name) === 'read' && !result.isError) this.#remember(args);
    for (const path of result.files ?? []) this.#seen.add(path);
    const ms = performance.now() - startedAt;
    this.#options.onEvent?.({ kind: 'result', turn, call: traced, ms, result });
    return result;
  }

  #remember(args: Readonly<Record<string, unknown>>): void {
    const path = String(args['path']);
    const lines = typeof args['lines'] === 'string' ? args['lines'] : undefined;
    const ranges = lines === undefined ? [] : parseRanges(lines).ranges;
    this.#seen.add(path);
    const known = this.#read.get(path)?.ranges;
    this.#read.delete(path);
    const all = [...(known === undefined || known === '*' ? [] : known), ...ranges];
    this.#read.set(path, { path, ranges: all.length > 0 ? all : '*' });
  }
}

interface ParsedCall extends SentToolCall {
  readonly args: Record<string, unknown> | undefined;
}

/** The calls of a turn, from `toolCalls` or else from the text. Missing or duplicate ids are replaced. */
function callsOf(answer: AgentAnswer, turns: number): ParsedCall[] {
  const written: (WrittenCall & { id?: string })[] =
    answer.toolCalls.length > 0
      ? answer.toolCalls.map(call => ({ ...call, args: objectOf(call.arguments) }))
      : callsInText(answer.text);
  const ids = new Set<string>();
  return written.slice(0, maxAnsweredCalls).map((call, at) => {
    const own = `call_${turns + 1}_${at + 1}`;
    const id = call.id && !ids.has(call.id) ? call.id : own;
    ids.add(id);
    // Arguments that are not valid JSON are not sent back: the service might reject the conversation.
    const text = call.args === undefined ? '{}' : JSON.stringify(call.args);
    return { id, name: call.name, args: call.args, arguments: text };
  });
}
