import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord, parseJson } from '../../../src/base/typeGuards';
import { type Answer, readRequest } from './protocols';
import { nextStep, type Script, toolCall } from './script';

/** A model on loopback that follows scripts, in the protocols of four vendors. */
export interface ScriptedModel {
  readonly url: string;
  /** By the name that the prompt gives. */
  readonly scripts: Map<string, Script>;
  /** What was asked, oldest first; `failure` when the script could not be followed. */
  readonly requests: readonly ModelLogEntry[];
  /** The size of a request that its answer tells; 100 tokens unless set. */
  inputTokens: (body: ModelLogEntry['body']) => number;
  /** The answer to a request without tools, such as one for a title. */
  plainAnswer: string;
  close(): Promise<void>;
}

export interface ModelLogEntry {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly failure?: string;
}

export async function startModel(): Promise<ScriptedModel> {
  const scripts = new Map<string, Script>();
  const requests: ModelLogEntry[] = [];
  const model = {
    url: '',
    scripts,
    requests,
    plainAnswer: 'Done.',
    inputTokens: (_body: ModelLogEntry['body']) => 100,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const answerTo = async (path: string, body: ModelLogEntry['body']): Promise<Answer> => {
    const request = readRequest(path, body);
    if (path.endsWith('/models')) return { json: { object: 'list', data: [], models: [] } };
    if (!request) return { json: path.includes('count') ? { input_tokens: 100 } : {} };
    // Without tools, it asks for a title or a summary.
    const step = request.tools.length > 0 ? nextStep(request.messages, scripts) : undefined;
    await step?.before?.();
    const calls = (step?.actions ?? []).map(action => toolCall(action, request.tools));
    return request.answer(calls, {
      text: request.tools.length > 0 ? 'Done.' : model.plainAnswer,
      id: String(requests.length),
      inputTokens: model.inputTokens(body),
    });
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    void (async () => {
      const read = parseJson(await text(request));
      const body = isRecord(read) ? read : {};
      try {
        const answer = await answerTo(path, body);
        requests.push({ path, body });
        send(response, answer);
      } catch (error) {
        requests.push({ path, body, failure: String(error) });
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ error: { type: 'invalid_request', message: String(error) } }),
        );
      }
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model has no port');
  model.url = `http://127.0.0.1:${address.port}`;
  return model;
}

function send(response: ServerResponse, answer: Answer): void {
  if ('json' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.json));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of answer.events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}
