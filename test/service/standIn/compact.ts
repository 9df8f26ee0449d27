import { serviceLimits } from '../../../src/service/limits';
import { estimateTokens } from '../../../src/service/tokens';
import { compactModel } from './catalogue';
import { namedEvent, writeEvents } from './eventStream';
import { checkLength, invalid, isRecord, type Route, readFields } from './routing';
import { deltasOf } from './turn';
import type { World } from './world';

/** Service document, Endpoints, "POST /v1/compact"; the responses format reaches the same compression. */
export function compactRoutes(world: World): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/compact',
      handle({ body }) {
        const read = readFields(body, {
          input: 'string',
          query: 'string?',
          compression_ratio: 'number?',
          preserve_recent: 'integer?',
        });
        const { input, query, compression_ratio: ratio, preserve_recent: preserveRecent } = read;
        if (ratio !== undefined && !(ratio > 0 && ratio <= 1))
          throw invalid('compression_ratio must be above 0 and at most 1');
        if (preserveRecent !== undefined && preserveRecent < 0)
          throw invalid('preserve_recent must not be negative');
        checkLength('input', input, serviceLimits.compactTokens);
        const { output, compacted, kept } = world.compact({ input, query, ratio, preserveRecent });
        return {
          id: world.nextId('cmpr-'),
          object: 'compact',
          model: compactModel,
          output,
          compacted_line_ranges: compacted,
          kept_line_ranges: kept,
          usage: { input_tokens: estimateTokens(input), output_tokens: estimateTokens(output) },
        };
      },
    },
    {
      method: 'POST',
      path: '/v1/responses',
      async handle({ body, response }) {
        const { model, stream } = readFields(body, { model: 'string', stream: 'boolean?' });
        if (model !== compactModel) throw invalid(`unknown model: ${model}`);
        const input = responsesInput(body['input']);
        checkLength('input', input, serviceLimits.compactTokens);
        const { output } = world.compact({
          input,
          query: undefined,
          ratio: undefined,
          preserveRecent: undefined,
        });
        const answer = responsesAnswer(world, model, input, output);
        if (stream !== true) return answer;
        await writeEvents(response, responsesEvents(answer, output), world.pauseMs);
        return undefined;
      },
    },
  ];
}

/** A text, or messages whose content is a text or parts with a text. */
function responsesInput(input: unknown): string {
  if (typeof input === 'string') return input;
  if (!Array.isArray(input)) throw invalid('input must be a string or an array of messages');
  return input
    .map((message: unknown, at) => {
      const content = isRecord(message) ? message['content'] : undefined;
      if (typeof content === 'string') return content;
      if (!Array.isArray(content)) throw invalid(`missing field: input[${at}].content`);
      return content
        .map((part, n) => readFields(part, { text: 'string' }, `input[${at}].content[${n}].`).text)
        .join('');
    })
    .join('\n');
}

function responsesAnswer(world: World, model: string, input: string, text: string) {
  const [inputTokens, outputTokens] = [estimateTokens(input), estimateTokens(text)];
  return {
    id: world.nextId('resp_'),
    object: 'response',
    created_at: world.clock.seconds(),
    status: 'completed',
    model,
    output: [
      {
        type: 'message',
        id: world.nextId('msg_'),
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
}

function* responsesEvents(
  answer: ReturnType<typeof responsesAnswer>,
  text: string,
): Generator<string> {
  const place = { item_id: answer.output[0]?.id, output_index: 0, content_index: 0 };
  yield namedEvent('response.created', {
    response: { ...answer, status: 'in_progress', output: [], usage: null },
  });
  for (const delta of deltasOf(text))
    yield namedEvent('response.output_text.delta', { ...place, delta });
  yield namedEvent('response.output_text.done', { ...place, text });
  yield namedEvent('response.completed', { response: answer });
}
