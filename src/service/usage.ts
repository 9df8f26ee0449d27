import * as z from 'zod';

/** Token counts as reported by the service. */
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

/** Usage of chat completions; the details are as in the list of batches (service document, Batch). */
const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: maybeCount }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: maybeCount }).nullish().catch(undefined),
});

/** Usage as in the list of batches; a rerank gives only the total (service document, Resources). */
const inputOutputSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: z.object({ cached_tokens: maybeCount }).nullish().catch(undefined),
  output_tokens_details: z.object({ reasoning_tokens: maybeCount }).nullish().catch(undefined),
});
const totalSchema = z.object({ total_tokens: count });

/** Reads the counts under any of these names; `undefined` where there are none. */
export function readUsage(value: unknown): Usage | undefined {
  const chat = usageSchema.safeParse(value);
  if (chat.success) return usageOf(chat.data);
  const { data: wire } = inputOutputSchema.safeParse(value);
  if (wire) {
    return usageOf({
      prompt_tokens: wire.input_tokens,
      completion_tokens: wire.output_tokens,
      prompt_tokens_details: wire.input_tokens_details,
      completion_tokens_details: wire.output_tokens_details,
    });
  }
  const { data: total } = totalSchema.safeParse(value);
  return total && { promptTokens: total.total_tokens, completionTokens: 0 };
}

function usageOf(wire: z.infer<typeof usageSchema>): Usage {
  const cachedTokens = wire.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoningTokens = wire.completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    promptTokens: wire.prompt_tokens,
    completionTokens: wire.completion_tokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
