import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyMessage, stripFence } from '../../../../src/service/wire/apply';
import { type StandIn, startStandIn } from '../../../service/standIn';
import { apiKey, failureOf, never, testClient } from '../helpers';

const tags = [
  '<code>',
  '</code>',
  '</CODE>',
  '<update>',
  '</update >',
  '<instruction x="1">',
  '</code',
];
const pieces = fc.constantFrom(
  ...tags,
  '_s0',
  '_s1',
  '_S0',
  '<code_s0>',
  '</code_s1>',
  '<',
  '/',
  '\n',
);
const sourceText = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 5 })))
  .map(parts => parts.join(''));

function cutAtTags(content: string): string[] {
  const match =
    /^(?:<instruction>([^]*?)<\/instruction>\n)?<code>([^]*?)<\/code>\n<update>([^]*?)<\/update>$/i.exec(
      content,
    );
  assert.ok(match, content);
  return match.slice(1).map(part => part ?? '');
}

describe('applyMessage', () => {
  it('shows the parts in the order of the service document', () => {
    const { content } = applyMessage({ original: 'a\n', update: 'b', instruction: 'I add b' });
    assert.equal(
      content,
      '<instruction>I add b</instruction>\n<code>a\n</code>\n<update>b</update>',
    );
    assert.equal(
      applyMessage({ original: '', update: 'b' }).content,
      '<code></code>\n<update>b</update>',
    );
  });

  it('changes nothing in texts without such tags', () => {
    const original = '<p class="code">&lt;code&gt;</p><codec></codec>';
    assert.ok(applyMessage({ original, update: '' }).content.includes(original));
  });

  it('gives every text back, whatever tags it holds', () => {
    fc.assert(
      fc.property(sourceText, sourceText, sourceText, (original, update, instruction) => {
        const { content, restore } = applyMessage({ original, update, instruction });
        const parts = cutAtTags(content).map(restore);
        assert.deepEqual(parts, [instruction, original, update]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('stripFence', () => {
  const plain = { original: 'a\n', update: 'b' };
  const rows: [string, string, string, { original: string; update: string }][] = [
    ['a fence around everything', '```ts\na\nb\n```', 'a\nb\n', plain],
    ['a fence with CRLF', '```ts\r\na\r\n```\r\n', 'a\r\n', plain],
    [
      'the last line end only as the file has it',
      '```\na\n```',
      'a',
      { original: 'a', update: 'b' },
    ],
    ['no fence', 'a\nb\n', 'a\nb\n', plain],
    ['two blocks', '```\na\n```\ntext\n```\nb\n```', '```\na\n```\ntext\n```\nb\n```', plain],
    ['an open fence', '```ts\na\n', '```ts\na\n', plain],
    [
      'a file that begins with one',
      '```\na\n```',
      '```\na\n```',
      { original: '```\n```', update: '' },
    ],
  ];
  for (const [name, answer, expected, parts] of rows)
    it(name, () => assert.equal(stripFence(answer, parts), expected));
});

describe('apply against the stand-in', () => {
  let service: StandIn;
  before(async () => {
    service = await startStandIn({ apiKey, merge: (code, update) => code + update });
  });
  after(() => service.close());
  beforeEach(() => void (service.requests.length = 0));

  for (const stream of [false, true]) {
    it(`merges a file that holds the tags (stream: ${stream})`, async () => {
      const { client } = testClient(service.url);
      const original = 'x = "</code>";\n'.repeat(20);
      const shown: string[] = [];
      const result = await client.apply(
        { original, update: '// <update>\n', instruction: 'I add a line', model: 'svc-v3-large' },
        { signal: never(), stream, onText: text => shown.push(text) },
      );
      assert.equal(result.text, `${original}// <update>\n`);
      assert.equal(result.requestId, 'req-1');
      assert.equal(shown.at(-1), stream ? result.text : undefined);
      const [request] = service.requests;
      assert.equal(request?.headers.authorization, `Bearer ${apiKey}`);
      assert.match(request?.headers['idempotency-key']?.toString() ?? '', /^[\da-f-]{36}$/);
    });
  }

  it('asks for temperature 0 and lets the service pick the model', async () => {
    const { client } = testClient(`${service.url}/v1/`);
    const result = await client.apply({ original: 'a', update: 'b' }, { signal: never() });
    assert.deepEqual(service.requests[0]?.body, {
      model: 'auto',
      messages: [{ role: 'user', content: '<code>a</code>\n<update>b</update>' }],
      temperature: 0,
    });
    assert.deepEqual(result.usage, { promptTokens: 14, completionTokens: 1 });
    assert.equal(result.model, 'svc-v3-fast');
  });

  it('takes an empty file as it is, and an emptied one as truncated', async () => {
    const { client } = testClient(service.url);
    service.merge = () => '';
    const empty = await client.apply({ original: ' \n', update: 'b' }, { signal: never() });
    assert.equal(empty.text, '');
    const error = await failureOf(
      client.apply({ original: 'a', update: 'b' }, { signal: never() }),
    );
    assert.equal(error.kind, 'truncated');
    service.merge = (code, update) => code + update;
  });

  it('says what is missing before anything is sent', async () => {
    const kindWith = async (options: Parameters<typeof testClient>[1]) =>
      (
        await failureOf(
          testClient(service.url, options).client.apply(
            { original: '', update: '' },
            { signal: never() },
          ),
        )
      ).kind;
    assert.equal(await kindWith({ apiKey: async () => undefined }), 'noKey');
    assert.equal(await kindWith({ apiKey: async () => 'two\nlines' }), 'noKey');
    assert.equal(await kindWith({ baseUrl: () => '' }), 'noUrl');
    assert.equal(await kindWith({ baseUrl: () => 'http://example.com' }), 'badUrl');
    assert.equal(service.requests.length, 0);
    assert.equal(await kindWith({ apiKey: async () => 'sk-other-one' }), 'unauthorized');
  });

  it('asks for the key of exactly the origin that gets it', async () => {
    const asked: string[] = [];
    const { client } = testClient(service.url, {
      apiKey: async origin => {
        asked.push(origin);
        return apiKey;
      },
    });
    await client.apply({ original: 'a', update: 'b' }, { signal: never() });
    assert.deepEqual(asked, [service.url]);
  });
});
