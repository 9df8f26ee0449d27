import { compactText } from '../../../src/compact/core/compactor';
import { findSegments } from '../../../src/compact/core/segments/findSegments';
import { readHistory } from '../../../src/compact/sessions';
import { parseJsonNode } from '../../../src/compact/sessions/json';
import { attempt, type Parser } from './parser';
import { filled, fixture } from './texts';
import { jsonTokens } from './tokens';

const headerTokens = [
  '## User\n',
  '## Assistant\n',
  'User: ',
  '\nUser: hi\n',
  '**User:** ',
  '# ',
  '[tool_result]',
  '(',
  ')',
  ' (',
  ') ',
  ': ',
  ' - ',
  ' | ',
  '=== ',
  '{"role": "user", ',
  '"a": "b", ',
  '"role": "',
  '```\n',
  '````\n',
  '```ts\n',
  '#### ',
  '> ',
  '$ ',
  'a@b:',
  '>>> ',
  '_**',
  '<',
  '*',
  '\n=== A ===\n',
  '\n# a - a',
  '\n# a: a',
  '\n# A ()',
  '<keepContext>',
  '</keepContext>',
  '\n\u23fa ',
];

export const compactParsers: readonly Parser[] = [
  {
    name: 'turns',
    tokens: headerTokens,
    run: text => findSegments(text),
    ordinary: fixture('transcript.md'),
  },
  {
    name: 'compaction',
    tokens: headerTokens,
    run: text => compactText(text, { query: 'the parser', ratio: 0.5 }),
    ordinary: fixture('transcript.md') + fixture('aider.md'),
  },
  {
    name: 'histories (text)',
    tokens: headerTokens,
    run: text => attempt(() => readHistory('a.md', text)),
    ordinary: fixture('transcript.md'),
  },
  {
    name: 'histories (lines)',
    tokens: [
      ...jsonTokens,
      fixture('claude.jsonl').split('\n')[0] ?? '',
      fixture('codex.jsonl').split('\n')[0] ?? '',
      '\n{',
      '{"',
      '\n',
    ],
    run: text => attempt(() => readHistory('a.jsonl', text)),
    ordinary: fixture('claude.jsonl'),
    byHand: {
      'nested lists': filled('['),
      'nested lists in a line': length => `{"type":"user","message":${'['.repeat(length)}`,
    },
  },
  {
    name: 'histories (JSON)',
    tokens: jsonTokens,
    run: text => {
      attempt(() => readHistory('a.json', text));
      parseJsonNode(text);
    },
    ordinary: `{"messages":[${'{"role":"user","content":"hello there"},'.repeat(30_000)}{"role":"assistant","content":"hi"}]}`,
    byHand: { 'nested lists': filled('['), 'nested objects': filled('{"a":') },
  },
];
