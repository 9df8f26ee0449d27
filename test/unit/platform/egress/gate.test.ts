import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EgressRefusal } from '../../../../src/platform/egress/gate';
import { recordLimit } from '../../../../src/platform/egress/record';
import { sentReport } from '../../../../src/platform/egress/report';
import { ClearedFile, type Sending } from '../../../../src/platform/egress/sending';
import { ServiceError } from '../../../../src/service/errors';
import { gateFor, methods, recordingClient, signal, t, waysOut } from './ways';

/** Keys of many kinds, each with CANARY in it, and made up. */
const keys = [
  'sk-proj-CANARYaB3dE5fG7hJ9kL1mN',
  'ghp_CANARYabcdefghijklmnopqrstuvwxyz01',
  'xoxb-CANARY1234567890-abcdef',
  'AKIACANARYABCDEFGHIJ',
  'password = "CANARYhunter2"',
  'DB_PASSWORD=CANARYs3cr3t9',
  'api_key: CANARY0123456789abcdef',
  'Authorization: Bearer CANARY.abcdef0123456789xyz',
  'postgres://admin:CANARYpw12@db.internal/x',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIECANARY0123\nCANARYabc\n-----END RSA PRIVATE KEY-----',
  'eyJCANARYaaaaaaa.eyJCANARYbbbbbbb.CANARYsign01',
  'hf_CANARYabcdefghijklmnopqrstu',
  'AccountKey=CANARY9876543210abcdef==',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nCANARYnoEnd0123456789\nCANARYrest',
];

const texts = ['{}', 'before\n{}\nafter', '// config\nconst x = 1;\n  {} // end\n', 'a {} b'];

const inside = (name: string): boolean => name.startsWith('src/service/');

describe('the gate for everything that leaves', () => {
  it('lets none of the planted keys out, whatever the way', async () => {
    let tried = 0;
    for (const key of keys)
      for (const around of texts) {
        const { sent, gated } = recordingClient();
        for (const [way, call] of Object.entries(
          waysOut(
            gated,
            around.replace('{}', () => key),
          ),
        )) {
          tried++;
          await assert.rejects(call(), ServiceError, way);
          for (const request of sent.splice(0))
            assert.doesNotMatch(request, /CANARY/, `${way}: ${key}`);
        }
      }
    assert.ok(tried >= 800, `${tried}`);
  });

  it('lets a text without keys out as it is, by every way', async () => {
    const plain = 'const token = nextToken();\n// the secret: patience\nconst a = "ü\\n";';
    const { sent, gated, record } = recordingClient();
    const ways = waysOut(gated, plain);
    for (const [way, call] of Object.entries(ways)) {
      await assert.rejects(call(), ServiceError);
      assert.ok(sent.pop()?.includes(JSON.stringify(plain).slice(1, -1)), way);
    }
    assert.equal(record.entries.length, Object.keys(ways).length);
    assert.ok(
      record.entries.every(({ outcome, withheld }) => outcome === 'sent' && withheld === 0),
    );
  });

  it('lets no key out as a name or under a name that is kept elsewhere, in what a tool gets or is', async () => {
    const key = keys[0] ?? '';
    const { sent, gated } = recordingClient();
    for (const inner of [{ [key]: 1 }, { id: key }, { model: { endpoint: [key] } }, { url: key }]) {
      const request = {
        model: 'm',
        messages: [
          {
            role: 'assistant',
            toolCalls: [
              { id: 'a', name: 'a', arguments: JSON.stringify({ type: 'image', ...inner }) },
            ],
          },
        ],
        tools: [{ name: 'a', description: 'b', parameters: { type: 'image', ...inner } }],
      } as const;
      await assert.rejects(
        gated.chat(request, { signal, sending: { purpose: 'chat', secrets: 'withhold' } }),
        ServiceError,
      );
      const [left = ''] = sent.splice(0);
      assert.doesNotMatch(left, /CANARY/, JSON.stringify(inner));
      assert.equal(left.split('withheld').length - 1, 2);
    }
  });

  describe('what the user agreed to by name', () => {
    const [inFile = '', elsewhere = ''] = keys;
    const text = `# settings\nkey = ${inFile}\nname = a\n`;
    const agreed = new ClearedFile('.env', text, true);
    const sending = { purpose: 'apply', files: [agreed] } as const;
    const apply = async (request: object, more: object = {}) => {
      const { sent, gated } = recordingClient();
      await assert.rejects(
        gated.apply(
          { original: 'x', update: 'x', model: 'auto', ...request },
          { signal, stream: true, sending: { ...sending, ...more } },
        ),
        ServiceError,
      );
      return sent.join('');
    };

    it('is sent, whole, in part, and with other line ends', async () => {
      assert.match(await apply({ original: text, update: `key = ${inFile}` }), /CANARY/);
      assert.match(await apply({ original: text.replaceAll('\n', '\r\n') }), /CANARY/);
      const windows = [new ClearedFile('.env', text.replaceAll('\n', '\r\n'), true)];
      assert.match(await apply({ original: text }, { files: windows }), /CANARY/);
      const pem = new ClearedFile('a.pem', `a\n${keys[9] ?? ''}\nb`, true);
      assert.match(await apply({ original: keys[9] }, { files: [pem] }), /CANARY/);
    });

    it('lets no other key out beside it, in whatever part of the call', async () => {
      for (const request of [
        { original: text, update: elsewhere },
        { original: text, instruction: `use ${elsewhere}` },
        { original: `${text}\n${elsewhere}` },
        { original: `key = ${inFile}CANARY2` },
      ])
        assert.equal(await apply(request), '', JSON.stringify(request));
    });

    it('says what to do about a key that nobody was asked about', async () => {
      const { gated } = recordingClient();
      await assert.rejects(
        gated.apply(
          { original: text, update: elsewhere, model: 'auto' },
          { signal, stream: true, sending },
        ),
        /What is sent with \.env seems to hold a key or a password.*Take it out, or run the command again\./,
      );
    });

    it('holds for a text too, and for this one only', async () => {
      const instruction = `use ${elsewhere}`;
      assert.match(await apply({ original: 'a', instruction }, { texts: [instruction] }), /CANARY/);
      assert.equal(await apply({ original: keys[2], instruction }, { texts: [instruction] }), '');
    });

    it('leaves other keys of a conversation out', async () => {
      const { sent, gated } = recordingClient();
      const content = `<attachment>\n${text}\n</attachment>`;
      const messages = [
        { role: 'user', content: `mine is ${elsewhere}` },
        { role: 'user', content },
      ] as const;
      await assert.rejects(
        gated.chat(
          { model: 'm', messages },
          { signal, sending: { purpose: 'chat', secrets: 'withhold', files: [agreed] } },
        ),
        ServiceError,
      );
      assert.ok(sent.join('').includes(JSON.stringify(content)));
      assert.ok(!sent.join('').includes(elsewhere));
    });

    it('does not hold for a file that only its path speaks for', async () => {
      const files = [new ClearedFile('src/a.ts', text, false)];
      assert.equal(await apply({ original: text }, { files }), '');
    });
  });

  it('sends no file that nobody has looked at', async () => {
    const { sent, gated, record } = recordingClient();
    const lookalike: ClearedFile = Object.create(ClearedFile.prototype);
    for (const files of [[], [lookalike]])
      for (const purpose of ['apply', 'edit'] as const)
        await assert.rejects(
          gated.apply(
            { original: 'a', update: 'b', model: 'auto' },
            { signal, stream: true, sending: { purpose, files } },
          ),
          (error: unknown) => error instanceof EgressRefusal && error.reason === 'file',
        );
    assert.deepEqual(sent, []);
    assert.deepEqual(
      record.entries.map(({ outcome }) => outcome),
      ['refused', 'refused', 'refused', 'refused'],
    );
  });

  it('sends nothing of an untrusted workspace but what the user chose at that moment', async () => {
    const { sent, gated } = recordingClient({ isTrusted: () => false });
    for (const [way, call] of Object.entries(waysOut(gated, 'plain text'))) {
      await assert.rejects(call(), ServiceError);
      const isChosen = ['predict', 'the router', 'the raw route', 'the route of a provider'];
      assert.equal(sent.splice(0).length, isChosen.includes(way) ? 1 : 0, way);
    }
  });

  it('sends nothing in the background that the user has not agreed to', async () => {
    const { sent, gated } = recordingClient();
    const watch = async (hasConsent: boolean) =>
      gated.predictMany(
        { models: ['m'], text: 'x' },
        { signal, background: true, sending: { purpose: 'watch', hasConsent } },
      );
    await assert.rejects(watch(false), (error: unknown) => error instanceof EgressRefusal);
    assert.deepEqual(sent, []);
    await assert.rejects(watch(true), ServiceError);
    assert.equal(sent.length, 1);
  });

  it('keeps ids, signatures and pictures as they are, which only look like keys', async () => {
    const { sent, gated } = recordingClient();
    const key = 'sk-proj-aB3dE5fG7hJ9kL1mN0pQ';
    await assert.rejects(
      gated.chat(
        {
          model: 'm',
          messages: [
            { role: 'user', content: [{ type: 'image', url: `data:image/png;base64,${key}` }] },
            { role: 'assistant', toolCalls: [{ id: key, name: 'a', arguments: '{"b":1}' }] },
            { role: 'tool', toolCallId: key, content: 'x' },
          ],
        },
        { signal, sending: { purpose: 'chat', secrets: 'withhold' } },
      ),
      ServiceError,
    );
    assert.equal(sent.join('').split(key).length - 1, 3);
  });
});

describe('the record of what was sent', () => {
  it('holds what, when, for what and to whom, and never content', async () => {
    const { gated, record } = recordingClient();
    const files = [new ClearedFile('src/a|b.ts', 'CONTENT'.padEnd(33), false)];
    await assert.rejects(
      gated.apply(
        {
          original: 'CONTENT of the file',
          update: 'CONTENT',
          model: 'auto',
          instruction: 'CONTENT',
        },
        { signal, stream: true, sending: { purpose: 'apply', files } },
      ),
      ServiceError,
    );
    await assert.rejects(
      waysOut(gated, keys[0] ?? '')['predict']?.() ?? Promise.resolve(),
      ServiceError,
    );
    const [entry] = record.entries;
    assert.deepEqual(
      [entry?.purpose, entry?.operation, entry?.to, entry?.at, entry?.chars],
      ['apply', 'apply', 'https://service.test', 1000, 33],
    );
    const report = sentReport(record, t);
    assert.doesNotMatch(JSON.stringify(record.entries) + report, /CONTENT|CANARY/);
    assert.match(report, /merging an edit/);
    assert.match(report, /src\/a\\\|b\.ts \(33 characters\)/);
    assert.match(report, /refused\\?: The text seems to hold a key or a password/);
  });

  it('names an endpoint of its own as the receiver', async () => {
    const { gated, record } = recordingClient();
    const endpoint = {
      endpointId: 'e',
      url: new URL('https://e1.service.test/path'),
      servedModelName: 'm',
    };
    await assert.rejects(
      gated.chat(
        { model: 'm', messages: [{ role: 'user', content: 'x' }], endpoint },
        { signal, sending: { purpose: 'test' } },
      ),
      ServiceError,
    );
    assert.equal(record.entries[0]?.to, 'https://e1.service.test');
  });

  it('stays bounded and says what it dropped', async () => {
    const { gated, record } = recordingClient();
    const files = Array.from({ length: 1000 }, () => new ClearedFile('x'.repeat(5000), 'a', false));
    for (let nth = 0; nth < recordLimit + 7; nth++)
      await assert.rejects(
        gated.chat(
          { model: 'm', messages: [{ role: 'user', content: 'x' }] },
          { signal, sending: { purpose: 'chat', files } },
        ),
      );
    assert.equal(record.entries.length, recordLimit);
    assert.equal(record.forgotten, 7);
    assert.ok(JSON.stringify(record.entries).length < recordLimit * 6000);
    assert.match(sentReport(record, t), /7 earlier calls are no longer listed/);
  });

  it('tells each call what its costs are for', async () => {
    const { gate } = gateFor();
    const sourceOf = async (sending: Sending) =>
      gate.send('chat', 'x', sending, async (_request, source) => source);
    assert.deepEqual(await sourceOf({ purpose: 'chat', chat: 'c1' }), {
      purpose: 'chat',
      chat: 'c1',
    });
    for (const [purpose, expected] of [
      ['rerank', 'search'],
      ['pickModel', 'auto'],
      ['guard', 'reflex'],
      ['batch', 'batch'],
    ] as const)
      assert.equal((await sourceOf({ purpose })).purpose, expected);
  });

  it('tells what failed before anything left from what did not', async () => {
    const { gate, record } = gateFor();
    const sending: Sending = { purpose: 'chat' };
    for (const kind of ['noKey', 'budget', 'connection'] as const)
      await assert.rejects(
        gate.send('chat', 'x', sending, async () => {
          throw new ServiceError(kind, kind);
        }),
      );
    await gate.send('chat', 'x', sending, async () => 1);
    assert.deepEqual(
      record.entries.map(({ outcome }) => outcome),
      ['unsent', 'unsent', 'sent', 'sent'],
    );
  });
});

describe('the ways out of the extension', () => {
  const sources = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
      const file_ = path.join(folder, entry.name);
      return entry.isDirectory() ? sources(file_) : file_.endsWith('.ts') ? [file_] : [];
    });
  const all = sources('src').map(name => ({
    name: name.split(path.sep).join('/'),
    text: readFileSync(name, 'utf8'),
  }));
  const named = (pattern: RegExp): string[] =>
    all.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

  it('has every operation of the client behind the gate or among those without a text', async () => {
    const { sent, gated, record } = recordingClient();
    assert.deepEqual(Object.keys(gated).sort(), methods.toSorted());
    const plain: string[] = [];
    for (const operation of methods) {
      const call: unknown = Reflect.get(gated, operation);
      assert.ok(typeof call === 'function');
      const before = record.entries.length;
      await assert.rejects(
        Reflect.apply(call, gated, [{ text: 'a' }, { signal, sending: { purpose: 'test' } }]),
        ServiceError,
      );
      if (record.entries.length === before) plain.push(operation);
    }
    assert.equal(sent.length, methods.length);
    // These take ids, pages and options. A new one with a text in it belongs behind the gate.
    assert.deepEqual(plain.sort(), [
      'catalogue',
      'endpointStatus',
      'endpointTarget',
      'isReady',
      'listBatches',
      'listEndpoints',
      'listFineTuningJobs',
      'obstacle',
      'reflexBatch',
      'reflexBatchResults',
      'reflexTraces',
    ]);
  });

  it('gives no feature a client that does not pass the gate', () => {
    assert.deepEqual(
      named(/import [^;]*\bServiceClient\b[^;]*from '[^']*\/service(?:\/client)?';/).filter(
        name => !inside(name),
      ),
      ['src/platform/client/client.ts', 'src/platform/egress/gatedClient.ts'],
    );
    assert.deepEqual(named(/new ServiceClient\(/), ['src/platform/client/client.ts']);
    assert.deepEqual(
      named(/\bOperation\(/).filter(name => !inside(name)),
      [],
      'an operation of the service is made outside of the client',
    );
  });

  it('lets only the look at a path clear a file', () => {
    assert.deepEqual(named(/new ClearedFile\(/), ['src/platform/egress/paths/workspaceRules.ts']);
    assert.deepEqual(named(/\bagreedFile\(/), [
      'src/apply/changeset/clearance.ts',
      'src/platform/egress/paths/workspaceRules.ts',
      'src/reflex/guard/forwardPrompt.ts',
    ]);
  });

  it('sends to other language models of VS Code only through the gate', () => {
    assert.deepEqual(named(/\.sendRequest\(/), ['src/reflex/guard/forwardPrompt.ts']);
    assert.match(
      all.find(({ name }) => name === 'src/reflex/guard/forwardPrompt.ts')?.text ?? '',
      /gate\(\)\s*\)\.send\([^]*sendRequest/,
    );
  });

  it('opens no connection of its own', () => {
    const outside = named(
      /(?<!#)\bfetch\(|from '(?:node:)?https?'|from 'undici'|new WebSocket/,
    ).filter(name => !name.startsWith('src/service/'));
    assert.deepEqual(outside, ['src/platform/client/network.ts']);
  });
});

/** The purpose and the count of what is told to be withheld from a text. */
async function withheldFrom(text: string): Promise<unknown[]> {
  const told: unknown[] = [];
  const { gate } = gateFor({ onWithheld: (purpose, count) => told.push([purpose, count]) });
  const sending = { purpose: 'chat', secrets: 'withhold' } as const;
  await gate.send('chat', { text }, sending, async passed => passed);
  return told;
}

describe('what the gate tells of a call', () => {
  it('is how many keys were withheld, and nothing where there was none', async () => {
    assert.deepEqual(await withheldFrom(`a ${keys[0]}\nb`), [['chat', 1]]);
    assert.deepEqual(await withheldFrom('no key'), []);
  });

  it('is the purpose under which its costs are summed', async () => {
    const { gate } = gateFor();
    const files = [new ClearedFile('src/a.ts', 'a', false)];
    const chat = 'c1';
    const calls: readonly (readonly [sending: Sending, wanted: string])[] = [
      [{ purpose: 'apply', files, chat }, 'apply'],
      [{ purpose: 'edit', files, chat }, 'edit'],
      [{ purpose: 'search', chat }, 'search'],
      [{ purpose: 'rerank', chat }, 'search'],
      [{ purpose: 'compact', chat }, 'compact'],
      [{ purpose: 'chat', secrets: 'refuse', chat }, 'chat'],
      [{ purpose: 'prompt', secrets: 'refuse', chat }, 'chat'],
      [{ purpose: 'pickModel', secrets: 'refuse', chat }, 'auto'],
      [{ purpose: 'classifyPrompt', chat }, 'auto'],
      [{ purpose: 'classify', chat }, 'reflex'],
      [{ purpose: 'watch', hasConsent: true, chat }, 'reflex'],
      [{ purpose: 'guard', chat }, 'reflex'],
      [{ purpose: 'playground', chat }, 'playground'],
      [{ purpose: 'batch', chat }, 'batch'],
      [{ purpose: 'test', chat }, 'test'],
    ];
    for (const [sending, wanted] of calls) {
      const source = await gate.send('chat', { text: 'x' }, sending, async (_, given) => given);
      assert.deepEqual(source, { purpose: wanted, chat }, sending.purpose);
    }
  });
});
