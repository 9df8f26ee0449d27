import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { UserError } from '../../src/base/userError';
import type { ChatCall, ChatFeatures } from '../../src/chat/chatFeatures';
import { chatParticipant } from '../../src/chat/ids';
import { answerPrompt, followupsOf } from '../../src/chat/participant';
import { ServiceError } from '../../src/service/errors';
import { asRead } from './asRead';
import { fileUri, sleep, writeFile } from './support';

/** Fails the test in a room that a prompt has no business with. */
const notAsked = (): never => assert.fail('another room was asked');
const noRooms: ChatFeatures = {
  apply: { openEdits: notAsked },
  search: { find: notAsked },
  compact: { compactChat: notAsked },
  reflex: { forwardPrompt: notAsked, route: notAsked },
};

const turn = (prompt: string, text: string, asked?: string) => {
  const request: unknown = Object.create(vscode.ChatRequestTurn.prototype);
  const response: unknown = Object.create(vscode.ChatResponseTurn.prototype);
  assert.ok(request instanceof vscode.ChatRequestTurn);
  assert.ok(response instanceof vscode.ChatResponseTurn);
  const common = { command: asked, participant: chatParticipant };
  const part = new vscode.ChatResponseMarkdownPart(text);
  return [
    Object.assign(request, { ...common, prompt, references: [] }),
    Object.assign(response, { ...common, response: [part] }),
  ];
};

interface Prompt {
  readonly prompt?: string;
  readonly command?: string;
  readonly references?: readonly vscode.ChatPromptReference[];
  readonly history?: ChatCall['context']['history'];
  readonly token?: vscode.CancellationToken;
}

/** One prompt; the answer as one text, with its anchors and buttons. */
async function chat(rooms: Partial<ChatFeatures>, given: Prompt) {
  const said: string[] = [];
  const buttons: vscode.Command[] = [];
  const used: unknown[] = [];
  const steps: string[] = [];
  const response = {
    markdown: (text: string) => void said.push(text),
    anchor: (_value: unknown, title = '') => void said.push(`<${title}>`),
    button: (button: vscode.Command) => void buttons.push(button),
    reference: (value: unknown) => void used.push(value),
    progress: (text: string) => void steps.push(text),
  };
  const logged: string[] = [];
  const log = { error: (what: string) => void logged.push(what) };
  const call = {
    request: {
      prompt: given.prompt ?? '',
      command: given.command,
      references: given.references ?? [],
      model: { sendRequest: notAsked },
    },
    context: { history: given.history ?? [] },
    response,
    token: given.token ?? new vscode.CancellationTokenSource().token,
  };
  const result = await answerPrompt({ log }, { ...noRooms, ...rooms }, call);
  return asRead({ text: said.join(''), buttons, used, steps, logged, result });
}

const change = 'Change it:\n\n```ts src/a.ts\nconst a = 2;\n```\n';
const places = Array.from({ length: 20 }, (_, at) => ({
  uri: fileUri(`src/file${at}.ts`),
  path: `src/file${at}.ts`,
  startLine: 3,
  endLine: 40,
  title: `function f${at}() {`,
  code: Array.from({ length: 30 }, (_line, line) => `line ${line + 1}`).join('\n'),
}));

const passing = (text: string) => ({ ...noRooms.reflex, forwardPrompt: async () => text });
const failing = (error: Error) => ({
  search: {
    find: async () => {
      throw error;
    },
  },
});

describe('the participant @splice', () => {
  it('helps when nothing is asked, without any model', async () => {
    const { text, result } = await chat({}, {});
    for (const name of ['/apply', '/search', '/compact', '/route']) assert.ok(text.includes(name));
    assert.equal(followupsOf(result.metadata)[0]?.command, 'search');
  });

  it('asks what to do with an attachment that comes without a word', async () => {
    const references = [{ id: 'file', value: fileUri('notes.md') }];
    const { text, result } = await chat({}, { prompt: ' ', references });
    assert.equal(result.errorDetails?.message, 'Say what to do with notes.md.');
    assert.equal(text, '');
    const implicit = [{ id: 'vscode.implicit.file', value: fileUri('notes.md') }];
    assert.match((await chat({}, { references: implicit })).text, /\/apply/);
  });

  it('says which attachments a command does not use, and why', async () => {
    await writeFile('chat/a.ts', '');
    const picture = { id: 'picture', name: 'shot.png', value: { mimeType: 'image/png' } };
    const references = [
      { id: 'folder', value: fileUri('chat') },
      { id: 'file', value: fileUri('chat/a.ts') },
      picture,
      { id: 'vscode.implicit.file', value: fileUri('other.ts') },
    ];
    const search = {
      find: async () => ({ id: 1, summary: 'Nothing was found.', note: '', places: [] }),
    };
    const found = await chat({ search }, { command: 'search', prompt: 'x', references });
    assert.match(
      found.text,
      /^> Left out\\: chat\/a\.ts \(one folder is searched\), shot\.png \(one folder is searched\)\.\n\nNothing/,
    );
    const routed = {
      ...noRooms.reflex,
      route: async () => ({
        classes: [],
        model: 'm',
        provider: undefined,
        needsInfo: false,
        facts: '1 ms',
      }),
    };
    const { text } = await chat(
      { reflex: routed },
      { command: 'route', prompt: 'x', references: [picture] },
    );
    assert.match(text, /^> Left out\\: shot\.png \(this command takes no attachments\)\.\n\n/);
    const applied = await chat({}, { command: 'apply', references: [picture] });
    assert.match(applied.text, /^> Left out\\: shot\.png \(a picture\)\.\n\nThere is no code/);
    await vscode.workspace.fs.delete(fileUri('chat'), { recursive: true });
  });

  it('passes a prompt on, and offers to open code that came back', async () => {
    const { result } = await chat({ reflex: passing(change) }, { prompt: 'change a' });
    assert.deepEqual(
      followupsOf(result.metadata).map(({ command: name }) => name),
      ['apply'],
    );
    const plain = await chat({ reflex: passing('No code.') }, { prompt: 'why' });
    assert.deepEqual(followupsOf(plain.result.metadata), []);
  });

  describe('/apply', () => {
    it('opens the newest answer with code, and says what became of each edit', async () => {
      const given: unknown[] = [];
      const { text, buttons } = await chat(
        {
          apply: {
            async openEdits(source, target) {
              given.push(source, target);
              return [
                {
                  kind: 'review',
                  name: 'src/a.ts',
                  uri: fileUri('src/a.ts'),
                  reviewId: 'r1',
                  detail: '+1 −1',
                  findings: ['Line 2: one', 'Line 3: two', 'Line 4: three', 'Line 5: four'],
                },
                { kind: 'refused', name: 'b.ts', detail: 'Two places fit.', findings: [] },
              ];
            },
          },
        },
        { command: 'apply', history: [...turn('a', change), ...turn('q', change, 'search')] },
      );
      assert.deepEqual(given, [change, undefined]);
      assert.match(text, /^One review is open\. Nothing is written until you accept\./);
      assert.match(text, /- <src\/a\.ts>: \\\+1 −1\n {2}- Line 2\\: one\n/);
      assert.match(text, /1 more finding, in the review/);
      assert.match(text, /- b\.ts: not opened\. Two places fit\.\n$/);
      assert.deepEqual(
        buttons.map(({ command: id, arguments: args }) => [id, args]),
        [['splice.apply.showReview', ['r1']]],
      );
    });

    it('takes code of the prompt to the attached file, never to one that the editor added', async () => {
      await writeFile('chat/target.ts', 'const a = 1;\n');
      const targets: (string | undefined)[] = [];
      const apply = {
        openEdits: async (_text: string, target: vscode.Uri | undefined) => {
          targets.push(target?.path.split('/').at(-1));
          return [];
        },
      };
      const value = fileUri('chat/target.ts');
      const prompt = '```ts\nconst a = 2;\n```';
      for (const id of ['file', 'vscode.implicit.file']) {
        const { result } = await chat(
          { apply },
          { command: 'apply', prompt, references: [{ id, value }] },
        );
        assert.match(result.errorDetails?.message ?? '', /not an edit of a file/);
      }
      assert.deepEqual(targets, ['target.ts', undefined]);
      await vscode.workspace.fs.delete(fileUri('chat'), { recursive: true });
    });

    it('says what to do when there is no code', async () => {
      assert.match((await chat({}, { command: 'apply' })).text, /no code to apply yet/);
    });
  });

  it('/search shows the first places with their code, the others in a line, all as references', async () => {
    const { text, used, steps, buttons, result } = await chat(
      {
        search: {
          async find({ query, folder }, _signal, onStep) {
            assert.deepEqual([query, folder], ['where', undefined]);
            onStep('Grep: "x"');
            return {
              id: 7,
              summary: '20 places in 20 files, found locally (1 ms)',
              note: '',
              places,
            };
          },
        },
      },
      { command: 'search', prompt: ' where ' },
    );
    assert.match(
      text,
      /^20 places in 20 files, found locally \(1 ms\)\.\n\n<src\/file0\.ts:3-40>\n\n```ts\nline 1\n/,
    );
    assert.equal(text.match(/```ts/g)?.length, 3);
    assert.match(text, /line 12\n… 18 more lines\n```/);
    assert.match(text, /- <src\/file14\.ts:3-40> `function f14\(\) \{`\n\n5 more places/);
    assert.equal(used.length, 15);
    assert.deepEqual(steps, ['Searching the code', 'Grep: "x"']);
    assert.deepEqual(buttons[0]?.arguments, [7]);
    assert.equal(followupsOf(result.metadata)[0]?.command, '');
  });

  it('/search takes an attached folder for where to search', async () => {
    await writeFile('chat/a.ts', '');
    const value = fileUri('chat');
    let within: string | undefined;
    const search = {
      find: async ({ folder }: { folder?: vscode.Uri | undefined }) => {
        within = folder?.toString();
        return { id: 1, summary: 'Nothing was found.', note: '', places: [] };
      },
    };
    const { text } = await chat(
      { search },
      { command: 'search', prompt: 'x', references: [{ id: 'folder', value }] },
    );
    assert.equal(within, value.toString());
    assert.equal(text, 'Nothing was found.\n\n');
    await vscode.workspace.fs.delete(value, { recursive: true });
  });

  it('/compact hands over the turns, the share and what matters', async () => {
    const history = [...turn('Why?', 'Because.\n'), ...turn('', 'shorter', 'compact')];
    let given: unknown;
    const { text, buttons } = await chat(
      {
        compact: {
          async compactChat(source, options) {
            given = [source.messages, options];
            return {
              id: 3,
              saved: '9k → 2k tokens, −78%',
              lines: '2 of 9 lines',
              how: 'here',
              text: 'a\n',
            };
          },
        },
      },
      { command: 'compact', prompt: '20% tests', history },
    );
    assert.deepEqual(given, [
      [
        { role: 'user', text: 'Why?' },
        { role: 'assistant', text: 'Because.\n' },
      ],
      { ratio: 0.2, query: 'tests' },
    ]);
    assert.match(text, /^\*\*9k → 2k tokens, −78%\*\*\\?: 2 of 9 lines are left, each as it was\./);
    assert.match(text, /```markdown\na\n```/);
    assert.deepEqual(
      buttons.map(({ command: id, arguments: args }) => [id, args]),
      [
        ['splice.compact.copy', [3]],
        ['splice.compact.showReceipt', [3]],
      ],
    );
    const empty = await chat({}, { command: 'compact' });
    assert.match(empty.result.errorDetails?.message ?? '', /no turns to compact yet/);
  });

  it('/route tells what the router says of the prompt, or of the last question', async () => {
    const asked: string[] = [];
    const reflex = {
      ...noRooms.reflex,
      async route(prompt: string) {
        asked.push(prompt);
        return {
          classes: [{ name: 'difficulty', label: 'hard', confidence: '91%', isSure: false }],
          model: 'some-model',
          provider: undefined,
          needsInfo: true,
          facts: '12 ms',
        };
      },
    };
    const { text, steps } = await chat({ reflex }, { command: 'route', prompt: 'A poem' });
    assert.match(text, /\| difficulty \| \*\*hard\*\* \| 91% \| below its threshold/);
    assert.match(text, /Model to call next: `some-model`/);
    assert.match(steps[0] ?? '', /2 requests, \$\d/);
    await chat({ reflex }, { command: 'route', history: turn('Why?', 'So.') });
    assert.deepEqual(asked, ['A poem', 'Why?']);
  });

  it('says what went wrong and what helps, and never what was asked', async () => {
    const ask = { command: 'search', prompt: 'secret words' };
    const refused = await chat(failing(new ServiceError('unauthorized', 'refused')), ask);
    assert.equal(refused.result.errorDetails?.message, 'The service refused the API key.');
    assert.equal(refused.buttons[0]?.command, 'splice.service.setApiKey');
    assert.deepEqual(refused.logged, ['chat search']);
    const known = await chat(failing(new UserError('Open a folder.')), ask);
    assert.deepEqual([known.result.errorDetails?.message, known.logged], ['Open a folder.', []]);
  });

  it('ends without a word when it is canceled, and passes the cancel on', async () => {
    const source = new vscode.CancellationTokenSource();
    const search = {
      find: async (_request: unknown, signal: AbortSignal) => {
        source.cancel();
        await sleep(1);
        signal.throwIfAborted();
        return assert.fail('the signal was not aborted');
      },
    };
    const { result } = await chat(
      { search },
      { command: 'search', prompt: 'x', token: source.token },
    );
    assert.equal(result.errorDetails, undefined);
  });
});
