import { sentence } from '../../../base/sentence';
import { countedTokens, formatVersionHeader } from '../../assumptions';
import type { Operation } from '../../http/operation';
import { readJsonObject } from '../../http/responseContext';
import { headersMs } from '../../http/timeouts';
import { checkRange, checkTokens } from '../../limits';
import { unexpectedShape } from '../../schema';
import { readAnswerInto } from '../../stream/answerStream';
import { DeltaBatch, turnTimeouts } from './answer';
import { type ChatOptions, maxAnswerCharacters } from './chat';
import { MessageBuilder, type MessagesResult } from './messageBuilder';
import {
  type CountTokensRequest,
  checkMessages,
  type MessagesRequest,
  messagesBody,
  messageTexts,
} from './messagesRequest';

export interface TokenCount {
  readonly inputTokens: number;
}
/**
 * @throws {ServiceError} `limit` for what the service would refuse.
 * @see service document, Endpoints, "POST /v1/messages"
 */
export function messagesOperation(
  request: MessagesRequest,
  { stream = false, onDelta }: Pick<ChatOptions, 'stream' | 'onDelta'>,
): Operation<MessagesResult> {
  const { model, maxTokens, contextTokens } = request;
  checkMessages(request);
  checkRange(maxTokens, 1, Number.MAX_SAFE_INTEGER, sentence('The number of tokens to generate'));
  if (contextTokens !== undefined) {
    checkTokens(messageTexts(request), contextTokens, sentence('The conversation'));
  }
  return {
    name: 'messages',
    model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/messages',
    headers: formatVersion,
    accept: stream ? 'text/event-stream' : 'application/json',
    timeouts: turnTimeouts(stream),
    body: { ...messagesBody(request), max_tokens: maxTokens, stream: stream || undefined },
    async read(context) {
      const batch = new DeltaBatch(
        context,
        stream ? onDelta : undefined,
        maxAnswerCharacters({ stream }),
      );
      const builder = new MessageBuilder(context, batch);
      await readAnswerInto(context, builder, { stream });
      return builder.result(model);
    },
    charge: ({ blocks, usage }) => ({
      kind: 'tokens',
      model,
      usage,
      answerChars: messageTexts({ model, messages: [{ role: 'assistant', content: blocks }] })
        .map(text => text.length)
        .reduce((sum, length) => sum + length, 0),
    }),
  };
}

/** @see service document, Endpoints; {@link countedTokens} for the answer, which is not shown there */
export function countTokensOperation(request: CountTokensRequest): Operation<TokenCount> {
  checkMessages(request);
  return {
    name: 'countTokens',
    model: request.model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/messages/count_tokens',
    headers: formatVersion,
    accept: 'application/json',
    timeouts: { headersMs: headersMs.predict },
    body: messagesBody(request),
    async read(context) {
      const inputTokens = countedTokens(await readJsonObject(context));
      if (inputTokens === undefined) throw unexpectedShape('token count', context);
      return { inputTokens };
    },
  };
}

/** The value that the service document gives (Versioning). */
const formatVersion = { [formatVersionHeader]: '2023-06-01' };
