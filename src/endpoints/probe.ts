/** A test request. */
export interface Probe {
  readonly prompt: string;
  readonly maxTokens: number;
}

/** Whether an endpoint answers at all. */
export const ping: Probe = { prompt: 'Answer with the word OK.', maxTokens: 16 };

/** Long enough that the speed of an endpoint shows. */
export const speedProbe: Probe = { prompt: 'Count from 1 to 60.', maxTokens: 160 };

/** What {@link speedProbe} takes at most, its prompt with some room for the template of the model. */
export const speedProbeTokens = {
  promptTokens: 60,
  completionTokens: speedProbe.maxTokens,
} as const;
