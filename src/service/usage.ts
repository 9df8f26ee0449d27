import * as z from 'zod';

/** Tokens as the service counted them. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Part of `promptTokens` that came from the cache; absent where the service does not say. */
  readonly cachedTokens?: number;
  /** Part of `completionTokens` that was reasoning; absent where the service does not say. */
  readonly reasoningTokens?: number;
}

const count = z.number().int().nonnegative();
const maybeCount = count.nullish().catch(undefined);

/** Chat completions; the details are those of the list of batches, nested or not (service document, Batch). */
export const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: maybeCount }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: maybeCount }).nullish().catch(undefined),
});

export function usageOf(wire: z.infer<typeof usageSchema>): Usage {
  const cachedTokens = wire.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoningTokens = wire.completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    promptTokens: wire.prompt_tokens,
    completionTokens: wire.completion_tokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
