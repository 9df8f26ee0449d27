// The words of formats that several parsers read.
import { marker, words } from './texts';

export const markdownTokens = [
  ...words('> - * + 1. ``` ~~~ ` ` ** # ### :'),
  '> ',
  '- ',
  '1) ',
  '```ts\n',
  '```\n',
  '\n```\n',
  '~~~\n',
  '*/ ',
  'src/a.ts',
  '**src/a.ts**\n',
  'title="a.ts"',
  '"',
  "'",
  '\n> > ',
  '// src/a.ts\n',
];

export const codeTokens = [
  ...words('{ } ( ) [ ] ; , = => : . \' " ` // /* */ <!-- --> # @ -- ...'),
  'const ',
  'end',
  'function a(',
  marker,
  `${marker}\n`,
];

export const diffTokens = [
  '--- a/a.ts\n',
  '+++ b/a.ts\n',
  '@@ -1,3 +1,3 @@\n',
  '@@ ',
  '@@',
  'diff --git a/a b/a\n',
  '+a\n',
  '-a\n',
  ' a\n',
  '*** Update File: a\n',
  '*** Begin Patch\n',
  '\\ No newline\n',
  'GIT binary patch\n',
  '--- ',
  '+++ ',
];

export const blockTokens = [
  '<<<<<<< SEARCH\n',
  '=======\n',
  '>>>>>>> REPLACE\n',
  '<<<<<',
  '<<<<<<< SEARCH',
  '=====',
  '>>>>>',
  'a.ts\n',
  '```\n',
  '----- SEARCH',
  '<old_str>',
  '</old_str>',
  '<new_str>',
  '</new_str>',
];

export const jsonTokens = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u',
  '1',
  '1e',
  '-',
  'true',
  'null',
  '{"a":',
  '[[',
  '"a":1,',
  '{"type":"user","message":{"role":"user","content":"a"}}\n',
  '{"data":[',
  '{"id":"a","model":"b"},',
];
