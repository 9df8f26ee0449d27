import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readHookEvents } from '../../../../../../src/apply/external/agents/core/hookEvents';

const line = (fields: object): string =>
  JSON.stringify({ agent: 'claude', time: 1_795_000_000_000, session_id: 's', ...fields });
const eventOf = (fields: object) => readHookEvents([line(fields)]).events[0];

describe('readHookEvents', () => {
  it('reads a line of Claude Code', () => {
    assert.deepEqual(
      readHookEvents([
        line({
          pid: 77,
          cwd: '/home/user/project',
          prompt_id: 'p1',
          hook_event_name: 'PreToolUse',
          agent_id: 'a1',
          tool_name: 'Edit',
          tool_use_id: 't1',
          paths: ['/home/user/project/a.txt', 'src/../b.txt'],
        }),
      ]),
      {
        events: [
          {
            agent: 'claude',
            kind: 'tool',
            session: 's',
            turn: 'p1',
            subagent: 'a1',
            tool: 'Edit',
            call: 't1',
            paths: ['/home/user/project/a.txt', '/home/user/project/b.txt'],
            cwd: '/home/user/project',
            time: 1_795_000_000_000,
            pid: 77,
          },
        ],
        skipped: 0,
      },
    );
  });

  it('knows the events of each agent', () => {
    const names: Readonly<Record<string, string>> = {
      prompt: 'UserPromptSubmit userPromptSubmitted BeforeAgent beforeSubmitPrompt',
      tool: 'PreToolUse preToolUse BeforeTool beforeShellExecution',
      toolDone:
        'PostToolUse postToolUse PostToolUseFailure postToolUseFailure AfterTool afterShellExecution afterFileEdit',
      stop: 'Stop stop agentStop StopFailure Interrupt AfterAgent',
      sessionEnd: 'SessionEnd sessionEnd',
      subagentStart: 'SubagentStart subagentStart',
      subagentStop: 'SubagentStop subagentStop',
    };
    for (const [kind, list] of Object.entries(names))
      for (const hook_event_name of list.split(' '))
        assert.equal(eventOf({ hook_event_name })?.kind, kind, hook_event_name);
  });

  it('leaves out events that say nothing about turns, and does not call them damaged', () => {
    assert.deepEqual(readHookEvents([line({ hook_event_name: 'SessionStart' }), '', '  ']), {
      events: [],
      skipped: 0,
    });
  });

  it('takes the names that other agents have for ids', () => {
    const { events } = readHookEvents([
      '{"agent":"codex","time":1,"hook_event_name":"Stop","session_id":"a","turn_id":"b"}',
      '{"agent":"copilot","time":1,"hook_event_name":"agentStop","sessionId":"a","toolName":"c"}',
      '{"agent":"cursor","time":1,"hook_event_name":"stop","conversation_id":"a","generation_id":"b"}',
    ]);
    assert.deepEqual(
      events.map(({ session, turn, tool }) => [session, turn, tool]),
      [
        ['a', 'b', undefined],
        ['a', undefined, 'c'],
        ['a', 'b', undefined],
      ],
    );
  });

  it("tells VS Code's chat from Claude Code, whose settings it reads", () => {
    const { events } = readHookEvents([
      '{"agent":"claude","time":1,"hookEventName":"Stop","sessionId":"a"}',
    ]);
    assert.deepEqual(events, [{ agent: 'vscode', kind: 'stop', session: 'a', time: 1 }]);
  });

  it('keeps no path of a tool that only reads', () => {
    for (const tool_name of ['Read', 'Grep', 'read_file', 'view'])
      assert.equal(
        eventOf({ hook_event_name: 'PreToolUse', tool_name, paths: ['/a'] })?.paths,
        undefined,
      );
  });

  it('reads paths by the rules of the computer that wrote them', () => {
    const { events } = readHookEvents([
      line({ hook_event_name: 'Stop', cwd: 'C:\\work', paths: ['src\\a.ts', 'D:\\b.ts'] }),
      line({ hook_event_name: 'Stop', cwd: 'relative', paths: ['a.ts', '/b.ts'] }),
    ]);
    assert.deepEqual(
      events.map(({ cwd, paths }) => [cwd, paths]),
      [
        ['C:\\work', ['C:\\work\\src\\a.ts', 'D:\\b.ts']],
        [undefined, ['/b.ts']],
      ],
    );
  });

  it('keeps 64 paths of a tool', () => {
    const paths = Array.from({ length: 70 }, (_, at) => `/home/user/${at}.txt`);
    const more = { hook_event_name: 'PreToolUse', tool_name: 'Edit', paths };
    assert.deepEqual(eventOf({ cwd: '/home/user', ...more })?.paths, paths.slice(0, 64));
  });

  it('skips and counts what is damaged or made up', () => {
    const wrong = [
      '{"agent":"claude"',
      '[]',
      'null',
      line({ hook_event_name: 'NoSuchEvent' }),
      line({ hook_event_name: 'toString' }),
      line({ hook_event_name: 'Stop', agent: 'constructor' }),
      line({ hook_event_name: 'Stop', session_id: '' }),
      line({ hook_event_name: 'Stop', session_id: 'x'.repeat(201) }),
      line({ hook_event_name: 'Stop', session_id: 'a\u001b[31mb' }),
      line({ hook_event_name: 'Stop', time: '2026' }),
      line({ hook_event_name: 'Stop', time: -1 }),
      line({ hook_event_name: 'Stop', padding: 'x'.repeat(20_000) }),
    ];
    assert.deepEqual(readHookEvents(wrong), { events: [], skipped: wrong.length });
  });

  it('drops fields that are too long or not clean, and keeps the event', () => {
    const event = eventOf({
      hook_event_name: 'PreToolUse',
      tool_name: 'a\nb',
      cwd: `/${'x'.repeat(2000)}`,
      pid: -5,
      paths: [1, '/ok', '/a\u0000b', `/${'y'.repeat(2000)}`],
    });
    assert.deepEqual(event, {
      agent: 'claude',
      kind: 'tool',
      session: 's',
      time: 1_795_000_000_000,
      paths: ['/ok'],
    });
  });

  it('has no field but those that are known, whatever a line holds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'prompt',
            'command',
            'content',
            'tool_input',
            'paths',
            'cwd',
            'pid',
            'tool_name',
          ),
          fc.jsonValue(),
        ),
        fields => {
          const event = eventOf({ hook_event_name: 'Stop', ...fields });
          assert.ok(event);
          const known = 'agent kind session turn subagent tool call paths cwd time pid'.split(' ');
          assert.deepEqual(
            Object.keys(event).filter(name => !known.includes(name)),
            [],
          );
        },
      ),
    );
  });
});
