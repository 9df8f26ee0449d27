/**
 * A test request: long enough that the speed of an endpoint shows. `usage` is what it takes at most, its prompt
 * with some room for the template of the model.
 */
export const probe = { prompt: 'Count from 1 to 60.', maxTokens: 160 } as const;

export const probeTokens = { promptTokens: 60, completionTokens: probe.maxTokens } as const;
