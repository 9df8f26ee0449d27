import type { ServerResponse } from 'node:http';
import { isRecord, parseJson, textOf } from '../../src/base/typeGuards';

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const message = (text: string | undefined, reason: string | null): object => ({
  id: 'm-1',
  type: 'message',
  role: 'assistant',
  model: 'auto',
  content: text === undefined ? [] : [{ type: 'text', text }],
  stop_reason: reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

const reasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Reasons that neither format knows stay as they are. */
function stopReason(finishReason: unknown): string | null {
  const reason = textOf(finishReason);
  return reason === undefined ? null : (reasons[reason] ?? reason);
}

const opening =
  event('message_start', { message: message(undefined, null) }) +
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });

/** The same fault for a client of the messages format: what is written as a chat completion is translated. */
export function asMessages(response: ServerResponse): ServerResponse {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let isOpened = false;
  // Bytes as characters: a piece may end within one.
  let pending = '';
  const isStream = (): boolean => /event-stream/.test(String(response.getHeader('content-type')));

  function translated(piece: string | Buffer): Buffer {
    pending += Buffer.from(piece).toString('latin1');
    const parts = pending.split(/(?<=\n\n|\r\n\r\n)/);
    const isWhole = /\r?\n\r?\n$/.test(parts.at(-1) ?? '');
    // A flood inside one event goes on as it is.
    pending = isWhole || pending.length > 1 << 20 ? '' : (parts.pop() ?? '');
    const out = parts.map(part => oneEvent(Buffer.from(part, 'latin1')));
    if (!isOpened) out.unshift(Buffer.from(opening));
    isOpened = true;
    return Buffer.concat(out);
  }

  const writeHead = response.writeHead.bind(response);
  Object.assign(response, {
    // Set one by one, so that `write` can ask for the type.
    writeHead(status: number, headers: Record<string, string> = {}) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      return writeHead(status);
    },
    write: (piece: string | Buffer) => write(isStream() ? translated(piece) : piece),
    end: (piece?: string | Buffer) => {
      if (isStream()) {
        const last = piece === undefined ? Buffer.alloc(0) : translated(piece);
        return end(Buffer.concat([last, Buffer.from(pending, 'latin1')]));
      }
      const value = typeof piece === 'string' ? parseJson(piece) : undefined;
      return isRecord(value) && value['object'] === 'chat.completion'
        ? end(
            JSON.stringify(
              message(textIn(value, 'message'), stopReason(choiceOf(value)?.['finish_reason'])),
            ),
          )
        : end(piece);
    },
  });
  return response;
}

function textIn(value: Record<string, unknown>, field: 'message' | 'delta'): string | undefined {
  const choice = choiceOf(value);
  const part = choice?.[field];
  return isRecord(part) ? textOf(part['content']) : undefined;
}

function choiceOf(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const choice: unknown = Array.isArray(value['choices']) ? value['choices'][0] : undefined;
  return isRecord(choice) ? choice : undefined;
}

function oneEvent(bytes: Buffer): Buffer {
  return Buffer.from(translatedEvent(bytes.toString()));
}

function translatedEvent(part: string): string {
  const match = /^(\ufeff?(?:.*\n)*?)data: ?(.*?)\r?\n\r?\n$/s.exec(part);
  if (!match) return part;
  const [, before = '', data = ''] = match;
  if (data.trim() === '[DONE]') return event('message_stop', {});
  const value = parseJson(data);
  if (!isRecord(value)) return `event: content_block_delta\n${part}`;
  if (value['error'] !== undefined)
    return `event: error\ndata: ${JSON.stringify({ type: 'error', ...value })}\n\n`;
  const text = textIn(value, 'delta');
  const reason = stopReason(choiceOf(value)?.['finish_reason']);
  const isEnd = reason !== null && reason !== '';
  if (text === undefined && !isEnd) return part;
  const bom = before.startsWith('\ufeff') ? '\ufeff' : '';
  const delta =
    text === undefined
      ? ''
      : event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
  const stop = isEnd
    ? event('message_delta', {
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: 1 },
      })
    : '';
  return bom + delta + stop;
}
