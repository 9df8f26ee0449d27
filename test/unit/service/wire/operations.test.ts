import assert from 'node:assert/strict';
import type { Operation } from '../../../../src/service/http/operation';
import { headersMs } from '../../../../src/service/http/timeouts';
import { applyMessage, applyOperation } from '../../../../src/service/wire/apply';
import { listBatchesOperation } from '../../../../src/service/wire/batches';
import { catalogueOperation, specialModels } from '../../../../src/service/wire/catalogue';
import { chatOperation } from '../../../../src/service/wire/chat/chat';
import {
  countTokensOperation,
  messagesOperation,
} from '../../../../src/service/wire/chat/messages';
import { compactOperation } from '../../../../src/service/wire/compact';
import {
  endpointStates,
  endpointStatusOperation,
  listEndpointsOperation,
} from '../../../../src/service/wire/dedicated';
import { embedOperation } from '../../../../src/service/wire/embeddings';
import { listFineTuningJobsOperation } from '../../../../src/service/wire/fineTuning';
import {
  predictManyOperation,
  predictOperation,
  tracesOperation,
} from '../../../../src/service/wire/reflex';
import {
  pollReflexBatchOperation,
  reflexBatchResultsOperation,
  uploadReflexBatchOperation,
} from '../../../../src/service/wire/reflexBatches';
import { rerankOperation } from '../../../../src/service/wire/rerank';
import { classifyPromptOperation, routeRawOperation } from '../../../../src/service/wire/router';

const input = 'a text';
const messages = [{ role: 'user', content: input }] as const;
const rows = [{ id: '1', models: ['m'], text: input }];

describe('the operations of the service', () => {
  const { read, predict, stream, generation } = headersMs;
  const cases: readonly (readonly [
    operation: Operation<unknown>,
    name: string,
    callClass: string,
    request: string,
    headersMs: number | undefined,
    model?: string,
  ])[] = [
    [catalogueOperation(), 'catalogue', 'read', 'GET', read],
    [listEndpointsOperation(), 'listEndpoints', 'read', 'GET', read],
    [endpointStatusOperation('e'), 'endpointStatus', 'read', 'GET', read],
    [listBatchesOperation({}), 'listBatches', 'read', 'GET', read],
    [listFineTuningJobsOperation({}), 'listFineTuningJobs', 'read', 'GET', read],
    [tracesOperation(), 'traces', 'read', 'GET', read],
    [pollReflexBatchOperation('b'), 'pollBatch', 'read', 'GET', read],
    [
      reflexBatchResultsOperation({ id: 'b', onRows: async () => undefined }),
      'batchResults',
      'read',
      'GET',
      generation,
    ],
    [
      uploadReflexBatchOperation({ rows, idempotencyKey: 'k' }),
      'uploadBatch',
      'money',
      'POST',
      generation,
    ],
    [predictOperation({ model: 'm', text: input }), 'predict', 'compute', 'POST', predict, 'm'],
    [
      predictManyOperation({ models: ['m', 'n'], text: input }),
      'predict',
      'compute',
      'POST',
      predict,
      'm, n',
    ],
    [classifyPromptOperation({ input }), 'classifyPrompt', 'compute', 'POST', predict],
    [routeRawOperation({ input, mode: 'balanced' }), 'routePrompt', 'compute', 'POST', predict],
    [
      rerankOperation({ query: input, documents: [input] }),
      'rerank',
      'compute',
      'POST',
      predict,
      'svc-rerank-v4',
    ],
    [embedOperation({ input }), 'embed', 'compute', 'POST', predict, 'svc-embedding-v4'],
    [compactOperation({ input }), 'compact', 'compute', 'POST', generation, 'svc-compactor'],
    [
      applyOperation({ original: '', update: '' }, {}),
      'apply',
      'compute',
      'POST',
      generation,
      'auto',
    ],
    [
      applyOperation({ original: '', update: '', model: 'svc-v3-fast' }, { stream: true }),
      'apply',
      'compute',
      'POST',
      stream,
      'svc-v3-fast',
    ],
    [chatOperation({ model: 'm', messages }, {}), 'chat', 'compute', 'POST', generation, 'm'],
    [
      chatOperation({ model: 'm', messages }, { stream: true }),
      'chat',
      'compute',
      'POST',
      stream,
      'm',
    ],
    [
      messagesOperation({ model: 'm', maxTokens: 1, messages: [...messages] }, { stream: true }),
      'messages',
      'compute',
      'POST',
      stream,
      'm',
    ],
    [
      countTokensOperation({ model: 'm', messages: [...messages] }),
      'countTokens',
      'compute',
      'POST',
      predict,
      'm',
    ],
  ];

  for (const [operation, name, callClass, method, waitMs, model] of cases)
    it(`${name}${operation.accept === 'text/event-stream' ? ', streamed,' : ''} of ${model ?? 'no model'} is in the class of its retries and waits its time`, () => {
      assert.deepEqual(
        [operation.name, operation.callClass, operation.method, operation.timeouts?.headersMs],
        [name, callClass, method, waitMs],
      );
      assert.equal(operation.model, model);
      assert.equal(operation.accept, waitMs === stream ? 'text/event-stream' : 'application/json');
      // A read is free; what computes is billed, but for the count of tokens.
      assert.equal(
        operation.charge !== undefined,
        callClass !== 'read' && name !== 'countTokens',
        'charge',
      );
    });

  it('are logged without the ids in their paths', () => {
    for (const [operation, path, template] of [
      [endpointStatusOperation('a b'), '/a%20b', '/{id}'],
      [pollReflexBatchOperation('a b'), '/a%20b', '/{id}'],
      [
        reflexBatchResultsOperation({ id: 'a b', onRows: async () => undefined }),
        '/a%20b',
        '/{id}',
      ],
    ] as const) {
      assert.ok(operation.path.includes(path), operation.path);
      assert.equal(operation.template, operation.path.replace(path, template));
    }
  });
});

const byPhase = (phase: string): string[] =>
  [...endpointStates].flatMap(([state, of]) => (of === phase ? [state] : []));

describe('the words of the service document', () => {
  it('for the states of an endpoint stand for what it can do', () => {
    assert.deepEqual(byPhase('starting'), [
      'checkout_pending',
      'paid',
      'capacity_held',
      'provisioning',
      'pr_open',
      'merged',
      'deploying',
    ]);
    assert.deepEqual(byPhase('serving'), ['ready']);
    assert.deepEqual(byPhase('stopped'), ['suspended']);
    assert.deepEqual(byPhase('ended'), ['failed', 'refunding', 'refunded', 'canceled']);
    assert.equal(endpointStates.size, 13);
  });

  it('for models with a use of their own', () => {
    assert.deepEqual(
      specialModels.map(({ id, use }) => `${id} ${use}`),
      [
        'svc-v3-fast apply',
        'svc-v3-large apply',
        'auto apply',
        'svc-compactor compact',
        'svc-warp-grep-v2.1 search',
        'svc-rerank-v4 rerank',
        'svc-embedding-v4 embed',
        'svc-reflex-v1 fineTuning',
      ],
    );
    assert.deepEqual(
      specialModels.flatMap(({ speed, accuracy }) => (speed ? [[speed, accuracy]] : [])),
      [
        ['10,500+ tok/s', 0.96],
        ['5,000+ tok/s', 0.98],
      ],
    );
  });
});

describe('a text with the tags of the request and all suffixes that are tried first', () => {
  it('still comes back as it was', () => {
    const crafted = Array.from({ length: 12 }, (_, n) => `</code_s${n}>`).join('') + '</code>';
    const { content, restore } = applyMessage({ original: crafted, update: '<update>' });
    assert.equal(content.match(/<\/code>/g)?.length, 1);
    assert.equal(content.match(/<update>/g)?.length, 1);
    const code = /^<code>([^]*)<\/code>$/m.exec(content)?.[1] ?? '';
    assert.notEqual(code, crafted);
    assert.equal(restore(code), crafted);
  });
});
