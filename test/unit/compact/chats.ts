import * as fc from 'fast-check';

/** How a kind of transcript marks who speaks. `turn` writes a message with its header. */
export interface HeaderStyle {
  name: string;
  user: (text: string) => string;
  assistant: (text: string) => string;
}

const block =
  (user: string, assistant: string) =>
  (name: string): HeaderStyle => ({
    name,
    user: text => `${user}\n${text}\n\n`,
    assistant: text => `${assistant}\n${text}\n\n`,
  });

export const headerStyles: HeaderStyle[] = [
  block('## User', '## Assistant')('headings'),
  block('### Human (10:42)', '### Claude (10:43)')('headings with times'),
  block('[user]', '[assistant]')('brackets'),
  block('USER:', 'ASSISTANT:')('capitals'),
  block('**User**', '**Assistant**')('bold'),
  block('_**User (2025-10-14 22:25Z)**_', '_**Agent (model x-1, mode Agent)**_')('bold italics'),
  block(
    '_**User: ann (2026-02-12 05:48Z)**_',
    '_**Agent (model x-1) (sidechain)**_',
  )('with a name'),
  block('<user>', '<assistant>')('tags'),
  block('<|user|>', '<|assistant|>')('piped tags'),
  block('=== USER ===', '=== ASSISTANT ===')('rules'),
  block('User:', 'mini-agent (step 3, $0.02):')('steps of an agent'),
  block(
    '{\n  "role": "user",\n  "content": "',
    '{\n  "role": "assistant",\n  "content": "',
  )('printed JSON'),
  { name: 'labels', user: text => `User: ${text}\n`, assistant: text => `Assistant: ${text}\n` },
  {
    name: 'bold labels',
    user: text => `**You:** ${text}\n\n`,
    assistant: text => `**ChatGPT:** ${text}\n\n`,
  },
  {
    name: 'a person and a tool',
    user: text => `ann-b: ${text}\n\n`,
    assistant: text => `GitHub Copilot: ${text}\n\n`,
  },
  {
    name: 'a session log',
    user: text => `#### ${text}\n\n`,
    assistant: text => `${text}\n\n> Tokens: 1.2k sent.\n\n`,
  },
  { name: 'a prompt', user: text => `>>> ${text}\n`, assistant: text => `${text}\n` },
  { name: 'a shell', user: text => `ann@host:~/src$ ${text}\n`, assistant: text => `${text}\n` },
  {
    name: 'JSON lines',
    user: text => `${JSON.stringify({ role: 'user', content: text })}\n`,
    assistant: text => `${JSON.stringify({ role: 'assistant', content: text })}\n`,
  },
];

/** Texts that a transcript holds, and that must not be taken for headers of it. */
export const saying = fc.constantFrom(
  'Please rename parse_header in src/wire/header.ts.',
  'The output:\n\n```ts\nconst user = 1;\n```\nDone with 42 lines.',
  'Model: x-1\nOutput: none\nstep 3 of 7',
  '# Plan\n\n## System\n\n- first\n- second\n\n### Output\n\nas before',
  'ok',
  'error: cannot find module ./left-pad (exit 1)\n    at load (/srv/app/load.js:10:2)',
  '```\n## User\nquoted in a block\n```',
  'sha 9f8e7d6c5b4a, version 1.20.3\n\n\nand two blank lines',
);

/** Any text, rich in what decides: line ends, tags, headers, fences, and characters that are half of one. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: saying },
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '<keepContext>',
        '</keepContext>',
        'a <keepContext>b</keepContext> c',
        '## User',
        '## Assistant',
        '```',
        '',
        '\ud800',
        'x\u0000y\u2028z\rw',
        '(filtered 2 lines)',
      ),
    ),
    { maxLength: 40 },
  )
  .chain(lines =>
    fc
      .tuple(fc.constantFrom('\n', '\r\n'), fc.boolean())
      .map(([end, hasFinalEnd]) => lines.join(end) + (hasFinalEnd ? end : '')),
  );
