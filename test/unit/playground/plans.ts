import type {
  PlaygroundTarget,
  PromptRow,
  RunPlan,
  StepResult,
} from '../../../src/playground/core/run';

export const model = (id: string): PlaygroundTarget => ({ kind: 'model', id, label: id });

export const plan = (more: Partial<RunPlan> = {}): RunPlan => ({
  id: 'run',
  createdAt: 1,
  title: 'title',
  origin: 'https://service.example',
  targets: [model('svc-a'), model('svc-b')],
  rows: [{ text: 'one' }, { text: 'two' }],
  scoring: { kind: 'none' },
  maxTokens: 100,
  ...more,
});

export const rows = (count: number, more: Partial<PromptRow> = {}): PromptRow[] =>
  Array.from({ length: count }, (_, at) => ({ text: `prompt ${at}`, ...more }));

export const result = (text: string, more: Partial<StepResult> = {}): StepResult => ({
  text,
  ms: 1000,
  ...more,
});

export const done = (text: string, more: Partial<StepResult> = {}) =>
  ({ kind: 'done', result: result(text, more) }) as const;
