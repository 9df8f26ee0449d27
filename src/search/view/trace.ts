import type { Cost } from '../../service';
import type { AgentEvent, TracedCall } from '../agent/searchAgent';

/** One call of the search model, shown to the user. */
export interface TraceStep {
  readonly key: string;
  readonly tool: string;
  /** What it looks for and where. */
  readonly what: string;
  /** Undefined while it runs. */
  readonly ms?: number;
  readonly hits?: number;
  readonly isError?: boolean;
}

export interface TraceTurn {
  readonly turn: number;
  /** ms of the model's answer. */
  readonly ms: number;
  readonly tokens?: number;
  readonly cost?: Cost;
  readonly steps: readonly TraceStep[];
}

/** What the search model did, turn by turn, as it happens. */
export class Trace {
  #prompt: string | undefined;
  readonly #turns: (TraceTurn & { steps: TraceStep[] })[] = [];

  /** What was sent first; undefined before that. */
  get prompt(): string | undefined {
    return this.#prompt;
  }

  get turns(): readonly TraceTurn[] {
    return this.#turns;
  }

  /** Undefined when no answer reported its usage. */
  get tokens(): number | undefined {
    return sum(this.#turns.map(({ tokens }) => tokens));
  }

  get cost(): Cost | undefined {
    const costs = this.#turns.flatMap(({ cost }) => cost ?? []);
    const usd = sum(costs.map(cost => cost.usd));
    return usd === undefined
      ? undefined
      : { usd, isExact: costs.length === this.#turns.length && costs.every(cost => cost.isExact) };
  }

  add(event: AgentEvent): void {
    if (event.kind === 'start') {
      this.#prompt = event.prompt;
      return;
    }
    if (event.kind === 'turn') {
      const { usage, ms, cost } = event.answer;
      this.#turns.push({
        turn: event.turn,
        ms,
        steps: [],
        ...(usage ? { tokens: usage.promptTokens + usage.completionTokens } : {}),
        ...(cost ? { cost } : {}),
      });
      return;
    }
    const steps = this.#turns.at(-1)?.steps;
    if (!steps) return;
    const { call } = event;
    const step: TraceStep = { key: call.key, tool: call.name, what: describeCall(call) };
    if (event.kind === 'call') {
      steps.push(step);
      return;
    }
    const { hits, isError } = event.result;
    const at = steps.findIndex(({ key }) => key === call.key);
    steps[at < 0 ? steps.length : at] = { ...step, ms: event.ms, hits, isError };
  }
}

const maxDescriptionChars = 120;

/** `"token" in src (*.ts)`, `src/a.ts 1-50`. */
function describeCall({ name, args }: TracedCall): string {
  const text = (key: string): string => {
    const value = args[key];
    return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '';
  };
  const parts =
    name === 'grep_search'
      ? [
          `"${text('pattern')}"`,
          text('path') && `in ${text('path')}`,
          text('glob') && `(${text('glob')})`,
        ]
      : name === 'list_directory'
        ? [text('command') || text('path')]
        : name === 'finish'
          ? [text('files')]
          : [text('path') || text('pattern'), text('path') ? text('lines') || text('pattern') : ''];
  const line = parts.filter(Boolean).join(' ');
  return line.length > maxDescriptionChars ? `${line.slice(0, maxDescriptionChars)}…` : line;
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter(value => value !== undefined);
  return known.length > 0 ? known.reduce((total, value) => total + value, 0) : undefined;
}
