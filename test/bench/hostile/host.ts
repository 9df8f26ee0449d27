import { cleanServerText } from '../../../src/base/format/serverText';
import { escapeMarkdown, labelText } from '../../../src/base/format/text';
import { redact } from '../../../src/base/redact';
import { csvCell, inertText } from '../../../src/base/text/csv';
import { hasSecret } from '../../../src/platform/egress/secrets/secretText';
import type { Parser } from './parser';
import { code, filled, prose } from './texts';
import { markdownTokens } from './tokens';

const secretTokens = [
  'eyJ',
  'eyJ-',
  'eyJhbGciOiJIUzI1NiJ9',
  '.eyJhbGciOiJIUzI1NiJ9',
  '.',
  '-',
  'sk-',
  'sk_live_',
  'abc8Q~',
  'AZDO',
  '.atlasv1.',
  'AAAA',
  'PMAK-',
  'Private-Lines: 1',
  'ghp_',
  'xoxb-',
  'AKIA',
  'AIza',
  'SG.',
  'Bearer ',
  '://',
  ':',
  '@',
  'password',
  'password=',
  'token: ',
  '"',
  '-----BEGIN ',
  'A ',
  'api_key',
  '=',
  'A1b2C3d4E5',
  '/',
  'token_',
];

export const hostParsers: readonly Parser[] = [
  {
    name: 'secrets',
    tokens: secretTokens,
    run: text => hasSecret(text),
    ordinary: code + prose,
    byHand: { 'beginnings of tokens': filled('eyJ-') },
  },
  { name: 'redaction', tokens: secretTokens, run: text => redact(text), ordinary: code + prose },
  {
    name: 'labels',
    tokens: [...markdownTokens, '](', '$(', 'www.', '1.', '\u200b', '<', '&'],
    run: text => {
      escapeMarkdown(text);
      labelText(text);
      cleanServerText(text);
      csvCell(text);
      inertText(text);
    },
    ordinary: prose,
  },
];
