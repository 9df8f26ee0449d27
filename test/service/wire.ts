/** Answers of the service in its own words, for the stand-in and the fault server. */
export function completion(text: string, extra: object = {}): object {
  return {
    id: 'c-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'svc-v3-fast',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    ...extra,
  };
}

export function chunk(text: string | undefined, finishReason: string | null = null): object {
  return {
    id: 'c-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'svc-v3-fast',
    choices: [
      { index: 0, delta: text === undefined ? {} : { content: text }, finish_reason: finishReason },
    ],
  };
}

export const done = 'data: [DONE]\n\n';

export function sse(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

export function envelope(code: string, message: string): object {
  return { error: { code, message } };
}
